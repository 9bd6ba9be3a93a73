import { checkNumber, optionalInt } from './arguments.js';
import type { LuaState } from './state.js';
import type { LuaValue } from './values.js';

/** LuaBitOp: bits of 32-bit integers; numbers are reduced modulo 2^32, results are signed. */
export function openBit(state: LuaState): void {
  const fold =
    (combine: (a: number, b: number) => number) =>
    (...args: LuaValue[]) => {
      let bits = checkBits(args, 0);
      for (let i = 1; i < args.length; i++) bits = combine(bits, checkBits(args, i));
      return bits;
    };
  const shift =
    (apply: (bits: number, by: number) => number) =>
    (...args: LuaValue[]) =>
      apply(checkBits(args, 0), checkBits(args, 1) & 31) | 0;
  state.openLibrary('bit', {
    tobit: (...args) => checkBits(args, 0),
    bnot: (...args) => ~checkBits(args, 0),
    band: fold((a, b) => a & b),
    bor: fold((a, b) => a | b),
    bxor: fold((a, b) => a ^ b),
    lshift: shift((bits, by) => bits << by),
    rshift: shift((bits, by) => bits >>> by),
    arshift: shift((bits, by) => bits >> by),
    rol: shift((bits, by) => (bits << by) | (bits >>> (32 - by))),
    ror: shift((bits, by) => (bits >>> by) | (bits << (32 - by))),
    bswap(...args) {
      const bits = checkBits(args, 0);
      return (bits >>> 24) | ((bits >> 8) & 0xff00) | ((bits & 0xff00) << 8) | (bits << 24);
    },
    tohex(...args) {
      const bits = checkBits(args, 0);
      const wanted = optionalInt(args, 1, 8);
      const digits = Math.min(Math.abs(wanted), 8);
      const text = (bits >>> 0)
        .toString(16)
        .padStart(8, '0')
        .slice(8 - digits);
      return wanted < 0 ? text.toUpperCase() : text;
    },
  });
}

/** The low 32 bits of a number rounded to even, by way of adding 2^52 + 2^51. */
function checkBits(args: LuaValue[], at: number): number {
  const sum = checkNumber(args, at) + 6755399441055744;
  bytes.setFloat64(0, sum);
  return bytes.getInt32(4);
}

const bytes = new DataView(new ArrayBuffer(8));
