/** Sorted sets: the members in a range of ranks, scores or bytes are listed, stored, counted or removed. */

import { NOTIFY } from '../keyspace/notifications.js';
import type { ScoredMembers } from '../keyspace/values/score-order.js';
import { SortedSet } from '../keyspace/values/sorted-set.js';
import { SYNTAX } from '../protocol/errors.js';
import { type Bytes, ErrorReply, type Reply } from '../protocol/reply.js';
import type { Session } from '../server/session.js';
import { fetchValue, OptionReader, readValue } from './args.js';
import { elementsRemoved, storeResult } from './collections.js';
import { type CommandRow, key } from './definition.js';
import { type MemberRange, type RangeBy, rangeArgs, ranksIn } from './sorted-set-bounds.js';
import { scoredReply } from './sorted-set-results.js';

export const sortedSetRangeCommands: readonly CommandRow[] = [
  {
    name: 'zrange',
    arity: -4,
    flags: ['readonly'],
    group: 'sorted-set',
    keys: [key('RO access')],
    since: '1.2.0',
    complexity: 'O(log(N)+M), N being the size of the set and M the members answered',
    summary: 'Lists the members in a range of ranks, scores or bytes.',
    syntax: 'key start stop [sortby:(BYSCORE | BYLEX)] [REV] [LIMIT limit:(offset:integer count:integer)] [WITHSCORES]',
    handler: zrange,
  },
  {
    name: 'zrangestore',
    arity: -5,
    flags: ['write', 'denyoom'],
    group: 'sorted-set',
    keys: [key('OW update'), key('RO access', 2)],
    since: '6.2.0',
    complexity: 'O(log(N)+M), N being the size of the set and M the members stored',
    summary: 'Stores the members in a range of ranks, scores or bytes as a new set.',
    syntax: 'dst:key src:key min max [sortby:(BYSCORE | BYLEX)] [REV] [LIMIT limit:(offset:integer count:integer)]',
    handler: zrangestore,
  },
  {
    name: 'zrevrange',
    arity: -4,
    flags: ['readonly'],
    group: 'sorted-set',
    keys: [key('RO access')],
    since: '1.2.0',
    complexity: 'O(log(N)+M), N being the size of the set and M the members answered',
    summary: 'Lists the members in a range of ranks, from the highest score down.',
    syntax: 'key start:integer stop:integer [WITHSCORES]',
    handler: zrevrange,
  },
  {
    name: 'zrangebyscore',
    arity: -4,
    flags: ['readonly'],
    group: 'sorted-set',
    keys: [key('RO access')],
    since: '1.0.5',
    complexity: 'O(log(N)+M), N being the size of the set and M the members answered',
    summary: 'Lists the members in a range of scores.',
    syntax: 'key min:double max:double [WITHSCORES] [LIMIT limit:(offset:integer count:integer)]',
    handler: zrangebyscore,
  },
  {
    name: 'zrevrangebyscore',
    arity: -4,
    flags: ['readonly'],
    group: 'sorted-set',
    keys: [key('RO access')],
    since: '2.2.0',
    complexity: 'O(log(N)+M), N being the size of the set and M the members answered',
    summary: 'Lists the members in a range of scores, from the highest down.',
    syntax: 'key max:double min:double [WITHSCORES] [LIMIT limit:(offset:integer count:integer)]',
    handler: zrevrangebyscore,
  },
  {
    name: 'zrangebylex',
    arity: -4,
    flags: ['readonly'],
    group: 'sorted-set',
    keys: [key('RO access')],
    since: '2.8.9',
    complexity: 'O(log(N)+M), N being the size of the set and M the members answered',
    summary: 'Lists the members of equal score in a range of bytes.',
    syntax: 'key min max [LIMIT limit:(offset:integer count:integer)]',
    handler: zrangebylex,
  },
  {
    name: 'zrevrangebylex',
    arity: -4,
    flags: ['readonly'],
    group: 'sorted-set',
    keys: [key('RO access')],
    since: '2.8.9',
    complexity: 'O(log(N)+M), N being the size of the set and M the members answered',
    summary: 'Lists the members of equal score in a range of bytes, from the last back.',
    syntax: 'key max min [LIMIT limit:(offset:integer count:integer)]',
    handler: zrevrangebylex,
  },
  {
    name: 'zcount',
    arity: 4,
    flags: ['readonly', 'fast'],
    group: 'sorted-set',
    keys: [key('RO access')],
    since: '2.0.0',
    complexity: 'O(log(N)), N being the size of the set',
    summary: 'Counts the members in a range of scores.',
    syntax: 'key min:double max:double',
    handler: zcount,
  },
  {
    name: 'zlexcount',
    arity: 4,
    flags: ['readonly', 'fast'],
    group: 'sorted-set',
    keys: [key('RO access')],
    since: '2.8.9',
    complexity: 'O(log(N)), N being the size of the set',
    summary: 'Counts the members of equal score in a range of bytes.',
    syntax: 'key min max',
    handler: zlexcount,
  },
  {
    name: 'zremrangebyrank',
    arity: 4,
    flags: ['write'],
    group: 'sorted-set',
    keys: [key('RW delete')],
    since: '2.0.0',
    complexity: 'O(log(N)+M), N being the size of the set and M the members removed',
    summary: 'Removes the members in a range of ranks.',
    syntax: 'key start:integer stop:integer',
    handler: zremrangebyrank,
  },
  {
    name: 'zremrangebyscore',
    arity: 4,
    flags: ['write'],
    group: 'sorted-set',
    keys: [key('RW delete')],
    since: '1.2.0',
    complexity: 'O(log(N)+M), N being the size of the set and M the members removed',
    summary: 'Removes the members in a range of scores.',
    syntax: 'key min:double max:double',
    handler: zremrangebyscore,
  },
  {
    name: 'zremrangebylex',
    arity: 4,
    flags: ['write'],
    group: 'sorted-set',
    keys: [key('RW delete')],
    since: '2.8.9',
    complexity: 'O(log(N)+M), N being the size of the set and M the members removed',
    summary: 'Removes the members of equal score in a range of bytes.',
    syntax: 'key min max',
    handler: zremrangebylex,
  },
];

