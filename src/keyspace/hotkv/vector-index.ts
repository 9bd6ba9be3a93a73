/**
 * A set of vectors of one length, and the exact search for the nearest: every vector is looked at, in one typed array
 * that grows by blocks; nothing is allocated a vector.
 */
import type { Bytes } from '../../protocol/reply.js';
import { dotProduct, squaredDistance, squaredLength, type VectorMetric } from './vector-metrics.js';

/** Numbers of a graph index, which the exact search does not need: kept and reported. */
export interface GraphParameters {
  readonly m: number;
  readonly efConstruction: number;
  readonly efSearch: number;
}

export const USUAL_GRAPH: GraphParameters = { m: 16, efConstruction: 200, efSearch: 50 };

export interface Neighbour {
  readonly key: Bytes;
  readonly distance: number;
}

/** Components in one block of the store at least. */
const BLOCK_COMPONENTS = 1 << 16;
/** Estimated bytes of a key beside its bytes and its vector. */
const KEY_BYTES = 100;

export class VectorIndex {
  private readonly slots = new Map<Bytes, number>();
  private readonly keys: Bytes[] = [];
  /** Vectors by slot, `perBlock` of them in each. */
  private readonly blocks: Float32Array[] = [];
  private readonly perBlock: number;
  /** Square of the length of the vector in each slot. */
  private norms = new Float64Array(16);
  private keyBytes = 0;

  constructor(
    readonly dims: number,
    readonly metric: VectorMetric,
    readonly graph: GraphParameters = USUAL_GRAPH,
  ) {
    this.perBlock = Math.max(Math.trunc(BLOCK_COMPONENTS / dims), 1);
  }

  get size(): number {
    return this.keys.length;
  }

  /** Estimated bytes. */
  get bytes(): number {
    return this.blocks.length * this.perBlock * this.dims * 4 + this.norms.length * 8 + this.keyBytes;
  }

  /** Sets the vector of a key; true when the key is new. */
  set(key: Bytes, vector: Float64Array): boolean {
    const known = this.slots.get(key);
    const slot = known ?? this.add(key);
    const block = this.block(slot);
    const at = this.offset(slot);
    block.set(vector, at);
    this.norms[slot] = squaredLength(vector);
    return known === undefined;
  }

  /** The components of a key's vector, undefined when there is none. Valid until the next change. */
  get(key: Bytes): Float32Array | undefined {
    const slot = this.slots.get(key);
    if (slot === undefined) return undefined;
    return this.block(slot).subarray(this.offset(slot), this.offset(slot) + this.dims);
  }

  /** Removes a key; the last vector moves into its slot. False when there is none. */
  delete(key: Bytes): boolean {
    const slot = this.slots.get(key);
    if (slot === undefined) return false;
    const last = this.keys.length - 1;
    if (slot !== last) {
      const moved = this.keys[last]!;
      this.block(slot).set(this.get(moved)!, this.offset(slot));
      this.norms[slot] = this.norms[last]!;
      this.keys[slot] = moved;
      this.slots.set(moved, slot);
    }
    this.keys.pop();
    this.slots.delete(key);
    this.keyBytes -= KEY_BYTES + key.length;
    while ((this.blocks.length - 1) * this.perBlock >= this.keys.length) this.blocks.pop();
    return true;
  }

  /** The `k` nearest of the vectors (of those that `fits` lets through), nearest first, equal ones by key. */
  search(query: Float64Array, k: number, fits?: (key: Bytes) => boolean): Neighbour[] {
    const nearest = new Nearest(Math.min(k, this.size), this.keys);
    const queryNorm = squaredLength(query);
    for (let slot = 0; slot < this.keys.length; slot++) {
      const distance = this.distance(slot, query, queryNorm);
      if (distance <= nearest.farthest && (fits === undefined || fits(this.keys[slot]!))) nearest.offer(slot, distance);
    }
    return nearest.sorted();
  }

