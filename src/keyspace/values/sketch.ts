/**
 * What the three probabilistic values have in common: a Bloom filter, a count-min sketch and a top-k list. The names of
 * their types are those of Redis' module, which HotKV's commands stand in for.
 */
import type { Bytes } from '../../protocol/reply.js';

export type SketchType = 'MBbloom--' | 'CMSk-TYPE' | 'TopK-TYPE';

export interface Sketch {
  readonly type: SketchType;
  /** Redis shows values of modules as this. */
  readonly encoding: 'raw';
  /** Number of items, counters or places, whatever the sketch is made of. */
  readonly size: number;
  estimateBytes(): number;
  clone(): Sketch;
  /** All of it in bytes, as `DUMP` keeps it. */
  save(): Buffer;
}

/** A 32-bit hash of an item (MurmurHash3's mixing), another one for each seed. */
export function hashItem(item: Bytes, seed: number): number {
  let hash = seed | 0;
  const { length } = item;
  let i = 0;
  for (; i + 4 <= length; i += 4) {
    const block =
      item.charCodeAt(i) |
      (item.charCodeAt(i + 1) << 8) |
      (item.charCodeAt(i + 2) << 16) |
      (item.charCodeAt(i + 3) << 24);
    hash = Math.imul(rotate(hash ^ scramble(block), 13), 5) + 0xe6546b64;
  }
  let rest = 0;
  for (let shift = 0; i < length; i++, shift += 8) rest |= item.charCodeAt(i) << shift;
  hash ^= scramble(rest) ^ length;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

function scramble(block: number): number {
  return Math.imul(rotate(Math.imul(block, 0xcc9e2d51), 15), 0x1b873593);
}

function rotate(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits));
}

/** Doubles in a row, for `save`. */
export function numbers(...values: number[]): Buffer {
  const bytes = Buffer.allocUnsafe(values.length * 8);
  values.forEach((value, i) => {
    bytes.writeDoubleLE(value, i * 8);
  });
  return bytes;
}
