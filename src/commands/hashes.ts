/** The hash family, without the expiry of fields. */

import { NOTIFY } from '../keyspace/notifications.js';
import { HashValue } from '../keyspace/values/hash.js';
import { NAN_OR_INFINITY, NOT_A_FLOAT, OUT_OF_RANGE, SYNTAX, WOULD_OVERFLOW, wrongArity } from '../protocol/errors.js';
import { addInt64, LongDouble, parseInteger } from '../protocol/numbers.js';
import { type Bytes, ErrorReply, MapReply, OK, type Reply } from '../protocol/reply.js';
import type { Session } from '../server/session.js';
import { cursorArg, fetchValue, int64Arg, isWord, readValue, signedCountArg } from './args.js';
import { elementsRemoved } from './collections.js';
import { type CommandRow, key } from './definition.js';
import { fieldsArg } from './hash-fields.js';
import { pickIndexes } from './random-picks.js';
import { scanOptions } from './scan-options.js';

export const hashCommands: readonly CommandRow[] = [
  {
    name: 'hset',
    arity: -4,
    flags: ['write', 'denyoom', 'fast'],
    group: 'hash',
    keys: [key('RW update')],
    since: '2.0.0',
    complexity: 'O(N), N being the number of fields given',
    summary: 'Sets fields, creating the hash if needed, and counts the new ones.',
    syntax: 'key data:(field value)...',
    handler: hset,
  },
  {
    name: 'hsetnx',
    arity: 4,
    flags: ['write', 'denyoom', 'fast'],
    group: 'hash',
    keys: [key('RW insert')],
    since: '2.0.0',
    complexity: 'O(1)',
    summary: 'Sets a field that is not there yet.',
    syntax: 'key field value',
    handler: hsetnx,
  },
  {
    name: 'hmset',
    arity: -4,
    flags: ['write', 'denyoom', 'fast'],
    group: 'hash',
    keys: [key('RW update')],
    since: '2.0.0',
    complexity: 'O(N), N being the number of fields given',
    summary: 'Sets fields as HSET does, and answers OK.',
    syntax: 'key data:(field value)...',
    handler: hmset,
  },
  {
    name: 'hget',
    arity: 3,
    flags: ['readonly', 'fast'],
    group: 'hash',
    keys: [key('RO access')],
    since: '2.0.0',
    complexity: 'O(1)',
    summary: 'Tells the value of a field.',
    syntax: 'key field',
    handler: hget,
  },
  {
    name: 'hmget',
    arity: -3,
    flags: ['readonly', 'fast'],
    group: 'hash',
    keys: [key('RO access')],
    since: '2.0.0',
    complexity: 'O(N), N being the number of fields asked for',
    summary: 'Tells the values of several fields.',
    syntax: 'key field...',
    handler: hmget,
  },
  {
    name: 'hdel',
    arity: -3,
    flags: ['write', 'fast'],
    group: 'hash',
    keys: [key('RW delete')],
    since: '2.0.0',
    complexity: 'O(N), N being the number of fields given',
    summary: 'Removes fields; the hash goes with its last one.',
    syntax: 'key field...',
    handler: hdel,
  },
  {
    name: 'hexists',
    arity: 3,
    flags: ['readonly', 'fast'],
    group: 'hash',
    keys: [key('RO')],
    since: '2.0.0',
    complexity: 'O(1)',
    summary: 'Tells whether a hash has a field.',
    syntax: 'key field',
    handler: hexists,
  },
  {
    name: 'hlen',
    arity: 2,
    flags: ['readonly', 'fast'],
    group: 'hash',
    keys: [key('RO')],
    since: '2.0.0',
    complexity: 'O(1)',
    summary: 'Counts the fields.',
    syntax: 'key',
    handler: hlen,
  },
  {
    name: 'hstrlen',
    arity: 3,
    flags: ['readonly', 'fast'],
    group: 'hash',
    keys: [key('RO')],
    since: '3.2.0',
    complexity: 'O(1)',
    summary: 'Tells how many bytes the value of a field has.',
    syntax: 'key field',
    handler: hstrlen,
  },
  {
    name: 'hincrby',
    arity: 4,
    flags: ['write', 'denyoom', 'fast'],
    group: 'hash',
    keys: [key('RW access update')],
    since: '2.0.0',
    complexity: 'O(1)',
    summary: 'Adds to the integer in a field; one that is not there counts as 0.',
    syntax: 'key field increment:integer',
    handler: hincrby,
  },
  {
    name: 'hincrbyfloat',
    arity: 4,
    flags: ['write', 'denyoom', 'fast'],
    group: 'hash',
    keys: [key('RW access update')],
    since: '2.6.0',
    complexity: 'O(1)',
    summary: 'Adds to the number in a field; one that is not there counts as 0.',
    syntax: 'key field increment:double',
    handler: hincrbyfloat,
  },
  {
    name: 'hgetall',
    arity: 2,
    flags: ['readonly'],
    group: 'hash',
    keys: [key('RO access')],
    since: '2.0.0',
    complexity: 'O(N), N being the number of fields',
    summary: 'Lists all fields with their values.',
    syntax: 'key',
    tips: ['nondeterministic_output_order'],
    handler: hgetall,
  },
  {
    name: 'hkeys',
    arity: 2,
    flags: ['readonly'],
    group: 'hash',
    keys: [key('RO access')],
    since: '2.0.0',
    complexity: 'O(N), N being the number of fields',
    summary: 'Lists all fields.',
    syntax: 'key',
    tips: ['nondeterministic_output_order'],
    handler: hkeys,
  },
  {
    name: 'hvals',
    arity: 2,
    flags: ['readonly'],
    group: 'hash',
    keys: [key('RO access')],
    since: '2.0.0',
    complexity: 'O(N), N being the number of fields',
    summary: 'Lists the values of all fields.',
    syntax: 'key',
    tips: ['nondeterministic_output_order'],
    handler: hvals,
  },
  {
    name: 'hrandfield',
    arity: -2,
    flags: ['readonly'],
    group: 'hash',
    keys: [key('RO access')],
    since: '6.2.0',
    complexity: 'O(N), N being the number of fields answered',
    summary: 'Picks a field, or several, at random; with a negative count they may repeat.',
    syntax: 'key [options:(count:integer [WITHVALUES])]',
    tips: ['nondeterministic_output'],
    handler: hrandfield,
  },
  {
    name: 'hscan',
    arity: -3,
    flags: ['readonly'],
    group: 'hash',
    keys: [key('RO access')],
    since: '2.8.0',
    complexity: 'O(1) a call, O(N) for all fields',
    summary: 'Lists the fields, with or without values, step by step.',
    syntax: 'key cursor:integer [MATCH pattern:pattern] [COUNT count:integer] [NOVALUES]',
    tips: ['nondeterministic_output'],
    handler: hscan,
  },
  {
    name: 'hgetdel',
    arity: -5,
    flags: ['write', 'fast'],
    group: 'hash',
    keys: [key('RW access delete')],
    since: '8.0.0',
    complexity: 'O(N), N being the number of fields given',
    summary: 'Tells the values of fields and removes them.',
    syntax: 'key FIELDS fields:(numfields:integer field...)',
    handler: hgetdel,
  },
];

