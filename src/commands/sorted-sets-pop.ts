/** Sorted sets: members with the lowest or highest scores are taken out, also by clients that wait for them. */

import { NOTIFY } from '../keyspace/notifications.js';
import type { ScoredMembers } from '../keyspace/values/score-order.js';
import { SortedSet } from '../keyspace/values/sorted-set.js';
import { NOT_POSITIVE, SYNTAX } from '../protocol/errors.js';
import { type Bytes, DoubleReply, NULL_ARRAY, type Reply } from '../protocol/reply.js';
import type { Session } from '../server/session.js';
import { deadlineOf, fetchValue, rangedArg, timeoutArg } from './args.js';
import { BlockRequest } from './block-request.js';
import { elementsRemoved } from './collections.js';
import { type CommandRow, key, keyRange, numberedKeys } from './definition.js';
import { type MultiPop, multiPopArgs } from './multi-pop.js';
import { pairsReply, scoredReply } from './sorted-set-results.js';

export const sortedSetPopCommands: readonly CommandRow[] = [
  {
    name: 'zpopmin',
    arity: -2,
    flags: ['write', 'fast'],
    group: 'sorted-set',
    keys: [key('RW access delete')],
    since: '5.0.0',
    complexity: 'O(M*log(N)), N being the size of the set and M the members removed',
    summary: 'Removes the members with the lowest scores and answers them.',
    syntax: 'key [count:integer]',
    handler: zpopmin,
  },
  {
    name: 'zpopmax',
    arity: -2,
    flags: ['write', 'fast'],
    group: 'sorted-set',
    keys: [key('RW access delete')],
    since: '5.0.0',
    complexity: 'O(M*log(N)), N being the size of the set and M the members removed',
    summary: 'Removes the members with the highest scores and answers them.',
    syntax: 'key [count:integer]',
    handler: zpopmax,
  },
  {
    name: 'zmpop',
    arity: -4,
    flags: ['write', 'movablekeys'],
    group: 'sorted-set',
    keys: [numberedKeys('RW access delete', 1)],
    since: '7.0.0',
    complexity: 'O(K+M*log(N)), K being the number of keys, N the size of the set and M the members removed',
    summary: 'Removes members from the first sorted set that has any.',
    syntax: 'numkeys:integer key... where:(MIN | MAX) [COUNT count:integer]',
    handler: zmpop,
  },
  {
    name: 'bzpopmin',
    arity: -3,
    flags: ['write', 'blocking', 'fast'],
    group: 'sorted-set',
    keys: [keyRange('RW access delete', 1, -2)],
    since: '5.0.0',
    complexity: 'O(K+log(N)), K being the number of keys and N the size of the set',
    summary:
      'Removes the member with the lowest score from the first sorted set that has any; waits for one if none has.',
    syntax: 'key... timeout:double',
    handler: bzpopmin,
  },
  {
    name: 'bzpopmax',
    arity: -3,
    flags: ['write', 'blocking', 'fast'],
    group: 'sorted-set',
    keys: [keyRange('RW access delete', 1, -2)],
    since: '5.0.0',
    complexity: 'O(K+log(N)), K being the number of keys and N the size of the set',
    summary:
      'Removes the member with the highest score from the first sorted set that has any; waits for one if none has.',
    syntax: 'key... timeout:double',
    handler: bzpopmax,
  },
  {
    name: 'bzmpop',
    arity: -5,
    flags: ['write', 'blocking', 'movablekeys'],
    group: 'sorted-set',
    keys: [numberedKeys('RW access delete', 2)],
    since: '7.0.0',
    complexity: 'O(K+M*log(N)), K being the number of keys, N the size of the set and M the members removed',
    summary: 'Removes members as ZMPOP does; waits for some if there are none.',
    syntax: 'timeout:double numkeys:integer key... where:(MIN | MAX) [COUNT count:integer]',
    handler: bzmpop,
  },
];

type End = 'min' | 'max';

function zpopmin(ctx: Session, args: Bytes[]): Reply {
  return pop(ctx, args, 'min');
}

function zpopmax(ctx: Session, args: Bytes[]): Reply {
  return pop(ctx, args, 'max');
}

function pop(ctx: Session, args: Bytes[], end: End): Reply {
  if (args.length > 3) return SYNTAX;
  const count = args.length === 3 ? rangedArg(args[2]!, 0, Infinity, NOT_POSITIVE, NOT_POSITIVE) : undefined;
  const set = fetchValue(ctx, args[1]!, SortedSet);
  if (set === undefined || count === 0) return [];
  const popped = take(ctx, args[1]!, set, end, count ?? 1);
  if (count !== undefined) return scoredReply(ctx, popped);
  return [popped.members[0]!, new DoubleReply(popped.scores[0]!)];
}

function bzpopmin(ctx: Session, args: Bytes[]): Reply | BlockRequest {
  return blockingPop(ctx, args, 'min');
}

function bzpopmax(ctx: Session, args: Bytes[]): Reply | BlockRequest {
  return blockingPop(ctx, args, 'max');
}

function blockingPop(ctx: Session, args: Bytes[], end: End): Reply | BlockRequest {
  const deadline = deadlineOf(ctx, timeoutArg(args[args.length - 1]!));
  const keys = args.slice(1, -1);
  for (const name of keys) {
    const set = fetchValue(ctx, name, SortedSet);
    if (set === undefined) continue;
    const { members, scores } = take(ctx, name, set, end, 1);
    return [name, members[0]!, new DoubleReply(scores[0]!)];
  }
  return new BlockRequest('zset', keys, deadline, NULL_ARRAY);
}

function zmpop(ctx: Session, args: Bytes[]): Reply {
  return popFromFirst(ctx, multiPopArgs(args, 1, 'MIN', 'MAX')) ?? NULL_ARRAY;
}

function bzmpop(ctx: Session, args: Bytes[]): Reply | BlockRequest {
  const request = multiPopArgs(args, 2, 'MIN', 'MAX');
  const deadline = deadlineOf(ctx, timeoutArg(args[1]!));
  return popFromFirst(ctx, request) ?? new BlockRequest('zset', request.keys, deadline, NULL_ARRAY);
}

/** Pops from the first of the sorted sets that is there; undefined when none is. */
function popFromFirst(ctx: Session, { keys, front, count }: MultiPop): Reply | undefined {
  for (const name of keys) {
    const set = fetchValue(ctx, name, SortedSet);
    if (set !== undefined) return [name, pairsReply(take(ctx, name, set, front ? 'min' : 'max', count))];
  }
  return undefined;
}

/** Removes up to `count` members from an end of a set, which has some. */
function take(ctx: Session, name: Bytes, set: SortedSet, end: End, count: number): ScoredMembers {
  const taken = Math.min(count, set.size);
  const start = end === 'min' ? 0 : set.size - taken;
  const found = set.range(start, start + taken - 1, end === 'max');
  set.removeRankRange(start, start + taken - 1);
  elementsRemoved(ctx, name, set, NOTIFY.sortedSet, `zpop${end}`);
  return found;
}
