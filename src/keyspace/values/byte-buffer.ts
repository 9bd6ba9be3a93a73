/**
 * A string value that is edited in place (SETBIT, SETRANGE, BITFIELD, APPEND), so that an edit costs what it
 * touches and not the length of the whole value. Redis calls the encoding `raw`.
 */
import type { Bytes } from '../../protocol/reply.js';

/** A buffer holds whole words, so that bits can be worked on 32 at a time. */
const WORD = 4;
/** A value that grows gets as much room again, up to this. */
const MOST_SPARE = 1 << 20;

export class ByteBuffer {
  private buffer: Buffer;
  length: number;
  /** What OBJECT ENCODING answers: `embstr` for a short text that INCRBYFLOAT has left, until it is edited. */
  encoding: 'raw' | 'embstr' = 'raw';

  constructor(text: Bytes, capacity = text.length) {
    this.buffer = Buffer.alloc(wholeWords(Math.max(capacity, text.length)));
    this.length = this.buffer.latin1Write(text, 0);
  }

  /** So many zero bytes. */
  static zeros(length: number): ByteBuffer {
    const made = new ByteBuffer('', length);
    made.length = length;
    return made;
  }

  /** The bytes themselves; valid until the next edit. */
  bytes(): Buffer {
    return this.buffer.subarray(0, this.length);
  }

  /** The bytes as 32-bit words; zero bytes follow the last one up to a whole word. Valid until the next edit. */
  words(): Int32Array {
    return new Int32Array(this.buffer.buffer, this.buffer.byteOffset, wholeWords(this.length) / WORD);
  }

  toString(): Bytes {
    return this.buffer.latin1Slice(0, this.length);
  }

  slice(start: number, end: number): Bytes {
    return this.buffer.latin1Slice(start, Math.min(end, this.length));
  }

  append(text: Bytes): void {
    this.overwrite(this.length, text);
  }

  /** Writes `text` at `offset`; a gap before it is filled with zero bytes. */
  overwrite(offset: number, text: Bytes): void {
    this.grow(offset + text.length);
    this.buffer.latin1Write(text, offset);
  }

  /** Makes the value at least `length` bytes long, with zero bytes at its end. */
  grow(length: number): void {
    this.encoding = 'raw';
    if (length <= this.length) return;
    if (length > this.buffer.length) {
      const grown = Buffer.alloc(wholeWords(length + Math.min(length, MOST_SPARE)));
      this.buffer.copy(grown, 0, 0, this.length);
      this.buffer = grown;
    }
    this.length = length;
  }

  clone(): ByteBuffer {
    const copy = ByteBuffer.zeros(this.length);
    this.buffer.copy(copy.buffer, 0, 0, this.length);
    copy.encoding = this.encoding;
    return copy;
  }

  get capacity(): number {
    return this.buffer.length;
  }
}

function wholeWords(length: number): number {
  return Math.ceil(length / WORD) * WORD;
}
