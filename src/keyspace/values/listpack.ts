/**
 * What a string would be in Redis' compact encodings: whether it reads as an integer (an intset holds only those, a
 * listpack stores them in fewer bytes), and how many bytes it takes in a listpack. Nothing here is stored that way; the
 * sizes decide where a list's nodes end. Format: https://github.com/antirez/listpack/blob/master/listpack.md.
 */

import type { Bytes, Int64 } from '../../protocol/reply.js';

/** The bytes of a listpack without elements: its header and its end mark. */
export const EMPTY_LISTPACK_BYTES = 7;

const MINUS = 45;
const ZERO = 48;
const NINE = 57;
const MAX_INT64_DIGITS = 19;
const SAFE_DIGITS = 15;
const INT64_MAX = 2n ** 63n - 1n;
const INT64_MIN = -(2n ** 63n);

/**
 * The 64-bit integer whose shortest decimal text is exactly `text`, or undefined: "01", "+1", "-0", " 1" and anything
 * out of range are not integers to Redis.
 */
export function canonicalInteger(text: Bytes): Int64 | undefined {
  const length = text.length;
  if (length === 0 || length > MAX_INT64_DIGITS + 1) return undefined;
  const negative = text.charCodeAt(0) === MINUS;
  const first = negative ? 1 : 0;
  const lead = text.charCodeAt(first);
  if (lead === ZERO) return length === 1 ? 0 : undefined;
  let value = 0;
  for (let i = first; i < length; i++) {
    const digit = text.charCodeAt(i);
    if (digit < ZERO || digit > NINE) return undefined;
    value = value * 10 + (digit - ZERO);
  }
  const digits = length - first;
  if (digits === 0) return undefined;
  if (digits <= SAFE_DIGITS) return negative ? -value : value;
  const exact = BigInt(text);
  if (exact > INT64_MAX || exact < INT64_MIN) return undefined;
  return Number.isSafeInteger(Number(exact)) ? Number(exact) : exact;
}

/** The bytes `text` takes as an element of a listpack. */
export function listpackEntryBytes(text: Bytes): number {
  const integer = canonicalInteger(text);
  const body = integer === undefined ? stringBodyBytes(text.length) : integerBodyBytes(integer);
  return body + backLengthBytes(body);
}

/** The bytes an integer takes as an element of a listpack. */
export function listpackIntegerBytes(n: Int64): number {
  return integerBodyBytes(n) + 1;
}

function integerBodyBytes(n: Int64): number {
  if (n >= 0 && n <= 127) return 1;
  if (n >= -4096 && n <= 4095) return 2;
  if (n >= -(2 ** 15) && n < 2 ** 15) return 3;
  if (n >= -(2 ** 23) && n < 2 ** 23) return 4;
  if (n >= -(2 ** 31) && n < 2 ** 31) return 5;
  return 9;
}

function stringBodyBytes(length: number): number {
  if (length < 64) return 1 + length;
  return length < 4096 ? 2 + length : 5 + length;
}

/** Each element ends with its own length, seven bits a byte, so that a listpack can be read backward. */
function backLengthBytes(body: number): number {
  if (body <= 127) return 1;
  if (body < 16383) return 2;
  if (body < 2097151) return 3;
  return body < 268435455 ? 4 : 5;
}
