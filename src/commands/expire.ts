/** Expiry times of keys. */

import { NOTIFY } from '../keyspace/notifications.js';
import { invalidExpire, unsupportedOption } from '../protocol/errors.js';
import { addInt64, INT64_MAX, INT64_MIN, normaliseInteger } from '../protocol/numbers.js';
import { type Bytes, ErrorReply, type Int64, type Reply } from '../protocol/reply.js';
import type { Session } from '../server/session.js';
import { int64Arg } from './args.js';
import { type CommandRow, key } from './definition.js';

export const expireCommands: readonly CommandRow[] = [
  {
    name: 'expire',
    arity: -3,
    flags: ['write', 'fast'],
    group: 'generic',
    keys: [key('RW update')],
    since: '1.0.0',
    complexity: 'O(1)',
    summary: 'Lets a key expire after a number of seconds.',
    syntax: 'key seconds:integer [condition:(NX | XX | GT | LT)]',
    handler: expire,
  },
  {
    name: 'pexpire',
    arity: -3,
    flags: ['write', 'fast'],
    group: 'generic',
    keys: [key('RW update')],
    since: '2.6.0',
    complexity: 'O(1)',
    summary: 'Lets a key expire after a number of milliseconds.',
    syntax: 'key milliseconds:integer [condition:(NX | XX | GT | LT)]',
    handler: pexpire,
  },
  {
    name: 'expireat',
    arity: -3,
    flags: ['write', 'fast'],
    group: 'generic',
    keys: [key('RW update')],
    since: '1.2.0',
    complexity: 'O(1)',
    summary: 'Lets a key expire at a unix time in seconds.',
    syntax: 'key unix-time-seconds:unix-time [condition:(NX | XX | GT | LT)]',
    handler: expireat,
  },
  {
    name: 'pexpireat',
    arity: -3,
    flags: ['write', 'fast'],
    group: 'generic',
    keys: [key('RW update')],
    since: '2.6.0',
    complexity: 'O(1)',
    summary: 'Lets a key expire at a unix time in milliseconds.',
    syntax: 'key unix-time-milliseconds:unix-time [condition:(NX | XX | GT | LT)]',
    handler: pexpireat,
  },
  {
    name: 'ttl',
    arity: 2,
    flags: ['readonly', 'fast'],
    group: 'generic',
    keys: [key('RO access')],
    since: '1.0.0',
    complexity: 'O(1)',
    summary: 'Tells in how many seconds a key expires.',
    syntax: 'key',
    tips: ['nondeterministic_output'],
    handler: ttl,
  },
  {
    name: 'pttl',
    arity: 2,
    flags: ['readonly', 'fast'],
    group: 'generic',
    keys: [key('RO access')],
    since: '2.6.0',
    complexity: 'O(1)',
    summary: 'Tells in how many milliseconds a key expires.',
    syntax: 'key',
    tips: ['nondeterministic_output'],
    handler: pttl,
  },
  {
    name: 'expiretime',
    arity: 2,
    flags: ['readonly', 'fast'],
    group: 'generic',
    keys: [key('RO access')],
    since: '7.0.0',
    complexity: 'O(1)',
    summary: 'Tells the unix time in seconds at which a key expires.',
    syntax: 'key',
    handler: expiretime,
  },
  {
    name: 'pexpiretime',
    arity: 2,
    flags: ['readonly', 'fast'],
    group: 'generic',
    keys: [key('RO access')],
    since: '7.0.0',
    complexity: 'O(1)',
    summary: 'Tells the unix time in milliseconds at which a key expires.',
    syntax: 'key',
    handler: pexpiretime,
  },
  {
    name: 'persist',
    arity: 2,
    flags: ['write', 'fast'],
    group: 'generic',
    keys: [key('RW update')],
    since: '2.2.0',
    complexity: 'O(1)',
    summary: 'Takes the expiry time from a key.',
    syntax: 'key',
    handler: persist,
  },
];

function expire(ctx: Session, args: Bytes[]): Reply {
  return setExpiry(ctx, args, 1000, ctx.now);
}

function pexpire(ctx: Session, args: Bytes[]): Reply {
  return setExpiry(ctx, args, 1, ctx.now);
}

function expireat(ctx: Session, args: Bytes[]): Reply {
  return setExpiry(ctx, args, 1000, 0);
}

