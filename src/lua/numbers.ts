/** Numbers as text and texts as numbers, by the rules of Lua 5.1 on a C99 library. */

import { formatGeneral, NEGATIVE_NAN } from '../protocol/numbers-printf.js';

/** A number as `tostring` shows it: `%.14g`. */
export function numberToString(value: number): string {
  if (Number.isInteger(value) && value < 1e14 && value > -1e14) return value === 0 && 1 / value < 0 ? '-0' : `${value}`;
  if (value >= 1e-4 && value < 1e14) {
    // No more than 14 digits in the shortest form that reads back: `%.14g` shows just these.
    const text = `${value}`;
    if (text.length <= 15) return text;
  }
  return formatGeneral(value, 14, false);
}

const SPECIAL = /^([+-]?)(?:inf(?:inity)?|(nan(?:\([0-9A-Za-z_]*\))?))$/i;
const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const HEXADECIMAL = /^([+-]?)0[xX](?:([0-9a-fA-F]+)(?:\.([0-9a-fA-F]*))?|\.([0-9a-fA-F]+))(?:[pP]([+-]?\d+))?$/;
const SURROUNDING_SPACE = /^[ \t\n\v\f\r]+|[ \t\n\v\f\r]+$/g;

/** A text as a number, by the rules of Lua 5.1 on a C99 `strtod`; undefined where it is none. */
export function parseNumber(text: string): number | undefined {
  const digits = parseDigits(text);
  if (digits >= 0) return digits;
  const end = text.indexOf('\0');
  const body = (end < 0 ? text : text.slice(0, end)).replace(SURROUNDING_SPACE, '');
  if (DECIMAL.test(body)) return Number(body);
  const hex = HEXADECIMAL.exec(body);
  if (hex !== null) {
    const fraction = hex[3] ?? hex[4] ?? '';
    const scale = Number(hex[5] ?? 0) - 4 * fraction.length;
    const size = hexDigits((hex[2] ?? '') + fraction) * 2 ** scale;
    return hex[1] === '-' ? -size : size;
  }
  const special = SPECIAL.exec(body);
  if (special === null) return undefined;
  if (special[2] !== undefined) return special[1] === '-' ? NEGATIVE_NAN : Number.NaN;
  return special[1] === '-' ? -Infinity : Infinity;
}

/** A text of a few digits and nothing else, which most numerals are; -1 for any other. */
function parseDigits(text: string): number {
  const { length } = text;
  if (length === 0 || length > 15) return -1;
  let value = 0;
  for (let i = 0; i < length; i++) {
    const digit = text.charCodeAt(i) - 48;
    if (digit < 0 || digit > 9) return -1;
    value = value * 10 + digit;
  }
  return value;
}

function hexDigits(digits: string): number {
  return digits.length <= 13 ? Number.parseInt(digits, 16) : Number(BigInt(`0x${digits}`));
}

/** Lua's `%`: the result has the sign of `b`. */
export function remainder(a: number, b: number): number {
  return a - Math.floor(a / b) * b;
}

/** C's `pow`, which knows more about 1 and infinity than JavaScript's `**`. */
export function raise(a: number, b: number): number {
  if (a === 1 || (a === -1 && (b === Infinity || b === -Infinity))) return 1;
  return a ** b;
}
