/** TAG.*: labels on keys of any type (official client 1.0.0). They go with their key and follow it to a new name. */
import type { Database } from '../../keyspace/database.js';
import { NOTIFY } from '../../keyspace/notifications.js';
import { NO_SUCH_KEY } from '../../protocol/errors.js';
import type { Bytes, Reply } from '../../protocol/reply.js';
import type { Session } from '../../server/session.js';
import { type CommandRow, key } from '../definition.js';

export const tagCommands: readonly CommandRow[] = [
  {
    name: 'tag.set',
    arity: -3,
    flags: ['write', 'denyoom', 'fast'],
    group: 'tag',
    keys: [key('RW update')],
    since: '0.3.0',
    complexity: 'O(N), N being the number of tags',
    summary: 'Adds tags to a key that is there, and says how many are new to it.',
    syntax: 'key tag...',
    readings: [
      'keys of any type can have tags; a key that is not there is the error "no such key".',
      'tags belong to the key and not to its value: SET and other commands that give a key a new value keep them, DEL, expiry, eviction and FLUSHDB take them, RENAME, COPY, MOVE and SWAPDB bring them along, and what RENAME, COPY or RESTORE replaces loses its own.',
      'adding or removing tags breaks WATCH on the key and sends the event tag.set or tag.rem of class g.',
    ],
    handler: tagSet,
  },
  {
    name: 'tag.rem',
    arity: -3,
    flags: ['write', 'fast'],
    group: 'tag',
    keys: [key('RW update')],
    since: '0.3.0',
    complexity: 'O(N), N being the number of tags',
    summary: 'Takes tags from a key, and says how many of them it had.',
    syntax: 'key tag...',
    handler: tagRem,
  },
  {
    name: 'tag.get',
    arity: 2,
    flags: ['readonly', 'fast'],
    group: 'tag',
    keys: [key('RO access')],
    since: '0.3.0',
    complexity: 'O(N), N being the number of tags of the key',
    summary: 'Lists the tags of a key.',
    syntax: 'key',
    handler: tagGet,
  },
  {
    name: 'tag.members',
    arity: 2,
    flags: ['readonly'],
    group: 'tag',
    since: '0.3.0',
    complexity: 'O(N), N being the number of keys with the tag',
    summary: 'Lists the keys of the database that have a tag.',
    syntax: 'tag',
    readings: ['keys that the user may not read are left out.'],
    handler: tagMembers,
  },
  {
    name: 'tag.inter',
    arity: -2,
    flags: ['readonly'],
    group: 'tag',
    since: '0.3.0',
    complexity: 'O(N*M), N being the number of keys with the rarest tag and M the number of tags',
    summary: 'Lists the keys of the database that have all of the tags.',
    syntax: 'tag...',
    readings: ['keys that the user may not read are left out.'],
    handler: tagMembers,
  },
  {
    name: 'tag.count',
    arity: 2,
    flags: ['readonly', 'fast'],
    group: 'tag',
    keys: [key('RO access')],
    since: '0.3.0',
    complexity: 'O(N), N being the number of tags of the key',
    summary: 'Counts the tags of a key.',
    syntax: 'key',
    handler: tagCount,
  },
  {
    name: 'tag.exists',
    arity: 3,
    flags: ['readonly', 'fast'],
    group: 'tag',
    keys: [key('RO access')],
    since: '0.3.0',
    complexity: 'O(1)',
    summary: 'Says whether a key has a tag.',
    syntax: 'key tag',
    handler: tagExists,
  },
];

function tagSet(ctx: Session, args: Bytes[]): Reply {
  const { db } = ctx;
  const name = args[1]!;
  if (!db.has(name)) return NO_SUCH_KEY;
  return told(db, name, 'tag.set', db.addTags(name, args.slice(2)));
}

function tagRem(ctx: Session, args: Bytes[]): Reply {
  const { db } = ctx;
  const name = args[1]!;
  if (!db.has(name)) return 0;
  return told(db, name, 'tag.rem', db.removeTags(name, args.slice(2)));
}

/** Tells of a change to the tags of a key, if there was one. */
function told(db: Database, name: Bytes, event: string, changes: number): number {
  if (changes > 0) db.changed(name, NOTIFY.generic, event);
  return changes;
}

function tagGet(ctx: Session, args: Bytes[]): Reply {
  return [...tagsOf(ctx, args[1]!)];
}

function tagCount(ctx: Session, args: Bytes[]): Reply {
  return tagsOf(ctx, args[1]!).length;
}

function tagsOf(ctx: Session, name: Bytes): readonly Bytes[] {
  return ctx.db.inspect(name) === undefined ? [] : ctx.db.tagsOf(name);
}

function tagExists(ctx: Session, args: Bytes[]): Reply {
  const [, name, tag] = args as [Bytes, Bytes, Bytes];
  return ctx.db.inspect(name) !== undefined && ctx.db.hasTag(name, tag) ? 1 : 0;
}

function tagMembers(ctx: Session, args: Bytes[]): Reply {
  const { db, user, server } = ctx;
  const keys = db.keysWithTags(args.slice(1));
  if (user.unrestricted) return keys;
  const command = server.commands.find(args[0]!)!;
  return keys.filter((name) => user.readsKey(command, args, name));
}
