/** The sorted set: distinct byte strings with a score each, in order of score, then of bytes. */

import type { Bytes } from '../../protocol/reply.js';
import { DenseMap } from './dense-map.js';
import type { EncodingLimits } from './encoding-limits.js';
import { type ScoredMembers, ScoreOrder } from './score-order.js';

export type SortedSetEncoding = 'listpack' | 'skiplist';

/** One end of a range by members: `-` and `+` lie before and after all of them. */
export type LexBound = '-' | '+' | { member: Bytes; exclusive: boolean };

export interface ScoredMember {
  member: Bytes;
  score: number;
}

/** Up to this many members are found by looking at each; beyond it scores are also kept by member. */
const SEARCH_LIMIT = 32;
/** What one member costs beside its bytes, by measurement of the heap: string header, places in order and index. */
const MEMBER_OVERHEAD_BYTES = 88;
const OBJECT_BYTES = 480;

/**
 * A sorted set. Scores are doubles, infinities included, never NaN: a command refuses that before it comes here. Ranks
 * count from 0, the lowest score; a range of ranks that exist includes both ends. A listpack becomes a skiplist when it
 * outgrows the limits and never turns back, except in results that Redis stores as new sets (`shrinkToListpack`).
 */
export class SortedSet {
  readonly type = 'zset';
  private kind: SortedSetEncoding = 'listpack';
  private order = new ScoreOrder();
  private scores: DenseMap<number> | undefined = undefined;
  private memberBytes = 0;

  /** An empty set as a command creates it that is about to add `sizeHint` members, one of them of `lengthHint` bytes. */
  static forMembers(sizeHint: number, lengthHint: number, limits: EncodingLimits): SortedSet {
    const set = new SortedSet();
    if (lengthHint > limits.zsetMaxListpackValue) set.kind = 'skiplist';
    set.expectMembers(sizeHint, limits);
    return set;
  }

  get encoding(): SortedSetEncoding {
    return this.kind;
  }

  get size(): number {
    return this.order.size;
  }

  has(member: Bytes): boolean {
    return this.scores === undefined ? this.order.search(member) >= 0 : this.scores.has(member);
  }

  /** The score of `member`, or undefined. */
  get(member: Bytes): number | undefined {
    if (this.scores !== undefined) return this.scores.get(member);
    const rank = this.order.search(member);
    return rank < 0 ? undefined : this.order.scoreAt(rank);
  }

  /** Converts a listpack that is about to be offered more members than it may hold, new or not (`ZADD`). */
  expectMembers(sizeHint: number, limits: EncodingLimits): void {
    if (sizeHint > limits.zsetMaxListpackEntries) this.kind = 'skiplist';
  }

  /** Gives `member` a score. A score of −0 becomes 0 in a listpack; 0 and −0 are the same score. */
  set(member: Bytes, score: number, limits: EncodingLimits): 'added' | 'updated' | 'same' {
    const old = this.get(member);
    if (old === score) return 'same';
    if (old === undefined) {
      this.add(member, score, limits);
      return 'added';
    }
    this.order.remove(old, member);
    this.order.insert(score + this.zero(), member);
    this.scores?.set(member, score + this.zero());
    return 'updated';
  }

  /** Removes `member`. Returns whether it was there. */
  delete(member: Bytes): boolean {
    const score = this.get(member);
    if (score === undefined) return false;
    this.order.remove(score, member);
    this.forget(member);
    return true;
  }

  /** The rank of `member` from the lowest score, or undefined. */
  rank(member: Bytes): number | undefined {
    if (this.scores === undefined) {
      const rank = this.order.search(member);
      return rank < 0 ? undefined : rank;
    }
    const score = this.scores.get(member);
    return score === undefined ? undefined : this.order.rankOf(score, member);
  }

  /** The member at a rank, which must be below `size`. */
  memberAt(rank: number): Bytes {
    return this.order.memberAt(rank);
  }

  /** The score at a rank, which must be below `size`. */
  scoreAt(rank: number): number {
    return this.order.scoreAt(rank);
  }

  /** The members from rank `start` to `end`; with `reverse`, the last comes first. */
  range(start: number, end: number, reverse = false): ScoredMembers {
    const found = this.order.slice(start, Math.min(end, this.size - 1));
    if (reverse) {
      found.members.reverse();
      found.scores.reverse();
    }
    return found;
  }

  /** The rank of the first member in a score range that begins at `min`; `size` when there is none. */
  rankOfScoreLower(min: number, exclusive: boolean): number {
    return this.order.countByScore(min, exclusive);
  }

  /** The rank after the last member in a score range that ends at `max`; 0 when there is none. */
  rankOfScoreUpper(max: number, exclusive: boolean): number {
    return this.order.countByScore(max, !exclusive);
  }

