/**
 * XXH3, the 64-bit hash with seed 0 and the default secret (the XXH3 specification by Yann Collet): what DIGEST shows.
 * Short inputs are hashed with bigints; the loop over long ones works on 32-bit halves.
 */
import type { Bytes } from '../../protocol/reply.js';

const MASK = 0xffff_ffff_ffff_ffffn;
const PRIME32_1 = 0x9e3779b1n;
const PRIME32_2 = 0x85ebca77n;
const PRIME32_3 = 0xc2b2ae3dn;
const PRIME64_1 = 0x9e3779b185ebca87n;
const PRIME64_2 = 0xc2b2ae3d27d4eb4fn;
const PRIME64_3 = 0x165667b19e3779f9n;
const PRIME64_4 = 0x85ebca77c2b2ae63n;
const PRIME64_5 = 0x27d4eb2f165667c5n;
const PRIME_MX1 = 0x165667919e3779f9n;
const PRIME_MX2 = 0x9fb21c651e98df25n;

const SECRET = viewOf(
  Buffer.from(
    'b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671fcb79e64eccc0e578825ad07dccff7221' +
      'b8084674f743248ee03590e6813a264c3c2852bb91c300cb88d0658b1b532ea371644897a20df94e3819ef46a9deacd8' +
      'a8fa763fe39c343ff9dcbbc7c70b4f1d8a51e04bcdb45931c89f7ec9d9787364eac5ac8334d3ebc3c581a0fffa1363eb' +
      '170ddd51b7f0da49d316552629d4689e2b16be587d47a1fc8ff8b8d17ad031ce45cb3a8f95160428afd7fbcabb4b407e',
    'hex',
  ),
);
const STRIPE = 64;
const STRIPES_PER_BLOCK = 16;
const BLOCK = STRIPE * STRIPES_PER_BLOCK;

/** The hash of a byte string as 16 hexadecimal digits. */
export function xxh3Hex(text: Bytes): Bytes {
  return xxh3(viewOf(Buffer.from(text, 'latin1')))
    .toString(16)
    .padStart(16, '0');
}

function viewOf(bytes: Buffer): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
}

function xxh3(input: DataView): bigint {
  const length = input.byteLength;
  if (length === 0) return finish64(secret64(56) ^ secret64(64));
  if (length <= 3) return hashTo3(input, length);
  if (length <= 8) return hashTo8(input, length);
  if (length <= 16) return hashTo16(input, length);
  if (length <= 128) return hashTo128(input, length);
  return length <= 240 ? hashTo240(input, length) : hashLong(input, length);
}

function hashTo3(input: DataView, length: number): bigint {
  const first = input.getUint8(0);
  const middle = input.getUint8(length >> 1);
  const last = input.getUint8(length - 1);
  const combined = ((first << 16) | (middle << 24) | last | (length << 8)) >>> 0;
  return finish64(BigInt(combined) ^ BigInt((SECRET.getUint32(0, true) ^ SECRET.getUint32(4, true)) >>> 0));
}

function hashTo8(input: DataView, length: number): bigint {
  const low = BigInt(input.getUint32(length - 4, true));
  const high = BigInt(input.getUint32(0, true));
  let hash = (low | (high << 32n)) ^ secret64(8) ^ secret64(16);
  hash ^= rotateLeft(hash, 49n) ^ rotateLeft(hash, 24n);
  hash = (hash * PRIME_MX2) & MASK;
  hash ^= (hash >> 35n) + BigInt(length);
  hash = (hash * PRIME_MX2) & MASK;
  return hash ^ (hash >> 28n);
}

function hashTo16(input: DataView, length: number): bigint {
  const low = read64(input, 0) ^ secret64(24) ^ secret64(32);
  const high = read64(input, length - 8) ^ secret64(40) ^ secret64(48);
  return finish(BigInt(length) + byteSwap(low) + high + foldedProduct(low, high));
}

function hashTo128(input: DataView, length: number): bigint {
  let sum = BigInt(length) * PRIME64_1;
  for (let pair = Math.ceil(length / 32) - 1; pair >= 0; pair--) {
    sum += mix16(input, pair * 16, pair * 32);
    sum += mix16(input, length - (pair + 1) * 16, pair * 32 + 16);
  }
  return finish(sum);
}

function hashTo240(input: DataView, length: number): bigint {
  let sum = BigInt(length) * PRIME64_1;
  for (let at = 0; at < 128; at += 16) sum += mix16(input, at, at);
  sum = finish(sum);
  for (let at = 128; at + 16 <= length; at += 16) sum += mix16(input, at, at - 128 + 3);
  return finish(sum + mix16(input, length - 16, 136 - 17));
}

