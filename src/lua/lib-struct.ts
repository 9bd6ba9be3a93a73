import { checkNumber, checkString, optionalInteger } from './arguments.js';
import { argumentError, libraryError } from './errors.js';
import type { LuaState } from './state.js';
import type { LuaValue } from './values.js';

/** The widest integer a format may ask for; only 64 bits of it carry a value. */
const MAX_INTEGER_SIZE = 32;
const MAX_ALIGNMENT = 8;
const INT_MAX = 0x7fffffff;

/** The `struct` library as Redis ships it: C structures packed into strings. */
export function openStruct(state: LuaState): void {
  state.openLibrary('struct', { pack, unpack, size: sizeOf });
}

/** Reads a format string option by option, keeping byte order and alignment. */
class Format {
  option = '';
  size = 0;
  littleEndian = true;
  private alignment = 1;
  private at = 0;

  constructor(private readonly text: string) {}

  next(): boolean {
    const option = this.text[this.at];
    if (option === undefined || option === '\0') return false;
    this.at++;
    this.option = option;
    this.size = this.optionSize(option);
    return true;
  }

  /** How many bytes go before the option's value at this position. */
  padding(position: number): number {
    if (this.size === 0 || this.option === 'c') return 0;
    const size = Math.min(this.size, this.alignment);
    return (size - (position & (size - 1))) & (size - 1);
  }

  /** Options that stand for no value. */
  control(): void {
    switch (this.option) {
      case ' ':
        return;
      case '>':
        this.littleEndian = false;
        return;
      case '<':
        this.littleEndian = true;
        return;
      case '!': {
        const alignment = this.number(MAX_ALIGNMENT);
        if (alignment <= 0 || (alignment & (alignment - 1)) !== 0) {
          throw libraryError(`alignment ${alignment} is not a power of 2`);
        }
        this.alignment = alignment;
        return;
      }
      default:
        throw argumentError(1, `invalid format option '${this.option}'`);
    }
  }

  private optionSize(option: string): number {
    switch (option) {
      case 'b':
      case 'B':
      case 'x':
        return 1;
      case 'h':
      case 'H':
        return 2;
      case 'f':
        return 4;
      case 'l':
      case 'L':
      case 'T':
      case 'd':
        return 8;
      case 'c':
        return this.number(1);
      case 'i':
      case 'I': {
        const size = this.number(4);
        if (size > MAX_INTEGER_SIZE) {
          throw libraryError(`integral size ${size} is larger than limit of ${MAX_INTEGER_SIZE}`);
        }
        return size;
      }
      default:
        return 0;
    }
  }

  private number(otherwise: number): number {
    const digits = /^\d+/.exec(this.text.slice(this.at, this.at + 12))?.[0];
    if (digits === undefined) return otherwise;
    this.at += digits.length;
    const value = Number(digits);
    if (value > INT_MAX) throw libraryError('integral size overflow');
    return value;
  }
}

function pack(...args: LuaValue[]): LuaValue {
  const format = new Format(checkString(args, 0));
  let packed = '';
  let argument = 1;
  // The library marks the end of its arguments with a nil, which a missing one is taken for.
  args.push(undefined);
  while (format.next()) {
    packed += '\0'.repeat(format.padding(packed.length));
    switch (format.option) {
      case 'x':
        packed += '\0';
        break;
      case 'f':
      case 'd':
        packed += packFloat(checkNumber(args, argument++), format);
        break;
      case 'c':
      case 's': {
        const text = checkString(args, argument++);
        const size = format.size === 0 ? text.length : format.size;
        if (text.length < size) throw argumentError(argument + 1, 'string too short');
        packed += text.slice(0, size);
        if (format.option === 's') packed += '\0';
        break;
      }
      default:
        if (isInteger(format.option)) packed += packInteger(checkNumber(args, argument++), format);
        else format.control();
    }
  }
  return packed;
}

