/** The intset: integers of 2, 4 or 8 bytes each, ascending, behind their width and count. */
import type { Bytes } from '../../protocol/reply.js';
import { RdbError } from './format.js';

/** The integers of an intset, ascending. @throws RdbError */
export function readIntset(bytes: Buffer): Bytes[] {
  if (bytes.length < INTSET_HEADER_BYTES) throw new RdbError('intset size');
  const width = bytes.readUInt32LE();
  const count = bytes.readUInt32LE(4);
  const known = width === 2 || width === 4 || width === 8;
  if (!known || bytes.length !== INTSET_HEADER_BYTES + count * width) throw new RdbError('intset size');
  const entries: Bytes[] = [];
  for (let i = 0; i < count; i++) {
    const at = INTSET_HEADER_BYTES + i * width;
    entries.push(String(width === 8 ? bytes.readBigInt64LE(at) : bytes.readIntLE(at, width)));
  }
  return entries;
}

const INTSET_HEADER_BYTES = 8;

/** `members` are integers in ascending order. */
export function writeIntset(members: readonly Bytes[]): Buffer {
  const integers = members.map(BigInt);
  const width = integers.reduce((widest, integer) => Math.max(widest, integerWidth(integer)), 2);
  const bytes = Buffer.allocUnsafe(INTSET_HEADER_BYTES + integers.length * width);
  bytes.writeUInt32LE(width, 0);
  bytes.writeUInt32LE(integers.length, 4);
  integers.forEach((integer, i) => {
    const at = INTSET_HEADER_BYTES + i * width;
    if (width === 8) bytes.writeBigInt64LE(integer, at);
    else bytes.writeIntLE(Number(integer), at, width);
  });
  return bytes;
}

function integerWidth(integer: bigint): 2 | 4 | 8 {
  if (integer === BigInt.asIntN(16, integer)) return 2;
  return integer === BigInt.asIntN(32, integer) ? 4 : 8;
}
