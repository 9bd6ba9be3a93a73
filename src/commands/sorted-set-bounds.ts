/** The ends of ranges over a sorted set: how they are written, and which ranks lie between them. */

import type { LexBound, SortedSet } from '../keyspace/values/sorted-set.js';
import { parseInteger } from '../protocol/numbers.js';
import { type Bytes, ErrorReply } from '../protocol/reply.js';
import { integerArg } from './args.js';

/** What the ends of a range are compared with. */
export type RangeBy = 'rank' | 'score' | 'lex';

export interface ScoreBound {
  readonly value: number;
  readonly exclusive: boolean;
}

/** A range from the lower to the higher end. Ranks may be negative: then they count from the last member. */
export type MemberRange =
  | { readonly by: 'rank'; readonly start: number; readonly stop: number }
  | { readonly by: 'score'; readonly min: ScoreBound; readonly max: ScoreBound }
  | { readonly by: 'lex'; readonly min: LexBound; readonly max: LexBound };

/** Ranks from `start` up to but not including `end`; none when `end` is not above `start`. */
export interface Ranks {
  readonly start: number;
  readonly end: number;
}

const NO_RANKS: Ranks = { start: 0, end: 0 };

/** Reads the two ends of a range, the lower first. Throws the error for what is none. */
export function rangeArgs(by: RangeBy, min: Bytes, max: Bytes): MemberRange {
  switch (by) {
    case 'rank':
      return { by, start: integerArg(min), stop: integerArg(max) };
    case 'score':
      return { by, min: scoreBound(min), max: scoreBound(max) };
    case 'lex':
      return { by, min: lexBound(min), max: lexBound(max) };
  }
}

/**
 * The ranks of the members in a range without the first `offset` of them. `reverse` says that the range is listed from
 * its higher end: ranks then count from the highest score, and the offset from that end.
 */
export function ranksIn(set: SortedSet, range: MemberRange, reverse = false, offset = 0): Ranks {
  switch (range.by) {
    case 'rank':
      return skip(ranksBetween(range.start, range.stop, set.size, reverse), reverse, offset);
    case 'score': {
      const start = set.rankOfScoreLower(range.min.value, range.min.exclusive);
      const end = set.rankOfScoreUpper(range.max.value, range.max.exclusive);
      return skip({ start, end }, reverse, offset);
    }
    case 'lex':
      return lexRanks(set, range.min, range.max, reverse, offset);
  }
}

const NOT_A_SCORE = new ErrorReply('ERR min or max is not a float');
const NOT_A_MEMBER = new ErrorReply('ERR min or max not valid string range item');

const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
const INFINITE = /^[+-]?inf(?:inity)?$/i;

/**
 * A score, after `(` when it does not belong to the range. Unlike the scores of ZADD it may overflow to infinity, ends
 * at a NUL byte, and nothing at all is 0; there are no hexadecimal numbers.
 */
function scoreBound(text: Bytes): ScoreBound {
  const exclusive = text.startsWith('(');
  let digits = exclusive ? text.slice(1) : text;
  const integer = parseInteger(digits);
  if (integer !== undefined) return { value: Number(integer), exclusive };
  const nul = digits.indexOf('\0');
  if (nul >= 0) digits = digits.slice(0, nul);
  if (INFINITE.test(digits)) return { value: digits.startsWith('-') ? -Infinity : Infinity, exclusive };
  if (digits !== '' && !DECIMAL.test(digits)) throw NOT_A_SCORE;
  return { value: Number(digits), exclusive };
}

/** `-`, `+`, `[member` or `(member`. */
function lexBound(text: Bytes): LexBound {
  const first = text[0];
  if (first === '[' || first === '(') return { member: text.slice(1), exclusive: first === '(' };
  const endsHere = text.length === 1 || text[1] === '\0';
  if (endsHere && (first === '-' || first === '+')) return first;
  throw NOT_A_MEMBER;
}

function ranksBetween(start: number, stop: number, size: number, reverse: boolean): Ranks {
  const from = Math.max(start < 0 ? start + size : start, 0);
  const end = Math.min((stop < 0 ? stop + size : stop) + 1, size);
  return reverse ? { start: size - end, end: size - from } : { start: from, end };
}

function skip({ start, end }: Ranks, reverse: boolean, offset: number): Ranks {
  return reverse ? { start, end: end - offset } : { start: start + offset, end };
}

/**
 * Lexicographic ranges are meant for members of one score. With several scores Redis promises nothing; what a listpack
 * answers then follows from its walk over the members, which passes over `offset` of them whether they are in the range
 * or not, and is the same here. (A skiplist's answer is left to chance.)
 */
function lexRanks(set: SortedSet, min: LexBound, max: LexBound, reverse: boolean, offset: number): Ranks {
  const last = set.size - 1;
  if (set.encoding === 'skiplist' || set.scoreAt(0) === set.scoreAt(last)) {
    return skip({ start: set.rankOfLexLower(min), end: set.rankOfLexUpper(max) }, reverse, offset);
  }
  if (isEmptyRange(min, max) || !isFrom(set.memberAt(last), min) || !isUpTo(set.memberAt(0), max)) return NO_RANKS;
  if (reverse) {
    let end = set.size;
    while (end > 0 && !isUpTo(set.memberAt(end - 1), max)) end--;
    if (end === 0 || !isFrom(set.memberAt(end - 1), min)) return NO_RANKS;
    end -= offset;
    let start = end;
    while (start > 0 && isFrom(set.memberAt(start - 1), min)) start--;
    return { start, end };
  }
  let start = 0;
  while (start < set.size && !isFrom(set.memberAt(start), min)) start++;
  if (start === set.size || !isUpTo(set.memberAt(start), max)) return NO_RANKS;
  start += offset;
  let end = start;
  while (end < set.size && isUpTo(set.memberAt(end), max)) end++;
  return { start, end };
}

function isEmptyRange(min: LexBound, max: LexBound): boolean {
  if (min === '+' || max === '-') return true;
  if (min === '-' || max === '+') return false;
  return min.member > max.member || (min.member === max.member && (min.exclusive || max.exclusive));
}

function isFrom(member: Bytes, min: LexBound): boolean {
  if (min === '-' || min === '+') return min === '-';
  return min.exclusive ? member > min.member : member >= min.member;
}

function isUpTo(member: Bytes, max: LexBound): boolean {
  if (max === '-' || max === '+') return max === '+';
  return max.exclusive ? member < max.member : member <= max.member;
}
