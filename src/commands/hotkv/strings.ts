/**
 * String commands that HotKV names and Redis 8.2 has not: MSETEX, DELEX and DIGEST (Redis 8.4 doc; MSETEX' order of
 * checks is that of Valkey 9.1).
 */
import { NOTIFY } from '../../keyspace/notifications.js';
import { isString, textOf } from '../../keyspace/value.js';
import { xxh3Hex } from '../../keyspace/values/xxh3.js';
import { SYNTAX, wrongArity } from '../../protocol/errors.js';
import { type Bytes, ErrorReply, type Reply } from '../../protocol/reply.js';
import type { Session } from '../../server/session.js';
import { rangedArg, readString } from '../args.js';
import { type CommandRow, key, numberedKeys } from '../definition.js';
import { expiryArg } from '../expiry-args.js';
import { fulfils, stringCondition } from '../string-condition.js';
import { readOptions, store } from '../strings.js';

export const hotkvStringCommands: readonly CommandRow[] = [
  {
    name: 'msetex',
    arity: -4,
    flags: ['write', 'denyoom', 'movablekeys'],
    group: 'string',
    keys: [numberedKeys('OW update', 1, 2)],
    since: '8.4.0',
    complexity: 'O(N), N being the number of keys',
    summary:
      'Sets several keys to strings at once with one expiry time; may depend on none or all of them being there.',
    syntax:
      'numkeys:integer data:(key value)... [condition:(NX | XX)] [expiration:(EX seconds:integer | PX milliseconds:integer | EXAT unix-time-seconds:unix-time | PXAT unix-time-milliseconds:unix-time | KEEPTTL)]',
    tips: ['request_policy:multi_shard', 'response_policy:all_succeeded'],
    handler: msetex,
  },
  {
    name: 'delex',
    arity: -2,
    flags: ['write', 'fast'],
    group: 'string',
    keys: [key('RM delete')],
    since: '8.4.0',
    complexity: 'O(1); O(N) for IFDEQ and IFDNE, N being the length of the string',
    summary: 'Removes a key, if its string or the digest of it is or is not a given one.',
    syntax: 'key [condition:(IFEQ ifeq-value | IFNE ifne-value | IFDEQ ifdeq-digest | IFDNE ifdne-digest)]',
    readings: ['without a condition a key of any type is removed; a key that is not there is 0 under every condition.'],
    handler: delex,
  },
  {
    name: 'digest',
    arity: 2,
    flags: ['readonly', 'fast'],
    group: 'string',
    keys: [key('RO access')],
    since: '8.4.0',
    complexity: 'O(N), N being the length of the string',
    summary: 'Answers the 64-bit XXH3 hash of a string as 16 hexadecimal digits.',
    syntax: 'key',
    handler: digest,
  },
];

const BAD_NUMKEYS = new ErrorReply('ERR invalid numkeys value or out of range');
const MSETEX_OPTIONS: readonly string[] = ['NX', 'XX', 'KEEPTTL'];

function msetex(ctx: Session, args: Bytes[]): Reply {
  const { db } = ctx;
  const end = 2 + rangedArg(args[1]!, 1, 2 ** 31 - 1, BAD_NUMKEYS, BAD_NUMKEYS) * 2;
  if (end > args.length) return SYNTAX;
  const { has, unit, time } = readOptions(args, end, MSETEX_OPTIONS);
  const at = unit === '' ? 0 : expiryArg(ctx, time, unit, 'msetex');
  for (let i = 2; i < end; i += 2) {
    if (db.has(args[i]!) ? has.includes('NX') : has.includes('XX')) return 0;
  }
  for (let i = 2; i < end; i += 2) store(ctx, args[i]!, args[i + 1]!, at, has.includes('KEEPTTL'));
  return 1;
}

const NOT_A_STRING = new ErrorReply('ERR Key should be of string type if conditions are specified');
const BAD_CONDITION = new ErrorReply('ERR Invalid condition. Use IFEQ, IFNE, IFDEQ, or IFDNE');

function delex(ctx: Session, args: Bytes[]): Reply {
  const { db } = ctx;
  const name = args[1]!;
  if (args.length !== 2 && args.length !== 4) return wrongArity('delex');
  const value = db.fetch(name);
  if (args.length === 4) {
    const condition = stringCondition(args[2]!.toUpperCase(), () => args[3]!);
    if (condition === undefined) return BAD_CONDITION;
    if (value !== undefined && !isString(value)) return NOT_A_STRING;
    if (!fulfils(value, condition)) return 0;
  }
  if (!db.remove(name)) return 0;
  db.changed(name, NOTIFY.generic, 'del');
  return 1;
}

function digest(ctx: Session, args: Bytes[]): Reply {
  const value = readString(ctx, args[1]!);
  return value === undefined ? null : xxh3Hex(textOf(value));
}
