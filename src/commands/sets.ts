/** The set family, without what combines several sets. */

import { NOTIFY } from '../keyspace/notifications.js';
import { SetValue } from '../keyspace/values/set.js';
import { NOT_POSITIVE, SYNTAX } from '../protocol/errors.js';
import { type Bytes, type Reply, SetReply } from '../protocol/reply.js';
import type { Session } from '../server/session.js';
import { cursorArg, fetchValue, rangedArg, readValue, signedCountArg } from './args.js';
import { elementsRemoved } from './collections.js';
import { type CommandRow, key } from './definition.js';
import { pickIndexes } from './random-picks.js';
import { scanOptions } from './scan-options.js';

export const setCommands: readonly CommandRow[] = [
  {
    name: 'sadd',
    arity: -3,
    flags: ['write', 'denyoom', 'fast'],
    group: 'set',
    keys: [key('RW insert')],
    since: '1.0.0',
    complexity: 'O(N), N being the number of members given',
    summary: 'Adds members, creating the set if needed.',
    syntax: 'key member...',
    handler: sadd,
  },
  {
    name: 'srem',
    arity: -3,
    flags: ['write', 'fast'],
    group: 'set',
    keys: [key('RW delete')],
    since: '1.0.0',
    complexity: 'O(N), N being the number of members given',
    summary: 'Removes members; the set goes with its last one.',
    syntax: 'key member...',
    handler: srem,
  },
  {
    name: 'smove',
    arity: 4,
    flags: ['write', 'fast'],
    group: 'set',
    keys: [key('RW access delete'), key('RW insert', 2)],
    since: '1.0.0',
    complexity: 'O(1)',
    summary: 'Moves a member from one set to another.',
    syntax: 'source:key destination:key member',
    handler: smove,
  },
  {
    name: 'sismember',
    arity: 3,
    flags: ['readonly', 'fast'],
    group: 'set',
    keys: [key('RO')],
    since: '1.0.0',
    complexity: 'O(1)',
    summary: 'Tells whether a set has a member.',
    syntax: 'key member',
    handler: sismember,
  },
  {
    name: 'smismember',
    arity: -3,
    flags: ['readonly', 'fast'],
    group: 'set',
    keys: [key('RO access')],
    since: '6.2.0',
    complexity: 'O(N), N being the number of members asked for',
    summary: 'Tells of each of several members whether a set has it.',
    syntax: 'key member...',
    handler: smismember,
  },
  {
    name: 'scard',
    arity: 2,
    flags: ['readonly', 'fast'],
    group: 'set',
    keys: [key('RO')],
    since: '1.0.0',
    complexity: 'O(1)',
    summary: 'Counts the members.',
    syntax: 'key',
    handler: scard,
  },
  {
    name: 'spop',
    arity: -2,
    flags: ['write', 'fast'],
    group: 'set',
    keys: [key('RW access delete')],
    since: '1.0.0',
    complexity: 'O(N), N being the number of members removed',
    summary: 'Removes a member, or several, picked at random and answers with them.',
    syntax: 'key [count:integer]',
    tips: ['nondeterministic_output'],
    handler: spop,
  },
  {
    name: 'srandmember',
    arity: -2,
    flags: ['readonly'],
    group: 'set',
    keys: [key('RO access')],
    since: '1.0.0',
    complexity: 'O(N), N being the number of members answered',
    summary: 'Picks a member, or several, at random; with a negative count they may repeat.',
    syntax: 'key [count:integer]',
    tips: ['nondeterministic_output'],
    handler: srandmember,
  },
  {
    name: 'smembers',
    arity: 2,
    flags: ['readonly'],
    group: 'set',
    keys: [key('RO access')],
    since: '1.0.0',
    complexity: 'O(N), N being the number of members',
    summary: 'Lists all members.',
    syntax: 'key',
    tips: ['nondeterministic_output_order'],
    handler: smembers,
  },
  {
    name: 'sscan',
    arity: -3,
    flags: ['readonly'],
    group: 'set',
    keys: [key('RO access')],
    since: '2.8.0',
    complexity: 'O(1) a call, O(N) for all members',
    summary: 'Lists the members step by step.',
    syntax: 'key cursor:integer [MATCH pattern:pattern] [COUNT count:integer]',
    tips: ['nondeterministic_output'],
    handler: sscan,
  },
];

// Changing

