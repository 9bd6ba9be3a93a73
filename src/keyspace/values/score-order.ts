/**
 * A sequence of (score, member) pairs in order of score, then of the members' bytes, which knows the rank of each. It
 * is a row of sorted blocks of up to `BLOCK_LIMIT` pairs: a pair is found by halving over the blocks and within one,
 * a rank by the sums of block sizes, kept in a Fenwick tree. Adding or removing moves one block's pairs at most.
 */

import type { Bytes } from '../../protocol/reply.js';

/** A block is split when it would hold more. */
const BLOCK_LIMIT = 256;
/** A block that falls below this joins a neighbour if both fit into half a block. */
const BLOCK_MINIMUM = 64;
/** The tree of a set that never needed one: most sets have a single block. */
const NO_TREE = new Int32Array(0);

/** Members and their scores, in order: a member and its score have the same index. */
export interface ScoredMembers {
  members: Bytes[];
  scores: number[];
}

class Block implements ScoredMembers {
  constructor(
    public members: Bytes[],
    public scores: number[],
  ) {}

  get count(): number {
    return this.members.length;
  }

  get lastMember(): Bytes {
    return this.members[this.members.length - 1]!;
  }

  /** NaN when there is none. */
  get lastScore(): number {
    return this.members.length === 0 ? Number.NaN : this.scores[this.members.length - 1]!;
  }

