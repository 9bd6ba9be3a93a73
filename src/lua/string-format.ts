import { formatExponent, formatFixed, formatGeneral } from '../protocol/numbers-printf.js';
import { checkInteger, checkNumber, checkString, toInteger } from './arguments.js';
import { argumentError, libraryError } from './errors.js';
import type { LuaValue } from './values.js';

interface Directive {
  flags: string;
  width: number;
  /** -1: not given. */
  precision: number;
  letter: string;
}

/** `string.format`: C's `printf` as far as Lua 5.1 lets it through. */
export function formatString(args: LuaValue[]): string {
  const format = checkString(args, 0);
  let text = '';
  let argument = 0;
  let at = 0;
  for (;;) {
    const percent = format.indexOf('%', at);
    if (percent < 0) return text + format.slice(at);
    text += format.slice(at, percent);
    at = percent + 1;
    if (format.charCodeAt(at) === 37) {
      text += '%';
      at++;
      continue;
    }
    const [directive, end] = readDirective(format, at);
    at = end;
    argument++;
    text += formatOne(directive, args, argument);
  }
}

const DIRECTIVE = /([-+ #0]*)(\d{0,2})(?:(\.)(\d{0,2}))?/y;

function readDirective(format: string, at: number): [Directive, number] {
  DIRECTIVE.lastIndex = at;
  const [whole, flags, width, point, precision] = DIRECTIVE.exec(format)!;
  if (flags!.length > 5) throw libraryError('invalid format (repeated flags)');
  const end = at + whole.length;
  const next = format.charCodeAt(end);
  if (next >= 48 && next <= 57) throw libraryError('invalid format (width or precision too long)');
  const letter = format[end] ?? '';
  return [
    { flags: flags!, width: Number(width), precision: point === undefined ? -1 : Number(precision), letter },
    end + 1,
  ];
}

function formatOne(directive: Directive, args: LuaValue[], at: number): string {
  const { flags, precision, letter } = directive;
  if (at >= args.length) throw argumentError(at + 1, 'no value');
  switch (letter) {
    case 'c':
      // The C library's result ends at its first zero byte.
      return pad(directive, String.fromCharCode(unsignedChar(checkNumber(args, at))), false).split('\0', 1)[0]!;
    case 'd':
    case 'i':
      return formatInteger(directive, checkInteger(args, at));
    case 'o':
    case 'u':
    case 'x':
    case 'X':
      return formatUnsigned(directive, checkNumber(args, at));
    case 'e':
    case 'E':
    case 'f':
    case 'g':
    case 'G':
      return formatFloat(directive, checkNumber(args, at));
    case 'q':
      return quoteString(checkString(args, at));
    case 's': {
      const text = checkString(args, at);
      // Lua hands long strings over whole, past printf.
      if (precision < 0 && text.length >= 100) return text;
      const shown = text.split('\0', 1)[0]!;
      return pad(
        { ...directive, flags: flags.replace('0', '') },
        precision < 0 ? shown : shown.slice(0, precision),
        false,
      );
    }
    default:
      throw libraryError(`invalid option '%${letter}' to 'format'`);
  }
}

function formatInteger(directive: Directive, value: number): string {
  const size = Math.abs(value);
  let digits = Number.isSafeInteger(size) ? `${size}` : BigInt(size).toString();
  if (directive.precision === 0 && size === 0) digits = '';
  digits = digits.padStart(directive.precision, '0');
  return pad(directive, signed(directive, value < 0, digits), directive.precision < 0);
}

function formatUnsigned(directive: Directive, value: number): string {
  const { flags, letter, precision } = directive;
  const bits = unsigned64(value);
  let digits = bits.toString(letter === 'o' ? 8 : letter === 'u' ? 10 : 16);
  if (precision === 0 && bits === 0n) digits = '';
  digits = digits.padStart(precision, '0');
  if (flags.includes('#')) {
    if (letter === 'o' && digits[0] !== '0') digits = `0${digits}`;
    else if (letter.toLowerCase() === 'x' && bits !== 0n) {
      const room = flags.includes('0') && !flags.includes('-') && precision < 0 ? directive.width - 2 : 0;
      digits = `0x${digits.padStart(room, '0')}`;
    }
  }
  if (letter === 'X') digits = digits.toUpperCase();
  return pad(directive, digits, precision < 0);
}

/** A double cast to `int` and then to `unsigned char` as x86-64 does it: what no `int` holds becomes the least one. */
function unsignedChar(value: number): number {
  const whole = Math.trunc(value);
  return whole >= -(2 ** 31) && whole < 2 ** 31 ? whole & 255 : 0;
}

/** A double cast to `unsigned long` as x86-64 does it. */
function unsigned64(value: number): bigint {
  if (value >= 2 ** 63) return value < 2 ** 64 ? BigInt(value) : 0n;
  return BigInt.asUintN(64, BigInt(toInteger(value)));
}

function formatFloat(directive: Directive, value: number): string {
  const { flags, letter } = directive;
  const precision = directive.precision < 0 ? 6 : directive.precision;
  const alternative = flags.includes('#');
  let text: string;
  switch (letter.toLowerCase()) {
    case 'e':
      text = formatExponent(value, precision);
      if (alternative && precision === 0) text = text.replace('e', '.e');
      break;
    case 'f':
      text = formatFixed(value, precision);
      if (alternative && precision === 0) text += '.';
      break;
    default:
      text = formatGeneral(value, precision, alternative);
  }
  if (letter === 'E' || letter === 'G') text = text.toUpperCase();
  const negative = text[0] === '-';
  return pad(directive, signed(directive, negative, negative ? text.slice(1) : text), Number.isFinite(value));
}

function signed({ flags }: Directive, negative: boolean, digits: string): string {
  if (negative) return `-${digits}`;
  if (flags.includes('+')) return `+${digits}`;
  return flags.includes(' ') ? ` ${digits}` : digits;
}

/** Fills up to the width: on the right, on the left, or with zeros behind the sign. */
function pad({ flags, width }: Directive, text: string, zeros: boolean): string {
  if (text.length >= width) return text;
  if (flags.includes('-')) return text.padEnd(width);
  if (!zeros || !flags.includes('0')) return text.padStart(width);
  const sign = /^[-+ ]/.test(text) ? text[0]! : '';
  return sign + text.slice(sign.length).padStart(width - sign.length, '0');
}

/** `%q`: a string as Lua could read it back. */
function quoteString(text: string): string {
  const body = text.replace(/["\\\n\r\0]/g, (c) => (c === '\r' ? '\\r' : c === '\0' ? '\\000' : `\\${c}`));
  return `"${body}"`;
}