// Listing

function zrange(ctx: Session, args: Bytes[]): Reply {
  return list(ctx, args, rangeQuery(args, 2));
}

function zrevrange(ctx: Session, args: Bytes[]): Reply {
  return list(ctx, args, rangeQuery(args, 2, { by: 'rank', reverse: true }));
}

function zrangebyscore(ctx: Session, args: Bytes[]): Reply {
  return list(ctx, args, rangeQuery(args, 2, { by: 'score', reverse: false }));
}

function zrevrangebyscore(ctx: Session, args: Bytes[]): Reply {
  return list(ctx, args, rangeQuery(args, 2, { by: 'score', reverse: true }));
}

function zrangebylex(ctx: Session, args: Bytes[]): Reply {
  return list(ctx, args, rangeQuery(args, 2, { by: 'lex', reverse: false }));
}

function zrevrangebylex(ctx: Session, args: Bytes[]): Reply {
  return list(ctx, args, rangeQuery(args, 2, { by: 'lex', reverse: true }));
}

function list(ctx: Session, args: Bytes[], query: RangeQuery): Reply {
  const set = readValue(ctx, args[1]!, SortedSet);
  if (set === undefined) return [];
  const found = membersOf(set, query);
  return query.withScores ? scoredReply(ctx, found) : found.members;
}

function zrangestore(ctx: Session, args: Bytes[]): Reply {
  const query = rangeQuery(args, 3, { storing: true });
  const source = readValue(ctx, args[2]!, SortedSet);
  const { members, scores }: ScoredMembers =
    source === undefined ? { members: [], scores: [] } : membersOf(source, query);
  const limits = ctx.server.encodingLimits;
  // Redis knows the size of the result beforehand only for a range of ranks.
  const result = SortedSet.forMembers(query.range.by === 'rank' ? members.length : 0, 0, limits);
  for (let i = 0; i < members.length; i++) result.set(members[i]!, scores[i]!, limits);
  return storeResult(ctx, args[1]!, result, NOTIFY.sortedSet, 'zrangestore');
}

