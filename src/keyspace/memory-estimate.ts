/**
 * How much memory a key takes, estimated from its data: what MEMORY USAGE answers and what `maxmemory` is held against.
 * The figures are those of this server's own structures on a 64-bit V8, measured by the growth of its heap.
 */
import type { Bytes } from '../protocol/reply.js';
import { isString, type Value } from './value.js';
import { ByteBuffer } from './values/byte-buffer.js';

/** A string's header and the rounding of its length to 8 bytes. */
const STRING_OVERHEAD = 20;
/** A place in the key table: index, hash, key, value, access time, size. */
const SLOT_BYTES = 36;
/** A counter that has no room in the slot itself. */
const NUMBER_BYTES = 16;
/** The object of a limiter's state with its numbers. */
const LIMITER_BYTES = 64;

/** Bytes of a key with its value. */
export function estimateEntry(key: Bytes, value: Value): number {
  return SLOT_BYTES + STRING_OVERHEAD + key.length + estimateValue(value);
}

function estimateValue(value: Value): number {
  if (typeof value === 'string') return STRING_OVERHEAD + value.length;
  if (typeof value === 'number') return NUMBER_BYTES;
  if (!isString(value)) return value.estimateBytes();
  return value instanceof ByteBuffer ? STRING_OVERHEAD * 4 + value.capacity : LIMITER_BYTES;
}
