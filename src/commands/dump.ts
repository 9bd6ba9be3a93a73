/** DUMP and RESTORE: values in Redis' serialised form. */

import { NOTIFY } from '../keyspace/notifications.js';
import { dumpValue, restoreValue } from '../persistence/rdb/payload.js';
import { SYNTAX } from '../protocol/errors.js';
import { addInt64 } from '../protocol/numbers.js';
import { type Bytes, ErrorReply, type Int64, OK, type Reply } from '../protocol/reply.js';
import type { Session } from '../server/session.js';
import { int64Arg, OptionReader } from './args.js';
import { type CommandRow, key } from './definition.js';

export const dumpCommands: readonly CommandRow[] = [
  {
    name: 'dump',
    arity: 2,
    flags: ['readonly'],
    group: 'generic',
    keys: [key('RO access')],
    since: '2.6.0',
    complexity: 'O(N*M), N being the number of elements and M their size',
    summary: "Gives the value at a key in Redis' serialised form.",
    syntax: 'key',
    tips: ['nondeterministic_output'],
    handler: dump,
  },
  {
    name: 'restore',
    arity: -4,
    flags: ['write', 'denyoom'],
    group: 'generic',
    acl: ['keyspace', 'dangerous'],
    keys: [key('OW update')],
    since: '2.6.0',
    complexity: 'O(N*M), N being the number of elements and M their size; O(N*M*log(N)) for sorted sets',
    summary: 'Makes a key from a serialised value.',
    syntax: 'key ttl:integer serialized-value [REPLACE] [ABSTTL] [IDLETIME seconds:integer] [FREQ frequency:integer]',
    handler: restore,
  },
  {
    name: 'restore-asking',
    arity: -4,
    flags: ['write', 'denyoom', 'asking'],
    group: 'server',
    acl: ['keyspace', 'dangerous'],
    keys: [key('OW update')],
    since: '3.0.0',
    complexity: 'O(N*M), N being the number of elements and M their size; O(N*M*log(N)) for sorted sets',
    summary: 'RESTORE for the slots of a cluster that are being moved.',
    syntax: 'key ttl:integer serialized-value [REPLACE] [ABSTTL] [IDLETIME seconds:integer] [FREQ frequency:integer]',
    handler: restore,
  },
];

function dump(ctx: Session, args: Bytes[]): Reply {
  const value = ctx.db.inspect(args[1]!);
  return value === undefined ? null : dumpValue(value);
}

const BUSY_KEY = new ErrorReply('BUSYKEY Target key name already exists.');
const INVALID_TTL = new ErrorReply('ERR Invalid TTL value, must be >= 0');
const INVALID_IDLE_TIME = new ErrorReply('ERR Invalid IDLETIME value, must be >= 0');
const INVALID_FREQUENCY = new ErrorReply('ERR Invalid FREQ value, must be >= 0 and <= 255');
const BAD_FOOTER = new ErrorReply('ERR DUMP payload version or checksum are wrong');
const BAD_DATA = new ErrorReply('ERR Bad data format');

function restore(ctx: Session, args: Bytes[]): Reply {
  const { db } = ctx;
  const name = args[1]!;
  const options = restoreOptions(args);
  if (!options.replace && db.has(name)) return BUSY_KEY;
  const ttl = int64Arg(args[2]!);
  if (ttl < 0) return INVALID_TTL;
  const value = restoreValue(args[3]!, ctx.server.encodingLimits);
  if (value === 'footer') return BAD_FOOTER;
  if (value === 'data') return BAD_DATA;
  const overwritten = db.detach(name);
  const at = expiryOf(ttl, options.absolute, ctx.now);
  if (at !== undefined && at <= ctx.now) {
    if (overwritten !== undefined) db.changed(name, NOTIFY.generic, 'del');
    return OK;
  }
  db.put(name, value);
  if (at !== undefined) db.setExpiryTime(name, at);
  const slot = db.slotOf(name);
  if (options.idleSeconds !== undefined) db.access.setIdle(slot, options.idleSeconds);
  if (options.frequency !== undefined) db.access.setFrequency(slot, options.frequency);
  db.changed(name, NOTIFY.generic, 'restore');
  if (overwritten !== undefined) db.notifyOverwritten(name, overwritten.value, value);
  return OK;
}

interface RestoreOptions {
  readonly replace: boolean;
  readonly absolute: boolean;
  readonly idleSeconds: number | undefined;
  readonly frequency: number | undefined;
}

function restoreOptions(args: Bytes[]): RestoreOptions {
  let replace = false;
  let absolute = false;
  let idleSeconds: number | undefined;
  let frequency: number | undefined;
  for (const reader = new OptionReader(args, 4); reader.more; ) {
    const option = reader.keyword();
    if (option === 'REPLACE') replace = true;
    else if (option === 'ABSTTL') absolute = true;
    else if (option === 'IDLETIME' && reader.more && frequency === undefined) {
      idleSeconds = reader.integer();
      if (idleSeconds < 0) throw INVALID_IDLE_TIME;
    } else if (option === 'FREQ' && reader.more && idleSeconds === undefined) {
      frequency = reader.integer();
      if (frequency < 0 || frequency > 255) throw INVALID_FREQUENCY;
    } else throw SYNTAX;
  }
  return { replace, absolute, idleSeconds, frequency };
}

/** Unix ms; a time to live that leaves the 64-bit range wraps around into the past, as in Redis. */
function expiryOf(ttl: Int64, absolute: boolean, now: number): Int64 | undefined {
  if (ttl === 0) return undefined;
  if (absolute) return ttl;
  return addInt64(ttl, now) ?? 0;
}
