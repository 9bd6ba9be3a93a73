/** Integers as Redis reads and adds them. */
import type { Bytes, Int64 } from './reply.js';

export const INT64_MAX = 9223372036854775807n;
export const INT64_MIN = -9223372036854775808n;
export const UINT64_MAX = 18446744073709551615n;

const MINUS = 45;
const DIGIT_0 = 48;
/** Any integer of so many digits is below 2^53, so it can be summed up as a number. */
const SAFE_DIGITS = 15;
/** The longest int64 is `-9223372036854775808`. */
const INT64_LENGTH = 20;

/**
 * An integer argument as Redis reads it (`string2ll`): an optional `-`, then digits without a leading zero, within
 * int64. No `+`, no spaces, no `-0`. Undefined for everything else.
 */
export function parseInteger(s: Bytes): Int64 | undefined {
  const length = s.length;
  if (length === 0 || length > INT64_LENGTH) return undefined;
  const negative = s.charCodeAt(0) === MINUS;
  const start = negative ? 1 : 0;
  if (start === length) return undefined;
  if (s.charCodeAt(start) === DIGIT_0) return length === 1 ? 0 : undefined;
  let value = 0;
  for (let i = start; i < length; i++) {
    const digit = s.charCodeAt(i) - DIGIT_0;
    if (digit < 0 || digit > 9) return undefined;
    value = value * 10 + digit;
  }
  if (length - start <= SAFE_DIGITS) return negative ? -value : value;
  const exact = BigInt(s);
  return inInt64(exact) ? normaliseInteger(exact) : undefined;
}

/**
 * A part of a stream id as Redis reads it (`string2ull`, which falls back to C's `strtoull`): an integer up to
 * 2^64 − 1. Spaces before it, a `+` and leading zeros are allowed; what follows a NUL byte is not seen; a minus sign
 * is refused only in a plain negative integer such as `-5`, elsewhere (`-05`, ` -5`) the value wraps around 2^64.
 */
export function parseUint64(s: Bytes): Int64 | undefined {
  const end = s.indexOf('\0');
  const text = end < 0 ? s : s.slice(0, end);
  const plain = parseInteger(text);
  if (plain !== undefined) return plain >= 0 ? plain : undefined;
  const parts = /^[ \t-\r]*([+-]?)(\d+)$/.exec(text);
  if (parts === null) return undefined;
  const magnitude = BigInt(parts[2]!);
  if (magnitude > UINT64_MAX) return undefined;
  return normaliseInteger(parts[1] === '-' ? BigInt.asUintN(64, -magnitude) : magnitude);
}

/** a + b, or undefined where the sum leaves int64. */
export function addInt64(a: Int64, b: Int64): Int64 | undefined {
  if (typeof a === 'number' && typeof b === 'number') {
    const sum = a + b;
    if (Number.isSafeInteger(sum)) return sum;
  }
  const sum = BigInt(a) + BigInt(b);
  return inInt64(sum) ? normaliseInteger(sum) : undefined;
}

/** The same integer as a number where that is exact, else the bigint itself. */
export function normaliseInteger(n: bigint): Int64 {
  return n >= Number.MIN_SAFE_INTEGER && n <= Number.MAX_SAFE_INTEGER ? Number(n) : n;
}

function inInt64(n: bigint): boolean {
  return n >= INT64_MIN && n <= INT64_MAX;
}
