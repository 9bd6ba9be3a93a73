/** Strings as counters: integers of 64 bits, and 80-bit floats. */
import { NOTIFY } from '../keyspace/notifications.js';
import { type StringValue, textOf, type Value } from '../keyspace/value.js';
import { ByteBuffer } from '../keyspace/values/byte-buffer.js';
import { NAN_OR_INFINITY, NOT_A_FLOAT, WOULD_OVERFLOW } from '../protocol/errors.js';
import { addInt64, INT64_MIN, incrByFloat, normaliseInteger, parseInteger } from '../protocol/numbers.js';
import { type Bytes, ErrorReply, type Int64, type Reply } from '../protocol/reply.js';
import type { Session } from '../server/session.js';
import { fetchString, int64Arg } from './args.js';
import { type CommandRow, key } from './definition.js';

export const counterCommands: readonly CommandRow[] = [
  {
    name: 'incr',
    arity: 2,
    flags: ['write', 'denyoom', 'fast'],
    group: 'string',
    keys: [key('RW access update')],
    since: '1.0.0',
    complexity: 'O(1)',
    summary: 'Adds 1 to the integer of a key.',
    syntax: 'key',
    handler: incr,
  },
  {
    name: 'decr',
    arity: 2,
    flags: ['write', 'denyoom', 'fast'],
    group: 'string',
    keys: [key('RW access update')],
    since: '1.0.0',
    complexity: 'O(1)',
    summary: 'Takes 1 from the integer of a key.',
    syntax: 'key',
    handler: decr,
  },
  {
    name: 'incrby',
    arity: 3,
    flags: ['write', 'denyoom', 'fast'],
    group: 'string',
    keys: [key('RW access update')],
    since: '1.0.0',
    complexity: 'O(1)',
    summary: 'Adds an integer to that of a key.',
    syntax: 'key increment:integer',
    handler: incrby,
  },
  {
    name: 'decrby',
    arity: 3,
    flags: ['write', 'denyoom', 'fast'],
    group: 'string',
    keys: [key('RW access update')],
    since: '1.0.0',
    complexity: 'O(1)',
    summary: 'Takes an integer from that of a key.',
    syntax: 'key decrement:integer',
    handler: decrby,
  },
  {
    name: 'incrbyfloat',
    arity: 3,
    flags: ['write', 'denyoom', 'fast'],
    group: 'string',
    keys: [key('RW access update')],
    since: '2.6.0',
    complexity: 'O(1)',
    summary: 'Adds a floating-point number to that of a key.',
    syntax: 'key increment:double',
    handler: incrbyfloat,
  },
];

function incr(ctx: Session, args: Bytes[]): Reply {
  return increase(ctx, args[1]!, 1);
}

function decr(ctx: Session, args: Bytes[]): Reply {
  return increase(ctx, args[1]!, -1);
}

function incrby(ctx: Session, args: Bytes[]): Reply {
  return increase(ctx, args[1]!, int64Arg(args[2]!));
}

const DECREMENT_OVERFLOW = new ErrorReply('ERR decrement would overflow');

function decrby(ctx: Session, args: Bytes[]): Reply {
  const by = int64Arg(args[2]!);
  // The one integer of 64 bits that has no negative.
  if (by === INT64_MIN) return DECREMENT_OVERFLOW;
  return increase(ctx, args[1]!, typeof by === 'number' ? -by : normaliseInteger(-by));
}

/** Adds to the integer of a key and keeps the sum as a number while that is exact. */
function increase(ctx: Session, key: Bytes, by: Int64): Reply {
  const value = fetchString(ctx, key);
  const sum = addInt64(value === undefined ? 0 : integerOf(value), by);
  if (sum === undefined) return WOULD_OVERFLOW;
  ctx.db.put(key, typeof sum === 'number' ? sum : String(sum));
  ctx.db.changed(key, NOTIFY.string, 'incrby');
  return sum;
}

function integerOf(value: StringValue): Int64 {
  return typeof value === 'number' ? value : int64Arg(textOf(value));
}

function incrbyfloat(ctx: Session, args: Bytes[]): Reply {
  const key = args[1]!;
  const value = fetchString(ctx, key);
  const result = incrByFloat(value === undefined ? '0' : textOf(value), args[2]!);
  if ('failure' in result) return result.failure === 'not finite' ? NAN_OR_INFINITY : NOT_A_FLOAT;
  ctx.db.put(key, floatText(result.sum));
  ctx.db.changed(key, NOTIFY.string, 'incrbyfloat');
  return result.sum;
}

/** Redis does not call what this command has left an `int`, even where it is one. */
function floatText(text: Bytes): Value {
  if (parseInteger(text) === undefined) return text;
  const buffer = new ByteBuffer(text);
  buffer.encoding = 'embstr';
  return buffer;
}
