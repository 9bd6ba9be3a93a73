/** The sorted set family: adding, removing and looking up members. Ranges, combinations and pops have files of their own. */

import { NOTIFY } from '../keyspace/notifications.js';
import { SortedSet } from '../keyspace/values/sorted-set.js';
import { OUT_OF_RANGE, SYNTAX, wrongArity } from '../protocol/errors.js';
import { formatDouble } from '../protocol/numbers.js';
import { formatGeneral } from '../protocol/numbers-printf.js';
import { type Bytes, DoubleReply, ErrorReply, NULL_ARRAY, type Reply } from '../protocol/reply.js';
import type { Session } from '../server/session.js';
import { cursorArg, doubleArg, fetchValue, isWord, readValue, signedCountArg } from './args.js';
import { elementsRemoved } from './collections.js';
import { type CommandRow, key } from './definition.js';
import { pickIndexes } from './random-picks.js';
import { scanOptions } from './scan-options.js';
import { scoredReply } from './sorted-set-results.js';

export const sortedSetCommands: readonly CommandRow[] = [
  {
    name: 'zadd',
    arity: -4,
    flags: ['write', 'denyoom', 'fast'],
    group: 'sorted-set',
    keys: [key('RW update')],
    since: '1.2.0',
    complexity: 'O(log(N)) for each member, N being the size of the set',
    summary: 'Adds members with scores, or changes the scores of members.',
    syntax:
      'key [condition:(NX | XX)] [comparison:(GT | LT)] [change=CH] [increment=INCR] data:(score:double member)...',
    handler: zadd,
  },
  {
    name: 'zincrby',
    arity: 4,
    flags: ['write', 'denyoom', 'fast'],
    group: 'sorted-set',
    keys: [key('RW access update')],
    since: '1.2.0',
    complexity: 'O(log(N)), N being the size of the set',
    summary: 'Adds a number to the score of a member, which is added with that score if needed.',
    syntax: 'key increment:integer member',
    handler: zincrby,
  },
  {
    name: 'zrem',
    arity: -3,
    flags: ['write', 'fast'],
    group: 'sorted-set',
    keys: [key('RW delete')],
    since: '1.2.0',
    complexity: 'O(M*log(N)), N being the size of the set and M the members named',
    summary: 'Removes members; the key goes with the last one.',
    syntax: 'key member...',
    handler: zrem,
  },
  {
    name: 'zcard',
    arity: 2,
    flags: ['readonly', 'fast'],
    group: 'sorted-set',
    keys: [key('RO')],
    since: '1.2.0',
    complexity: 'O(1)',
    summary: 'Counts the members.',
    syntax: 'key',
    handler: zcard,
  },
  {
    name: 'zscore',
    arity: 3,
    flags: ['readonly', 'fast'],
    group: 'sorted-set',
    keys: [key('RO access')],
    since: '1.2.0',
    complexity: 'O(1)',
    summary: 'Tells the score of a member.',
    syntax: 'key member',
    handler: zscore,
  },
  {
    name: 'zmscore',
    arity: -3,
    flags: ['readonly', 'fast'],
    group: 'sorted-set',
    keys: [key('RO access')],
    since: '6.2.0',
    complexity: 'O(N), N being the number of members asked for',
    summary: 'Tells the scores of several members.',
    syntax: 'key member...',
    handler: zmscore,
  },
  {
    name: 'zrank',
    arity: -3,
    flags: ['readonly', 'fast'],
    group: 'sorted-set',
    keys: [key('RO access')],
    since: '2.0.0',
    complexity: 'O(log(N)), N being the size of the set',
    summary: 'Tells how many members come before one, counted from the lowest score.',
    syntax: 'key member [WITHSCORE]',
    handler: zrank,
  },
  {
    name: 'zrevrank',
    arity: -3,
    flags: ['readonly', 'fast'],
    group: 'sorted-set',
    keys: [key('RO access')],
    since: '2.0.0',
    complexity: 'O(log(N)), N being the size of the set',
    summary: 'Tells how many members come before one, counted from the highest score.',
    syntax: 'key member [WITHSCORE]',
    handler: zrevrank,
  },
  {
    name: 'zrandmember',
    arity: -2,
    flags: ['readonly'],
    group: 'sorted-set',
    keys: [key('RO access')],
    since: '6.2.0',
    complexity: 'O(N), N being the number of members answered',
    summary: 'Picks members at random and leaves them in place.',
    syntax: 'key [options:(count:integer [WITHSCORES])]',
    tips: ['nondeterministic_output'],
    handler: zrandmember,
  },
  {
    name: 'zscan',
    arity: -3,
    flags: ['readonly'],
    group: 'sorted-set',
    keys: [key('RO access')],
    since: '2.8.0',
    complexity: 'O(1) for each call, O(N) for all, N being the size of the set',
    summary: 'Walks through members and scores, a part with each call.',
    syntax: 'key cursor:integer [MATCH pattern:pattern] [COUNT count:integer]',
    tips: ['nondeterministic_output'],
    handler: zscan,
  },
];