function hashLong(input: DataView, length: number): bigint {
  const lanes = new Lanes();
  const lastBlock = Math.trunc((length - 1) / BLOCK) * BLOCK;
  for (let block = 0; block < lastBlock; block += BLOCK) {
    for (let n = 0; n < STRIPES_PER_BLOCK; n++) lanes.add(input, block + n * STRIPE, n * 8);
    lanes.scramble(SECRET.byteLength - STRIPE);
  }
  const stripes = Math.trunc((length - 1 - lastBlock) / STRIPE);
  for (let n = 0; n < stripes; n++) lanes.add(input, lastBlock + n * STRIPE, n * 8);
  lanes.add(input, length - STRIPE, SECRET.byteLength - STRIPE - 7);
  return lanes.merge(11, BigInt(length) * PRIME64_1);
}

/** The eight 64-bit sums of a long input, low and high halves apart. */
class Lanes {
  private readonly low = new Uint32Array(8);
  private readonly high = new Uint32Array(8);

  constructor() {
    const start = [PRIME32_3, PRIME64_1, PRIME64_2, PRIME64_3, PRIME64_4, PRIME32_2, PRIME64_5, PRIME32_1];
    start.forEach((value, lane) => {
      this.set(lane, value);
    });
  }

  /** Adds 64 bytes of input, under the secret from `secretAt` on. */
  add(input: DataView, at: number, secretAt: number): void {
    for (let lane = 0; lane < 8; lane++) {
      const low = input.getUint32(at + lane * 8, true);
      const high = input.getUint32(at + lane * 8 + 4, true);
      this.increase(lane ^ 1, low, high);
      const a = (low ^ SECRET.getUint32(secretAt + lane * 8, true)) >>> 0;
      const b = (high ^ SECRET.getUint32(secretAt + lane * 8 + 4, true)) >>> 0;
      this.increase(lane, Math.imul(a, b) >>> 0, highProduct(a, b));
    }
  }

  scramble(secretAt: number): void {
    for (let lane = 0; lane < 8; lane++) {
      const value = this.get(lane);
      this.set(lane, ((value ^ (value >> 47n) ^ secret64(secretAt + lane * 8)) * PRIME32_1) & MASK);
    }
  }

  merge(secretAt: number, start: bigint): bigint {
    let sum = start;
    for (let lane = 0; lane < 8; lane += 2) {
      const at = secretAt + lane * 8;
      sum += foldedProduct(this.get(lane) ^ secret64(at), this.get(lane + 1) ^ secret64(at + 8));
    }
    return finish(sum);
  }

  private increase(lane: number, low: number, high: number): void {
    const sum = this.low[lane]! + low;
    this.low[lane] = sum;
    this.high[lane] = this.high[lane]! + high + (sum > 0xffff_ffff ? 1 : 0);
  }

  private get(lane: number): bigint {
    return BigInt(this.low[lane]!) | (BigInt(this.high[lane]!) << 32n);
  }

  private set(lane: number, value: bigint): void {
    this.low[lane] = Number(value & 0xffff_ffffn);
    this.high[lane] = Number(value >> 32n);
  }
}

/** The upper 32 bits of the product of two unsigned 32-bit numbers. */
function highProduct(a: number, b: number): number {
  const aLow = a & 0xffff;
  const aHigh = a >>> 16;
  const bLow = b & 0xffff;
  const bHigh = b >>> 16;
  const middle = aHigh * bLow + Math.trunc((aLow * bLow) / 0x1_0000);
  const cross = aLow * bHigh + (middle % 0x1_0000);
  return aHigh * bHigh + Math.trunc(middle / 0x1_0000) + Math.trunc(cross / 0x1_0000);
}

function mix16(input: DataView, at: number, secretAt: number): bigint {
  return foldedProduct(read64(input, at) ^ secret64(secretAt), read64(input, at + 8) ^ secret64(secretAt + 8));
}

/** Both halves of the 128-bit product, one over the other. */
function foldedProduct(a: bigint, b: bigint): bigint {
  const product = a * b;
  return (product & MASK) ^ (product >> 64n);
}

function finish(sum: bigint): bigint {
  let hash = sum & MASK;
  hash = ((hash ^ (hash >> 37n)) * PRIME_MX1) & MASK;
  return hash ^ (hash >> 32n);
}

function finish64(value: bigint): bigint {
  let hash = ((value ^ (value >> 33n)) * PRIME64_2) & MASK;
  hash = ((hash ^ (hash >> 29n)) * PRIME64_3) & MASK;
  return hash ^ (hash >> 32n);
}

function rotateLeft(value: bigint, bits: bigint): bigint {
  return ((value << bits) | (value >> (64n - bits))) & MASK;
}

function byteSwap(value: bigint): bigint {
  let swapped = 0n;
  for (let shift = 0n; shift < 64n; shift += 8n) swapped = (swapped << 8n) | ((value >> shift) & 0xffn);
  return swapped;
}

function read64(view: DataView, at: number): bigint {
  return view.getBigUint64(at, true);
}

function secret64(at: number): bigint {
  return SECRET.getBigUint64(at, true);
}