  /** How many members a score range has. */
  countInScoreRange(min: number, minExclusive: boolean, max: number, maxExclusive: boolean): number {
    return Math.max(0, this.rankOfScoreUpper(max, maxExclusive) - this.rankOfScoreLower(min, minExclusive));
  }

  /** The rank of the first member in a range that begins at `min`; it means something when all scores are the same. */
  rankOfLexLower(min: LexBound): number {
    if (min === '-') return 0;
    return min === '+' ? this.size : this.order.countByMember(min.member, min.exclusive);
  }

  /** The rank after the last member in a range that ends at `max`; it means something when all scores are the same. */
  rankOfLexUpper(max: LexBound): number {
    if (max === '-') return 0;
    return max === '+' ? this.size : this.order.countByMember(max.member, !max.exclusive);
  }

  /** Removes and returns the member with the lowest score, or undefined when the set is empty. */
  popMin(): ScoredMember | undefined {
    return this.popAt(0);
  }

  /** Removes and returns the member with the highest score, or undefined when the set is empty. */
  popMax(): ScoredMember | undefined {
    return this.popAt(this.size - 1);
  }

  /** Removes the members from rank `start` to `end`. Returns how many. */
  removeRankRange(start: number, end: number): number {
    const removed = this.range(start, end).members;
    this.order.removeRange(start, removed.length);
    for (const member of removed) this.forget(member);
    return removed.length;
  }

  /** A rank picked uniformly; the set must not be empty. */
  randomRank(random: () => number): number {
    return Math.floor(random() * this.size);
  }

  /** One step of `ZSCAN`; a small set is returned whole, in order. `visit` must not change the set. */
  scan(cursor: number, count: number, visit: (member: Bytes, score: number) => void): number {
    const scores = this.scores;
    if (this.kind === 'skiplist' && scores !== undefined) {
      return scores.scan(cursor, count, (member, slot) => visit(member, scores.valueAt(slot)));
    }
    const all = this.range(0, this.size - 1);
    for (let i = 0; i < all.members.length; i++) visit(all.members[i]!, all.scores[i]!);
    return 0;
  }

  /** Makes a listpack of a new set that fits one (the end of `ZUNIONSTORE` and its kin). */
  shrinkToListpack(limits: EncodingLimits): void {
    if (this.kind === 'listpack' || this.size > limits.zsetMaxListpackEntries) return;
    const { members, scores } = this.range(0, this.size - 1);
    if (members.some((member) => member.length > limits.zsetMaxListpackValue)) return;
    this.kind = 'listpack';
    this.order = new ScoreOrder();
    this.scores = undefined;
    this.memberBytes = 0;
    for (let i = 0; i < members.length; i++) this.add(members[i]!, scores[i]!, limits);
  }

  /** About how many bytes of memory the set takes. */
  estimateBytes(): number {
    return OBJECT_BYTES + this.memberBytes + this.size * MEMBER_OVERHEAD_BYTES;
  }

  clone(): SortedSet {
    const copy = new SortedSet();
    copy.kind = this.kind;
    copy.order = this.order.clone();
    copy.scores = this.scores?.clone();
    copy.memberBytes = this.memberBytes;
    return copy;
  }

  private add(member: Bytes, score: number, limits: EncodingLimits): void {
    const fits = this.size < limits.zsetMaxListpackEntries && member.length <= limits.zsetMaxListpackValue;
    if (this.kind === 'listpack' && !fits) this.kind = 'skiplist';
    const stored = score + this.zero();
    this.order.insert(stored, member);
    this.memberBytes += member.length;
    if (this.scores !== undefined) this.scores.addNew(member, stored);
    else if (this.size > SEARCH_LIMIT) this.indexScores();
  }

  /** What is added to a score: 0 turns −0 into 0, as the text in a listpack does; −0 leaves every number as it is. */
  private zero(): number {
    return this.kind === 'listpack' ? 0 : -0;
  }

  private indexScores(): void {
    const { members, scores } = this.order.slice(0, this.size - 1);
    const index = new DenseMap<number>();
    for (let i = 0; i < members.length; i++) index.addNew(members[i]!, scores[i]!);
    this.scores = index;
  }

  private popAt(rank: number): ScoredMember | undefined {
    if (this.size === 0) return undefined;
    const member = this.order.memberAt(rank);
    const score = this.order.scoreAt(rank);
    this.order.removeRange(rank, 1);
    this.forget(member);
    return { member, score };
  }

  /** Drops what is kept of a member that has left the order. */
  private forget(member: Bytes): void {
    this.memberBytes -= member.length;
    this.scores?.delete(member);
  }
}