const LIMIT_OF_RANKS = new ErrorReply(
  'ERR syntax error, LIMIT is only supported in combination with either BYSCORE or BYLEX',
);
const SCORES_OF_LEX = new ErrorReply('ERR syntax error, WITHSCORES not supported in combination with BYLEX');

/** Which members are listed, and how. */
interface RangeQuery {
  readonly range: MemberRange;
  readonly reverse: boolean;
  /** How many members of the range are passed over; nothing is listed when it is negative. */
  readonly offset: number;
  /** How many are listed; negative: all. */
  readonly count: number;
  readonly withScores: boolean;
}

/** What a command's name says already; what it does not may be said by an option. */
interface Given {
  readonly by?: RangeBy;
  readonly reverse?: boolean;
  readonly storing?: boolean;
}

/** Reads the two ends of a range from argument `at` on, and the options behind them. */
function rangeQuery(args: Bytes[], at: number, given: Given = {}): RangeQuery {
  let { by, reverse } = given;
  let offset = 0;
  let count = -1;
  let withScores = false;
  for (const words = new OptionReader(args, at + 2); words.more; ) {
    const option = words.keyword();
    if (option === 'WITHSCORES' && !given.storing) withScores = true;
    else if (option === 'LIMIT' && words.left >= 2) {
      offset = words.integer();
      count = words.integer();
    } else if (option === 'REV' && reverse === undefined) reverse = true;
    else if (option === 'BYSCORE' && by === undefined) by = 'score';
    else if (option === 'BYLEX' && by === undefined) by = 'lex';
    else throw SYNTAX;
  }
  by ??= 'rank';
  reverse ??= false;
  if (count !== -1 && by === 'rank') throw LIMIT_OF_RANKS;
  if (withScores && by === 'lex') throw SCORES_OF_LEX;
  const [first, second] = [args[at]!, args[at + 1]!];
  const range = reverse && by !== 'rank' ? rangeArgs(by, second, first) : rangeArgs(by, first, second);
  return { range, reverse, offset: by === 'rank' ? 0 : offset, count, withScores };
}

function membersOf(set: SortedSet, query: RangeQuery): ScoredMembers {
  const { range, reverse, offset, count } = query;
  if (offset < 0) return { members: [], scores: [] };
  let { start, end } = ranksIn(set, range, reverse, offset);
  if (count >= 0 && reverse) start = Math.max(start, end - count);
  else if (count >= 0) end = Math.min(end, start + count);
  return set.range(start, end - 1, reverse);
}

// Counting

function zcount(ctx: Session, args: Bytes[]): Reply {
  return count(ctx, args, 'score');
}

function zlexcount(ctx: Session, args: Bytes[]): Reply {
  return count(ctx, args, 'lex');
}

function count(ctx: Session, args: Bytes[], by: RangeBy): Reply {
  const range = rangeArgs(by, args[2]!, args[3]!);
  const set = readValue(ctx, args[1]!, SortedSet);
  if (set === undefined) return 0;
  const { start, end } = ranksIn(set, range);
  return Math.max(0, end - start);
}

// Removing

function zremrangebyrank(ctx: Session, args: Bytes[]): Reply {
  return removeRange(ctx, args, 'rank');
}

function zremrangebyscore(ctx: Session, args: Bytes[]): Reply {
  return removeRange(ctx, args, 'score');
}

function zremrangebylex(ctx: Session, args: Bytes[]): Reply {
  return removeRange(ctx, args, 'lex');
}

function removeRange(ctx: Session, args: Bytes[], by: RangeBy): Reply {
  const range = rangeArgs(by, args[2]!, args[3]!);
  const set = fetchValue(ctx, args[1]!, SortedSet);
  if (set === undefined) return 0;
  const { start, end } = ranksIn(set, range);
  const removed = set.removeRankRange(start, end - 1);
  if (removed > 0) elementsRemoved(ctx, args[1]!, set, NOTIFY.sortedSet, `zremrangeby${by}`);
  return removed;
}