// Adding

const NX = 1;
const XX = 2;
const GT = 4;
const LT = 8;
const CH = 16;
const INCR = 32;
/** The options under which a member's present score decides what happens. */
const CONDITIONS = NX | XX | GT | LT | INCR;

const ADD_OPTIONS: ReadonlyMap<Bytes, number> = new Map([
  ['NX', NX],
  ['XX', XX],
  ['GT', GT],
  ['LT', LT],
  ['CH', CH],
  ['INCR', INCR],
]);

const XX_WITH_NX = new ErrorReply('ERR XX and NX options at the same time are not compatible');
const GT_LT_NX = new ErrorReply('ERR GT, LT, and/or NX options at the same time are not compatible');
const INCR_OF_SEVERAL = new ErrorReply('ERR INCR option supports a single increment-element pair');
const SCORE_IS_NAN = new ErrorReply('ERR resulting score is not a number (NaN)');

/** ZADD; GEOADD runs it as well, with scores made of positions. */
export function zadd(ctx: Session, args: Bytes[]): Reply {
  return addWithOptions(ctx, args, 0);
}

/** Takes options where the increment stands, as ZADD does; then there is no pair left, which is a syntax error. */
function zincrby(ctx: Session, args: Bytes[]): Reply {
  return addWithOptions(ctx, args, INCR);
}

function addWithOptions(ctx: Session, args: Bytes[], given: number): Reply {
  let at = 2;
  let options = given;
  for (; at < args.length; at++) {
    const option = ADD_OPTIONS.get(args[at]!.toUpperCase());
    if (option === undefined) break;
    options |= option;
  }
  const words = args.length - at;
  if (words === 0 || words % 2 === 1) return SYNTAX;
  if (options & NX && options & XX) return XX_WITH_NX;
  if ((options & GT && options & (NX | LT)) || (options & LT && options & NX)) return GT_LT_NX;
  if (options & INCR && words > 2) return INCR_OF_SEVERAL;
  return add(ctx, args, at, options);
}

/** Adds the pairs of score and member from argument `from` on. */
function add(ctx: Session, args: Bytes[], from: number, options: number): Reply {
  const scores: number[] = [];
  for (let i = from; i < args.length; i += 2) scores.push(doubleArg(args[i]!));
  const name = args[1]!;
  const limits = ctx.server.encodingLimits;
  const found = fetchValue(ctx, name, SortedSet);
  if (found === undefined && options & XX) return options & INCR ? null : 0;
  found?.expectMembers(scores.length, limits);
  const set = found ?? SortedSet.forMembers(scores.length, args[from + 1]!.length, limits);
  let added = 0;
  let updated = 0;
  let result: Reply = null;
  for (let i = 0; i < scores.length; i++) {
    const member = args[from + 2 * i + 1]!;
    const score = options & CONDITIONS ? scoreToSet(set.get(member), scores[i]!, options) : scores[i]!;
    if (score === undefined) continue;
    if (options & INCR) result = new DoubleReply(score);
    const outcome = set.set(member, score, limits);
    if (outcome === 'added') added++;
    else if (outcome === 'updated') updated++;
  }
  if (found === undefined) ctx.db.put(name, set);
  if (added + updated > 0) ctx.db.changed(name, NOTIFY.sortedSet, options & INCR ? 'zincr' : 'zadd');
  if (options & INCR) return result;
  return options & CH ? added + updated : added;
}