function sadd(ctx: Session, args: Bytes[]): Reply {
  const name = args[1]!;
  const limits = ctx.server.encodingLimits;
  const offered = args.length - 2;
  const found = fetchValue(ctx, name, SetValue);
  const set = found ?? SetValue.forMembers(args[2]!, offered, limits);
  if (found !== undefined) set.expectMembers(offered, limits);
  let added = 0;
  for (let i = 2; i < args.length; i++) if (set.add(args[i]!, limits)) added++;
  if (found === undefined) ctx.db.put(name, set);
  if (added > 0) ctx.db.changed(name, NOTIFY.set, 'sadd');
  return added;
}

function srem(ctx: Session, args: Bytes[]): Reply {
  const set = fetchValue(ctx, args[1]!, SetValue);
  if (set === undefined) return 0;
  let removed = 0;
  for (let i = 2; i < args.length; i++) if (set.delete(args[i]!)) removed++;
  if (removed > 0) elementsRemoved(ctx, args[1]!, set, NOTIFY.set, 'srem');
  return removed;
}

function smove(ctx: Session, args: Bytes[]): Reply {
  const source = args[1]!;
  const target = args[2]!;
  const member = args[3]!;
  const limits = ctx.server.encodingLimits;
  // Without a source the type of the target does not matter.
  const from = fetchValue(ctx, source, SetValue);
  if (from === undefined) return 0;
  const found = fetchValue(ctx, target, SetValue);
  if (from === found) return from.has(member) ? 1 : 0;
  if (!from.delete(member)) return 0;
  elementsRemoved(ctx, source, from, NOTIFY.set, 'srem');
  const to = found ?? SetValue.forMembers(member, 1, limits);
  const isNew = to.add(member, limits);
  if (found === undefined) ctx.db.put(target, to);
  if (isNew) ctx.db.changed(target, NOTIFY.set, 'sadd');
  return 1;
}

function spop(ctx: Session, args: Bytes[]): Reply {
  if (args.length > 3) return SYNTAX;
  const count = args.length === 3 ? rangedArg(args[2]!, 0, Infinity, NOT_POSITIVE, NOT_POSITIVE) : undefined;
  const set = fetchValue(ctx, args[1]!, SetValue);
  if (set === undefined) return count === undefined ? null : new SetReply([]);
  if (count === 0) return new SetReply([]);
  const members = takeMembers(ctx, set, count);
  elementsRemoved(ctx, args[1]!, set, NOTIFY.set, 'spop');
  return count === undefined ? members[0]! : new SetReply(members);
}

function takeMembers(ctx: Session, set: SetValue, count: number | undefined): Bytes[] {
  if (count !== undefined) return set.popRandom(count, Math.random, ctx.server.encodingLimits);
  const member = set.randomMember(Math.random);
  set.delete(member);
  return [member];
}

// Reading

function sismember(ctx: Session, args: Bytes[]): Reply {
  return readValue(ctx, args[1]!, SetValue)?.has(args[2]!) ? 1 : 0;
}

function smismember(ctx: Session, args: Bytes[]): Reply {
  const set = readValue(ctx, args[1]!, SetValue);
  return args.slice(2).map((member) => (set?.has(member) ? 1 : 0));
}

function scard(ctx: Session, args: Bytes[]): Reply {
  return readValue(ctx, args[1]!, SetValue)?.size ?? 0;
}

function smembers(ctx: Session, args: Bytes[]): Reply {
  return new SetReply(readValue(ctx, args[1]!, SetValue)?.members() ?? []);
}

function srandmember(ctx: Session, args: Bytes[]): Reply {
  if (args.length > 3) return SYNTAX;
  if (args.length === 2) return readValue(ctx, args[1]!, SetValue)?.randomMember(Math.random) ?? null;
  const count = Number(signedCountArg(args[2]!));
  const set = readValue(ctx, args[1]!, SetValue);
  if (set === undefined) return [];
  return pickIndexes(ctx, set.size, count).map((index) => set.memberAt(index));
}

function sscan(ctx: Session, args: Bytes[]): Reply {
  const cursor = cursorArg(args[2]!);
  const set = readValue(ctx, args[1]!, SetValue);
  if (set === undefined) return ['0', []];
  const { count, matches } = scanOptions(args, 3);
  const found: Bytes[] = [];
  const next = set.scan(cursor, count, (member) => {
    if (matches === undefined || matches(member)) found.push(member);
  });
  return [String(next), found];
}
