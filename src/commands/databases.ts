/** Whole databases: counting, flushing and exchanging them. */

import { DB_OUT_OF_RANGE, SYNTAX } from '../protocol/errors.js';
import { type Bytes, ErrorReply, OK, type Reply } from '../protocol/reply.js';
import type { Session } from '../server/session.js';
import { int32Arg } from './args.js';
import type { CommandRow } from './definition.js';

export const databaseCommands: readonly CommandRow[] = [
  {
    name: 'dbsize',
    arity: 1,
    flags: ['readonly', 'fast'],
    group: 'server',
    acl: ['keyspace'],
    since: '1.0.0',
    complexity: 'O(1)',
    summary: 'Counts the keys of the database.',
    syntax: '',
    tips: ['request_policy:all_shards', 'response_policy:agg_sum'],
    handler: dbsize,
  },
  {
    name: 'flushdb',
    arity: -1,
    flags: ['write'],
    group: 'server',
    acl: ['keyspace', 'dangerous'],
    since: '1.0.0',
    complexity: 'O(N), N being the number of keys',
    summary: 'Removes all keys of the database.',
    syntax: '[flush-type:(ASYNC | SYNC)]',
    tips: ['request_policy:all_shards', 'response_policy:all_succeeded'],
    handler: flushdb,
  },
  {
    name: 'flushall',
    arity: -1,
    flags: ['write'],
    group: 'server',
    acl: ['keyspace', 'dangerous'],
    since: '1.0.0',
    complexity: 'O(N), N being the number of keys',
    summary: 'Removes all keys of all databases.',
    syntax: '[flush-type:(ASYNC | SYNC)]',
    tips: ['request_policy:all_shards', 'response_policy:all_succeeded'],
    handler: flushall,
  },
  {
    name: 'swapdb',
    arity: 3,
    flags: ['write', 'fast'],
    group: 'server',
    acl: ['keyspace', 'dangerous'],
    since: '4.0.0',
    complexity: 'O(N), N being the number of keys that clients watch or wait for in them',
    summary: 'Exchanges the contents of two databases.',
    syntax: 'index1:integer index2:integer',
    handler: swapdb,
  },
];

/** Keys that are due but that nobody has asked for yet are counted, as in Redis. */
function dbsize(ctx: Session): Reply {
  return ctx.db.size;
}

function flushdb(ctx: Session, args: Bytes[]): Reply {
  ctx.server.flushDatabase(ctx.db, waitsForFlush(ctx, args));
  return OK;
}

function flushall(ctx: Session, args: Bytes[]): Reply {
  ctx.server.flushDatabases(waitsForFlush(ctx, args));
  // With save points Redis saves the empty data set at once. Here every start is from an empty one: nothing is unsaved.
  if (ctx.server.config.text('save') !== '') ctx.server.changes = 0;
  return OK;
}

/**
 * ASYNC and SYNC say who frees the memory, which is the same here; what shows is that a client that waits for it in
 * Redis gets its own invalidation before the reply. In EXEC and scripts nobody waits.
 */
function waitsForFlush(ctx: Session, args: Bytes[]): boolean {
  const type = args[1]?.toUpperCase() ?? (ctx.server.config.flag('lazyfree-lazy-user-flush') ? 'ASYNC' : 'SYNC');
  if (args.length > 2 || (type !== 'ASYNC' && type !== 'SYNC')) throw SYNTAX;
  return type === 'SYNC' && ctx.server.callDepth === 1;
}

const INVALID_FIRST = new ErrorReply('ERR invalid first DB index');
const INVALID_SECOND = new ErrorReply('ERR invalid second DB index');

function swapdb(ctx: Session, args: Bytes[]): Reply {
  const { databases } = ctx.server;
  const index = int32Arg(args[1]!, INVALID_FIRST, INVALID_FIRST);
  const otherIndex = int32Arg(args[2]!, INVALID_SECOND, INVALID_SECOND);
  const database = databases[index];
  const other = databases[otherIndex];
  if (database === undefined || other === undefined) return DB_OUT_OF_RANGE;
  if (database !== other) ctx.server.swapDatabases(database, other);
  return OK;
}
