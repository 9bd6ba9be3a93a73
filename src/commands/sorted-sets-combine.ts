/** Sorted sets: unions, intersections and differences of sorted sets and sets. */

import { NOTIFY } from '../keyspace/notifications.js';
import { SetValue } from '../keyspace/values/set.js';
import { SortedSet } from '../keyspace/values/sorted-set.js';
import { SYNTAX, WRONG_TYPE } from '../protocol/errors.js';
import { type Bytes, ErrorReply, type Reply } from '../protocol/reply.js';
import type { Session } from '../server/session.js';
import { doubleArg, integerArg, OptionReader, rangedArg } from './args.js';
import { storeResult } from './collections.js';
import { type CommandRow, key, numberedKeys } from './definition.js';
import { scoredReply } from './sorted-set-results.js';

export const sortedSetCombineCommands: readonly CommandRow[] = [
  {
    name: 'zunion',
    arity: -3,
    flags: ['readonly', 'movablekeys'],
    group: 'sorted-set',
    keys: [numberedKeys('RO access', 1)],
    since: '6.2.0',
    complexity: 'O(N+M*log(M)), N being the members of all sources and M those of the result',
    summary: 'Lists the members of any of the sources, with their scores put together.',
    syntax: 'numkeys:integer key... [WEIGHTS weight:integer...] [AGGREGATE aggregate:(SUM | MIN | MAX)] [WITHSCORES]',
    handler: zunion,
  },
  {
    name: 'zunionstore',
    arity: -4,
    flags: ['write', 'denyoom', 'movablekeys'],
    group: 'sorted-set',
    keys: [key('OW update'), numberedKeys('RO access', 2)],
    since: '2.0.0',
    complexity: 'O(N+M*log(M)), N being the members of all sources and M those of the result',
    summary: 'Stores the members of any of the sources, with their scores put together.',
    syntax:
      'destination:key numkeys:integer key... [WEIGHTS weight:integer...] [AGGREGATE aggregate:(SUM | MIN | MAX)]',
    handler: zunionstore,
  },
  {
    name: 'zinter',
    arity: -3,
    flags: ['readonly', 'movablekeys'],
    group: 'sorted-set',
    keys: [numberedKeys('RO access', 1)],
    since: '6.2.0',
    complexity:
      'O(N*K+M*log(M)), N being the size of the smallest source, K the number of sources and M the members of the result',
    summary: 'Lists the members that all sources have, with their scores put together.',
    syntax: 'numkeys:integer key... [WEIGHTS weight:integer...] [AGGREGATE aggregate:(SUM | MIN | MAX)] [WITHSCORES]',
    handler: zinter,
  },
  {
    name: 'zinterstore',
    arity: -4,
    flags: ['write', 'denyoom', 'movablekeys'],
    group: 'sorted-set',
    keys: [key('OW update'), numberedKeys('RO access', 2)],
    since: '2.0.0',
    complexity:
      'O(N*K+M*log(M)), N being the size of the smallest source, K the number of sources and M the members of the result',
    summary: 'Stores the members that all sources have, with their scores put together.',
    syntax:
      'destination:key numkeys:integer key... [WEIGHTS weight:integer...] [AGGREGATE aggregate:(SUM | MIN | MAX)]',
    handler: zinterstore,
  },
  {
    name: 'zintercard',
    arity: -3,
    flags: ['readonly', 'movablekeys'],
    group: 'sorted-set',
    keys: [numberedKeys('RO access', 1)],
    since: '7.0.0',
    complexity: 'O(N*K), N being the size of the smallest source and K the number of sources',
    summary: 'Counts the members that all sources have, up to a limit.',
    syntax: 'numkeys:integer key... [LIMIT limit:integer]',
    handler: zintercard,
  },
  {
    name: 'zdiff',
    arity: -3,
    flags: ['readonly', 'movablekeys'],
    group: 'sorted-set',
    keys: [numberedKeys('RO access', 1)],
    since: '6.2.0',
    complexity: 'O(L+R*log(R)), L being the members of all sources and R those of the result',
    summary: 'Lists the members of the first source that no other source has.',
    syntax: 'numkeys:integer key... [WITHSCORES]',
    handler: zdiff,
  },
  {
    name: 'zdiffstore',
    arity: -4,
    flags: ['write', 'denyoom', 'movablekeys'],
    group: 'sorted-set',
    keys: [key('OW update'), numberedKeys('RO access', 2)],
    since: '6.2.0',
    complexity: 'O(L+R*log(R)), L being the members of all sources and R those of the result',
    summary: 'Stores the members of the first source that no other source has.',
    syntax: 'destination:key numkeys:integer key...',
    handler: zdiffstore,
  },
];

