/** Strings as wholes and by ranges: SET and GET with all that they can carry, several keys at once, parts of a value. */
import { NOTIFY } from '../keyspace/notifications.js';
import { isString, textOf } from '../keyspace/value.js';
import { SYNTAX, WRONG_TYPE, wrongArity } from '../protocol/errors.js';
import { type Bytes, ErrorReply, type Int64, OK, type Reply } from '../protocol/reply.js';
import type { Session } from '../server/session.js';
import { fetchString, integerArg, OptionReader, readString } from './args.js';
import { type CommandRow, key, keyRange } from './definition.js';
import { type ExpiryUnit, expiryArg } from './expiry-args.js';
import { findSetKeys } from './key-positions.js';
import { fulfils, type StringCondition, stringCondition } from './string-condition.js';
import { checkLength, editableString, lengthOf, rangeWithin, runsBackwards, sliceOf } from './string-values.js';

export const stringCommands: readonly CommandRow[] = [
  {
    name: 'set',
    arity: -3,
    flags: ['write', 'denyoom'],
    group: 'string',
    keys: [key('RW access update variable_flags')],
    findKeys: findSetKeys,
    since: '1.0.0',
    complexity: 'O(1)',
    summary:
      'Sets a key to a string, whatever it held before; may depend on what it held, and may answer the old value.',
    syntax:
      'key value [condition:(NX | XX | IFEQ ifeq-value | IFNE ifne-value | IFDEQ ifdeq-digest | IFDNE ifdne-digest)] [GET] [expiration:(EX seconds:integer | PX milliseconds:integer | EXAT unix-time-seconds:unix-time | PXAT unix-time-milliseconds:unix-time | KEEPTTL)]',
    readings: [
      'IFEQ, IFNE, IFDEQ and IFDNE are those of Redis 8.4, which HotKV names too; Redis 8.2 calls them a syntax error.',
    ],
    handler: set,
  },
  {
    name: 'get',
    arity: 2,
    flags: ['readonly', 'fast'],
    group: 'string',
    keys: [key('RO access')],
    since: '1.0.0',
    complexity: 'O(1)',
    summary: 'Answers the string of a key.',
    syntax: 'key',
    handler: get,
  },
  {
    name: 'setnx',
    arity: 3,
    flags: ['write', 'denyoom', 'fast'],
    group: 'string',
    keys: [key('OW insert')],
    since: '1.0.0',
    complexity: 'O(1)',
    summary: 'Sets a key to a string if the key is not there.',
    syntax: 'key value',
    handler: setnx,
  },
  {
    name: 'setex',
    arity: 4,
    flags: ['write', 'denyoom'],
    group: 'string',
    keys: [key('OW update')],
    since: '2.0.0',
    complexity: 'O(1)',
    summary: 'Sets a key to a string that expires after a number of seconds.',
    syntax: 'key seconds:integer value',
    handler: setex,
  },
  {
    name: 'psetex',
    arity: 4,
    flags: ['write', 'denyoom'],
    group: 'string',
    keys: [key('OW update')],
    since: '2.6.0',
    complexity: 'O(1)',
    summary: 'Sets a key to a string that expires after a number of milliseconds.',
    syntax: 'key milliseconds:integer value',
    handler: psetex,
  },
  {
    name: 'getset',
    arity: 3,
    flags: ['write', 'denyoom', 'fast'],
    group: 'string',
    keys: [key('RW access update')],
    since: '1.0.0',
    complexity: 'O(1)',
    summary: 'Sets a key to a string and answers the old one.',
    syntax: 'key value',
    handler: getset,
  },
  {
    name: 'getdel',
    arity: 2,
    flags: ['write', 'fast'],
    group: 'string',
    keys: [key('RW access delete')],
    since: '6.2.0',
    complexity: 'O(1)',
    summary: 'Answers the string of a key and removes the key.',
    syntax: 'key',
    handler: getdel,
  },
  {
    name: 'getex',
    arity: -2,
    flags: ['write', 'fast'],
    group: 'string',
    keys: [key('RW access update')],
    since: '6.2.0',
    complexity: 'O(1)',
    summary: 'Answers the string of a key and sets when it expires, or that it does not.',
    syntax:
      'key [expiration:(EX seconds:integer | PX milliseconds:integer | EXAT unix-time-seconds:unix-time | PXAT unix-time-milliseconds:unix-time | PERSIST)]',
    handler: getex,
  },
  {
    name: 'mget',
    arity: -2,
    flags: ['readonly', 'fast'],
    group: 'string',
    keys: [keyRange('RO access', 1, -1)],
    since: '1.0.0',
    complexity: 'O(N), N being the number of keys',
    summary: 'Answers the strings of several keys at once, null where there is none.',
    syntax: 'key...',
    tips: ['request_policy:multi_shard'],
    handler: mget,
  },
  {
    name: 'mset',
    arity: -3,
    flags: ['write', 'denyoom'],
    group: 'string',
    keys: [keyRange('OW update', 1, -1, 2)],
    since: '1.0.1',
    complexity: 'O(N), N being the number of keys',
    summary: 'Sets several keys to strings at once.',
    syntax: 'data:(key value)...',
    tips: ['request_policy:multi_shard', 'response_policy:all_succeeded'],
    handler: mset,
  },
  {
    name: 'msetnx',
    arity: -3,
    flags: ['write', 'denyoom'],
    group: 'string',
    keys: [keyRange('OW insert', 1, -1, 2)],
    since: '1.0.1',
    complexity: 'O(N), N being the number of keys',
    summary: 'Sets several keys to strings at once if none of them is there.',
    syntax: 'data:(key value)...',
    handler: msetnx,
  },
  {
    name: 'append',
    arity: 3,
    flags: ['write', 'denyoom', 'fast'],
    group: 'string',
    keys: [key('RW insert')],
    since: '2.0.0',
    complexity: 'O(1)',
    summary: 'Adds bytes to the end of a string.',
    syntax: 'key value',
    handler: append,
  },
  {
    name: 'strlen',
    arity: 2,
    flags: ['readonly', 'fast'],
    group: 'string',
    keys: [key('RO')],
    since: '2.2.0',
    complexity: 'O(1)',
    summary: 'Answers how many bytes a string has.',
    syntax: 'key',
    handler: strlen,
  },
  {
    name: 'getrange',
    arity: 4,
    flags: ['readonly'],
    group: 'string',
    keys: [key('RO access')],
    since: '2.4.0',
    complexity: 'O(N), N being the length of the answer',
    summary: 'Answers the bytes of a string from one offset to another; negative ones count from the end.',
    syntax: 'key start:integer end:integer',
    handler: getrange,
  },
  {
    name: 'substr',
    arity: 4,
    flags: ['readonly'],
    group: 'string',
    keys: [key('RO access')],
    since: '1.0.0',
    complexity: 'O(N), N being the length of the answer',
    summary: 'Answers the bytes of a string from one offset to another: the old name of GETRANGE.',
    syntax: 'key start:integer end:integer',
    handler: getrange,
  },
  {
    name: 'setrange',
    arity: 4,
    flags: ['write', 'denyoom'],
    group: 'string',
    keys: [key('RW update')],
    since: '2.2.0',
    complexity: 'O(1), but for the bytes written',
    summary: 'Writes bytes over a string at an offset; zero bytes fill what lies before.',
    syntax: 'key offset:integer value',
    handler: setrange,
  },
];

