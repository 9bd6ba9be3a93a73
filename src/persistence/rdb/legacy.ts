/** The compact forms of Redis before 7.0, which are read and never written: ziplist and zipmap. */
import type { Bytes } from '../../protocol/reply.js';
import { RdbError } from './format.js';

const ZIPLIST_HEADER_BYTES = 10;
const ZIPLIST_END = 0xff;
/** A length of the entry before that does not fit a byte: it follows in four. */
const LONG_PREVIOUS = 0xfe;
const UNCOUNTED = 0xffff;

/** @throws RdbError when the bytes are no ziplist from end to end */
export function readZiplist(bytes: Buffer): Bytes[] {
  if (bytes.length <= ZIPLIST_HEADER_BYTES || bytes.readUInt32LE() !== bytes.length) throw new RdbError('ziplist size');
  const entries: Bytes[] = [];
  const end = bytes.length - 1;
  let at = ZIPLIST_HEADER_BYTES;
  while (at < end) {
    at += bytes[at] === LONG_PREVIOUS ? 5 : 1;
    const { text, next } = ziplistEntry(bytes, at, end);
    entries.push(text);
    at = next;
  }
  const count = bytes.readUInt16LE(8);
  if (at !== end || bytes[end] !== ZIPLIST_END || (count !== UNCOUNTED && count !== entries.length)) {
    throw new RdbError('ziplist count');
  }
  return entries;
}

interface ZiplistEntry {
  readonly text: Bytes;
  readonly next: number;
}

function ziplistEntry(bytes: Buffer, at: number, end: number): ZiplistEntry {
  const first = need(bytes, at, 1, end)[0]!;
  switch (first >> 6) {
    case 0:
      return stringEntry(bytes, at + 1, first & 0x3f, end);
    case 1:
      return stringEntry(bytes, at + 2, ((first & 0x3f) << 8) | need(bytes, at + 1, 1, end)[0]!, end);
    case 2:
      return stringEntry(bytes, at + 5, need(bytes, at + 1, 4, end).readUInt32BE(), end);
    default:
      return integerEntry(bytes, at, first, end);
  }
}

function stringEntry(bytes: Buffer, at: number, length: number, end: number): ZiplistEntry {
  return { text: need(bytes, at, length, end).latin1Slice(), next: at + length };
}

function integerEntry(bytes: Buffer, at: number, first: number, end: number): ZiplistEntry {
  const size = ZIPLIST_INTEGER_BYTES.get(first);
  if (size === undefined) {
    // 0xf1 to 0xfd are the integers 0 to 12 themselves.
    if (first < 0xf1 || first > 0xfd) throw new RdbError('ziplist entry');
    return { text: String(first - 0xf1), next: at + 1 };
  }
  const body = need(bytes, at + 1, size, end);
  const text = size === 8 ? String(body.readBigInt64LE()) : String(body.readIntLE(0, size));
  return { text, next: at + 1 + size };
}

const ZIPLIST_INTEGER_BYTES: ReadonlyMap<number, number> = new Map([
  [0xc0, 2],
  [0xd0, 4],
  [0xe0, 8],
  [0xf0, 3],
  [0xfe, 1],
]);

/** Fields and values in turns. @throws RdbError */
export function readZipmap(bytes: Buffer): Bytes[] {
  const end = bytes.length - 1;
  if (end < 1 || bytes[end] !== ZIPMAP_END) throw new RdbError('zipmap size');
  const entries: Bytes[] = [];
  let at = 1;
  while (at < end) {
    const field = zipmapString(bytes, at, 0, end);
    const value = zipmapString(bytes, field.next, 1, end);
    entries.push(field.text, value.text);
    at = value.next;
  }
  if (at !== end) throw new RdbError('zipmap end');
  return entries;
}

const ZIPMAP_END = 0xff;
const ZIPMAP_LONG = 0xfe;

/** A string behind its length; behind the length of a value stands how many unused bytes follow it (`extra` 1). */
function zipmapString(bytes: Buffer, at: number, extra: number, end: number): ZiplistEntry {
  const first = need(bytes, at, 1, end)[0]!;
  if (first === ZIPMAP_END) throw new RdbError('zipmap entry');
  const long = first === ZIPMAP_LONG;
  const length = long ? need(bytes, at + 1, 4, end).readUInt32LE() : first;
  const start = at + (long ? 5 : 1);
  const unused = extra === 0 ? 0 : need(bytes, start, 1, end)[0]!;
  const text = need(bytes, start + extra, length, end).latin1Slice();
  return { text, next: start + extra + length + unused };
}

function need(bytes: Buffer, at: number, length: number, end: number): Buffer {
  if (at + length > end) throw new RdbError('entry beyond the end');
  return bytes.subarray(at, at + length);
}
