/** A count-min sketch: rows of counters, an item has one in each; its count is the least of them, never too small. */
import type { Bytes } from '../../protocol/reply.js';
import { hashItem, type Sketch } from './sketch.js';

const SKETCH_BYTES = 48;
const GREATEST = 2 ** 32 - 1;
/** The most counters of one sketch. */
const MAX_COUNTERS = 2 ** 27;

export class CountMin implements Sketch {
  readonly type = 'CMSk-TYPE';
  readonly encoding = 'raw';
  /** All that was added. */
  total = 0;

  private constructor(
    readonly width: number,
    readonly depth: number,
    private readonly counters: Uint32Array,
  ) {}

  /** An empty sketch; undefined when it would take too much memory. */
  static create(width: number, depth: number): CountMin | undefined {
    return width * depth <= MAX_COUNTERS ? new CountMin(width, depth, new Uint32Array(width * depth)) : undefined;
  }

  get size(): number {
    return this.counters.length;
  }

  /** Adds to an item's count and returns what it is then; undefined where a counter overflows, which then stays at its end. */
  add(item: Bytes, by: number): number | undefined {
    let least = GREATEST;
    for (let row = 0; row < this.depth; row++) {
      const place = this.place(item, row);
      const sum = Math.min(this.counters[place]! + by, GREATEST);
      this.counters[place] = sum;
      if (sum < least) least = sum;
    }
    this.total += by;
    return least === GREATEST ? undefined : least;
  }

  count(item: Bytes): number {
    let least = GREATEST;
    for (let row = 0; row < this.depth; row++) least = Math.min(least, this.counters[this.place(item, row)]!);
    return least;
  }

  /** Becomes the weighted sum of sketches of its own size; false, and nothing changed, where a counter would overflow or fall below 0. */
  merge(sources: readonly CountMin[], weights: readonly number[]): boolean {
    const sums = new Float64Array(this.counters.length);
    let total = 0;
    sources.forEach((source, i) => {
      for (let place = 0; place < sums.length; place++) sums[place]! += source.counters[place]! * weights[i]!;
      total += source.total * weights[i]!;
    });
    if (sums.some((sum) => sum < 0 || sum > GREATEST) || Math.abs(total) > Number.MAX_SAFE_INTEGER) return false;
    this.counters.set(sums);
    this.total = total;
    return true;
  }

  estimateBytes(): number {
    return SKETCH_BYTES + this.counters.byteLength;
  }

  clone(): CountMin {
    const copy = new CountMin(this.width, this.depth, this.counters.slice());
    copy.total = this.total;
    return copy;
  }

  save(): Buffer {
    const bytes = Buffer.allocUnsafe(24 + this.counters.length * 4);
    bytes.writeDoubleLE(this.width, 0);
    bytes.writeDoubleLE(this.depth, 8);
    bytes.writeDoubleLE(this.total, 16);
    this.counters.forEach((counter, i) => {
      bytes.writeUInt32LE(counter, 24 + i * 4);
    });
    return bytes;
  }

  /** What `save` has written; undefined for other bytes. */
  static load(bytes: Buffer): CountMin | undefined {
    if (bytes.length < 24) return undefined;
    const [width, depth] = [bytes.readDoubleLE(0), bytes.readDoubleLE(8)];
    if (!(width >= 1) || !(depth >= 1) || bytes.length !== 24 + width * depth * 4) return undefined;
    const sketch = CountMin.create(width, depth);
    if (sketch === undefined) return undefined;
    sketch.total = bytes.readDoubleLE(16);
    for (let i = 0; i < sketch.counters.length; i++) sketch.counters[i] = bytes.readUInt32LE(24 + i * 4);
    return sketch;
  }

  private place(item: Bytes, row: number): number {
    return row * this.width + (hashItem(item, row) % this.width);
  }
}
