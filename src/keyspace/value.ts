/** What a key can hold, and the names that Redis has for it. */
import { GcraState } from '../gcra/state.js';
import { parseInteger } from '../protocol/numbers.js';
import type { Bytes } from '../protocol/reply.js';
import { ByteBuffer } from './values/byte-buffer.js';
import type { HashValue } from './values/hash.js';
import type { ListValue } from './values/list.js';
import type { SetValue } from './values/set.js';
import type { SortedSet } from './values/sorted-set.js';
import type { Stream } from './values/stream.js';

/**
 * A string is held in the form that its last writer left it in: text; a number for counters (a safe integer); bytes
 * that are edited in place; or the state of a limiter. `textOf` reads any of them.
 */
export type StringValue = Bytes | number | ByteBuffer | GcraState;

export type Value = StringValue | ListValue | SetValue | HashValue | SortedSet | Stream;

export type TypeName = 'string' | 'list' | 'set' | 'zset' | 'hash' | 'stream';

/** Strings up to this length share one allocation with their header in Redis, which calls that `embstr`. */
const EMBSTR_LIMIT = 44;

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

/** What OBJECT ENCODING answers. */
export function encodingOf(value: Value): string {
  if (!isString(value)) return value.type === 'stream' ? 'stream' : value.encoding;
  if (typeof value === 'number') return 'int';
  if (value instanceof ByteBuffer) return value.encoding;
  const text = textOf(value);
  if (text.length <= 20 && parseInteger(text) !== undefined) return 'int';
  return text.length <= EMBSTR_LIMIT ? 'embstr' : 'raw';
}

/** An independent copy (COPY). Text and numbers are immutable and need none. */
export function cloneValue(value: Value): Value {
  return typeof value === 'string' || typeof value === 'number' ? value : value.clone();
}
