/** HIMPORT: many hashes with the same fields, whose names a connection says once (Redis 8.10 doc; HotKV names it too). */
import { NOTIFY } from '../../keyspace/notifications.js';
import { HashValue } from '../../keyspace/values/hash.js';
import { type Bytes, ErrorReply, OK, type Reply } from '../../protocol/reply.js';
import type { Session } from '../../server/session.js';
import { type CommandRow, key } from '../definition.js';
import { helpHandler } from '../help.js';

export const himportCommands: readonly CommandRow[] = [
  {
    name: 'himport',
    arity: -2,
    flags: [],
    group: 'hash',
    since: '8.10.0',
    complexity: 'Depends on the subcommand.',
    summary: 'Makes hashes from values alone, by lists of fields that the connection has prepared.',
    syntax: '',
    subcommands: [
      {
        name: 'prepare',
        arity: -4,
        flags: ['denyoom'],
        group: 'hash',
        since: '8.10.0',
        complexity: 'O(N), N being the number of fields',
        summary: 'Gives a name to a list of fields, for this connection until it ends or sends RESET.',
        syntax: 'fieldset-name field...',
        tips: ['request_policy:all_shards'],
        readings: ['a field that is named twice is an error, and a list of that name that was there stays as it was.'],
        handler: prepare,
      },
      {
        name: 'set',
        arity: -5,
        flags: ['write', 'denyoom'],
        group: 'hash',
        keys: [key('OW update', 2)],
        since: '8.10.0',
        complexity: 'O(N), N being the number of fields',
        summary: 'Makes a hash from values in the order of the prepared fields, whatever the key held before.',
        syntax: 'key fieldset-name value...',
        readings: ['the events are those of HSET, and an expiry that the key had goes, as with SET.'],
        handler: set,
      },
      {
        name: 'discard',
        arity: 3,
        flags: [],
        group: 'hash',
        since: '8.10.0',
        complexity: 'O(1)',
        summary: 'Forgets a prepared list of fields.',
        syntax: 'fieldset-name',
        tips: ['request_policy:all_shards'],
        handler: discard,
      },
      {
        name: 'discardall',
        arity: 2,
        flags: [],
        group: 'hash',
        since: '8.10.0',
        complexity: 'O(1)',
        summary: 'Forgets all prepared lists of fields, and says how many there were.',
        syntax: '',
        tips: ['request_policy:all_shards'],
        handler: discardAll,
      },
      {
        name: 'help',
        arity: 2,
        flags: ['loading', 'stale'],
        group: 'hash',
        since: '8.10.0',
        complexity: 'O(1)',
        summary: 'Shows the subcommands.',
        syntax: '',
        handler: helpHandler('HIMPORT'),
      },
    ],
  },
];

const DUPLICATE_FIELD = new ErrorReply('ERR duplicate field name in fieldset');
const NO_SUCH_FIELDSET = new ErrorReply('ERR no such fieldset');
const WRONG_COUNT = new ErrorReply('ERR number of values does not match the number of fields in the fieldset');

function prepare(ctx: Session, args: Bytes[]): Reply {
  const fields = args.slice(3);
  if (new Set(fields).size < fields.length) return DUPLICATE_FIELD;
  ctx.fieldsets.set(args[2]!, fields);
  return OK;
}

function set(ctx: Session, args: Bytes[]): Reply {
  const name = args[2]!;
  const fields = ctx.fieldsets.get(args[3]!);
  if (fields === undefined) return NO_SUCH_FIELDSET;
  if (fields.length !== args.length - 4) return WRONG_COUNT;
  const limits = ctx.server.encodingLimits;
  const hash = new HashValue();
  hash.expectFields(fields.length, limits);
  for (let i = 0; i < fields.length; i++) hash.set(fields[i]!, args[i + 4]!, limits);
  ctx.db.replace(name, hash);
  ctx.db.changed(name, NOTIFY.hash, 'hset');
  return OK;
}

function discard(ctx: Session, args: Bytes[]): Reply {
  return ctx.fieldsets.delete(args[2]!) ? 1 : 0;
}

function discardAll(ctx: Session): Reply {
  const { size } = ctx.fieldsets;
  ctx.fieldsets.clear();
  return size;
}
