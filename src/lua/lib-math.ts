import { checkInt, checkNumber } from './arguments.js';
import { argumentError, libraryError } from './errors.js';
import { raise } from './numbers.js';
import { RANDOM_MAX } from './random.js';
import type { LuaState } from './state.js';
import type { LuaValue } from './values.js';

const DEGREE = Math.PI / 180;

/**
 * The math library, and `os.clock`: all of `os` that a script gets. Functions of two numbers check the second first,
 * as the compiled C of PUC Lua does.
 */
export function openMath(state: LuaState): void {
  const library = state.openLibrary('math', {
    abs: (...args) => Math.abs(checkNumber(args, 0)),
    acos: (...args) => Math.acos(checkNumber(args, 0)),
    asin: (...args) => Math.asin(checkNumber(args, 0)),
    atan: (...args) => Math.atan(checkNumber(args, 0)),
    ceil: (...args) => Math.ceil(checkNumber(args, 0)),
    cos: (...args) => Math.cos(checkNumber(args, 0)),
    cosh: (...args) => Math.cosh(checkNumber(args, 0)),
    deg: (...args) => checkNumber(args, 0) / DEGREE,
    exp: (...args) => Math.exp(checkNumber(args, 0)),
    floor: (...args) => Math.floor(checkNumber(args, 0)),
    log: (...args) => Math.log(checkNumber(args, 0)),
    log10: (...args) => Math.log10(checkNumber(args, 0)),
    rad: (...args) => checkNumber(args, 0) * DEGREE,
    sin: (...args) => Math.sin(checkNumber(args, 0)),
    sinh: (...args) => Math.sinh(checkNumber(args, 0)),
    sqrt: (...args) => Math.sqrt(checkNumber(args, 0)),
    tan: (...args) => Math.tan(checkNumber(args, 0)),
    tanh: (...args) => Math.tanh(checkNumber(args, 0)),
    atan2(...args) {
      const x = checkNumber(args, 1);
      return Math.atan2(checkNumber(args, 0), x);
    },
    fmod(...args) {
      const divisor = checkNumber(args, 1);
      return checkNumber(args, 0) % divisor;
    },
    frexp(...args) {
      const [fraction, exponent] = splitNumber(checkNumber(args, 0));
      return [fraction, exponent];
    },
    ldexp(...args) {
      const exponent = checkInt(args, 1);
      return scale(checkNumber(args, 0), exponent);
    },
    max: (...args) => extreme(args, (a, b) => a > b),
    min: (...args) => extreme(args, (a, b) => a < b),
    modf(...args) {
      const x = checkNumber(args, 0);
      const whole = Math.trunc(x);
      const rest = Number.isFinite(x) ? x - whole : Number.isNaN(x) ? x : 0;
      return [whole, x < 0 && rest === 0 ? -0 : rest];
    },
    pow(...args) {
      const exponent = checkNumber(args, 1);
      return raise(checkNumber(args, 0), exponent);
    },
    random(...args) {
      const share = (state.random.next() % RANDOM_MAX) / RANDOM_MAX;
      if (args.length === 0) return share;
      if (args.length > 2) throw libraryError('wrong number of arguments');
      const from = args.length === 1 ? 1 : checkInt(args, 0);
      const to = checkInt(args, args.length - 1);
      if (from > to) throw argumentError(args.length, 'interval is empty');
      return Math.floor(share * (to - from + 1)) + from;
    },
    randomseed(...args) {
      state.random.seed(checkInt(args, 0));
      return [];
    },
  });
  library.set('pi', Math.PI);
  library.set('huge', Infinity);
  library.set('mod', library.get('fmod'));
  state.openLibrary('os', { clock: () => state.clock() });
}

function extreme(args: LuaValue[], better: (a: number, b: number) => boolean): number {
  let best = checkNumber(args, 0);
  for (let i = 1; i < args.length; i++) {
    const value = checkNumber(args, i);
    if (better(value, best)) best = value;
  }
  return best;
}

/** `frexp`: a fraction in [0.5, 1) and a power of two. */
function splitNumber(x: number): [number, number] {
  if (x === 0 || !Number.isFinite(x)) return [x, 0];
  let fraction = x;
  let exponent = 0;
  // Subnormal numbers are scaled up first, so that the exponent can be read off.
  if (Math.abs(fraction) < 2 ** -1022) {
    fraction *= 2 ** 54;
    exponent = -54;
  }
  const power = Math.floor(Math.log2(Math.abs(fraction))) + 1;
  fraction = scale(fraction, -power);
  exponent += power;
  if (Math.abs(fraction) >= 1) return [fraction / 2, exponent + 1];
  return Math.abs(fraction) < 0.5 ? [fraction * 2, exponent - 1] : [fraction, exponent];
}

/** `x · 2^exponent` without overflow on the way. */
function scale(x: number, exponent: number): number {
  let value = x;
  let rest = Math.max(-2200, Math.min(2200, exponent));
  while (rest > 1000) {
    value *= 2 ** 1000;
    rest -= 1000;
  }
  while (rest < -1000) {
    value *= 2 ** -1000;
    rest += 1000;
  }
  return value * 2 ** rest;
}