function set(ctx: Session, args: Bytes[]): Reply {
  if (args.length > 3) return setWithOptions(ctx, args);
  const key = args[1]!;
  ctx.db.replace(key, args[2]!);
  ctx.db.changed(key, NOTIFY.string, 'set');
  return OK;
}

function setWithOptions(ctx: Session, args: Bytes[]): Reply {
  const key = args[1]!;
  const options = readOptions(args, 3, SET_OPTIONS);
  const at = options.unit === '' ? 0 : expiryArg(ctx, options.time, options.unit, 'set');
  const { has } = options;
  const answersOld = has.includes('GET');
  const old = answersOld ? get(ctx, args) : null;
  const refused = isRefused(ctx, key, options);
  if (!refused) store(ctx, key, args[2]!, at, has.includes('KEEPTTL'));
  if (answersOld) return old;
  return refused ? null : OK;
}

function isRefused({ db }: Session, key: Bytes, { has, condition }: StringOptions): boolean {
  if (condition !== undefined) return !fulfils(db.peek(key), condition);
  return (has.includes('NX') && db.has(key)) || (has.includes('XX') && !db.has(key));
}

/** Sets a key with the events of SET; `at`: unix ms at which it expires, 0: never. */
export function store(ctx: Session, key: Bytes, value: Bytes, at: Int64, keepExpiry = false): void {
  ctx.db.replace(key, value, keepExpiry);
  ctx.db.changed(key, NOTIFY.string, 'set');
  if (at === 0) return;
  ctx.db.setExpiryTime(key, at);
  ctx.db.notify(NOTIFY.generic, 'expire', key);
}