function zunion(ctx: Session, args: Bytes[]): Reply {
  return list(ctx, args, UNION);
}

function zunionstore(ctx: Session, args: Bytes[]): Reply {
  return store(ctx, args, UNION);
}

function zinter(ctx: Session, args: Bytes[]): Reply {
  return list(ctx, args, INTERSECTION);
}

function zinterstore(ctx: Session, args: Bytes[]): Reply {
  return store(ctx, args, INTERSECTION);
}

function zdiff(ctx: Session, args: Bytes[]): Reply {
  return list(ctx, args, DIFFERENCE);
}

function zdiffstore(ctx: Session, args: Bytes[]): Reply {
  return store(ctx, args, DIFFERENCE);
}

function zintercard(ctx: Session, args: Bytes[]): Reply {
  const { sources, words } = sourcesAt(ctx, args, 1);
  let limit = 0;
  while (words.more) {
    if (words.keyword() !== 'LIMIT' || !words.more) return SYNTAX;
    limit = rangedArg(words.next(), 0, Infinity, NEGATIVE_LIMIT, NEGATIVE_LIMIT);
  }
  const [smallest, ...others] = bySize(sources);
  let found = 0;
  smallest!.every((member) => {
    if (others.every((source) => source.get(member) !== undefined)) found++;
    return limit === 0 || found < limit;
  });
  return found;
}

const NEGATIVE_LIMIT = new ErrorReply("ERR LIMIT can't be negative");
const BAD_WEIGHT = new ErrorReply('ERR weight value is not a float');

/** A way to make one sorted set of several sources. */
interface Combination {
  /** The event of a stored result. */
  readonly event: string;
  /** Whether WEIGHTS and AGGREGATE may be given. */
  readonly putsScoresTogether: boolean;
  readonly scores: (sources: Source[], aggregate: Aggregate) => Map<Bytes, number>;
}

type Aggregate = (total: number, score: number) => number;

const UNION: Combination = { event: 'zunionstore', putsScoresTogether: true, scores: union };
const INTERSECTION: Combination = { event: 'zinterstore', putsScoresTogether: true, scores: intersection };
const DIFFERENCE: Combination = { event: 'zdiffstore', putsScoresTogether: false, scores: difference };

function list(ctx: Session, args: Bytes[], combination: Combination): Reply {
  const { result, withScores } = combine(ctx, args, 1, combination);
  const found = result.range(0, result.size - 1);
  return withScores ? scoredReply(ctx, found) : found.members;
}

function store(ctx: Session, args: Bytes[], combination: Combination): Reply {
  const { result } = combine(ctx, args, 2, combination);
  result.shrinkToListpack(ctx.server.encodingLimits);
  return storeResult(ctx, args[1]!, result, NOTIFY.sortedSet, combination.event);
}

/** Reads the sources from argument `at` on and the options behind them, and makes the result, for now a skiplist. */
function combine(
  ctx: Session,
  args: Bytes[],
  at: number,
  combination: Combination,
): { result: SortedSet; withScores: boolean } {
  const { sources, words } = sourcesAt(ctx, args, at);
  let aggregate: Aggregate = sum;
  let withScores = false;
  while (words.more) {
    const option = words.keyword();
    if (option === 'WEIGHTS' && combination.putsScoresTogether && words.left >= sources.length) {
      for (const source of sources) source.weight = doubleArg(words.next(), BAD_WEIGHT);
    } else if (option === 'AGGREGATE' && combination.putsScoresTogether && words.more) {
      aggregate = aggregateArg(words.keyword());
    } else if (option === 'WITHSCORES' && at === 1) withScores = true;
    else throw SYNTAX;
  }
  const limits = ctx.server.encodingLimits;
  const result = SortedSet.forMembers(Infinity, 0, limits);
  for (const [member, score] of combination.scores(sources, aggregate)) result.set(member, score, limits);
  return { result, withScores };
}

