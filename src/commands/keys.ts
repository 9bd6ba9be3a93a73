/** The keys themselves: removing, looking for, renaming, copying and moving them. */

import type { Database, DetachedKey } from '../keyspace/database.js';
import { freeEffort, LAZY_FREE_THRESHOLD } from '../keyspace/free-effort.js';
import { NOTIFY } from '../keyspace/notifications.js';
import { cloneValue, typeOf } from '../keyspace/value.js';
import { DB_OUT_OF_RANGE, NO_SUCH_KEY, SAME_OBJECT, SYNTAX } from '../protocol/errors.js';
import { type Bytes, OK, type Reply, SimpleString } from '../protocol/reply.js';
import type { Session } from '../server/session.js';
import { int32Arg, OptionReader } from './args.js';
import { type CommandRow, key, keyRange } from './definition.js';

export const keyCommands: readonly CommandRow[] = [
  {
    name: 'del',
    arity: -2,
    flags: ['write'],
    group: 'generic',
    keys: [keyRange('RM delete', 1, -1)],
    since: '1.0.0',
    complexity: 'O(N), N being the number of keys and of the elements in their collections',
    summary: 'Removes keys.',
    syntax: 'key...',
    tips: ['request_policy:multi_shard', 'response_policy:agg_sum'],
    handler: del,
  },
  {
    name: 'unlink',
    arity: -2,
    flags: ['write', 'fast'],
    group: 'generic',
    keys: [keyRange('RM delete', 1, -1)],
    since: '4.0.0',
    complexity: 'O(1) a key',
    summary: 'Removes keys as DEL does; freeing the memory of large values is not waited for.',
    syntax: 'key...',
    tips: ['request_policy:multi_shard', 'response_policy:agg_sum'],
    handler: unlink,
  },
  {
    name: 'exists',
    arity: -2,
    flags: ['readonly', 'fast'],
    group: 'generic',
    keys: [keyRange('RO', 1, -1)],
    since: '1.0.0',
    complexity: 'O(N), N being the number of keys',
    summary: 'Counts how many of the keys exist; a key named twice counts twice.',
    syntax: 'key...',
    tips: ['request_policy:multi_shard', 'response_policy:agg_sum'],
    handler: exists,
  },
  {
    name: 'type',
    arity: 2,
    flags: ['readonly', 'fast'],
    group: 'generic',
    keys: [key('RO')],
    since: '1.0.0',
    complexity: 'O(1)',
    summary: 'Names the type of the value at a key.',
    syntax: 'key',
    handler: type,
  },
  {
    name: 'touch',
    arity: -2,
    flags: ['readonly', 'fast'],
    group: 'generic',
    keys: [keyRange('RO', 1, -1)],
    since: '3.2.1',
    complexity: 'O(N), N being the number of keys',
    summary: 'Makes keys count as just used, and tells how many exist.',
    syntax: 'key...',
    tips: ['request_policy:multi_shard', 'response_policy:agg_sum'],
    handler: touch,
  },
  {
    name: 'rename',
    arity: 3,
    flags: ['write'],
    group: 'generic',
    keys: [key('RW access delete'), key('OW update', 2)],
    since: '1.0.0',
    complexity: 'O(1)',
    summary: 'Gives a key a new name, replacing whatever has that name.',
    syntax: 'key newkey:key',
    handler: rename,
  },
  {
    name: 'renamenx',
    arity: 3,
    flags: ['write', 'fast'],
    group: 'generic',
    keys: [key('RW access delete'), key('OW insert', 2)],
    since: '1.0.0',
    complexity: 'O(1)',
    summary: 'Gives a key a new name unless something has that name.',
    syntax: 'key newkey:key',
    handler: renameNx,
  },
  {
    name: 'copy',
    arity: -3,
    flags: ['write', 'denyoom'],
    group: 'generic',
    keys: [key('RO access'), key('OW update', 2)],
    since: '6.2.0',
    complexity: 'O(N) for collections, N being their size; O(1) for strings',
    summary: 'Copies the value and expiry of a key to another key.',
    syntax: 'source:key destination:key [DB destination-db:integer] [REPLACE]',
    handler: copy,
  },
  {
    name: 'move',
    arity: 3,
    flags: ['write', 'fast'],
    group: 'generic',
    keys: [key('RW access update')],
    since: '1.0.0',
    complexity: 'O(1)',
    summary: 'Moves a key to another database unless it has a key of that name.',
    syntax: 'key db:integer',
    handler: move,
  },
  {
    name: 'randomkey',
    arity: 1,
    flags: ['readonly'],
    group: 'generic',
    since: '1.0.0',
    complexity: 'O(1)',
    summary: 'Picks a key at random.',
    syntax: '',
    tips: ['request_policy:all_shards', 'response_policy:special', 'nondeterministic_output'],
    handler: randomKey,
  },
];

