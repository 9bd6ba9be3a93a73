/** Redis' listpack: a run of strings and integers in one piece of memory, which RDB holds as it is. */

import { EMPTY_LISTPACK_BYTES, listpackEntryBytes } from '../../keyspace/values/listpack.js';
import { parseInteger } from '../../protocol/numbers.js';
import type { Bytes, Int64 } from '../../protocol/reply.js';
import { RdbError } from './format.js';

const HEADER_BYTES = 6;
const END = 0xff;
/** In place of a count that does not fit 16 bits. */
const UNCOUNTED = 0xffff;

const INT16 = 0xf1;
const INT24 = 0xf2;
const INT32 = 0xf3;
const INT64 = 0xf4;
const STRING_32 = 0xf0;

/** @throws RdbError when the bytes are no listpack from end to end */
export function readListpack(bytes: Buffer): Bytes[] {
  if (bytes.length < EMPTY_LISTPACK_BYTES || bytes.readUInt32LE() !== bytes.length) throw new RdbError('listpack size');
  const entries: Bytes[] = [];
  let at = HEADER_BYTES;
  while (at < bytes.length - 1) {
    const size = bodySize(bytes, at);
    const after = at + size;
    if (after + backLengthSize(size) >= bytes.length) throw new RdbError('listpack entry beyond the end');
    entries.push(entryAt(bytes, at));
    expectBackLength(bytes, after, size);
    at = after + backLengthSize(size);
  }
  const count = bytes.readUInt16LE(4);
  if (bytes[at] !== END || (count !== UNCOUNTED && count !== entries.length)) throw new RdbError('listpack count');
  return entries;
}

/** Strings that read as integers are written as such, as Redis does. */
export function writeListpack(entries: readonly Bytes[]): Buffer {
  let size = EMPTY_LISTPACK_BYTES;
  for (const entry of entries) size += listpackEntryBytes(entry);
  const bytes = Buffer.allocUnsafe(size);
  bytes.writeUInt32LE(size, 0);
  bytes.writeUInt16LE(Math.min(entries.length, UNCOUNTED), 4);
  let at = HEADER_BYTES;
  for (const entry of entries) at = writeEntry(bytes, at, entry);
  bytes[at] = END;
  return bytes;
}

/** Bytes of an entry without its back length. */
function bodySize(bytes: Buffer, at: number): number {
  const first = bytes[at]!;
  if (first < 0x80) return 1;
  if (first < 0xc0) return 1 + (first & 0x3f);
  if (first < 0xe0) return 2;
  if (first < 0xf0) return 2 + (((first & 0x0f) << 8) | (bytes[at + 1] ?? 0));
  switch (first) {
    case STRING_32:
      return at + 5 > bytes.length ? 5 : 5 + bytes.readUInt32LE(at + 1);
    case INT16:
      return 3;
    case INT24:
      return 4;
    case INT32:
      return 5;
    case INT64:
      return 9;
    default:
      throw new RdbError('listpack entry');
  }
}

function entryAt(bytes: Buffer, at: number): Bytes {
  const first = bytes[at]!;
  if (first < 0x80) return String(first);
  if (first < 0xc0) return bytes.latin1Slice(at + 1, at + bodySize(bytes, at));
  if (first < 0xe0) return String(((((first & 0x1f) << 8) | bytes[at + 1]!) << 19) >> 19);
  if (first < 0xf0) return bytes.latin1Slice(at + 2, at + bodySize(bytes, at));
  switch (first) {
    case STRING_32:
      return bytes.latin1Slice(at + 5, at + bodySize(bytes, at));
    case INT16:
      return String(bytes.readInt16LE(at + 1));
    case INT24:
      return String(bytes.readIntLE(at + 1, 3));
    case INT32:
      return String(bytes.readInt32LE(at + 1));
    default:
      return String(bytes.readBigInt64LE(at + 1));
  }
}

function writeEntry(bytes: Buffer, start: number, entry: Bytes): number {
  const integer = parseInteger(entry);
  const end = integer === undefined ? writeString(bytes, start, entry) : writeInteger(bytes, start, integer);
  return writeBackLength(bytes, end, end - start);
}

function writeString(bytes: Buffer, start: number, text: Bytes): number {
  const { length } = text;
  let at = start;
  if (length < 64) bytes[at++] = 0x80 | length;
  else if (length < 4096) {
    bytes[at++] = 0xe0 | (length >> 8);
    bytes[at++] = length & 0xff;
  } else {
    bytes[at++] = STRING_32;
    at = bytes.writeUInt32LE(length, at);
  }
  return at + bytes.latin1Write(text, at);
}

function writeInteger(bytes: Buffer, start: number, value: Int64): number {
  const n = Number(value);
  if (n >= 0 && n <= 127) {
    bytes[start] = n;
    return start + 1;
  }
  if (n >= -4096 && n <= 4095) {
    bytes[start] = 0xc0 | ((n >> 8) & 0x1f);
    bytes[start + 1] = n & 0xff;
    return start + 2;
  }
  if (n >= -(2 ** 15) && n < 2 ** 15) {
    bytes[start] = INT16;
    return bytes.writeInt16LE(n, start + 1);
  }
  if (n >= -(2 ** 23) && n < 2 ** 23) {
    bytes[start] = INT24;
    return bytes.writeIntLE(n, start + 1, 3);
  }
  if (n >= -(2 ** 31) && n < 2 ** 31) {
    bytes[start] = INT32;
    return bytes.writeInt32LE(n, start + 1);
  }
  bytes[start] = INT64;
  return bytes.writeBigInt64LE(BigInt(value), start + 1);
}

function backLengthSize(size: number): number {
  if (size <= 127) return 1;
  if (size < 16383) return 2;
  if (size < 2097151) return 3;
  return size < 268435455 ? 4 : 5;
}

/** Seven bits a byte, the highest first; all but the first byte have the top bit set. */
function writeBackLength(bytes: Buffer, at: number, size: number): number {
  const count = backLengthSize(size);
  for (let i = 0; i < count; i++) bytes[at + i] = backLengthByte(size, count, i);
  return at + count;
}

function expectBackLength(bytes: Buffer, at: number, size: number): void {
  const count = backLengthSize(size);
  for (let i = 0; i < count; i++) {
    if (bytes[at + i] !== backLengthByte(size, count, i)) throw new RdbError('listpack back length');
  }
}

function backLengthByte(size: number, count: number, i: number): number {
  const bits = Math.floor(size / 2 ** (7 * (count - 1 - i))) & 0x7f;
  return i === 0 ? bits : bits | 0x80;
}

/** An entry of a listpack that must be an integer. @throws RdbError */
export function listpackInteger(entry: Bytes | undefined): Int64 {
  const value = entry === undefined ? undefined : parseInteger(entry);
  if (value === undefined) throw new RdbError('integer expected');
  return value;
}
