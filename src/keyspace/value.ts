/** What a key can hold, and the names that Redis has for it. */
import { GcraState } from '../gcra/state.js';
import { parseInteger } from '../protocol/numbers.js';
import type { Bytes } from '../protocol/reply.js';
import type { BloomFilter } from './values/bloom-filter.js';
import { ByteBuffer } from './values/byte-buffer.js';
import type { CountMin } from './values/count-min.js';
import type { HashValue } from './values/hash.js';
import type { ListValue } from './values/list.js';
import type { SetValue } from './values/set.js';
import type { SketchType } from './values/sketch.js';
import type { SortedSet } from './values/sorted-set.js';
import type { Stream } from './values/stream.js';
import type { TopK } from './values/top-k.js';

/**
 * A string is held in the form that its last writer left it in: text; a number for counters (a safe integer); bytes
 * that are edited in place; or the state of a limiter. `textOf` reads any of them.
 */
export type StringValue = Bytes | number | ByteBuffer | GcraState;

export type Value = StringValue | ListValue | SetValue | HashValue | SortedSet | Stream | BloomFilter | CountMin | TopK;

export type TypeName = 'string' | 'list' | 'set' | 'zset' | 'hash' | 'stream' | SketchType;

/**
 * Redis 8.2 keeps key and string in one allocation while both together have at most so many bytes, and calls that
 * `embstr`. An expiry time takes some of the room (measured with Redis 8.2.3).
 */
const EMBSTR_ROOM = 41;
const EMBSTR_ROOM_WITH_EXPIRY = 33;

export function isString(value: Value): value is StringValue {
  return (
    typeof value === 'string' || typeof value === 'number' || value instanceof ByteBuffer || value instanceof GcraState
  );
}

export function textOf(value: StringValue): Bytes {
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
      return String(value);
    default:
      return value instanceof ByteBuffer ? value.toString() : value.toText();
  }
}

export function typeOf(value: Value): TypeName {
  return isString(value) ? 'string' : value.type;
}

/** What OBJECT ENCODING answers for the value of this key. */
export function encodingOf(value: Value, key: Bytes, hasExpiry: boolean): string {
  if (!isString(value)) return value.type === 'stream' ? 'stream' : value.encoding;
  if (typeof value === 'number') return 'int';
  const edited = value instanceof ByteBuffer;
  if (edited && value.encoding === 'raw') return 'raw';
  const text = textOf(value);
  if (!edited && parseInteger(text) !== undefined) return 'int';
  return key.length + text.length <= (hasExpiry ? EMBSTR_ROOM_WITH_EXPIRY : EMBSTR_ROOM) ? 'embstr' : 'raw';
}

/** An independent copy (COPY). Text and numbers are immutable and need none. */
export function cloneValue(value: Value): Value {
  return typeof value === 'string' || typeof value === 'number' ? value : value.clone();
}
