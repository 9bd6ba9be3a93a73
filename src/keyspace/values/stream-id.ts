/**
 * Stream IDs: `ms-seq`, two unsigned 64-bit integers, ordered first by ms and then by seq.
 *
 * Each half is an `Int64` in its normal form: a number up to 2^53 − 1 and a bigint above it. JavaScript's
 * `<`, `>` compare the two kinds exactly, and the normal form makes `===` exact as well, so real IDs cost two
 * number comparisons while the extremes stay correct.
 */

import type { Bytes, Int64 } from '../../protocol/reply.js';

const UINT64_MAX = 2n ** 64n - 1n;

export class StreamId {
  constructor(
    readonly ms: Int64,
    readonly seq: Int64,
  ) {}

  toString(): Bytes {
    return `${this.ms}-${this.seq}`;
  }
}

/** 0-0: written `-` in ranges; no entry has it. */
export const MIN_STREAM_ID = new StreamId(0, 0);

/** The greatest ID: written `+` in ranges. */
export const MAX_STREAM_ID = new StreamId(UINT64_MAX, UINT64_MAX);

/** Negative when a is before b, 0 when they are equal, positive when a is after b. */
export function compareStreamIds(a: StreamId, b: StreamId): number {
  if (a.ms < b.ms) return -1;
  if (a.ms > b.ms) return 1;
  if (a.seq < b.seq) return -1;
  return a.seq > b.seq ? 1 : 0;
}

/** The ID right after `id`, or null after the greatest one. */
export function nextStreamId(id: StreamId): StreamId | null {
  if (id.seq !== UINT64_MAX) return new StreamId(id.ms, addInt64(id.seq, 1));
  return id.ms === UINT64_MAX ? null : new StreamId(addInt64(id.ms, 1), 0);
}

/** The ID right before `id`, or null before 0-0. */
export function previousStreamId(id: StreamId): StreamId | null {
  if (id.seq !== 0) return new StreamId(id.ms, addInt64(id.seq, -1));
  return id.ms === 0 ? null : new StreamId(addInt64(id.ms, -1), UINT64_MAX);
}

/** The exact sum in its normal form. */
export function addInt64(a: Int64, b: Int64): Int64 {
  if (typeof a === 'number' && typeof b === 'number') {
    const sum = a + b;
    if (Number.isSafeInteger(sum)) return sum;
  }
  return toInt64(BigInt(a) + BigInt(b));
}

/** The exact difference in its normal form. */
export function subtractInt64(a: Int64, b: Int64): Int64 {
  return addInt64(a, -b);
}

/**
 * Parses `ms` or `ms-seq`; a missing sequence is `missingSeq`. Null when the text is no ID.
 * `-` and `+` are refused: only the ends of ranges know them.
 */
export function parseStreamId(text: Bytes, missingSeq: Int64 = 0): StreamId | null {
  if (text.length > LONGEST_ID) return null;
  const id = untilNul(text);
  const dash = id.indexOf('-');
  const ms = parseUint64(dash === -1 ? id : id.slice(0, dash));
  const seq = dash === -1 ? missingSeq : parseUint64(id.slice(dash + 1));
  return ms === null || seq === null ? null : new StreamId(ms, seq);
}

/** One end of a range as written: `(` before an ID leaves that ID itself out. */
export interface StreamBound {
  readonly id: StreamId;
  readonly exclusive: boolean;
}

/** Parses the lower end of a range (XRANGE, XPENDING, XAUTOCLAIM): a missing sequence is 0. */
export function parseStreamLowerBound(text: Bytes): StreamBound | null {
  return parseBound(text, 0);
}

/** Parses the upper end of a range: a missing sequence is the greatest. */
export function parseStreamUpperBound(text: Bytes): StreamBound | null {
  return parseBound(text, UINT64_MAX);
}

/** The ID an XADD asks for: all of it, only its time (`ms-*`), or nothing (`*`). */
export type RequestedStreamId =
  | { readonly kind: 'full'; readonly id: StreamId }
  | { readonly kind: 'ms'; readonly ms: Int64 }
  | { readonly kind: 'auto' };

/** Parses the ID argument of XADD: `*`, `ms-*`, `ms-seq`, or `ms`, which means `ms-0`. */
export function parseRequestedStreamId(text: Bytes): RequestedStreamId | null {
  if (text === '*') return { kind: 'auto' };
  const dash = text.indexOf('-');
  if (dash !== -1 && text.length <= LONGEST_ID && untilNul(text.slice(dash + 1)) === '*') {
    const ms = parseUint64(text.slice(0, dash));
    return ms === null ? null : { kind: 'ms', ms };
  }
  const id = parseStreamId(text);
  return id === null ? null : { kind: 'full', id };
}

/** Redis reads an ID into a buffer of 128 bytes, as a C string. */
const LONGEST_ID = 127;

function parseBound(text: Bytes, missingSeq: Int64): StreamBound | null {
  if (text === '-') return { id: MIN_STREAM_ID, exclusive: false };
  if (text === '+') return { id: MAX_STREAM_ID, exclusive: false };
  const exclusive = text.length > 1 && text[0] === '(';
  const id = parseStreamId(exclusive ? text.slice(1) : text, missingSeq);
  return id === null ? null : { id, exclusive };
}

function untilNul(text: Bytes): Bytes {
  const end = text.indexOf('\0');
  return end === -1 ? text : text.slice(0, end);
}

/** A decimal of up to 64 bits; blanks and a sign before it and leading zeros are what C's strtoull allows, too. */
function parseUint64(text: Bytes): Int64 | null {
  const length = text.length;
  if (length === 0) return null;
  if (length > 15) return parseLongUint64(text);
  let value = 0;
  for (let i = 0; i < length; i++) {
    const digit = text.charCodeAt(i) - 48;
    if (digit < 0 || digit > 9) return parseLongUint64(text);
    value = value * 10 + digit;
  }
  return value;
}

const LENIENT_DECIMAL = /^[ \t\n\v\f\r]*([+-]?)([0-9]+)$/;

function parseLongUint64(text: Bytes): Int64 | null {
  const match = LENIENT_DECIMAL.exec(text);
  if (match === null) return null;
  const value = BigInt(match[2] as string);
  if (value > UINT64_MAX) return null;
  if (match[1] !== '-') return toInt64(value);
  // A plain negative integer is refused; in another spelling ("-01") strtoull wraps it round.
  return /^-[1-9]/.test(text) && value <= 2n ** 63n ? null : toInt64(BigInt.asUintN(64, -value));
}

function toInt64(value: bigint): Int64 {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}