// Setting

function hset(ctx: Session, args: Bytes[]): Reply {
  return setFields(ctx, args, 'hset');
}

function hmset(ctx: Session, args: Bytes[]): Reply {
  setFields(ctx, args, 'hmset');
  return OK;
}

/** Sets the fields of HSET and HMSET and returns how many are new. */
function setFields(ctx: Session, args: Bytes[], command: Bytes): number {
  if (args.length % 2 === 1) throw wrongArity(command);
  const limits = ctx.server.encodingLimits;
  const found = fetchValue(ctx, args[1]!, HashValue);
  const hash = found ?? new HashValue();
  hash.expectFields((args.length - 2) / 2, limits);
  let added = 0;
  for (let i = 2; i < args.length; i += 2) if (hash.set(args[i]!, args[i + 1]!, limits)) added++;
  if (found === undefined) ctx.db.put(args[1]!, hash);
  ctx.db.changed(args[1]!, NOTIFY.hash, 'hset');
  return added;
}

function hsetnx(ctx: Session, args: Bytes[]): Reply {
  const found = fetchValue(ctx, args[1]!, HashValue);
  if (found?.has(args[2]!)) return 0;
  setField(ctx, args[1]!, found, args[2]!, args[3]!, 'hset');
  return 1;
}

const HASH_VALUE_NOT_AN_INTEGER = new ErrorReply('ERR hash value is not an integer');

function hincrby(ctx: Session, args: Bytes[]): Reply {
  const increment = int64Arg(args[3]!);
  const found = fetchValue(ctx, args[1]!, HashValue);
  const value = parseInteger(found?.get(args[2]!) ?? '0');
  if (value === undefined) return HASH_VALUE_NOT_AN_INTEGER;
  const sum = addInt64(value, increment);
  if (sum === undefined) return WOULD_OVERFLOW;
  setField(ctx, args[1]!, found, args[2]!, String(sum), 'hincrby');
  return sum;
}

const HASH_VALUE_NOT_A_FLOAT = new ErrorReply('ERR hash value is not a float');
const INFINITE_INCREMENT = new ErrorReply('ERR value is NaN or Infinity');

function hincrbyfloat(ctx: Session, args: Bytes[]): Reply {
  const increment = LongDouble.parse(args[3]!);
  if (increment === undefined) return NOT_A_FLOAT;
  if (!increment.isFinite()) return INFINITE_INCREMENT;
  const found = fetchValue(ctx, args[1]!, HashValue);
  const value = LongDouble.parse(found?.get(args[2]!) ?? '0');
  if (value === undefined) return HASH_VALUE_NOT_A_FLOAT;
  const sum = value.plus(increment);
  if (sum === undefined) return NAN_OR_INFINITY;
  const text = sum.toText();
  setField(ctx, args[1]!, found, args[2]!, text, 'hincrbyfloat');
  return text;
}