  /** Tells `see` every key and the distance of its vector from the query, in no particular order. */
  visit(query: Float64Array, see: (key: Bytes, distance: number) => void): void {
    const queryNorm = squaredLength(query);
    for (let slot = 0; slot < this.keys.length; slot++) see(this.keys[slot]!, this.distance(slot, query, queryNorm));
  }

  private distance(slot: number, query: Float64Array, queryNorm: number): number {
    const block = this.block(slot);
    const at = this.offset(slot);
    if (this.metric === 'l2') return Math.sqrt(squaredDistance(block, at, query, this.dims));
    const product = dotProduct(block, at, query, this.dims);
    if (this.metric === 'ip') return 1 - product;
    const norm = Math.sqrt(this.norms[slot]! * queryNorm);
    return norm === 0 ? 1 : Math.max(1 - product / norm, 0);
  }

  private add(key: Bytes): number {
    const slot = this.keys.length;
    if (slot === this.blocks.length * this.perBlock) this.blocks.push(new Float32Array(this.perBlock * this.dims));
    if (slot === this.norms.length) {
      const norms = new Float64Array(slot * 2);
      norms.set(this.norms);
      this.norms = norms;
    }
    this.keys.push(key);
    this.slots.set(key, slot);
    this.keyBytes += KEY_BYTES + key.length;
    return slot;
  }

  private block(slot: number): Float32Array {
    return this.blocks[Math.trunc(slot / this.perBlock)]!;
  }

  private offset(slot: number): number {
    return (slot % this.perBlock) * this.dims;
  }
}

/** The nearest slots so far: a heap with the farthest at its root. */
class Nearest {
  private readonly slots: number[] = [];
  private readonly distances: number[] = [];
  /** The distance beyond which nothing is taken any more. */
  farthest = Number.POSITIVE_INFINITY;

  constructor(
    private readonly count: number,
    private readonly keys: readonly Bytes[],
  ) {}

  offer(slot: number, distance: number): void {
    const { slots, distances } = this;
    if (slots.length < this.count) {
      slots.push(slot);
      distances.push(distance);
      this.siftUp(slots.length - 1);
    } else {
      if (!this.isFarther(0, slot, distance)) return;
      slots[0] = slot;
      distances[0] = distance;
      this.siftDown(0);
    }
    if (slots.length === this.count) this.farthest = distances[0]!;
  }

  sorted(): Neighbour[] {
    return this.slots
      .map((slot, i) => ({ key: this.keys[slot]!, distance: this.distances[i]! }))
      .sort((a, b) => a.distance - b.distance || (a.key < b.key ? -1 : 1));
  }

  /** Whether the entry at a place comes after a slot at this distance. */
  private isFarther(place: number, slot: number, distance: number): boolean {
    const own = this.distances[place]!;
    return own > distance || (own === distance && this.keys[this.slots[place]!]! > this.keys[slot]!);
  }

  private siftUp(place: number): void {
    while (place > 0) {
      const parent = (place - 1) >> 1;
      if (this.isFarther(parent, this.slots[place]!, this.distances[place]!)) return;
      this.swap(place, parent);
      place = parent;
    }
  }

  private siftDown(place: number): void {
    const { length } = this.slots;
    for (;;) {
      let child = place * 2 + 1;
      if (child >= length) return;
      if (child + 1 < length && this.isFarther(child + 1, this.slots[child]!, this.distances[child]!)) child++;
      if (this.isFarther(place, this.slots[child]!, this.distances[child]!)) return;
      this.swap(place, child);
      place = child;
    }
  }

  private swap(a: number, b: number): void {
    const slot = this.slots[a]!;
    const distance = this.distances[a]!;
    this.slots[a] = this.slots[b]!;
    this.distances[a] = this.distances[b]!;
    this.slots[b] = slot;
    this.distances[b] = distance;
  }
}
