/** Sets: intersections, unions and differences. */

import { NOTIFY } from '../keyspace/notifications.js';
import { SetValue } from '../keyspace/values/set.js';
import { SYNTAX } from '../protocol/errors.js';
import { parseInteger } from '../protocol/numbers.js';
import { type Bytes, ErrorReply, type Reply, SetReply } from '../protocol/reply.js';
import type { Session } from '../server/session.js';
import { OptionReader, readValue } from './args.js';
import { storeResult } from './collections.js';
import { type CommandRow, key, keyRange, numberedKeys } from './definition.js';

export const setCombineCommands: readonly CommandRow[] = [
  {
    name: 'sinter',
    arity: -2,
    flags: ['readonly'],
    group: 'set',
    keys: [keyRange('RO access', 1, -1)],
    since: '1.0.0',
    complexity: 'O(N*M), N being the size of the smallest set and M the number of sets',
    summary: 'Lists the members that all sets have.',
    syntax: 'key...',
    tips: ['nondeterministic_output_order'],
    handler: sinter,
  },
  {
    name: 'sintercard',
    arity: -3,
    flags: ['readonly', 'movablekeys'],
    group: 'set',
    keys: [numberedKeys('RO access', 1)],
    since: '7.0.0',
    complexity: 'O(N*M), N being the size of the smallest set and M the number of sets',
    summary: 'Counts the members that all sets have, up to a limit.',
    syntax: 'numkeys:integer key... [LIMIT limit:integer]',
    handler: sintercard,
  },
  {
    name: 'sinterstore',
    arity: -3,
    flags: ['write', 'denyoom'],
    group: 'set',
    keys: [key('OW update'), keyRange('RO access', 2, -1)],
    since: '1.0.0',
    complexity: 'O(N*M), N being the size of the smallest set and M the number of sets',
    summary: 'Stores the members that all sets have.',
    syntax: 'destination:key key...',
    handler: sinterstore,
  },
  {
    name: 'sunion',
    arity: -2,
    flags: ['readonly'],
    group: 'set',
    keys: [keyRange('RO access', 1, -1)],
    since: '1.0.0',
    complexity: 'O(N), N being the members of all sets',
    summary: 'Lists the members of any of the sets.',
    syntax: 'key...',
    tips: ['nondeterministic_output_order'],
    handler: sunion,
  },
  {
    name: 'sunionstore',
    arity: -3,
    flags: ['write', 'denyoom'],
    group: 'set',
    keys: [key('OW update'), keyRange('RO access', 2, -1)],
    since: '1.0.0',
    complexity: 'O(N), N being the members of all sets',
    summary: 'Stores the members of any of the sets.',
    syntax: 'destination:key key...',
    handler: sunionstore,
  },
  {
    name: 'sdiff',
    arity: -2,
    flags: ['readonly'],
    group: 'set',
    keys: [keyRange('RO access', 1, -1)],
    since: '1.0.0',
    complexity: 'O(N), N being the members of all sets',
    summary: 'Lists the members of the first set that no other one has.',
    syntax: 'key...',
    tips: ['nondeterministic_output_order'],
    handler: sdiff,
  },
  {
    name: 'sdiffstore',
    arity: -3,
    flags: ['write', 'denyoom'],
    group: 'set',
    keys: [key('OW update'), keyRange('RO access', 2, -1)],
    since: '1.0.0',
    complexity: 'O(N), N being the members of all sets',
    summary: 'Stores the members of the first set that no other one has.',
    syntax: 'destination:key key...',
    handler: sdiffstore,
  },
];

// Intersections

function sinter(ctx: Session, args: Bytes[]): Reply {
  const members: Bytes[] = [];
  visitCommon(bySize(readSets(ctx, args, 1, args.length)), (member) => members.push(member));
  return new SetReply(members);
}

const BAD_NUMKEYS = new ErrorReply('ERR numkeys should be greater than 0');
const TOO_MANY_KEYS = new ErrorReply("ERR Number of keys can't be greater than number of args");
const NEGATIVE_LIMIT = new ErrorReply("ERR LIMIT can't be negative");

