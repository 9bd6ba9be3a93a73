/**
 * HyperLogLog as Redis keeps it: a string value of 16384 registers of 6 bits, which estimates how many different
 * elements were added. The bytes are Redis' own, so GET, DUMP and RDB files carry them unchanged.
 *
 * The header is `HYLL`, the encoding, three zero bytes and the cached cardinality (64 bits, little-endian; its top
 * bit says that the cache is out of date). Dense registers follow packed, sparse ones as runs (hyperloglog-sparse.ts).
 */

import { normaliseInteger } from '../../protocol/numbers.js';
import type { Bytes, Int64 } from '../../protocol/reply.js';
import { DENSE_BYTES, DENSE_MAX, denseMaxima, getRegister, setRegister } from './hyperloglog-dense.js';
import { hashElement } from './hyperloglog-hash.js';
import { appendEmptyRun, describeRuns, forEachRun, SPARSE_MAX, setSparseRegister } from './hyperloglog-sparse.js';

export { HyperloglogCorrupted } from './hyperloglog-sparse.js';

/** The number of registers: 2^14. */
export const HYPERLOGLOG_REGISTERS = 16384;

/** `hll-sparse-max-bytes` as Redis sets it: a sparse one that would outgrow it becomes dense. */
export const DEFAULT_SPARSE_MAX_BYTES = 3000;

const HEADER_BYTES = 16;
const ENCODING_AT = 4;
const CACHE_AT = 8;
/** The byte with the top bit of the cached cardinality. */
const CACHE_STATE_AT = 15;
const STALE = 0x80;
const DENSE = 0;
const SPARSE = 1;
const MAGIC: Bytes = 'HYLL';

export class Hyperloglog {
  /** The value; longer than `#length` where a sparse one has room to grow. */
  #bytes: Buffer;
  #length: number;
  /** The bytes it was parsed from, where it works on them. */
  readonly #source: Buffer | undefined;

  private constructor(bytes: Buffer, source?: Buffer) {
    this.#bytes = bytes;
    this.#source = source;
    this.#length = bytes.length;
  }

  /** A new, empty one: sparse, nothing cached, as PFADD and PFMERGE make it. */
  static create(): Hyperloglog {
    const bytes = Buffer.alloc(HEADER_BYTES + 2);
    bytes.write(MAGIC, 'latin1');
    bytes[ENCODING_AT] = SPARSE;
    bytes[CACHE_STATE_AT] = STALE;
    appendEmptyRun(bytes, HEADER_BYTES, HYPERLOGLOG_REGISTERS);
    return new Hyperloglog(bytes);
  }

  /**
   * Reads a string value; null when it is none. The registers are only checked when they are used. A buffer is edited in
   * place until the value has to grow (see `inPlace`).
   */
  static parse(value: Bytes | Buffer): Hyperloglog | null {
    if (typeof value === 'string') {
      return looksLikeHyperloglog(value) ? new Hyperloglog(Buffer.from(value, 'latin1')) : null;
    }
    const header = value.latin1Slice(0, Math.min(HEADER_BYTES, value.length));
    return isHeader(header, value.length) ? new Hyperloglog(value, value) : null;
  }

  /** Whether all changes are in the buffer that it was parsed from. */
  get inPlace(): boolean {
    return this.#bytes === this.#source;
  }

  /** Bytes of the value. */
  get length(): number {
    return this.#length;
  }

  copyTo(target: Buffer): void {
    this.#bytes.copy(target, 0, 0, this.#length);
  }

  /** The value to store. */
  toBytes(): Bytes {
    return this.#bytes.toString('latin1', 0, this.#length);
  }

  get encoding(): 'dense' | 'sparse' {
    return this.#isDense() ? 'dense' : 'sparse';
  }

  /**
   * Adds an element; true when a register grew, which puts the cache out of date.
   * @throws HyperloglogCorrupted when sparse registers make no sense
   */
  add(element: Bytes, sparseMaxBytes = DEFAULT_SPARSE_MAX_BYTES): boolean {
    const { register, rank } = hashElement(element);
    const grew = this.#raise(register, rank, sparseMaxBytes);
    if (grew) this.#invalidateCache();
    return grew;
  }

