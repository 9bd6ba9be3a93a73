/**
 * The table of keys of one database: a hash table over typed arrays that bring no work to the garbage collector.
 *
 * Every key has a slot; the slots are dense: when a key goes, the last one moves into its slot. So a random key is
 * one array access, and a scan that walks from the highest slot down keeps Redis' guarantee: keys only ever move to
 * lower slots, so a key that is there all the time is met at least once.
 */
import type { Bytes } from '../protocol/reply.js';

const EMPTY = -1;
const SMALLEST = 16;

export class KeyTable<V> {
  readonly keys: Bytes[] = [];
  readonly values: V[] = [];
  /** Hash of the key in each slot, so that growing does not read the keys again. */
  private hashes = new Int32Array(SMALLEST);
  /** Open addressing, linear probing: the slot at each place, or EMPTY. Twice the capacity of the slots or more. */
  private index = new Int32Array(SMALLEST * 2).fill(EMPTY);
  private mask = SMALLEST * 2 - 1;
  private readonly seed = (Math.random() * 0x1_0000_0000) | 0;

  get size(): number {
    return this.keys.length;
  }

  /** Number of slots that there is room for: side arrays are kept at this length. */
  get capacity(): number {
    return this.hashes.length;
  }

  /** The slot of a key, or −1. */
  find(key: Bytes): number {
    const hash = hashOf(key, this.seed);
    const { index, hashes, keys, mask } = this;
    let place = (hash ^ (hash >>> 15)) & mask;
    for (;;) {
      const slot = index[place]!;
      if (slot === EMPTY) return EMPTY;
      if (hashes[slot] === hash && keys[slot] === key) return slot;
      place = (place + 1) & mask;
    }
  }

  /** Adds a key that is not there and returns its slot, which is the last. */
  add(key: Bytes, value: V): number {
    const slot = this.keys.length;
    if (slot === this.hashes.length) this.resize(this.hashes.length * 2);
    const hash = hashOf(key, this.seed);
    this.hashes[slot] = hash;
    this.keys.push(key);
    this.values.push(value);
    this.index[this.freePlace(hash)] = slot;
    return slot;
  }

  /** Removes the key in a slot; the last key moves there. Returns the slot that was the last. */
  removeAt(slot: number): number {
    this.unlinkPlace(this.placeOf(slot));
    const last = this.keys.length - 1;
    if (slot !== last) {
      this.index[this.placeOf(last)] = slot;
      this.keys[slot] = this.keys[last]!;
      this.values[slot] = this.values[last]!;
      this.hashes[slot] = this.hashes[last]!;
    }
    this.keys.pop();
    this.values.pop();
    if (last < this.hashes.length >> 3 && this.hashes.length > SMALLEST) this.resize(this.hashes.length >> 1);
    return last;
  }

  clear(): void {
    this.keys.length = 0;
    this.values.length = 0;
    this.hashes = new Int32Array(SMALLEST);
    this.index = new Int32Array(SMALLEST * 2).fill(EMPTY);
    this.mask = SMALLEST * 2 - 1;
  }

  private placeOf(slot: number): number {
    const { index, mask } = this;
    const hash = this.hashes[slot]!;
    let place = (hash ^ (hash >>> 15)) & mask;
    while (index[place] !== slot) place = (place + 1) & mask;
    return place;
  }

  private freePlace(hash: number): number {
    const { index, mask } = this;
    let place = (hash ^ (hash >>> 15)) & mask;
    while (index[place] !== EMPTY) place = (place + 1) & mask;
    return place;
  }

  /** Empties a place and closes the gap, so that no probe ends before its key. */
  private unlinkPlace(hole: number): void {
    const { index, hashes, mask } = this;
    let place = hole;
    for (;;) {
      place = (place + 1) & mask;
      const slot = index[place]!;
      if (slot === EMPTY) break;
      const hash = hashes[slot]!;
      const home = (hash ^ (hash >>> 15)) & mask;
      if (((place - home) & mask) >= ((place - hole) & mask)) {
        index[hole] = slot;
        hole = place;
      }
    }
    index[hole] = EMPTY;
  }

  private resize(capacity: number): void {
    const hashes = new Int32Array(capacity);
    hashes.set(this.hashes.subarray(0, Math.min(this.hashes.length, capacity)));
    this.hashes = hashes;
    this.index = new Int32Array(capacity * 2).fill(EMPTY);
    this.mask = capacity * 2 - 1;
    for (let slot = 0; slot < this.keys.length; slot++) this.index[this.freePlace(hashes[slot]!)] = slot;
  }
}

/** A seeded multiplicative hash over all bytes. */
function hashOf(key: Bytes, seed: number): number {
  let hash = seed ^ key.length;
  for (let i = 0; i < key.length; i++) hash = Math.imul(hash ^ key.charCodeAt(i), 0x5bd1e995);
  return hash ^ (hash >>> 13);
}
