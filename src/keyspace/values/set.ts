/** The set: distinct byte strings. */

import { parseInteger } from '../../protocol/numbers.js';
import type { Bytes, Int64 } from '../../protocol/reply.js';
import { DenseSet } from './dense-map.js';
import type { EncodingLimits } from './encoding-limits.js';
import { distinctIndexes } from './sampling.js';

export type SetEncoding = 'intset' | 'listpack' | 'hashtable';

/** What one member costs beside its bytes, by measurement of the heap: string header, slot and index entry. */
const MEMBER_OVERHEAD_BYTES = 56;
const OBJECT_BYTES = 240;
const INTEGER_BYTES = 8;
/** `SPOP` with a count keeps the rest in a new set when the rest is at most count / this (Redis, t_set.c). */
const POP_REBUILD_RATIO = 5;

/**
 * A set in one of Redis' encodings. Conversions go intset → listpack → hashtable and never back, except where Redis
 * builds a new set (`SINTERSTORE`, `SPOP` of nearly all). An intset lists its members in numeric order, a listpack in
 * order of insertion, a hash table in any order. It starts as an empty intset.
 */
export class SetValue {
  readonly type = 'set';
  private kind: SetEncoding = 'intset';
  /** The members of an intset, ascending; numbers and bigints compare with each other. */
  private integers: Int64[] = [];
  /** The members in the other encodings. */
  private strings: DenseSet | undefined = undefined;
  private memberBytes = 0;

  /** An empty set as a command creates it that is about to add `sizeHint` members, `first` being the first of them. */
  static forMembers(first: Bytes, sizeHint: number, limits: EncodingLimits): SetValue {
    const set = new SetValue();
    if (parseInteger(first) !== undefined && sizeHint <= limits.setMaxIntsetEntries) return set;
    set.becomeStrings(sizeHint <= limits.setMaxListpackEntries ? 'listpack' : 'hashtable');
    return set;
  }

  /** An empty set in listpack encoding: where the result of an intersection starts unless its smallest set is an intset. */
  static emptyListpack(): SetValue {
    const set = new SetValue();
    set.becomeStrings('listpack');
    return set;
  }

  get encoding(): SetEncoding {
    return this.kind;
  }

  get size(): number {
    return this.strings === undefined ? this.integers.length : this.strings.size;
  }

  has(member: Bytes): boolean {
    if (this.strings !== undefined) return this.strings.has(member);
    const integer = parseInteger(member);
    return integer !== undefined && this.integers[this.lowerBound(integer)] === integer;
  }

  /** The member at a position; `index` must be below `size`. */
  memberAt(index: number): Bytes {
    return this.strings === undefined ? String(this.integers[index]) : this.strings.keyAt(index);
  }

  /** All members in listing order, as a new array. */
  members(): Bytes[] {
    return this.strings === undefined ? this.integers.map(String) : this.strings.keyList();
  }

  /** Whether every member reads as an integer (`SINTERSTORE` makes an intset of such a result). */
  isAllIntegers(): boolean {
    if (this.strings === undefined) return true;
    for (let i = 0; i < this.strings.size; i++) {
      if (parseInteger(this.strings.keyAt(i)) === undefined) return false;
    }
    return true;
  }

  /** Converts a compact set that is about to be offered more members than its encoding may hold, new or not (`SADD`). */
  expectMembers(sizeHint: number, limits: EncodingLimits): void {
    if (this.kind === 'intset' ? sizeHint > limits.setMaxIntsetEntries : sizeHint > limits.setMaxListpackEntries) {
      this.becomeStrings('hashtable');
    }
  }

  /** Adds `member`. Returns whether it is new. */
  add(member: Bytes, limits: EncodingLimits): boolean {
    if (this.strings === undefined) {
      const integer = parseInteger(member);
      if (integer !== undefined) return this.addInteger(integer, limits);
      const fits = this.fitsListpack(member, this.size, limits) && this.longestInteger() <= limits.setMaxListpackValue;
      this.becomeStrings(fits ? 'listpack' : 'hashtable');
    }
    const size = this.size;
    if (!this.strings!.add(member)) return false;
    if (this.kind === 'listpack' && !this.fitsListpack(member, size, limits)) this.kind = 'hashtable';
    this.memberBytes += member.length;
    return true;
  }