const SET_OPTIONS: readonly string[] = ['NX', 'XX', 'GET', 'KEEPTTL', 'IF'];
const GETEX_OPTIONS: readonly string[] = ['PERSIST'];

/** The options of SET, MSETEX and GETEX. */
interface StringOptions {
  /** Words without argument. */
  readonly has: readonly string[];
  /** Which expiry option there is, and its argument. */
  readonly unit: ExpiryUnit | '';
  readonly time: Bytes;
  readonly condition: StringCondition | undefined;
}

/**
 * Reads options in any order; `words` are those without argument that the command knows, `IF` stands for conditions. An option that is repeated counts once, the last argument of an expiry; two that exclude
 * each other (NX and XX, any two about expiry) are a syntax error.
 */
export function readOptions(args: Bytes[], from: number, words: readonly string[]): StringOptions {
  const reader = new OptionReader(args, from);
  const has: string[] = [];
  let unit: ExpiryUnit | '' = '';
  let time = '';
  let condition: StringCondition | undefined;
  while (reader.more) {
    const word = reader.keyword();
    if (word === 'EX' || word === 'PX' || word === 'EXAT' || word === 'PXAT') {
      if (unit !== '' && unit !== word) throw SYNTAX;
      unit = word;
      time = reader.next();
    } else if (word !== 'IF' && words.includes(word)) has.push(word);
    else {
      const found = words.includes('IF') ? stringCondition(word, () => reader.next()) : undefined;
      if (found === undefined || condition !== undefined) throw SYNTAX;
      condition = found;
    }
  }
  const presence = has.includes('NX') || has.includes('XX');
  if ((has.includes('NX') && has.includes('XX')) || (presence && condition !== undefined)) throw SYNTAX;
  if (unit !== '' && (has.includes('KEEPTTL') || has.includes('PERSIST'))) throw SYNTAX;
  return { has, unit, time, condition };
}

function get(ctx: Session, args: Bytes[]): Reply {
  const value = ctx.db.read(args[1]!);
  if (typeof value === 'string') return value;
  if (value === undefined) return null;
  if (isString(value)) return textOf(value);
  throw WRONG_TYPE;
}

function setnx(ctx: Session, args: Bytes[]): Reply {
  if (ctx.db.has(args[1]!)) return 0;
  store(ctx, args[1]!, args[2]!, 0);
  return 1;
}

function setex(ctx: Session, args: Bytes[]): Reply {
  store(ctx, args[1]!, args[3]!, expiryArg(ctx, args[2]!, 'EX', 'setex'));
  return OK;
}

function psetex(ctx: Session, args: Bytes[]): Reply {
  store(ctx, args[1]!, args[3]!, expiryArg(ctx, args[2]!, 'PX', 'psetex'));
  return OK;
}

