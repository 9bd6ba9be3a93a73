/** Transactions: MULTI, EXEC, and optimistic locks by WATCH. */

import { EXEC_ABORT } from '../protocol/errors.js';
import { type Bytes, ErrorReply, NULL_ARRAY, OK, type Reply } from '../protocol/reply.js';
import type { Session } from '../server/session.js';
import { type CommandRow, keyRange } from './definition.js';

export const transactionCommands: readonly CommandRow[] = [
  {
    name: 'multi',
    arity: 1,
    flags: ['noscript', 'loading', 'stale', 'fast', 'allow_busy'],
    group: 'transactions',
    since: '1.2.0',
    complexity: 'O(1)',
    summary: 'Opens a transaction: the commands that follow are queued.',
    syntax: '',
    handler: multi,
  },
  {
    name: 'exec',
    arity: 1,
    flags: ['noscript', 'loading', 'stale', 'skip_slowlog'],
    group: 'transactions',
    since: '1.2.0',
    complexity: '',
    summary: 'Runs the queued commands as one, unless a watched key has changed.',
    syntax: '',
    handler: exec,
  },
  {
    name: 'discard',
    arity: 1,
    flags: ['noscript', 'loading', 'stale', 'fast', 'allow_busy'],
    group: 'transactions',
    since: '2.0.0',
    complexity: 'O(N)',
    summary: 'Drops the queued commands and ends the transaction.',
    syntax: '',
    handler: discard,
  },
  {
    name: 'watch',
    arity: -2,
    flags: ['noscript', 'loading', 'stale', 'fast', 'allow_busy'],
    group: 'transactions',
    keys: [keyRange('RO', 1, -1)],
    since: '2.2.0',
    complexity: 'O(1)',
    summary: 'Makes the next transaction depend on these keys staying as they are.',
    syntax: 'key...',
    handler: watch,
  },
  {
    name: 'unwatch',
    arity: 1,
    flags: ['noscript', 'loading', 'stale', 'fast', 'allow_busy'],
    group: 'transactions',
    since: '2.2.0',
    complexity: 'O(1)',
    summary: 'Forgets all watched keys.',
    syntax: '',
    handler: unwatch,
  },
];

function multi(ctx: Session): Reply {
  if (ctx.transaction !== null) return new ErrorReply('ERR MULTI calls can not be nested');
  ctx.transaction = { queue: [], aborted: false, hasWrite: false, mayChange: false, needsMemory: false };
  ctx.regate();
  return OK;
}

function exec(ctx: Session): Reply {
  const { transaction, server } = ctx;
  if (transaction === null) return new ErrorReply('ERR EXEC without MULTI');
  // A watched key whose time has passed is gone, and that is a change.
  for (const { db, key } of ctx.watched) db.has(key);
  const broken = ctx.watchBroken;
  server.discardTransaction(ctx);
  if (transaction.aborted) return EXEC_ABORT;
  if (broken) return NULL_ARRAY;
  const replies: Reply[] = [];
  for (const { command, args } of transaction.queue) replies.push(server.callQueued(ctx, command, args));
  return replies;
}

function discard(ctx: Session): Reply {
  if (ctx.transaction === null) return new ErrorReply('ERR DISCARD without MULTI');
  ctx.server.discardTransaction(ctx);
  return OK;
}

function watch(ctx: Session, args: Bytes[]): Reply {
  if (ctx.transaction !== null) return new ErrorReply('ERR WATCH inside MULTI is not allowed');
  for (let i = 1; i < args.length; i++) {
    // What is due goes now: its removal later would look like a change.
    ctx.db.has(args[i]!);
    ctx.server.watches.add(ctx, ctx.db, args[i]!);
  }
  return OK;
}

function unwatch(ctx: Session): Reply {
  ctx.server.watches.clear(ctx);
  return OK;
}
