/** Reads the pieces that RDB values are made of, from bytes that may be anything. */
import { normaliseInteger } from '../../protocol/numbers.js';
import type { Bytes, Int64 } from '../../protocol/reply.js';
import * as format from './format.js';
import { decompressLzf } from './lzf.js';

const { RdbError } = format;

/** LZF cannot make more of a byte than this: a greater length is a lie. */
const LZF_MOST_EXPANSION = 264;

export class RdbReader {
  private position = 0;

  constructor(private readonly bytes: Buffer) {}

  get atEnd(): boolean {
    return this.position === this.bytes.length;
  }

  get remaining(): number {
    return this.bytes.length - this.position;
  }

  byte(): number {
    return this.bytes[this.advance(1)]!;
  }

  /** So many raw bytes. */
  raw(length: number): Buffer {
    const start = this.advance(length);
    return this.bytes.subarray(start, start + length);
  }

  /** A length or any unsigned integer of up to 64 bits. */
  integer(): Int64 {
    const first = this.byte();
    const value = this.integerAfter(first);
    if (value === undefined) throw new RdbError('length expected');
    return value;
  }

  /** The number of things to come, each of which takes at least a byte. */
  count(): number {
    const count = this.integer();
    if (count > this.remaining) throw new RdbError('count beyond the end');
    return Number(count);
  }

  string(): Bytes {
    const first = this.byte();
    switch (first) {
      case format.STRING_INT8:
        return String(this.raw(1).readInt8());
      case format.STRING_INT16:
        return String(this.raw(2).readInt16LE());
      case format.STRING_INT32:
        return String(this.raw(4).readInt32LE());
      case format.STRING_LZF:
        return this.compressed().latin1Slice();
      default:
        return this.rawString(first).latin1Slice();
    }
  }

  /** A string that holds a structure of bytes of its own. */
  blob(): Buffer {
    const first = this.byte();
    return first === format.STRING_LZF ? this.compressed() : this.rawString(first);
  }

  /** A score as eight bytes. */
  double(): number {
    return this.raw(8).readDoubleLE();
  }

  /** A score as text behind its length, as the oldest sorted sets have it. */
  doubleText(): number {
    const length = this.byte();
    if (length === 253) return Number.NaN;
    if (length === 254) return Infinity;
    if (length === 255) return -Infinity;
    const text = this.raw(length).latin1Slice();
    const value = Number(text);
    if (text.trim() === '' || Number.isNaN(value)) throw new RdbError('score expected');
    return value;
  }

  /** A time in ms as eight bytes, signed. */
  time(): Int64 {
    return normaliseInteger(this.raw(8).readBigInt64LE());
  }

  private integerAfter(first: number): Int64 | undefined {
    if (first >> 6 === format.LENGTH_6) return first & 0x3f;
    if (first >> 6 === format.LENGTH_14) return ((first & 0x3f) << 8) | this.byte();
    if (first === format.LENGTH_32) return this.raw(4).readUInt32BE();
    if (first === format.LENGTH_64) return normaliseInteger(this.raw(8).readBigUInt64BE());
    return undefined;
  }

  private rawString(first: number): Buffer {
    const length = this.integerAfter(first);
    if (length === undefined || length > this.remaining) throw new RdbError('string beyond the end');
    return this.raw(Number(length));
  }

  private compressed(): Buffer {
    const compressedLength = this.count();
    const length = this.integer();
    if (length > compressedLength * LZF_MOST_EXPANSION) throw new RdbError('LZF: impossible length');
    return decompressLzf(this.raw(compressedLength), Number(length));
  }

  private advance(length: number): number {
    const start = this.position;
    if (start + length > this.bytes.length) throw new RdbError('unexpected end');
    this.position = start + length;
    return start;
  }
}
