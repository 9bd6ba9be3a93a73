/** Writes the pieces that RDB values are made of. */
import { parseInteger } from '../../protocol/numbers.js';
import type { Bytes, Int64 } from '../../protocol/reply.js';
import * as format from './format.js';

/** No integer of 32 bits has a longer text. */
const LONGEST_INT32 = 11;

export class RdbWriter {
  private readonly pieces: Buffer[] = [];

  byte(value: number): void {
    this.pieces.push(Buffer.of(value));
  }

  raw(bytes: Buffer): void {
    this.pieces.push(bytes);
  }

  /** A length or any unsigned integer of up to 64 bits. */
  integer(value: Int64): void {
    let bytes: Buffer;
    if (value < 64) bytes = Buffer.of(Number(value));
    else if (value < 2 ** 14) bytes = Buffer.of(0x40 | (Number(value) >> 8), Number(value) & 0xff);
    else if (value < 2 ** 32) {
      bytes = Buffer.allocUnsafe(5);
      bytes[0] = format.LENGTH_32;
      bytes.writeUInt32BE(Number(value), 1);
    } else {
      bytes = Buffer.allocUnsafe(9);
      bytes[0] = format.LENGTH_64;
      bytes.writeBigUInt64BE(BigInt(value), 1);
    }
    this.pieces.push(bytes);
  }

  /** A string, as an integer where Redis writes one. */
  string(text: Bytes): void {
    const number = text.length <= LONGEST_INT32 ? parseInteger(text) : undefined;
    if (typeof number === 'number' && this.smallInteger(number)) return;
    this.blob(Buffer.from(text, 'latin1'));
  }

  blob(bytes: Buffer): void {
    this.integer(bytes.length);
    this.pieces.push(bytes);
  }

  double(value: number): void {
    const bytes = Buffer.allocUnsafe(8);
    bytes.writeDoubleLE(value);
    this.pieces.push(bytes);
  }

  /** A time in ms as eight bytes, signed. */
  time(ms: Int64): void {
    const bytes = Buffer.allocUnsafe(8);
    bytes.writeBigInt64LE(BigInt(ms));
    this.pieces.push(bytes);
  }

  finish(): Buffer {
    return Buffer.concat(this.pieces);
  }

  private smallInteger(value: number): boolean {
    let bytes: Buffer;
    if (value >= -0x80 && value < 0x80) {
      bytes = Buffer.of(format.STRING_INT8, value & 0xff);
    } else if (value >= -0x8000 && value < 0x8000) {
      bytes = Buffer.of(format.STRING_INT16, value & 0xff, (value >> 8) & 0xff);
    } else if (value >= -0x8000_0000 && value < 0x8000_0000) {
      bytes = Buffer.allocUnsafe(5);
      bytes[0] = format.STRING_INT32;
      bytes.writeInt32LE(value, 1);
    } else return false;
    this.pieces.push(bytes);
    return true;
  }
}