function unpack(...args: LuaValue[]): LuaValue[] {
  const format = new Format(checkString(args, 0));
  const data = checkString(args, 1);
  let at = optionalInteger(args, 2, 1);
  if (at === 0) throw argumentError(3, 'offset must be 1 or greater');
  if (at < 0) throw argumentError(2, 'data string too short');
  at--;
  const values: LuaValue[] = [];
  while (format.next()) {
    let { size } = format;
    at += format.padding(at);
    requireBytes(data, at, size);
    switch (format.option) {
      case 'x':
        break;
      case 'f':
      case 'd':
        values.push(unpackFloat(data, at, format));
        break;
      case 'c':
        if (size === 0) {
          const length = values.pop();
          if (typeof length !== 'number') throw libraryError("format 'c0' needs a previous size");
          size = length;
          if (size < 0) throw argumentError(2, 'data string too short');
          requireBytes(data, at, size);
        }
        values.push(data.slice(at, at + size));
        break;
      case 's': {
        const end = data.indexOf('\0', at);
        if (end < 0) throw libraryError('unfinished string in data');
        values.push(data.slice(at, end));
        size = end - at + 1;
        break;
      }
      default:
        if (isInteger(format.option)) values.push(unpackInteger(data, at, format));
        else format.control();
    }
    at += size;
  }
  values.push(at + 1);
  return values;
}

function sizeOf(...args: LuaValue[]): LuaValue {
  const format = new Format(checkString(args, 0));
  let size = 0;
  while (format.next()) {
    size += format.padding(size);
    if (format.option === 's') throw argumentError(1, "option 's' has no fixed size");
    if (format.option === 'c' && format.size === 0) throw argumentError(1, "option 'c0' has no fixed size");
    if (!/[0-9A-Za-z]/.test(format.option)) format.control();
    size += format.size;
  }
  return size;
}

function isInteger(option: string): boolean {
  return 'bBhHlLTiI'.includes(option);
}

function requireBytes(data: string, at: number, size: number): void {
  if (size > data.length || at > data.length - size) throw argumentError(2, 'data string too short');
}

function packInteger(value: number, { size, littleEndian }: Format): string {
  let bits = 0n;
  if (value >= 2 ** 63) bits = BigInt.asUintN(64, BigInt(Math.trunc(Math.min(value, 2 ** 64))));
  else if (value > -(2 ** 63)) bits = BigInt.asUintN(64, BigInt(Math.trunc(value)));
  else bits = 1n << 63n;
  let text = '';
  for (let i = 0; i < size; i++) {
    const byte = String.fromCharCode(Number(bits & 0xffn));
    text = littleEndian ? text + byte : byte + text;
    bits >>= 8n;
  }
  return text;
}

function unpackInteger(data: string, at: number, { option, size, littleEndian }: Format): number {
  let bits = 0n;
  for (let i = 0; i < size; i++) {
    bits = (bits << 8n) | BigInt(data.charCodeAt(at + (littleEndian ? size - 1 - i : i)));
  }
  const signed = option === option.toLowerCase();
  bits = BigInt.asUintN(64, bits);
  return Number(signed ? BigInt.asIntN(Math.min(size, 8) * 8, bits) : bits);
}

const scratch = Buffer.alloc(8);

function packFloat(value: number, { size, littleEndian }: Format): string {
  if (size === 4) {
    if (littleEndian) scratch.writeFloatLE(value);
    else scratch.writeFloatBE(value);
  } else if (littleEndian) scratch.writeDoubleLE(value);
  else scratch.writeDoubleBE(value);
  return scratch.toString('latin1', 0, size);
}

function unpackFloat(data: string, at: number, { size, littleEndian }: Format): number {
  scratch.write(data.slice(at, at + size), 'latin1');
  if (size === 4) return littleEndian ? scratch.readFloatLE() : scratch.readFloatBE();
  return littleEndian ? scratch.readDoubleLE() : scratch.readDoubleBE();
}