/** Sets one field, which keeps its expiry, of a hash that may be there. */
function setField(
  ctx: Session,
  name: Bytes,
  found: HashValue | undefined,
  field: Bytes,
  value: Bytes,
  event: string,
): void {
  const hash = found ?? new HashValue();
  hash.set(field, value, ctx.server.encodingLimits, true);
  if (found === undefined) ctx.db.put(name, hash);
  ctx.db.changed(name, NOTIFY.hash, event);
}

// Removing

function hdel(ctx: Session, args: Bytes[]): Reply {
  const hash = fetchValue(ctx, args[1]!, HashValue);
  if (hash === undefined) return 0;
  let removed = 0;
  for (let i = 2; i < args.length; i++) if (hash.delete(args[i]!)) removed++;
  if (removed > 0) elementsRemoved(ctx, args[1]!, hash, NOTIFY.hash, 'hdel');
  return removed;
}

function hgetdel(ctx: Session, args: Bytes[]): Reply {
  const hash = fetchValue(ctx, args[1]!, HashValue);
  const fields = fieldsArg(args, 2);
  if (hash === undefined) return fields.map(() => null);
  const before = hash.size;
  const values = fields.map((field) => {
    const value = hash.get(field) ?? null;
    hash.delete(field);
    return value;
  });
  if (hash.size < before) elementsRemoved(ctx, args[1]!, hash, NOTIFY.hash, 'hdel');
  return values;
}

// Reading

function hget(ctx: Session, args: Bytes[]): Reply {
  return readValue(ctx, args[1]!, HashValue)?.get(args[2]!) ?? null;
}

function hmget(ctx: Session, args: Bytes[]): Reply {
  const hash = readValue(ctx, args[1]!, HashValue);
  return args.slice(2).map((field) => hash?.get(field) ?? null);
}

function hexists(ctx: Session, args: Bytes[]): Reply {
  return readValue(ctx, args[1]!, HashValue)?.has(args[2]!) ? 1 : 0;
}

function hlen(ctx: Session, args: Bytes[]): Reply {
  return readValue(ctx, args[1]!, HashValue)?.size ?? 0;
}

function hstrlen(ctx: Session, args: Bytes[]): Reply {
  return readValue(ctx, args[1]!, HashValue)?.get(args[2]!)?.length ?? 0;
}

function hgetall(ctx: Session, args: Bytes[]): Reply {
  return new MapReply(entriesOf(readValue(ctx, args[1]!, HashValue), true, true));
}

function hkeys(ctx: Session, args: Bytes[]): Reply {
  return entriesOf(readValue(ctx, args[1]!, HashValue), true, false);
}

function hvals(ctx: Session, args: Bytes[]): Reply {
  return entriesOf(readValue(ctx, args[1]!, HashValue), false, true);
}

function entriesOf(hash: HashValue | undefined, withFields: boolean, withValues: boolean): Bytes[] {
  const entries: Bytes[] = [];
  if (hash === undefined) return entries;
  for (let i = 0; i < hash.size; i++) {
    if (withFields) entries.push(hash.fieldAt(i));
    if (withValues) entries.push(hash.valueAt(i));
  }
  return entries;
}

/** A value is written beside each field, so only half of the longest reply can be fields. */
const MOST_PAIRS = 2n ** 62n - 1n;

function hrandfield(ctx: Session, args: Bytes[]): Reply {
  if (args.length === 2) {
    const hash = readValue(ctx, args[1]!, HashValue);
    return hash === undefined ? null : hash.fieldAt(hash.randomIndex(Math.random));
  }
  const count = signedCountArg(args[2]!);
  const withValues = args.length === 4 && isWord(args[3]!, 'WITHVALUES');
  if (args.length > 3 && !withValues) return SYNTAX;
  if (withValues && (count > MOST_PAIRS || count < -MOST_PAIRS)) return OUT_OF_RANGE;
  const hash = readValue(ctx, args[1]!, HashValue);
  if (hash === undefined) return [];
  const indexes = pickIndexes(ctx, hash.size, Number(count));
  if (!withValues) return indexes.map((index) => hash.fieldAt(index));
  if (ctx.resp === 3) return indexes.map((index) => [hash.fieldAt(index), hash.valueAt(index)]);
  return indexes.flatMap((index) => [hash.fieldAt(index), hash.valueAt(index)]);
}

function hscan(ctx: Session, args: Bytes[]): Reply {
  const cursor = cursorArg(args[2]!);
  const hash = readValue(ctx, args[1]!, HashValue);
  if (hash === undefined) return ['0', []];
  const { count, matches, noValues } = scanOptions(args, 3, ['NOVALUES']);
  const found: Bytes[] = [];
  const next = hash.scan(cursor, count, (field, index) => {
    if (matches !== undefined && !matches(field)) return;
    found.push(field);
    if (!noValues) found.push(hash.valueAt(index));
  });
  return [String(next), found];
}
