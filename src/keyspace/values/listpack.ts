/**
 * How many bytes a string would take in Redis' listpack. Nothing here is stored that way; the sizes decide where a list's
 * nodes end. Format: https://github.com/antirez/listpack/blob/master/listpack.md.
 */

import { parseInteger } from '../../protocol/numbers.js';
import type { Bytes, Int64 } from '../../protocol/reply.js';

/** The bytes of a listpack without elements: its header and its end mark. */
export const EMPTY_LISTPACK_BYTES = 7;

/** The bytes `text` takes as an element of a listpack. */
export function listpackEntryBytes(text: Bytes): number {
  const integer = parseInteger(text);
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
