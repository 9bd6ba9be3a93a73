/**
 * Sparse registers of a HyperLogLog: runs of equal registers, one after another.
 *
 *     00xxxxxx           x + 1 zeros (1–64)
 *     01xxxxxx yyyyyyyy  xy + 1 zeros (1–16384)
 *     1vvvvvxx           x + 1 registers (1–4) of rank v + 1 (1–32)
 *
 * Redis splits and joins runs in a fixed way, and the bytes are visible to clients, so this keeps to that way.
 */

import type { Bytes } from '../../protocol/reply.js';

/** The largest rank a run can have: a greater one makes the value dense. */
export const SPARSE_MAX = 32;

const SHORT_ZEROS = 64;
const RANKED_RUN = 4;
/** How many runs, from the one before the changed one on, are looked at for joining. */
const JOIN_WINDOW = 5;

/** The runs do not add up to the registers: `INVALIDOBJ Corrupted HLL object detected`. */
export class HyperloglogCorrupted extends Error {
  constructor() {
    super('corrupted HLL object');
  }
}

/** Writes a long run of zeros. */
export function appendEmptyRun(bytes: Uint8Array, at: number, length: number): void {
  bytes[at] = 0x40 | ((length - 1) >>> 8);
  bytes[at + 1] = (length - 1) & 0xff;
}

/**
 * Calls `visit` with the first register, the length and the rank of every run that is not of zeros.
 * @throws HyperloglogCorrupted when the runs are not exactly `registers` long together
 */
export function forEachRun(
  bytes: Uint8Array,
  from: number,
  end: number,
  registers: number,
  visit: (first: number, length: number, rank: number) => void,
): void {
  let first = 0;
  let at = from;
  while (at < end) {
    const length = runLength(bytes, at);
    if (first + length > registers) throw new HyperloglogCorrupted();
    if (isRanked(bytes, at)) visit(first, length, runRank(bytes, at));
    first += length;
    at += runBytes(bytes, at);
  }
  if (first !== registers) throw new HyperloglogCorrupted();
}

/**
 * Raises one register in place. The buffer must have four bytes of room after `end`.
 * @returns the new end, or why nothing was written: the register has the rank, or the runs would pass `maxBytes`
 * @throws HyperloglogCorrupted
 */
export function setSparseRegister(
  bytes: Uint8Array,
  from: number,
  end: number,
  register: number,
  rank: number,
  maxBytes: number,
): number | 'unchanged' | 'too large' {
  let previous = from;
  let at = from;
  let first = 0;
  let length = 0;
  while (at < end) {
    length = runLength(bytes, at);
    if (register < first + length) break;
    previous = at;
    at += runBytes(bytes, at);
    first += length;
  }
  if (length === 0 || at >= end) throw new HyperloglogCorrupted();

  const ranked = isRanked(bytes, at);
  if (ranked && runRank(bytes, at) >= rank) return 'unchanged';
  let newEnd = end;
  if (length === 1 && (ranked || isShortZeros(bytes, at))) {
    bytes[at] = rankedRun(rank, 1);
  } else {
    const split = splitRun(ranked ? runRank(bytes, at) : 0, length, register - first, rank);
    const oldBytes = runBytes(bytes, at);
    const growth = split.length - oldBytes;
    if (growth > 0 && end + growth > maxBytes) return 'too large';
    bytes.copyWithin(at + split.length, at + oldBytes, end);
    bytes.set(split, at);
    newEnd += growth;
  }
  return joinRuns(bytes, previous, newEnd);
}

/** PFDEBUG DECODE: `z:n` and `Z:n` for zeros in one and two bytes, `v:rank,n` for others. */
export function describeRuns(bytes: Uint8Array, from: number, end: number): Bytes {
  const words: Bytes[] = [];
  for (let at = from; at < end; at += runBytes(bytes, at)) {
    const length = runLength(bytes, at);
    if (isRanked(bytes, at)) words.push(`v:${runRank(bytes, at)},${length}`);
    else words.push(`${isShortZeros(bytes, at) ? 'z' : 'Z'}:${length}`);
  }
  return words.join(' ');
}

/** The bytes of a run of one rank, 0 for zeros, in which one register gets another rank. */
function splitRun(runRank: number, length: number, changed: number, rank: number): number[] {
  const split: number[] = [];
  pushRun(split, runRank, changed);
  split.push(rankedRun(rank, 1));
  pushRun(split, runRank, length - 1 - changed);
  return split;
}

function pushRun(out: number[], rank: number, length: number): void {
  if (length === 0) return;
  if (rank > 0) out.push(rankedRun(rank, length));
  else if (length <= SHORT_ZEROS) out.push(length - 1);
  else out.push(0x40 | ((length - 1) >>> 8), (length - 1) & 0xff);
}

/** Joins neighbours of equal rank that fit one run, and answers the new end. */
function joinRuns(bytes: Uint8Array, start: number, oldEnd: number): number {
  let at = start;
  let end = oldEnd;
  for (let looks = JOIN_WINDOW; looks > 0 && at < end; looks--) {
    const next = at + 1;
    if (isRanked(bytes, at) && next < end && isRanked(bytes, next) && runRank(bytes, at) === runRank(bytes, next)) {
      const length = runLength(bytes, at) + runLength(bytes, next);
      if (length <= RANKED_RUN) {
        bytes[next] = rankedRun(runRank(bytes, at), length);
        bytes.copyWithin(at, next, end);
        end--;
        continue;
      }
    }
    at += runBytes(bytes, at);
  }
  return end;
}

function rankedRun(rank: number, length: number): number {
  return 0x80 | ((rank - 1) << 2) | (length - 1);
}

function isRanked(bytes: Uint8Array, at: number): boolean {
  return (bytes[at] as number) >= 0x80;
}

function isShortZeros(bytes: Uint8Array, at: number): boolean {
  return (bytes[at] as number) < 0x40;
}

function runBytes(bytes: Uint8Array, at: number): number {
  return isRanked(bytes, at) || isShortZeros(bytes, at) ? 1 : 2;
}

function runLength(bytes: Uint8Array, at: number): number {
  const byte = bytes[at] as number;
  if (byte >= 0x80) return (byte & 3) + 1;
  return byte < 0x40 ? byte + 1 : (((byte & 0x3f) << 8) | (bytes[at + 1] ?? 0)) + 1;
}

function runRank(bytes: Uint8Array, at: number): number {
  return (((bytes[at] as number) >>> 2) & 31) + 1;
}