function pexpireat(ctx: Session, args: Bytes[]): Reply {
  return setExpiry(ctx, args, 1, 0);
}

/** `unit` is that of the argument in ms, `start` the unix ms that it counts from. */
function setExpiry(ctx: Session, args: Bytes[], unit: number, start: number): Reply {
  const { db } = ctx;
  const name = args[1]!;
  const condition = conditionArgs(args);
  const at = unixMs(int64Arg(args[2]!), unit, start);
  if (at === undefined) return invalidExpire(args[0]!.toLowerCase());
  if (db.fetch(name) === undefined) return 0;
  if (condition !== undefined && !allows(condition, db.expiryTimeOf(name), at)) return 0;
  if (at <= ctx.now) {
    db.remove(name);
    db.changed(name, NOTIFY.generic, 'del');
  } else {
    db.setExpiryTime(name, at);
    db.changed(name, NOTIFY.generic, 'expire');
  }
  return 1;
}

/** Seconds or ms from `start` as unix ms; undefined where they leave the 64-bit range. */
function unixMs(amount: Int64, unit: number, start: number): Int64 | undefined {
  const ms = BigInt(amount) * BigInt(unit);
  return ms > INT64_MAX || ms < INT64_MIN ? undefined : addInt64(normaliseInteger(ms), start);
}

interface Condition {
  readonly nx: boolean;
  readonly xx: boolean;
  readonly gt: boolean;
  readonly lt: boolean;
}

const NX_ALONE = new ErrorReply('ERR NX and XX, GT or LT options at the same time are not compatible');
const GT_OR_LT = new ErrorReply('ERR GT and LT options at the same time are not compatible');

function conditionArgs(args: Bytes[]): Condition | undefined {
  if (args.length === 3) return undefined;
  const given = new Set<string>();
  for (let i = 3; i < args.length; i++) {
    const option = args[i]!.toUpperCase();
    if (!CONDITIONS.has(option)) throw unsupportedOption(args[i]!);
    given.add(option);
  }
  if (given.has('NX') && given.size > 1) throw NX_ALONE;
  if (given.has('GT') && given.has('LT')) throw GT_OR_LT;
  return { nx: given.has('NX'), xx: given.has('XX'), gt: given.has('GT'), lt: given.has('LT') };
}

const CONDITIONS: ReadonlySet<string> = new Set(['NX', 'XX', 'GT', 'LT']);

/** No expiry counts as one that never comes. */
function allows({ nx, xx, gt, lt }: Condition, current: Int64 | undefined, at: Int64): boolean {
  if (current === undefined) return !xx && !gt;
  return !nx && !(gt && at <= current) && !(lt && at >= current);
}

/** What the time-to-live commands answer for a key that is not there, and for one that does not expire. */
const NO_KEY = -2;
const NO_EXPIRY = -1;

function ttl(ctx: Session, args: Bytes[]): Reply {
  const left = timeLeft(ctx, args[1]!);
  return left < 0 ? left : toSeconds(left);
}

function pttl(ctx: Session, args: Bytes[]): Reply {
  return timeLeft(ctx, args[1]!);
}

function expiretime(ctx: Session, args: Bytes[]): Reply {
  const at = expiryTime(ctx, args[1]!);
  return at < 0 ? at : toSeconds(at);
}

function pexpiretime(ctx: Session, args: Bytes[]): Reply {
  return expiryTime(ctx, args[1]!);
}

function timeLeft(ctx: Session, name: Bytes): Int64 {
  const at = expiryTime(ctx, name);
  return at < 0 ? at : addInt64(at, -ctx.now)!;
}

function expiryTime(ctx: Session, name: Bytes): Int64 {
  if (ctx.db.inspect(name) === undefined) return NO_KEY;
  return ctx.db.expiryTimeOf(name) ?? NO_EXPIRY;
}

/** To the nearest second, as Redis tells it. */
function toSeconds(ms: Int64): Int64 {
  if (typeof ms === 'number') return Math.floor((ms + 500) / 1000);
  return normaliseInteger((ms + 500n) / 1000n);
}

function persist(ctx: Session, args: Bytes[]): Reply {
  const { db } = ctx;
  const name = args[1]!;
  if (db.fetch(name) === undefined || !db.removeExpiry(name)) return 0;
  db.changed(name, NOTIFY.generic, 'persist');
  return 1;
}
