/**
 * The k items that came most often, by the HeavyKeeper algorithm (Gong et al., 2018): rows of counters with the
 * fingerprint of one item each; another item that meets a counter wears it down with a chance that falls as it grows.
 */
import type { Bytes } from '../../protocol/reply.js';
import { hashItem, numbers, type Sketch } from './sketch.js';

const LIST_BYTES = 64;
const BUCKET_BYTES = 8;
const ITEM_BYTES = 40;
const MAX_BUCKETS = 2 ** 26;
const FINGERPRINT_SEED = 1919;

export interface TopKItem {
  readonly item: Bytes;
  readonly count: number;
}

export class TopK implements Sketch {
  readonly type = 'TopK-TYPE';
  readonly encoding = 'raw';
  private readonly fingerprints: Uint32Array;
  private readonly counters: Uint32Array;
  /** Counts by item, of up to k items. */
  private readonly top = new Map<Bytes, number>();
  /** State of the chances: the same calls give the same list every time. */
  private chance = 0x9e3779b9;

  private constructor(
    readonly k: number,
    readonly width: number,
    readonly depth: number,
    readonly decay: number,
  ) {
    this.fingerprints = new Uint32Array(width * depth);
    this.counters = new Uint32Array(width * depth);
  }

  /** An empty list; undefined when it would take too much memory. */
  static create(k: number, width: number, depth: number, decay: number): TopK | undefined {
    return width * depth <= MAX_BUCKETS && k <= MAX_BUCKETS ? new TopK(k, width, depth, decay) : undefined;
  }

  get size(): number {
    return this.top.size;
  }

  /** Adds to an item's count. Returns the item that it has driven out, if any. */
  add(item: Bytes, by: number): Bytes | undefined {
    if (by === 0) return undefined;
    const listed = this.top.has(item);
    const least = this.top.size < this.k ? undefined : this.leastOfTop();
    const count = this.raise(item, by, listed, least?.count ?? 0);
    if (listed) {
      this.top.set(item, Math.max(count, 1));
      return undefined;
    }
    if (count <= (least?.count ?? 0)) return undefined;
    if (least !== undefined) this.top.delete(least.item);
    this.top.set(item, count);
    return least?.item;
  }

  has(item: Bytes): boolean {
    return this.top.has(item);
  }

  /** What was counted of an item: of those in the list it is close, of others at most as much as came. */
  count(item: Bytes): number {
    const listed = this.top.get(item);
    if (listed !== undefined) return listed;
    const fingerprint = hashItem(item, FINGERPRINT_SEED);
    let most = 0;
    for (let row = 0; row < this.depth; row++) {
      const place = this.place(item, row);
      if (this.fingerprints[place] === fingerprint) most = Math.max(most, this.counters[place]!);
    }
    return most;
  }

  /** The list, the most frequent first, equal ones by their bytes. */
  list(): TopKItem[] {
    const items = Array.from(this.top, ([item, count]) => ({ item, count }));
    return items.sort((a, b) => b.count - a.count || (a.item < b.item ? -1 : 1));
  }

  estimateBytes(): number {
    let bytes = LIST_BYTES + this.counters.length * BUCKET_BYTES;
    for (const item of this.top.keys()) bytes += ITEM_BYTES + item.length;
    return bytes;
  }

  clone(): TopK {
    return TopK.load(this.save())!;
  }

  save(): Buffer {
    const { k, width, depth, decay, chance, counters, fingerprints, top } = this;
    const pieces = [numbers(k, width, depth, decay, chance, top.size)];
    const buckets = Buffer.allocUnsafe(counters.length * BUCKET_BYTES);
    for (let i = 0; i < counters.length; i++) {
      buckets.writeUInt32LE(fingerprints[i]!, i * BUCKET_BYTES);
      buckets.writeUInt32LE(counters[i]!, i * BUCKET_BYTES + 4);
    }
    pieces.push(buckets);
    for (const [item, count] of top) pieces.push(numbers(count, item.length), Buffer.from(item, 'latin1'));
    return Buffer.concat(pieces);
  }

  /** What `save` has written; undefined for other bytes. */
  static load(bytes: Buffer): TopK | undefined {
    if (bytes.length < 48) return undefined;
    const [k, width, depth] = [bytes.readDoubleLE(0), bytes.readDoubleLE(8), bytes.readDoubleLE(16)];
    const decay = bytes.readDoubleLE(24);
    const sound = k >= 1 && width >= 1 && depth >= 1 && decay >= 0 && decay <= 1;
    if (!sound || bytes.length < 48 + width * depth * BUCKET_BYTES) return undefined;
    const list = TopK.create(k, width, depth, decay);
    if (list === undefined) return undefined;
    list.chance = bytes.readDoubleLE(32) >>> 0;
    let at = 48;
    for (let i = 0; i < list.counters.length; i++, at += BUCKET_BYTES) {
      list.fingerprints[i] = bytes.readUInt32LE(at);
      list.counters[i] = bytes.readUInt32LE(at + 4);
    }
    for (let left = bytes.readDoubleLE(40); left > 0; left--) {
      if (at + 16 > bytes.length) return undefined;
      const length = bytes.readDoubleLE(at + 8);
      if (!(length >= 0) || at + 16 + length > bytes.length) return undefined;
      list.top.set(bytes.latin1Slice(at + 16, at + 16 + length), bytes.readDoubleLE(at));
      at += 16 + length;
    }
    return at === bytes.length && list.top.size <= k ? list : undefined;
  }

  /** Counts the item in its counters and returns the greatest. `least`: the count that an item of the list has at least. */
  private raise(item: Bytes, by: number, listed: boolean, least: number): number {
    const fingerprint = hashItem(item, FINGERPRINT_SEED);
    const { counters, fingerprints } = this;
    let most = 0;
    for (let row = 0; row < this.depth; row++) {
      const place = this.place(item, row);
      if (counters[place] === 0 || fingerprints[place] === fingerprint) {
        // A counter above the list's least belongs to another item with this fingerprint, unless the item is listed.
        if (fingerprints[place] === fingerprint && counters[place]! > least && !listed && least > 0) continue;
        fingerprints[place] = fingerprint;
        counters[place] = Math.min(counters[place]! + by, 2 ** 32 - 1);
      } else if (!this.wearDown(place, fingerprint, by)) continue;
      most = Math.max(most, counters[place]!);
    }
    return most;
  }

  /** Another item's counter is met so many times; true when it has become this one's. */
  private wearDown(place: number, fingerprint: number, times: number): boolean {
    const { counters, fingerprints } = this;
    for (let left = times; left > 0; left--) {
      if (this.random() >= this.decay ** counters[place]!) continue;
      counters[place]!--;
      if (counters[place] !== 0) continue;
      fingerprints[place] = fingerprint;
      counters[place] = left;
      return true;
    }
    return false;
  }

  private leastOfTop(): TopKItem {
    let least: TopKItem | undefined;
    for (const [item, count] of this.top) if (least === undefined || count < least.count) least = { item, count };
    return least!;
  }

  private place(item: Bytes, row: number): number {
    return row * this.width + (hashItem(item, row) % this.width);
  }

  /** The next chance, from 0 up to 1 (xorshift). */
  private random(): number {
    let x = this.chance;
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    this.chance = x >>> 0;
    return this.chance / 2 ** 32;
  }
}
