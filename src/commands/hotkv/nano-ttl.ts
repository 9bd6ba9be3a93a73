/** NEXPIRE, NEXPIREAT and NTTL: the expiry of keys in nanoseconds (official client 1.0.0). One expiry a key, in any unit. */
import { NOTIFY } from '../../keyspace/notifications.js';
import { invalidExpire } from '../../protocol/errors.js';
import { INT64_MAX, normaliseInteger } from '../../protocol/numbers.js';
import type { Bytes, Reply } from '../../protocol/reply.js';
import type { Session } from '../../server/session.js';
import { int64Arg } from '../args.js';
import { type CommandRow, key } from '../definition.js';

const ACL = ['keyspace', 'hotkv', 'nanottl'];
const NANOS_PER_MS = 1_000_000n;

export const nanoTtlCommands: readonly CommandRow[] = [
  {
    name: 'nexpire',
    arity: 3,
    flags: ['write', 'fast'],
    group: 'generic',
    acl: ACL,
    keys: [key('RW update')],
    since: '0.3.0',
    complexity: 'O(1)',
    summary: 'Lets a key expire after a number of nanoseconds.',
    syntax: 'key nanoseconds:integer',
    readings: [
      'a time that is not in the future removes the key, and the reply is 1, as with EXPIRE.',
      'the real clock ticks in milliseconds, a frozen one in nanoseconds: there the key goes at its very nanosecond.',
      'events are those of EXPIRE.',
    ],
    handler: nexpire,
  },
  {
    name: 'nexpireat',
    arity: 3,
    flags: ['write', 'fast'],
    group: 'generic',
    acl: ACL,
    keys: [key('RW update')],
    since: '0.3.0',
    complexity: 'O(1)',
    summary: 'Lets a key expire at a unix time in nanoseconds.',
    syntax: 'key unix-time-nanoseconds:unix-time',
    handler: nexpireAt,
  },
  {
    name: 'nttl',
    arity: 2,
    flags: ['readonly', 'fast'],
    group: 'generic',
    acl: ACL,
    keys: [key('RO access')],
    since: '0.3.0',
    complexity: 'O(1)',
    summary: 'Tells in how many nanoseconds a key expires; -1: never, -2: there is no such key.',
    syntax: 'key',
    tips: ['nondeterministic_output'],
    readings: ['a time beyond the 64-bit range shows as its greatest number.'],
    handler: nttl,
  },
];

function nexpire(ctx: Session, args: Bytes[]): Reply {
  return expireAt(ctx, args, ctx.server.clock.nanos());
}

function nexpireAt(ctx: Session, args: Bytes[]): Reply {
  return expireAt(ctx, args, 0n);
}

/** Sets the expiry to the nanoseconds in the arguments, counted from `start` (unix ns). */
function expireAt(ctx: Session, args: Bytes[], start: bigint): Reply {
  const { db } = ctx;
  const name = args[1]!;
  const at = BigInt(int64Arg(args[2]!)) + start;
  if (at > INT64_MAX) return invalidExpire(args[0]!.toLowerCase());
  if (db.fetch(name) === undefined) return 0;
  if (at <= ctx.server.clock.nanos()) {
    db.remove(name);
    db.changed(name, NOTIFY.generic, 'del');
  } else {
    db.setExpiry(name, Number(at / NANOS_PER_MS), Number(at % NANOS_PER_MS));
    db.changed(name, NOTIFY.generic, 'expire');
  }
  return 1;
}

function nttl(ctx: Session, args: Bytes[]): Reply {
  const { db } = ctx;
  const name = args[1]!;
  if (db.inspect(name) === undefined) return -2;
  const atMs = db.expiryOf(name);
  if (atMs === undefined) return -1;
  const left = BigInt(atMs) * NANOS_PER_MS + BigInt(db.expiryNanosOf(name)) - ctx.server.clock.nanos();
  return normaliseInteger(left > INT64_MAX ? INT64_MAX : left);
}
