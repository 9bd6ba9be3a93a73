/**
 * A string value that is edited in place (SETBIT, SETRANGE, BITFIELD, APPEND), so that an edit costs what it
 * touches and not the length of the whole value. Redis calls the encoding `raw`.
 */
import type { Bytes } from '../../protocol/reply.js';

export class ByteBuffer {
  private buffer: Buffer;
  length: number;

  constructor(text: Bytes, capacity = text.length) {
    this.buffer = Buffer.alloc(Math.max(capacity, text.length));
    this.length = this.buffer.latin1Write(text, 0);
  }

  /** The bytes themselves; valid until the next edit. */
  bytes(): Buffer {
    return this.buffer.subarray(0, this.length);
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
    if (length <= this.length) return;
    if (length > this.buffer.length) {
      const spare = length < 1 << 20 ? length : 1 << 20;
      const grown = Buffer.alloc(length + spare);
      this.buffer.copy(grown, 0, 0, this.length);
      this.buffer = grown;
    }
    this.length = length;
  }

  clone(): ByteBuffer {
    return new ByteBuffer(this.toString());
  }

  get capacity(): number {
    return this.buffer.length;
  }
}