  /** Removes `member`. Returns whether it was there. */
  delete(member: Bytes): boolean {
    if (this.strings === undefined) {
      const integer = parseInteger(member);
      if (integer === undefined) return false;
      const index = this.lowerBound(integer);
      if (this.integers[index] !== integer) return false;
      this.integers.splice(index, 1);
      return true;
    }
    const removed = this.kind === 'listpack' ? this.strings.deleteInOrder(member) : this.strings.delete(member);
    if (removed) this.memberBytes -= member.length;
    return removed;
  }

  /** A member picked uniformly; the set must not be empty. */
  randomMember(random: () => number): Bytes {
    return this.memberAt(Math.floor(random() * this.size));
  }

  /**
   * Removes and returns `count` different members picked uniformly, all of them if there are no more. A listpack gives
   * them in its order. When few members of another set remain, they move to a new set, and with it perhaps to a smaller
   * encoding, as with `SPOP key count` in Redis.
   */
  popRandom(count: number, random: () => number, limits: EncodingLimits): Bytes[] {
    if (this.kind === 'listpack') {
      const popped = distinctIndexes(this.size, count, random).map((index) => this.memberAt(index));
      for (const member of popped) this.delete(member);
      return popped;
    }
    const remaining = Math.max(0, this.size - count);
    if (remaining * POP_REBUILD_RATIO > count) return this.takeRandom(count, random);
    const kept = this.takeRandom(remaining, random);
    const popped = this.members();
    const wasHashtable = this.kind === 'hashtable';
    this.clear();
    if (wasHashtable) this.becomeStrings('listpack');
    for (const member of kept) this.add(member, limits);
    return popped;
  }

  /** Makes an intset of a new set whose members are integers, if they are few enough (the end of `SINTERSTORE`). */
  shrinkToIntset(limits: EncodingLimits): void {
    if (this.strings === undefined || this.size > limits.setMaxIntsetEntries || !this.isAllIntegers()) return;
    const members = this.strings.keyList();
    this.clear();
    for (const member of members) this.add(member, limits);
  }

  /** One step of `SSCAN`; a compact set is returned whole. `visit` must not change the set. */
  scan(cursor: number, count: number, visit: (member: Bytes) => void): number {
    if (this.kind === 'hashtable') return this.strings!.scan(cursor, count, visit);
    const size = this.size;
    for (let i = 0; i < size; i++) visit(this.memberAt(i));
    return 0;
  }

  /** About how many bytes of memory the set takes. */
  estimateBytes(): number {
    if (this.strings === undefined) return OBJECT_BYTES + this.integers.length * INTEGER_BYTES;
    return OBJECT_BYTES + this.memberBytes + this.strings.size * MEMBER_OVERHEAD_BYTES;
  }

  clone(): SetValue {
    const copy = new SetValue();
    copy.kind = this.kind;
    copy.integers = this.integers.slice();
    copy.strings = this.strings?.clone();
    copy.memberBytes = this.memberBytes;
    return copy;
  }

  private addInteger(integer: Int64, limits: EncodingLimits): boolean {
    const index = this.lowerBound(integer);
    if (this.integers[index] === integer) return false;
    if (index === this.integers.length) this.integers.push(integer);
    else this.integers.splice(index, 0, integer);
    if (this.integers.length > limits.setMaxIntsetEntries) this.becomeStrings('hashtable');
    return true;
  }

  private takeRandom(count: number, random: () => number): Bytes[] {
    const taken: Bytes[] = [];
    for (let i = 0; i < count; i++) {
      const member = this.randomMember(random);
      this.delete(member);
      taken.push(member);
    }
    return taken;
  }

  private fitsListpack(member: Bytes, size: number, limits: EncodingLimits): boolean {
    return size < limits.setMaxListpackEntries && member.length <= limits.setMaxListpackValue;
  }

  /** The length of the longest member of an intset: its ends are the candidates. */
  private longestInteger(): number {
    if (this.integers.length === 0) return 0;
    return Math.max(String(this.integers[0]).length, String(this.integers[this.integers.length - 1]).length);
  }

  /** Changes to an encoding that holds strings. */
  private becomeStrings(encoding: 'listpack' | 'hashtable'): void {
    this.kind = encoding;
    if (this.strings !== undefined) return;
    const strings = new DenseSet();
    for (const integer of this.integers) {
      const member = String(integer);
      strings.add(member);
      this.memberBytes += member.length;
    }
    this.strings = strings;
    this.integers = [];
  }

  private clear(): void {
    this.kind = 'intset';
    this.integers = [];
    this.strings = undefined;
    this.memberBytes = 0;
  }

  /** The first position whose integer is at least `integer`. */
  private lowerBound(integer: Int64): number {
    let low = 0;
    let high = this.integers.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.integers[middle]! < integer) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