  /** The cached cardinality, or null when it is out of date. */
  cachedCount(): Int64 | null {
    if (((this.#bytes[CACHE_STATE_AT] as number) & STALE) !== 0) return null;
    return normaliseInteger(this.#bytes.readBigUInt64LE(CACHE_AT));
  }

  /**
   * The estimated cardinality, from the cache when it is valid; else it is computed and cached, which changes the value.
   * @throws HyperloglogCorrupted
   */
  count(): Int64 {
    const cached = this.cachedCount();
    if (cached !== null) return cached;
    const count = estimate(this.registers());
    this.#bytes.writeBigUInt64LE(BigInt(count), CACHE_AT);
    return count;
  }

  /**
   * Raises the registers to those given (PFMERGE) and puts the cache out of date.
   * @throws HyperloglogCorrupted
   */
  merge(registers: Uint8Array, sparseMaxBytes = DEFAULT_SPARSE_MAX_BYTES): void {
    for (let i = 0; i < registers.length; i++) {
      const rank = registers[i] as number;
      if (rank > 0) this.#raise(i, rank, sparseMaxBytes);
    }
    this.#invalidateCache();
  }

  /**
   * All registers, a byte each.
   * @throws HyperloglogCorrupted
   */
  registers(): Uint8Array {
    const registers = new Uint8Array(HYPERLOGLOG_REGISTERS);
    this.raiseTo(registers);
    return registers;
  }

  /**
   * Raises the given registers to this one's: the union of several, as PFCOUNT and PFMERGE make it.
   * @throws HyperloglogCorrupted
   */
  raiseTo(registers: Uint8Array): void {
    if (this.#isDense()) {
      denseMaxima(this.#bytes, HEADER_BYTES, registers);
      return;
    }
    forEachRun(this.#bytes, HEADER_BYTES, this.#length, registers.length, (first, length, rank) => {
      for (let i = first; i < first + length; i++) if ((registers[i] as number) < rank) registers[i] = rank;
    });
  }

  /**
   * Makes it dense (PFDEBUG TODENSE); false when it was. The cache stays as it is.
   * @throws HyperloglogCorrupted
   */
  toDense(): boolean {
    if (this.#isDense()) return false;
    const dense = Buffer.alloc(HEADER_BYTES + DENSE_BYTES);
    this.#bytes.copy(dense, 0, 0, HEADER_BYTES);
    dense[ENCODING_AT] = DENSE;
    forEachRun(this.#bytes, HEADER_BYTES, this.#length, HYPERLOGLOG_REGISTERS, (first, length, rank) => {
      for (let i = first; i < first + length; i++) setRegister(dense, HEADER_BYTES, i, rank);
    });
    this.#bytes = dense;
    this.#length = dense.length;
    return true;
  }

  /** The runs of a sparse one in words (PFDEBUG DECODE); null for a dense one. */
  describe(): Bytes | null {
    return this.#isDense() ? null : describeRuns(this.#bytes, HEADER_BYTES, this.#length);
  }

  #isDense(): boolean {
    return this.#bytes[ENCODING_AT] === DENSE;
  }

  #invalidateCache(): void {
    this.#bytes[CACHE_STATE_AT] = (this.#bytes[CACHE_STATE_AT] as number) | STALE;
  }

  #raise(register: number, rank: number, sparseMaxBytes: number): boolean {
    if (!this.#isDense()) {
      const outcome = rank > SPARSE_MAX ? 'too large' : this.#raiseSparse(register, rank, sparseMaxBytes);
      if (outcome !== 'too large') return outcome === 'raised';
      this.toDense();
    }
    if (getRegister(this.#bytes, HEADER_BYTES, register) >= rank) return false;
    setRegister(this.#bytes, HEADER_BYTES, register, Math.min(rank, DENSE_MAX));
    return true;
  }

  #raiseSparse(register: number, rank: number, sparseMaxBytes: number): 'raised' | 'unchanged' | 'too large' {
    this.#reserve(this.#length + SPARSE_GROWTH);
    const edit = setSparseRegister(this.#bytes, HEADER_BYTES, this.#length, register, rank, sparseMaxBytes);
    if (typeof edit === 'string') return edit;
    this.#length = edit;
    return 'raised';
  }

  #reserve(length: number): void {
    if (length <= this.#bytes.length) return;
    const larger = Buffer.alloc(Math.max(length, Math.min(this.#bytes.length * 2, DEFAULT_SPARSE_MAX_BYTES)));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }
}

/** The most bytes that one changed register adds to a sparse value. */
const SPARSE_GROWTH = 4;

/** Whether a string value has the header of a HyperLogLog, and the size of a dense one if it says it is dense. */
export function looksLikeHyperloglog(value: Bytes): boolean {
  return isHeader(value, value.length);
}

/** Whether a value of this length that begins so is one. */
function isHeader(start: Bytes, length: number): boolean {
  if (start.length < HEADER_BYTES || !start.startsWith(MAGIC)) return false;
  const encoding = start.charCodeAt(ENCODING_AT);
  if (encoding === DENSE) return length === HEADER_BYTES + DENSE_BYTES;
  return encoding === SPARSE;
}

/**
 * The cardinality that registers stand for, by Otmar Ertl's estimator (arXiv:1702.01284, algorithm 6), which Redis
 * uses: it needs no table of corrections.
 */
export function estimate(registers: Uint8Array): number {
  const histogram = new Float64Array(64);
  for (const rank of registers) histogram[rank] = (histogram[rank] as number) + 1;
  const m = HYPERLOGLOG_REGISTERS;
  let z = m * tau((m - (histogram[MAX_RANK] as number)) / m);
  for (let rank = MAX_RANK - 1; rank >= 1; rank--) z = (z + (histogram[rank] as number)) * 0.5;
  z += m * sigma((histogram[0] as number) / m);
  return Math.round((ALPHA * m * m) / z);
}

/** A hash has 64 bits, 14 of which choose the register; the rank counts the rest. */
const MAX_RANK = 64 - 14 + 1;
/** 1 / (2 ln 2), spelled out so that it is the very double Redis uses. */
const ALPHA = 0.7213475204444817;

function sigma(x: number): number {
  if (x === 1) return Number.POSITIVE_INFINITY;
  let power = x;
  let weight = 1;
  let sum = x;
  for (;;) {
    power *= power;
    const before = sum;
    sum += power * weight;
    weight += weight;
    if (sum === before) return sum;
  }
}

function tau(x: number): number {
  if (x === 0 || x === 1) return 0;
  let root = x;
  let weight = 1;
  let sum = 1 - x;
  for (;;) {
    root = Math.sqrt(root);
    const before = sum;
    weight *= 0.5;
    sum -= (1 - root) ** 2 * weight;
    if (sum === before) return sum / 3;
  }
}

/** PFSELFTEST: whether registers keep what is put in them and an estimate is as near as it should be. */
export function hyperloglogSelfTest(random: () => number = Math.random): boolean {
  const ranks = Uint8Array.from({ length: HYPERLOGLOG_REGISTERS }, () => Math.floor(random() * (DENSE_MAX + 1)));
  const packed = Buffer.alloc(DENSE_BYTES);
  ranks.forEach((rank, i) => {
    setRegister(packed, 0, i, rank);
  });
  if (ranks.some((rank, i) => getRegister(packed, 0, i) !== rank)) return false;
  const sparse = Hyperloglog.create();
  const dense = Hyperloglog.create();
  dense.toDense();
  const seed = Math.floor(random() * 2 ** 32);
  for (let i = 0; i < SELF_TEST_ELEMENTS; i++) {
    sparse.add(`${seed}:${i}`);
    dense.add(`${seed}:${i}`);
  }
  const error = Math.abs(Number(dense.count()) - SELF_TEST_ELEMENTS) / SELF_TEST_ELEMENTS;
  return sparse.count() === dense.count() && error < SELF_TEST_ERROR;
}

const SELF_TEST_ELEMENTS = 10_000;
/** Six standard errors, of 1.04 / √16384 each. */
const SELF_TEST_ERROR = 0.05;