  /** The index of the first pair not before the given one. */
  lowerBound(score: number, member: Bytes): number {
    let low = 0;
    let high = this.members.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const midScore = this.scores[middle]!;
      if (midScore < score || (midScore === score && this.members[middle]! < member)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  insert(index: number, score: number, member: Bytes): void {
    if (index === this.members.length) {
      this.members.push(member);
      this.scores.push(score);
    } else {
      this.members.splice(index, 0, member);
      this.scores.splice(index, 0, score);
    }
  }

  remove(index: number, count: number): void {
    this.members.splice(index, count);
    this.scores.splice(index, count);
  }

  splitAt(index: number): Block {
    return new Block(this.members.splice(index), this.scores.splice(index));
  }

  absorb(next: Block): void {
    this.members = this.members.concat(next.members);
    this.scores = this.scores.concat(next.scores);
  }

  clone(): Block {
    return new Block(this.members.slice(), this.scores.slice());
  }
}

export class ScoreOrder {
  /** No block is empty, except that there is always one. */
  private blocks: Block[] = [new Block([], [])];
  /** The last score of each block, side by side, so that a search over blocks stays within few cache lines. */
  private ends: number[] = [Number.NaN];
  private length = 0;
  /** `tree[i]` is the size of the blocks i − lowbit(i) … i − 1 together. Stale after blocks were added or removed. */
  private tree = NO_TREE;
  private treeIsStale = true;

  get size(): number {
    return this.length;
  }

  /** Inserts a pair that is not there yet. */
  insert(score: number, member: Bytes): void {
    const at = Math.min(this.blockOf(score, member), this.blocks.length - 1);
    const block = this.blocks[at]!;
    const index = block.lowerBound(score, member);
    this.length++;
    if (block.count < BLOCK_LIMIT) {
      block.insert(index, score, member);
      this.ends[at] = block.lastScore;
      this.addToTree(at, 1);
      return;
    }
    this.treeIsStale = true;
    if (at === this.blocks.length - 1 && index === block.count) {
      this.blocks.push(new Block([member], [score]));
      this.ends.push(score);
      return;
    }
    const half = block.count >> 1;
    const rest = block.splitAt(half);
    if (index <= half) block.insert(index, score, member);
    else rest.insert(index - half, score, member);
    this.blocks.splice(at + 1, 0, rest);
    this.ends.splice(at, 1, block.lastScore, rest.lastScore);
  }

  /** Removes a pair that is there. */
  remove(score: number, member: Bytes): void {
    const at = this.blockOf(score, member);
    this.removeFromBlock(at, this.blocks[at]!.lowerBound(score, member), 1);
  }

  /** Removes `count` pairs from rank `start` on; they must exist. */
  removeRange(start: number, count: number): void {
    let left = count;
    while (left > 0) {
      const at = this.blockOfRank(start);
      const index = start - this.countBefore(at);
      left -= this.removeFromBlock(at, index, left);
    }
  }

  /** How many pairs come before the given one: its rank, if it is there. */
  rankOf(score: number, member: Bytes): number {
    const at = this.blockOf(score, member);
    if (at === this.blocks.length) return this.length;
    return this.countBefore(at) + this.blocks[at]!.lowerBound(score, member);
  }

  /** How many pairs have a score below `score`, or, with `orEqual`, not above it. */
  countByScore(score: number, orEqual: boolean): number {
    return this.countWhile((block, index) => {
      const other = block.scores[index]!;
      return other < score || (orEqual && other === score);
    });
  }

  /** How many pairs have a member below `member`, or, with `orEqual`, not above it, if all scores are the same. */
  countByMember(member: Bytes, orEqual: boolean): number {
    return this.countWhile((block, index) => {
      const other = block.members[index]!;
      return other < member || (orEqual && other === member);
    });
  }

  /** The member at a rank, which must be below `size`. */
  memberAt(rank: number): Bytes {
    const at = this.blockOfRank(rank);
    return this.blocks[at]!.members[rank - this.countBefore(at)]!;
  }

  /** The score at a rank, which must be below `size`. */
  scoreAt(rank: number): number {
    const at = this.blockOfRank(rank);
    return this.blocks[at]!.scores[rank - this.countBefore(at)]!;
  }

  /** The rank of `member`, found by looking at each, or −1: for few pairs. */
  search(member: Bytes): number {
    let before = 0;
    for (const block of this.blocks) {
      const index = block.members.indexOf(member);
      if (index >= 0) return before + index;
      before += block.count;
    }
    return -1;
  }

  /** The pairs from rank `start` to `end`, both included and existing, in order. */
  slice(start: number, end: number): ScoredMembers {
    const found: ScoredMembers = { members: [], scores: [] };
    if (start > end) return found;
    let at = this.blockOfRank(start);
    let index = start - this.countBefore(at);
    let left = end - start + 1;
    while (left > 0) {
      const block = this.blocks[at++]!;
      const stop = Math.min(block.count, index + left);
      left -= stop - index;
      for (; index < stop; index++) {
        found.members.push(block.members[index]!);
        found.scores.push(block.scores[index]!);
      }
      index = 0;
    }
    return found;
  }

  clone(): ScoreOrder {
    const copy = new ScoreOrder();
    copy.blocks = this.blocks.map((block) => block.clone());
    copy.ends = this.ends.slice();
    copy.length = this.length;
    return copy;
  }

  /** The first block that does not end before the given pair; `blocks.length` when all do. */
  private blockOf(score: number, member: Bytes): number {
    const ends = this.ends;
    if (this.length === 0) return 0;
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const end = ends[middle]!;
      if (end < score || (end === score && this.blocks[middle]!.lastMember < member)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** How many pairs at the beginning satisfy a condition that none satisfies after the first that does not. */
  private countWhile(holds: (block: Block, index: number) => boolean): number {
    if (this.length === 0) return 0;
    let low = 0;
    let high = this.blocks.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const block = this.blocks[middle]!;
      if (holds(block, block.count - 1)) low = middle + 1;
      else high = middle;
    }
    if (low === this.blocks.length) return this.length;
    const block = this.blocks[low]!;
    let first = 0;
    let last = block.count;
    while (first < last) {
      const middle = (first + last) >>> 1;
      if (holds(block, middle)) first = middle + 1;
      else last = middle;
    }
    return this.countBefore(low) + first;
  }

  /** Removes up to `count` pairs of a block from `index` on. Returns how many. */
  private removeFromBlock(at: number, index: number, count: number): number {
    const block = this.blocks[at]!;
    const removed = Math.min(count, block.count - index);
    block.remove(index, removed);
    this.ends[at] = block.lastScore;
    this.length -= removed;
    if (block.count < BLOCK_MINIMUM && this.blocks.length > 1 && this.joinNeighbour(at)) this.treeIsStale = true;
    else this.addToTree(at, -removed);
    return removed;
  }

  private joinNeighbour(at: number): boolean {
    const block = this.blocks[at]!;
    if (block.count === 0) {
      this.dropBlock(at);
      return true;
    }
    const first = at + 1 < this.blocks.length ? at : at - 1;
    const next = this.blocks[first + 1]!;
    if (this.blocks[first]!.count + next.count > BLOCK_LIMIT / 2) return false;
    this.blocks[first]!.absorb(next);
    this.ends[first] = next.lastScore;
    this.dropBlock(first + 1);
    return true;
  }

  private dropBlock(at: number): void {
    this.blocks.splice(at, 1);
    this.ends.splice(at, 1);
  }

  private addToTree(at: number, change: number): void {
    if (this.treeIsStale) return;
    const tree = this.tree;
    const end = this.blocks.length;
    for (let i = at + 1; i <= end; i += i & -i) tree[i]! += change;
  }

  private refreshTree(): void {
    const count = this.blocks.length;
    if (this.tree.length <= count) this.tree = new Int32Array(2 * count + 1);
    const tree = this.tree;
    for (let i = 1; i <= count; i++) tree[i] = this.blocks[i - 1]!.count;
    for (let i = 1; i <= count; i++) {
      const parent = i + (i & -i);
      if (parent <= count) tree[parent]! += tree[i]!;
    }
    this.treeIsStale = false;
  }

  /** How many pairs the first `at` blocks hold. */
  private countBefore(at: number): number {
    if (at === 0) return 0;
    if (this.treeIsStale) this.refreshTree();
    let sum = 0;
    for (let i = at; i > 0; i -= i & -i) sum += this.tree[i]!;
    return sum;
  }

  /** The block that holds the pair at a rank below `size`. */
  private blockOfRank(rank: number): number {
    const count = this.blocks.length;
    if (rank < this.blocks[0]!.count) return 0;
    if (rank >= this.length - this.blocks[count - 1]!.count) return count - 1;
    if (this.treeIsStale) this.refreshTree();
    let at = 0;
    let left = rank;
    for (let step = 1 << (31 - Math.clz32(count)); step > 0; step >>= 1) {
      const next = at + step;
      if (next <= count && this.tree[next]! <= left) {
        at = next;
        left -= this.tree[next]!;
      }
    }
    return at;
  }
}