function getset(ctx: Session, args: Bytes[]): Reply {
  const old = get(ctx, args);
  store(ctx, args[1]!, args[2]!, 0);
  return old;
}

function getdel(ctx: Session, args: Bytes[]): Reply {
  const old = get(ctx, args);
  if (old !== null) removeKey(ctx, args[1]!);
  return old;
}

function removeKey(ctx: Session, key: Bytes): void {
  ctx.db.remove(key);
  ctx.db.changed(key, NOTIFY.generic, 'del');
}

function getex(ctx: Session, args: Bytes[]): Reply {
  const key = args[1]!;
  const { has, unit, time } = readOptions(args, 2, GETEX_OPTIONS);
  const value = get(ctx, args);
  if (value === null) return null;
  if (unit !== '') {
    const at = expiryArg(ctx, time, unit, 'getex');
    if (at <= ctx.now) removeKey(ctx, key);
    else {
      ctx.db.setExpiryTime(key, at);
      ctx.db.changed(key, NOTIFY.generic, 'expire');
    }
  } else if (has.includes('PERSIST') && ctx.db.removeExpiry(key)) ctx.db.changed(key, NOTIFY.generic, 'persist');
  return value;
}

function mget(ctx: Session, args: Bytes[]): Reply {
  const values: Reply[] = [];
  for (let i = 1; i < args.length; i++) {
    const value = ctx.db.read(args[i]!);
    values.push(value !== undefined && isString(value) ? textOf(value) : null);
  }
  return values;
}

function mset(ctx: Session, args: Bytes[]): Reply {
  if (args.length % 2 === 0) return wrongArity('mset');
  storeAll(ctx, args);
  return OK;
}

function msetnx(ctx: Session, args: Bytes[]): Reply {
  if (args.length % 2 === 0) return wrongArity('msetnx');
  for (let i = 1; i < args.length; i += 2) if (ctx.db.has(args[i]!)) return 0;
  storeAll(ctx, args);
  return 1;
}

function storeAll(ctx: Session, args: Bytes[]): void {
  for (let i = 1; i < args.length; i += 2) store(ctx, args[i]!, args[i + 1]!, 0);
}

function append(ctx: Session, args: Bytes[]): Reply {
  const key = args[1]!;
  const added = args[2]!;
  const value = fetchString(ctx, key);
  let length = added.length;
  if (value === undefined) ctx.db.put(key, added);
  else {
    const start = lengthOf(value);
    length += start;
    checkLength(ctx, length);
    editableString(ctx, key, value, length).overwrite(start, added);
  }
  ctx.db.changed(key, NOTIFY.string, 'append');
  return length;
}

function strlen(ctx: Session, args: Bytes[]): Reply {
  const value = readString(ctx, args[1]!);
  return value === undefined ? 0 : lengthOf(value);
}

function getrange(ctx: Session, args: Bytes[]): Reply {
  const start = integerArg(args[2]!);
  const end = integerArg(args[3]!);
  const value = readString(ctx, args[1]!);
  if (value === undefined || runsBackwards(start, end)) return '';
  const range = rangeWithin(lengthOf(value), start, end);
  return range === undefined ? '' : sliceOf(value, range.first, range.last + 1);
}

const OFFSET_OUT_OF_RANGE = new ErrorReply('ERR offset is out of range');

function setrange(ctx: Session, args: Bytes[]): Reply {
  const key = args[1]!;
  const offset = integerArg(args[2]!);
  const written = args[3]!;
  if (offset < 0) return OFFSET_OUT_OF_RANGE;
  const value = fetchString(ctx, key);
  if (written === '') return value === undefined ? 0 : lengthOf(value);
  const end = offset + written.length;
  checkLength(ctx, end);
  const buffer = editableString(ctx, key, value, end);
  buffer.overwrite(offset, written);
  ctx.db.changed(key, NOTIFY.string, 'setrange');
  return buffer.length;
}
