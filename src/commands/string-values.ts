/** What the string and the bitmap family have in common: values that are edited in place, and their limit. */
import { type StringValue, textOf } from '../keyspace/value.js';
import { ByteBuffer } from '../keyspace/values/byte-buffer.js';
import { STRING_TOO_LONG } from '../protocol/errors.js';
import type { Bytes } from '../protocol/reply.js';
import type { Session } from '../server/session.js';

/** Throws where a value would become longer than `proto-max-bulk-len`. */
export function checkLength(ctx: Session, length: number): void {
  if (length > ctx.server.protocolLimits.maxBulkLength) throw STRING_TOO_LONG;
}

/** The key's value in the form that is edited in place, at least `length` bytes long: made or converted as needed. */
export function editableString(ctx: Session, key: Bytes, value: StringValue | undefined, length: number): ByteBuffer {
  if (value instanceof ByteBuffer) {
    value.grow(length);
    return value;
  }
  const buffer = value === undefined ? ByteBuffer.zeros(length) : new ByteBuffer(textOf(value));
  buffer.grow(length);
  ctx.db.put(key, buffer);
  return buffer;
}

/** The value as text without a copy of bytes that are not asked for: from `start` up to `end`, not included. */
export function sliceOf(value: StringValue, start: number, end: number): Bytes {
  return value instanceof ByteBuffer ? value.slice(start, end) : textOf(value).slice(start, end);
}

export function lengthOf(value: StringValue): number {
  return value instanceof ByteBuffer ? value.length : textOf(value).length;
}

/**
 * The places from `start` to `end` of something of this length, both included; negative ones count from the end, and
 * what lies outside is cut. Undefined where nothing is left.
 */
export function rangeWithin(length: number, start: number, end: number): { first: number; last: number } | undefined {
  const first = Math.max(start < 0 ? start + length : start, 0);
  const last = Math.min(Math.max(end < 0 ? end + length : end, 0), length - 1);
  return first > last ? undefined : { first, last };
}

/**
 * Whether a range counted from the end runs backwards. GETRANGE and BITCOUNT look at that before they cut it; BITPOS
 * does not, and so sees the first place where both are cut to it.
 */
export function runsBackwards(start: number, end: number): boolean {
  return start < 0 && end < 0 && start > end;
}
