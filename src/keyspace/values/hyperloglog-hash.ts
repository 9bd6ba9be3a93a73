/**
 * Where an element goes in a HyperLogLog: MurmurHash64A (Austin Appleby's, little-endian) with Redis' seed. The 64-bit
 * arithmetic is done in 32-bit halves; `high` and `low` carry the halves of the number at hand.
 */

import type { Bytes } from '../../protocol/reply.js';

const SEED = 0xadc83b19;
const MULTIPLIER_HIGH = 0xc6a4a793;
const MULTIPLIER_LOW = 0x5bd1e995;

/** The low bits that choose one of 16384 registers. */
const REGISTER_BITS = 14;
const REGISTER_MASK = 2 ** REGISTER_BITS - 1;

let high = 0;
let low = 0;

/** The register an element falls into, and its rank there: one more than the zero bits that follow the register's. */
export function hashElement(element: Bytes): { register: number; rank: number } {
  murmurHash64(element);
  const register = low & REGISTER_MASK;
  const restLow = (low >>> REGISTER_BITS) | (high << (32 - REGISTER_BITS));
  // The bit after the last one bounds the rank at 51.
  const restHigh = (high >>> REGISTER_BITS) | (1 << (32 - REGISTER_BITS));
  return { register, rank: restLow !== 0 ? trailingZeros(restLow) + 1 : trailingZeros(restHigh) + 33 };
}

function murmurHash64(key: Bytes): void {
  const length = key.length;
  high = 0;
  low = length;
  multiply();
  low ^= SEED;
  let hashHigh = high;
  let hashLow = low;
  const wholeBlocks = length - (length & 7);
  for (let at = 0; at < wholeBlocks; at += 8) {
    low = wordAt(key, at);
    high = wordAt(key, at + 4);
    multiply();
    // The shift by 47 leaves only the top 17 bits, in the low half.
    low ^= high >>> 15;
    multiply();
    high ^= hashHigh;
    low ^= hashLow;
    multiply();
    hashHigh = high;
    hashLow = low;
  }
  high = hashHigh;
  low = hashLow;
  if (wholeBlocks < length) {
    for (let i = length - 1; i >= wholeBlocks; i--) {
      const shift = (i - wholeBlocks) * 8;
      if (shift >= 32) high ^= key.charCodeAt(i) << (shift - 32);
      else low ^= key.charCodeAt(i) << shift;
    }
    multiply();
  }
  low ^= high >>> 15;
  multiply();
  low ^= high >>> 15;
}

/** Multiplies the number at hand by the constant of the hash, modulo 2^64. */
function multiply(): void {
  const crossed = Math.imul(high, MULTIPLIER_LOW) + Math.imul(low, MULTIPLIER_HIGH);
  high = (crossed + multiplyHigh(low >>> 0, MULTIPLIER_LOW)) | 0;
  low = Math.imul(low, MULTIPLIER_LOW);
}

/** The upper half of the 64-bit product of two unsigned 32-bit numbers. */
function multiplyHigh(a: number, b: number): number {
  const aLow = a & 0xffff;
  const aHigh = a >>> 16;
  const bLow = b & 0xffff;
  const bHigh = b >>> 16;
  const middle = aHigh * bLow + ((aLow * bLow) >>> 16);
  const carry = (middle & 0xffff) + aLow * bHigh;
  return aHigh * bHigh + Math.floor(middle / 0x10000) + Math.floor(carry / 0x10000);
}

function wordAt(key: Bytes, at: number): number {
  return (
    key.charCodeAt(at) | (key.charCodeAt(at + 1) << 8) | (key.charCodeAt(at + 2) << 16) | (key.charCodeAt(at + 3) << 24)
  );
}

/** The zero bits below the lowest set one of a 32-bit number other than 0. */
function trailingZeros(word: number): number {
  return 31 - Math.clz32(word & -word);
}