/** Reads `numkeys key …` from argument `at` on; the reader stands behind the keys. */
function sourcesAt(ctx: Session, args: Bytes[], at: number): { sources: Source[]; words: OptionReader } {
  const count = integerArg(args[at]!);
  if (count < 1) {
    throw new ErrorReply(`ERR at least 1 input key is needed for '${args[0]!.toLowerCase()}' command`);
  }
  const end = at + 1 + count;
  if (end > args.length) throw SYNTAX;
  const sources: Source[] = [];
  for (let i = at + 1; i < end; i++) sources.push(new Source(sourceValue(ctx, args[i]!)));
  return { sources, words: new OptionReader(args, end) };
}

function sourceValue(ctx: Session, name: Bytes): SortedSet | SetValue | undefined {
  const value = ctx.db.read(name);
  if (value === undefined || value instanceof SortedSet || value instanceof SetValue) return value;
  throw WRONG_TYPE;
}

/** A sorted set, or a set, whose members all have the score 1; a key that is not there is an empty one. */
class Source {
  weight = 1;

  constructor(private readonly value: SortedSet | SetValue | undefined) {}

  get size(): number {
    return this.value?.size ?? 0;
  }

  /** The score of a member without the weight, or undefined. */
  get(member: Bytes): number | undefined {
    if (this.value instanceof SortedSet) return this.value.get(member);
    return this.value?.has(member) ? 1 : undefined;
  }

  /** Visits members, without the weight, until `visit` answers false. */
  every(visit: (member: Bytes, score: number) => boolean): void {
    if (this.value instanceof SortedSet) {
      const { members, scores } = this.value.range(0, this.value.size - 1);
      members.every((member, i) => visit(member, scores[i]!));
    } else this.value?.members().every((member) => visit(member, 1));
  }

  forEach(visit: (member: Bytes, score: number) => void): void {
    this.every((member, score) => {
      visit(member, score);
      return true;
    });
  }
}

/** The order in which Redis adds scores up, which shows in rounding and where infinities meet. */
function bySize(sources: Source[]): Source[] {
  return sources.toSorted((a, b) => a.size - b.size);
}

function union(sources: Source[], aggregate: Aggregate): Map<Bytes, number> {
  const scores = new Map<Bytes, number>();
  for (const source of bySize(sources)) {
    source.forEach((member, score) => {
      const weighted = numberOrZero(source.weight * score);
      const total = scores.get(member);
      scores.set(member, total === undefined ? weighted : aggregate(total, weighted));
    });
  }
  return scores;
}

function intersection(sources: Source[], aggregate: Aggregate): Map<Bytes, number> {
  const scores = new Map<Bytes, number>();
  const [smallest, ...others] = bySize(sources);
  smallest!.forEach((member, score) => {
    let total = numberOrZero(smallest!.weight * score);
    for (const source of others) {
      const own = source.get(member);
      if (own === undefined) return;
      // Unlike the first score, 0 · ∞ is not 0 here; what becomes of it is left to the aggregate.
      total = aggregate(total, source.weight * own);
    }
    scores.set(member, total);
  });
  return scores;
}

function difference(sources: Source[]): Map<Bytes, number> {
  const scores = new Map<Bytes, number>();
  const [first, ...others] = sources;
  first!.forEach((member, score) => {
    if (others.every((source) => source.get(member) === undefined)) scores.set(member, score);
  });
  return scores;
}

function aggregateArg(word: string): Aggregate {
  if (word === 'SUM') return sum;
  if (word === 'MIN') return min;
  if (word === 'MAX') return max;
  throw SYNTAX;
}

function sum(total: number, score: number): number {
  return numberOrZero(total + score);
}

/** As `max`, leaves the total as it is when the score is NaN, or is 0 of the other sign. */
function min(total: number, score: number): number {
  if (score < total) return score;
  return total;
}

function max(total: number, score: number): number {
  if (score > total) return score;
  return total;
}

/** ∞ − ∞ and 0 · ∞ count as 0. */
function numberOrZero(score: number): number {
  return Number.isNaN(score) ? 0 : score;
}