/** The score that a member gets, or undefined when it stays as it is. */
function scoreToSet(old: number | undefined, given: number, options: number): number | undefined {
  if (old === undefined) return options & XX ? undefined : given;
  if (options & NX) return undefined;
  const score = options & INCR ? old + given : given;
  if (Number.isNaN(score)) throw SCORE_IS_NAN;
  if ((options & GT && score <= old) || (options & LT && score >= old)) return undefined;
  return score;
}

// Removing

function zrem(ctx: Session, args: Bytes[]): Reply {
  const set = fetchValue(ctx, args[1]!, SortedSet);
  if (set === undefined) return 0;
  let removed = 0;
  for (let i = 2; i < args.length; i++) if (set.delete(args[i]!)) removed++;
  if (removed > 0) elementsRemoved(ctx, args[1]!, set, NOTIFY.sortedSet, 'zrem');
  return removed;
}

// Reading

function zcard(ctx: Session, args: Bytes[]): Reply {
  return readValue(ctx, args[1]!, SortedSet)?.size ?? 0;
}

function zscore(ctx: Session, args: Bytes[]): Reply {
  return scoreReply(readValue(ctx, args[1]!, SortedSet), args[2]!);
}

function zmscore(ctx: Session, args: Bytes[]): Reply {
  const set = readValue(ctx, args[1]!, SortedSet);
  const scores: Reply[] = [];
  for (let i = 2; i < args.length; i++) scores.push(scoreReply(set, args[i]!));
  return scores;
}

function scoreReply(set: SortedSet | undefined, member: Bytes): Reply {
  const score = set?.get(member);
  return score === undefined ? null : new DoubleReply(score);
}

function zrank(ctx: Session, args: Bytes[]): Reply {
  return rank(ctx, args, false);
}

function zrevrank(ctx: Session, args: Bytes[]): Reply {
  return rank(ctx, args, true);
}

function rank(ctx: Session, args: Bytes[], reverse: boolean): Reply {
  if (args.length > 4) return wrongArity(reverse ? 'zrevrank' : 'zrank');
  const withScore = args.length === 4;
  if (withScore && !isWord(args[3]!, 'WITHSCORE')) return SYNTAX;
  const set = readValue(ctx, args[1]!, SortedSet);
  const ascending = set?.rank(args[2]!);
  if (set === undefined || ascending === undefined) return withScore ? NULL_ARRAY : null;
  const found = reverse ? set.size - 1 - ascending : ascending;
  return withScore ? [found, new DoubleReply(set.scoreAt(ascending))] : found;
}

// A score is written beside each member, so only half of the longest reply can be members.
const MOST_PAIRS = 2n ** 62n - 1n;

function zrandmember(ctx: Session, args: Bytes[]): Reply {
  if (args.length === 2) {
    const set = readValue(ctx, args[1]!, SortedSet);
    return set === undefined ? null : set.memberAt(set.randomRank(Math.random));
  }
  const count = signedCountArg(args[2]!);
  const withScores = args.length === 4 && isWord(args[3]!, 'WITHSCORES');
  if (args.length > 3 && !withScores) return SYNTAX;
  if (withScores && (count > MOST_PAIRS || count < -MOST_PAIRS)) return OUT_OF_RANGE;
  const set = readValue(ctx, args[1]!, SortedSet);
  if (set === undefined) return [];
  const ranks = pickIndexes(ctx, set.size, Number(count));
  // All of a set come from the highest score down, as in Redis.
  if (count >= set.size) ranks.reverse();
  const members = ranks.map((each) => set.memberAt(each));
  if (!withScores) return members;
  return scoredReply(ctx, { members, scores: ranks.map((each) => set.scoreAt(each)) });
}

function zscan(ctx: Session, args: Bytes[]): Reply {
  const cursor = cursorArg(args[2]!);
  const set = readValue(ctx, args[1]!, SortedSet);
  if (set === undefined) return ['0', []];
  const { count, matches } = scanOptions(args, 3);
  const found: Reply[] = [];
  // Redis prints the scores of a skiplist with C's %.17g here, while those of a listpack are text already.
  const scoreText = set.encoding === 'skiplist' ? exactText : formatDouble;
  const next = set.scan(cursor, count, (member, score) => {
    if (matches === undefined || matches(member)) found.push(member, scoreText(score));
  });
  return [String(next), found];
}

function exactText(score: number): Bytes {
  return formatGeneral(score, 17, false);
}
