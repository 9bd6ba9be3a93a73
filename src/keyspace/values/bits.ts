/** Bits of a string, counted from the most significant bit of the first byte: counting, searching, combining. */
import { ByteBuffer } from './byte-buffer.js';

/** How many bits are set from bit `first` to bit `last`, both included and both within the value. */
export function countBits(value: ByteBuffer, first: number, last: number): number {
  const bytes = value.bytes();
  const from = Math.floor(first / 8);
  const to = Math.floor(last / 8);
  const beforeFirst = bytes[from]! & ~(0xff >> (first % 8));
  const behindLast = bytes[to]! & (0x7f >> (last % 8));
  return countBytes(value, from, to + 1) - countOnes(beforeFirst) - countOnes(behindLast);
}

/** The bits that are set in the bytes from `from` up to `end`, which is not included. */
function countBytes(value: ByteBuffer, from: number, end: number): number {
  const bytes = value.bytes();
  const firstWord = Math.ceil(from / 4);
  const endWord = Math.floor(end / 4);
  let count = 0;
  if (firstWord >= endWord) {
    for (let i = from; i < end; i++) count += countOnes(bytes[i]!);
    return count;
  }
  for (let i = from; i < firstWord * 4; i++) count += countOnes(bytes[i]!);
  count += countWords(value.words(), firstWord, endWord);
  for (let i = endWord * 4; i < end; i++) count += countOnes(bytes[i]!);
  return count;
}

/**
 * The set bits of many words. Adders turn seven words into three of weight 1, 2 and 4 whose bits count the same, so
 * only three of seven words are counted bit by bit (Harley and Seal's method).
 */
function countWords(words: Int32Array, from: number, end: number): number {
  let count = 0;
  let i = from;
  for (; i + 7 <= end; i += 7) {
    const a = words[i]!;
    const b = words[i + 1]!;
    const c = words[i + 2]!;
    const d = words[i + 3]!;
    const e = words[i + 4]!;
    const f = words[i + 5]!;
    const g = words[i + 6]!;
    const abc = a ^ b ^ c;
    const carryAbc = (a & b) | ((a ^ b) & c);
    const def = d ^ e ^ f;
    const carryDef = (d & e) | ((d ^ e) & f);
    const ones = abc ^ def ^ g;
    const carryOnes = (abc & def) | ((abc ^ def) & g);
    const twos = carryAbc ^ carryDef ^ carryOnes;
    const fours = (carryAbc & carryDef) | ((carryAbc ^ carryDef) & carryOnes);
    count += countOnes(ones) + 2 * countOnes(twos) + 4 * countOnes(fours);
  }
  for (; i < end; i++) count += countOnes(words[i]!);
  return count;
}

/** The set bits of a 32-bit word: sums of pairs, of fours, of bytes, and their total by a multiplication. */
function countOnes(word: number): number {
  let sums = word - ((word >>> 1) & 0x5555_5555);
  sums = (sums & 0x3333_3333) + ((sums >>> 2) & 0x3333_3333);
  return Math.imul((sums + (sums >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24;
}

/** Where the first bit with this value stands from bit `first` to bit `last` (both within the value), or −1. */
export function findBit(value: ByteBuffer, bit: 0 | 1, first: number, last: number): number {
  const bytes = value.bytes();
  const passed = bit === 1 ? 0 : 0xff;
  let at = Math.floor(first / 8);
  let other = (bytes[at]! ^ passed) & (0xff >> (first % 8));
  if (other === 0) {
    at = firstOtherByte(value, passed, at + 1, Math.floor(last / 8) + 1);
    if (at < 0) return -1;
    other = bytes[at]! ^ passed;
  }
  const position = at * 8 + Math.clz32(other) - 24;
  return position <= last ? position : -1;
}

/** The first byte from `from` up to `end` (not included) that is not `passed`, or −1. */
function firstOtherByte(value: ByteBuffer, passed: number, from: number, end: number): number {
  const bytes = value.bytes();
  let at = from;
  for (; at < end && at % 4 !== 0; at++) if (bytes[at] !== passed) return at;
  const words = value.words();
  const passedWord = passed === 0 ? 0 : -1;
  let word = at / 4;
  const endWord = Math.floor(end / 4);
  while (word < endWord && words[word] === passedWord) word++;
  for (at = Math.max(at, word * 4); at < end; at++) if (bytes[at] !== passed) return at;
  return -1;
}

export type BitOperation = 'AND' | 'OR' | 'XOR' | 'NOT' | 'DIFF' | 'DIFF1' | 'ANDOR' | 'ONE';

/**
 * A new value of the length of the longest source; shorter ones count as if zero bytes followed. With X the first
 * source and Y the others: DIFF is in X and no Y, DIFF1 in a Y and not X, ANDOR in X and a Y, ONE in exactly one of all.
 */
export function combineBits(operation: BitOperation, sources: readonly ByteBuffer[]): ByteBuffer {
  let length = 0;
  for (const source of sources) length = Math.max(length, source.length);
  const result = ByteBuffer.zeros(length);
  const into = result.words();
  const first = sources[0]!.words();
  const others = sources.slice(1).map((source) => source.words());
  switch (operation) {
    case 'AND':
      into.set(first);
      for (const other of others) andWords(into, other);
      break;
    case 'OR':
      into.set(first);
      for (const other of others) orWords(into, other);
      break;
    case 'XOR':
      into.set(first);
      for (const other of others) xorWords(into, other);
      break;
    case 'NOT':
      invert(result, sources[0]!);
      break;
    case 'DIFF':
      into.set(first);
      for (const other of others) andNotWords(into, other);
      break;
    case 'DIFF1':
      for (const other of others) orWords(into, other);
      andNotWords(into, first);
      break;
    case 'ANDOR':
      for (const other of others) orWords(into, other);
      andWords(into, first);
      break;
    case 'ONE':
      oneWords(into, [first, ...others]);
      break;
  }
  return result;
}

function andWords(into: Int32Array, from: Int32Array): void {
  for (let i = 0; i < from.length; i++) into[i]! &= from[i]!;
  into.fill(0, from.length);
}

function orWords(into: Int32Array, from: Int32Array): void {
  for (let i = 0; i < from.length; i++) into[i]! |= from[i]!;
}

function xorWords(into: Int32Array, from: Int32Array): void {
  for (let i = 0; i < from.length; i++) into[i]! ^= from[i]!;
}

function andNotWords(into: Int32Array, from: Int32Array): void {
  for (let i = 0; i < from.length; i++) into[i]! &= ~from[i]!;
}

/** All bits inverted. The last word is done by its bytes: those behind the end of the value stay zero. */
function invert(result: ByteBuffer, source: ByteBuffer): void {
  const into = result.words();
  const from = source.words();
  const whole = Math.floor(source.length / 4);
  for (let i = 0; i < whole; i++) into[i] = ~from[i]!;
  const bytes = result.bytes();
  const sourceBytes = source.bytes();
  for (let i = whole * 4; i < bytes.length; i++) bytes[i] = ~sourceBytes[i]!;
}

/** Bits that are set in exactly one of the sources. */
function oneWords(into: Int32Array, sources: readonly Int32Array[]): void {
  const twice = new Int32Array(into.length);
  for (const from of sources) {
    for (let i = 0; i < from.length; i++) {
      twice[i]! |= into[i]! & from[i]!;
      into[i]! |= from[i]!;
    }
  }
  andNotWords(into, twice);
}