function del(ctx: Session, args: Bytes[]): Reply {
  return removeKeys(ctx, args, ctx.server.config.flag('lazyfree-lazy-user-del'));
}

function unlink(ctx: Session, args: Bytes[]): Reply {
  return removeKeys(ctx, args, true);
}

/** Values are never taken apart here; `lazily` counts the large ones as those that Redis leaves to its thread. */
function removeKeys({ db, server }: Session, args: Bytes[], lazily: boolean): Reply {
  let removed = 0;
  for (let i = 1; i < args.length; i++) {
    const value = lazily ? db.peek(args[i]!) : undefined;
    if (!db.remove(args[i]!)) continue;
    if (value !== undefined && freeEffort(value) > LAZY_FREE_THRESHOLD) server.stats.lazyFreedObjects++;
    db.changed(args[i]!, NOTIFY.generic, 'del');
    removed++;
  }
  return removed;
}

function exists(ctx: Session, args: Bytes[]): Reply {
  let found = 0;
  for (let i = 1; i < args.length; i++) if (ctx.db.inspect(args[i]!) !== undefined) found++;
  return found;
}

function type(ctx: Session, args: Bytes[]): Reply {
  const value = ctx.db.inspect(args[1]!);
  return new SimpleString(value === undefined ? 'none' : typeOf(value));
}

function touch(ctx: Session, args: Bytes[]): Reply {
  let found = 0;
  for (let i = 1; i < args.length; i++) if (ctx.db.read(args[i]!) !== undefined) found++;
  return found;
}

function rename(ctx: Session, args: Bytes[]): Reply {
  const [, from, to] = args as [Bytes, Bytes, Bytes];
  if (ctx.db.fetch(from) === undefined) return NO_SUCH_KEY;
  if (from !== to) giveName(ctx.db, from, to);
  return OK;
}

function renameNx(ctx: Session, args: Bytes[]): Reply {
  const [, from, to] = args as [Bytes, Bytes, Bytes];
  if (ctx.db.fetch(from) === undefined) return NO_SUCH_KEY;
  if (ctx.db.has(to)) return 0;
  giveName(ctx.db, from, to);
  return 1;
}

function giveName(db: Database, from: Bytes, to: Bytes): void {
  const overwritten = db.detach(to);
  const moved = db.detach(from)!;
  db.attach(to, moved);
  db.touch(from);
  db.touch(to);
  db.notify(NOTIFY.generic, 'rename_from', from);
  db.notify(NOTIFY.generic, 'rename_to', to);
  if (overwritten !== undefined) db.notifyOverwritten(to, overwritten.value, moved.value);
}

function copy(ctx: Session, args: Bytes[]): Reply {
  const [, from, to] = args as [Bytes, Bytes, Bytes];
  const { db } = ctx;
  let target = db;
  let replace = false;
  for (const options = new OptionReader(args, 3); options.more; ) {
    const option = options.keyword();
    if (option === 'REPLACE') replace = true;
    else if (option === 'DB' && options.more) target = databaseArg(ctx, options.next());
    else return SYNTAX;
  }
  if (target === db && from === to) return SAME_OBJECT;
  const value = db.read(from);
  if (value === undefined) return 0;
  if (!replace && target.has(to)) return 0;
  const copied: DetachedKey = {
    value: cloneValue(value),
    expiry: db.expiryOf(from),
    expiryNanos: db.expiryNanosOf(from),
    access: undefined,
    tags: db.tagsOf(from),
  };
  const overwritten = target.detach(to);
  target.attach(to, copied);
  target.changed(to, NOTIFY.generic, 'copy_to');
  if (overwritten !== undefined) target.notifyOverwritten(to, overwritten.value, value);
  return 1;
}

function move(ctx: Session, args: Bytes[]): Reply {
  const { db } = ctx;
  const name = args[1]!;
  const target = databaseArg(ctx, args[2]!);
  if (target === db) return SAME_OBJECT;
  if (db.fetch(name) === undefined || target.has(name)) return 0;
  target.attach(name, db.detach(name)!);
  db.touch(name);
  target.touch(name);
  db.notify(NOTIFY.generic, 'move_from', name);
  target.notify(NOTIFY.generic, 'move_to', name);
  return 1;
}

function randomKey(ctx: Session): Reply {
  return ctx.db.randomKey() ?? null;
}

function databaseArg(ctx: Session, text: Bytes): Database {
  const database = ctx.server.databases[int32Arg(text)];
  if (database === undefined) throw DB_OUT_OF_RANGE;
  return database;
}