function sintercard(ctx: Session, args: Bytes[]): Reply {
  const numkeys = parseInteger(args[1]!);
  if (numkeys === undefined || numkeys <= 0) return BAD_NUMKEYS;
  if (numkeys > args.length - 2) return TOO_MANY_KEYS;
  const end = 2 + Number(numkeys);
  let limit = Infinity;
  for (const words = new OptionReader(args, end); words.more; ) {
    if (words.keyword() !== 'LIMIT' || !words.more) return SYNTAX;
    const value = parseInteger(words.next());
    if (value === undefined || value < 0) return NEGATIVE_LIMIT;
    limit = value === 0 ? Infinity : Number(value);
  }
  let count = 0;
  visitCommon(bySize(readSets(ctx, args, 2, end)), () => ++count < limit);
  return count;
}

function sinterstore(ctx: Session, args: Bytes[]): Reply {
  const limits = ctx.server.encodingLimits;
  const sets = bySize(readSets(ctx, args, 2, args.length));
  const result = sets[0]?.encoding === 'intset' ? new SetValue() : SetValue.emptyListpack();
  visitCommon(sets, (member) => result.add(member, limits));
  result.shrinkToIntset(limits);
  return storeResult(ctx, args[1]!, result, NOTIFY.set, 'sinterstore');
}

/** The sets to intersect, the smallest first; none at all when one is not there, which has no members. */
function bySize(sets: (SetValue | undefined)[]): SetValue[] {
  const there = sets.filter((set) => set !== undefined);
  return there.length < sets.length ? [] : there.sort((a, b) => a.size - b.size);
}

/** Calls `visit` with every member of the first set that all others have, until it returns false. */
function visitCommon([first, ...others]: SetValue[], visit: (member: Bytes) => unknown): void {
  if (first === undefined) return;
  for (let i = 0; i < first.size; i++) {
    const member = first.memberAt(i);
    if (others.every((set) => set.has(member)) && visit(member) === false) return;
  }
}

// Unions

function sunion(ctx: Session, args: Bytes[]): Reply {
  return new SetReply(union(ctx, readSets(ctx, args, 1, args.length)).members());
}

function sunionstore(ctx: Session, args: Bytes[]): Reply {
  const result = union(ctx, readSets(ctx, args, 2, args.length));
  return storeResult(ctx, args[1]!, result, NOTIFY.set, 'sunionstore');
}

function union(ctx: Session, sets: (SetValue | undefined)[]): SetValue {
  const result = new SetValue();
  for (const set of sets) if (set !== undefined) addAll(ctx, result, set);
  return result;
}

// Differences

function sdiff(ctx: Session, args: Bytes[]): Reply {
  return new SetReply(difference(ctx, readSets(ctx, args, 1, args.length)).members());
}

function sdiffstore(ctx: Session, args: Bytes[]): Reply {
  const result = difference(ctx, readSets(ctx, args, 2, args.length));
  return storeResult(ctx, args[1]!, result, NOTIFY.set, 'sdiffstore');
}

/**
 * The members of the first set that no other one has. Either each of them is looked up in the others, or the members of
 * the others are removed from a copy: Redis takes what is less work, and the encoding of the result shows which it was.
 */
function difference(ctx: Session, sets: (SetValue | undefined)[]): SetValue {
  const result = new SetValue();
  const [first, ...rest] = sets;
  if (first === undefined || rest.includes(first)) return result;
  const limits = ctx.server.encodingLimits;
  const others = rest.filter((set) => set !== undefined);
  const lookUpWork = Math.trunc((first.size * (others.length + 1)) / 2);
  const removeWork = others.reduce((sum, set) => sum + set.size, first.size);
  if (lookUpWork <= removeWork) {
    for (let i = 0; i < first.size; i++) {
      const member = first.memberAt(i);
      if (!others.some((set) => set.has(member))) result.add(member, limits);
    }
    return result;
  }
  addAll(ctx, result, first);
  for (const set of others) {
    for (let i = 0; i < set.size && result.size > 0; i++) result.delete(set.memberAt(i));
  }
  return result;
}

// Helpers

/** The sets of the keys from argument `from` up to `end`; a key of another type is an error wherever it stands. */
function readSets(ctx: Session, args: Bytes[], from: number, end: number): (SetValue | undefined)[] {
  const sets: (SetValue | undefined)[] = [];
  for (let i = from; i < end; i++) sets.push(readValue(ctx, args[i]!, SetValue));
  return sets;
}

function addAll(ctx: Session, target: SetValue, source: SetValue): void {
  const limits = ctx.server.encodingLimits;
  for (let i = 0; i < source.size; i++) target.add(source.memberAt(i), limits);
}
