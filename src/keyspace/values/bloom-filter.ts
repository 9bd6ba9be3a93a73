/**
 * A Bloom filter that grows: when a part is full a larger one is added whose error rate is half of the last one's, so
 * that all together stay within the rate that was asked for.
 */
import type { Bytes } from '../../protocol/reply.js';
import { hashItem, numbers, type Sketch } from './sketch.js';

export interface BloomOptions {
  /** Items of the first part. */
  readonly capacity: number;
  /** Above 0 and below 1. */
  readonly errorRate: number;
  /** How many times larger each further part is; 0: there is none. */
  readonly expansion: number;
}

/** Bytes that BF.INFO counts for the filter and for each part beside their bits, as Redis' module does. */
const FILTER_BYTES = 32;
const PART_BYTES = 64;
/** The most bytes of bits of one part. */
const MAX_PART_BYTES = 2 ** 29;
/** A growing filter begins with half of the error rate, and halves it from part to part. */
const TIGHTENING = 0.5;
const WORD_BITS = 64;

interface Part {
  readonly capacity: number;
  readonly errorRate: number;
  /** Places that an item takes. */
  readonly hashes: number;
  readonly bits: Uint8Array;
  items: number;
}

export class BloomFilter implements Sketch {
  readonly type = 'MBbloom--';
  readonly encoding = 'raw';
  private readonly parts: Part[] = [];

  private constructor(readonly expansion: number) {}

  /** An empty filter; undefined when it would take too much memory. */
  static create({ capacity, errorRate, expansion }: BloomOptions): BloomFilter | undefined {
    const filter = new BloomFilter(expansion);
    const first = expansion === 0 ? errorRate : errorRate * TIGHTENING;
    return filter.grow(capacity, first) ? filter : undefined;
  }

  /** Items that were new when they were added. */
  get size(): number {
    return this.parts.reduce((sum, part) => sum + part.items, 0);
  }

  /** Items that all parts together are made for. */
  get capacity(): number {
    return this.parts.reduce((sum, part) => sum + part.capacity, 0);
  }

  get partCount(): number {
    return this.parts.length;
  }

  /** Adds an item: true when it was not there (or seemed not to be), `full` when there is no room for a new one. */
  add(item: Bytes): boolean | 'full' {
    const hashes = pairOf(item);
    if (this.hasHashes(hashes)) return false;
    let last = this.parts.at(-1)!;
    if (last.items >= last.capacity) {
      if (this.expansion === 0) return 'full';
      if (!this.grow(last.capacity * this.expansion, last.errorRate * TIGHTENING)) return 'full';
      last = this.parts.at(-1)!;
    }
    const places = last.bits.length * 8;
    for (let i = 0; i < last.hashes; i++) {
      const place = placeOf(hashes, i, places);
      last.bits[Math.floor(place / 8)]! |= 1 << (place % 8);
    }
    last.items++;
    return true;
  }

  /** Whether an item was added. It may say so of one that was not, with the error rate. */
  has(item: Bytes): boolean {
    return this.hasHashes(pairOf(item));
  }

  estimateBytes(): number {
    return this.parts.reduce((sum, part) => sum + PART_BYTES + part.bits.length, FILTER_BYTES);
  }

  clone(): BloomFilter {
    return BloomFilter.load(this.save())!;
  }

  save(): Buffer {
    const pieces = [numbers(this.expansion, this.parts.length)];
    for (const { capacity, errorRate, hashes, bits, items } of this.parts) {
      pieces.push(numbers(capacity, errorRate, hashes, items, bits.length), Buffer.from(bits));
    }
    return Buffer.concat(pieces);
  }

  /** What `save` has written; undefined for other bytes. */
  static load(bytes: Buffer): BloomFilter | undefined {
    if (bytes.length < 16) return undefined;
    const filter = new BloomFilter(bytes.readDoubleLE(0));
    const count = bytes.readDoubleLE(8);
    let at = 16;
    for (let i = 0; i < count; i++) {
      if (at + 40 > bytes.length) return undefined;
      const [capacity, errorRate, hashes, items, length] = [0, 8, 16, 24, 32].map((skip) =>
        bytes.readDoubleLE(at + skip),
      ) as [number, number, number, number, number];
      at += 40;
      const sound = capacity > 0 && errorRate > 0 && errorRate < 1 && hashes > 0 && hashes < 2000 && items >= 0;
      if (!sound || !(length > 0) || at + length > bytes.length) return undefined;
      filter.parts.push({ capacity, errorRate, hashes, items, bits: Uint8Array.from(bytes.subarray(at, at + length)) });
      at += length;
    }
    return at === bytes.length && filter.parts.length > 0 ? filter : undefined;
  }

  private hasHashes(pair: HashPair): boolean {
    for (const { bits, hashes } of this.parts) {
      const places = bits.length * 8;
      let i = 0;
      for (; i < hashes; i++) {
        const place = placeOf(pair, i, places);
        if ((bits[Math.floor(place / 8)]! & (1 << (place % 8))) === 0) break;
      }
      if (i === hashes) return true;
    }
    return false;
  }

  private grow(capacity: number, errorRate: number): boolean {
    const bitsPerItem = -Math.log(errorRate) / Math.LN2 ** 2;
    const words = Math.floor((capacity * bitsPerItem) / WORD_BITS) + 1;
    if (!(words * 8 <= MAX_PART_BYTES)) return false;
    const hashes = Math.ceil(bitsPerItem * Math.LN2);
    this.parts.push({ capacity, errorRate, hashes, bits: new Uint8Array(words * 8), items: 0 });
    return true;
  }
}

/** Two numbers from which all places of an item follow; their multiples stay below 2^53. */
interface HashPair {
  readonly first: number;
  readonly step: number;
}

/**
 * The bit of the i-th hash. Double hashing with a cubic term: plain multiples of the step meet those of other items more
 * often than chance (Dillinger and Manolios, 2004).
 */
function placeOf({ first, step }: HashPair, i: number, places: number): number {
  return (first + i * step + (i * i * i - i) / 6) % places;
}

function pairOf(item: Bytes): HashPair {
  const first = hashItem(item, 0);
  return { first, step: (hashItem(item, first) | 1) >>> 0 };
}
