/** Doubles as Redis 8.2 reads them (scores, timeouts, coordinates) and prints them (`d2string`). */

import {
  type BinaryFormat,
  isDecimalFloat,
  parseFloatText,
  parseInfinity,
  roundFloatText,
} from './numbers-float-text.js';
import { shortDigits } from './numbers-grisu.js';
import { parseInteger } from './numbers-integer.js';
import type { Bytes } from './reply.js';

const DOUBLE: BinaryFormat = { precision: 53, minExponent: -1074, maxExponent: 971 };
/** Redis prints integers up to this size digit by digit: half of int64. */
const PLAIN_INTEGER_LIMIT = 2 ** 62;
/** Up to so many decimals and characters JavaScript's shortest text is provably that of Redis; see `formatDouble`. */
const SAME_TEXT_DECIMALS = 3;
const SAME_TEXT_LENGTH = 16;

/**
 * A double argument as Redis reads it (`string2d`): decimal or hexadecimal, `inf` and `infinity` in any case. No nan,
 * no space, nothing after the number; a value that overflows, or underflows to zero, is refused. Undefined then.
 */
export function parseDouble(s: Bytes): number | undefined {
  const integer = parseInteger(s);
  if (integer !== undefined) return Number(integer);
  if (isDecimalFloat(s)) {
    const value = Number(s);
    if (value === 0) return isZeroText(s) ? value : undefined;
    return Number.isFinite(value) ? value : undefined;
  }
  const text = parseFloatText(s);
  if (text === undefined) return parseInfinity(s);
  const rounded = roundFloatText(text, DOUBLE);
  if (rounded === undefined) return undefined;
  if (rounded.mantissa === 0n) return text.negative ? -0 : 0;
  return Number(rounded.mantissa) * 2 ** rounded.exponent;
}

/** Whether every digit before the exponent is zero. */
function isZeroText(s: Bytes): boolean {
  for (let i = 0; i < s.length; i++) {
    const code = s.charCodeAt(i);
    if (code > 48 && code <= 57) return false;
    if (code === 69 || code === 101) return true;
  }
  return true;
}

/**
 * The text of a double in replies, the same in RESP2 and RESP3. Integers up to 2^62 are printed in full; the rest by
 * Grisu2 with few digits: plainly while that is short, else as `1.5e+300` or `1e-7`.
 *
 * Grisu2 may miss the shortest text where that lies at the very edge of the numbers that read back as n. A text of k
 * decimals is a multiple of 1/(2 · 5^k) units in the last place away from that edge; for k ≤ 3 that is at least four
 * times the error of Grisu2's 64-bit arithmetic; and of at most 15 digits only one text reads back as n.
 */
export function formatDouble(n: number): Bytes {
  if (Number.isInteger(n) && n <= PLAIN_INTEGER_LIMIT && n >= -PLAIN_INTEGER_LIMIT) {
    if (Number.isSafeInteger(n)) return n === 0 && Object.is(n, -0) ? '-0' : String(n);
    return BigInt(n).toString();
  }
  if (n === Infinity) return 'inf';
  if (n === -Infinity) return '-inf';
  if (Number.isNaN(n)) return 'nan';
  const shortest = String(n);
  const point = shortest.indexOf('.');
  const decimals = shortest.length - point - 1;
  if (point > 0 && decimals <= SAME_TEXT_DECIMALS && shortest.length <= SAME_TEXT_LENGTH) return shortest;
  const sign = n < 0 ? '-' : '';
  const { digits, exponent } = shortDigits(Math.abs(n));
  return sign + layOut(digits, exponent);
}

/** digits · 10^exponent as text: which of the three forms is used is fpconv's choice. */
function layOut(digits: string, exponent: number): string {
  const count = digits.length;
  const scientificExponent = exponent + count - 1;
  if (exponent >= 0 && scientificExponent < count + 7) return digits + '0'.repeat(exponent);
  if (exponent < 0 && (exponent > -7 || Math.abs(scientificExponent) < 4)) {
    const whole = count + exponent;
    if (whole <= 0) return `0.${'0'.repeat(-whole)}${digits}`;
    return `${digits.slice(0, whole)}.${digits.slice(whole)}`;
  }
  const fraction = count > 1 ? `.${digits.slice(1)}` : '';
  return `${digits[0]}${fraction}e${scientificExponent < 0 ? '-' : '+'}${Math.abs(scientificExponent)}`;
}
