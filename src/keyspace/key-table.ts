/**
 * The table of keys of one database: a hash table over typed arrays that bring no work to the garbage collector.
 *
 * Every key has a slot; the slots are dense: when a key goes, the last one moves into its slot. So a random key is
 * one array access, and a scan that walks from the highest slot down keeps Redis' guarantee: keys only ever move to
 * lower slots, so a key that is there all the time is met at least once.
 */
import type { Bytes } from '../protocol/reply.js';

/** Marks a place without a slot. */
const EMPTY = -1;
const SMALLEST = 16;
/** Requests that are looked at in advance at a time, and the longest key of one. */
export const WARMED = 64;
const LONGEST_WARMED = 64;

export class KeyTable<V> {
  /** Number of keys, which stand in the slots below it. */
  size = 0;
  /** By slot the key and beside it the value: one look into memory for both. */
  private readonly pairs: (Bytes | V)[] = [];
  /** Number of slots that there is room for: side arrays are kept at this length. */
  capacity = SMALLEST;
  /**
   * Open addressing, linear probing, over twice as many places as slots. A place is two numbers side by side, the slot
   * (or EMPTY) and the hash of its key: with the hashes in an array of their own a lookup among many keys waits for
   * memory once more.
   */
  private index = emptyIndex(SMALLEST);
  /** Mask of a place's number in `index`, which is even. */
  private mask = this.index.length - 2;
  /** Where the search for each key of the last `warm` begins: mostly the key's own slot. */
  readonly warmedSlots = new Int32Array(WARMED);
  private readonly seed = (Math.random() * 0x1_0000_0000) | 0;

  keyAt(slot: number): Bytes {
    return this.pairs[slot * 2] as Bytes;
  }

  valueAt(slot: number): V {
    return this.pairs[slot * 2 + 1] as V;
  }

  setValue(slot: number, value: V): void {
    this.pairs[slot * 2 + 1] = value;
  }

  /** The slot of a key, or −1. */
  find(key: Bytes): number {
    const hash = hashOf(key, this.seed);
    const { index, pairs, mask } = this;
    let place = homeOf(hash, mask);
    for (;;) {
      const slot = index[place]!;
      if (slot === EMPTY) return EMPTY;
      if (index[place + 1] === hash && pairs[slot * 2] === key) return slot;
      place = (place + 2) & mask;
    }
  }

  /**
   * Fetches what `find` will look at for the second word of each request, up to WARMED of them. Among many keys a lookup
   * waits for memory three times; in short loops over many keys these waits overlap. Afterwards `warmedSlots` holds
   * slots, or −1. The number is without meaning: it keeps the looks from being optimised away.
   */
  warm(requests: readonly Bytes[][]): number {
    const { index, pairs, warmedSlots } = this;
    for (let i = 0; i < requests.length; i++) {
      const key = requests[i]![1];
      const usual = key !== undefined && key.length <= LONGEST_WARMED;
      warmedSlots[i] = usual ? homeOf(hashOf(key, this.seed), this.mask) : EMPTY;
    }
    for (let i = 0; i < requests.length; i++) if (warmedSlots[i] !== EMPTY) warmedSlots[i] = index[warmedSlots[i]!]!;
    let sum = 0;
    for (let i = 0; i < requests.length; i++) {
      if (warmedSlots[i] !== EMPTY) sum += (pairs[warmedSlots[i]! * 2] as Bytes).length;
    }
    return sum;
  }

  /** Adds a key that is not there and returns its slot, which is the last. */
  add(key: Bytes, value: V): number {
    const slot = this.size++;
    if (slot === this.capacity) this.resize(this.capacity * 2);
    this.pairs.push(key, value);
    this.place(slot, hashOf(key, this.seed));
    return slot;
  }

  /** Removes the key in a slot; the last key moves there. Returns the slot that was the last. */
  removeAt(slot: number): number {
    this.unlinkPlace(this.placeOf(slot));
    const { pairs } = this;
    const last = --this.size;
    if (slot !== last) {
      this.index[this.placeOf(last)] = slot;
      pairs[slot * 2] = pairs[last * 2]!;
      pairs[slot * 2 + 1] = pairs[last * 2 + 1]!;
    }
    pairs.pop();
    pairs.pop();
    if (last < this.capacity >> 3 && this.capacity > SMALLEST) this.resize(this.capacity >> 1);
    return last;
  }

  clear(): void {
    this.size = 0;
    this.pairs.length = 0;
    this.useIndex(SMALLEST);
  }

  private placeOf(slot: number): number {
    const { index, mask } = this;
    let place = homeOf(hashOf(this.keyAt(slot), this.seed), mask);
    while (index[place] !== slot) place = (place + 2) & mask;
    return place;
  }

  /** Notes a slot at the first free place for its key's hash. */
  private place(slot: number, hash: number): void {
    const { index, mask } = this;
    let place = homeOf(hash, mask);
    while (index[place] !== EMPTY) place = (place + 2) & mask;
    index[place] = slot;
    index[place + 1] = hash;
  }

  /** Empties a place and closes the gap, so that no probe ends before its key. */
  private unlinkPlace(hole: number): void {
    const { index, mask } = this;
    let place = hole;
    for (;;) {
      place = (place + 2) & mask;
      if (index[place] === EMPTY) break;
      const home = homeOf(index[place + 1]!, mask);
      if (((place - home) & mask) >= ((place - hole) & mask)) {
        index[hole] = index[place]!;
        index[hole + 1] = index[place + 1]!;
        hole = place;
      }
    }
    index[hole] = EMPTY;
  }

  private resize(capacity: number): void {
    const old = this.index;
    this.useIndex(capacity);
    for (let i = 0; i < old.length; i += 2) if (old[i] !== EMPTY) this.place(old[i]!, old[i + 1]!);
  }

  private useIndex(capacity: number): void {
    this.capacity = capacity;
    this.index = emptyIndex(capacity);
    this.mask = this.index.length - 2;
  }
}

function emptyIndex(capacity: number): Int32Array {
  return new Int32Array(capacity * 4).fill(EMPTY);
}

/** The place where the search for a hash begins. */
function homeOf(hash: number, mask: number): number {
  return ((hash ^ (hash >>> 15)) << 1) & mask;
}

/** A seeded multiplicative hash over all bytes. */
function hashOf(key: Bytes, seed: number): number {
  let hash = seed ^ key.length;
  for (let i = 0; i < key.length; i++) hash = Math.imul(hash ^ key.charCodeAt(i), 0x5bd1e995);
  return hash ^ (hash >>> 13);
}
