/**
 * Integers of any width inside a string, as BITFIELD has them: `i1` to `i64` and `u1` to `u63`, at any bit offset,
 * most significant bit first. Up to 53 bits are worked on as numbers, wider ones as bigints.
 */
import { normaliseInteger } from '../../protocol/numbers.js';
import type { Bytes, Int64 } from '../../protocol/reply.js';

export interface FieldType {
  readonly signed: boolean;
  readonly bits: number;
  readonly least: Int64;
  readonly greatest: Int64;
}

export type Overflow = 'WRAP' | 'SAT' | 'FAIL';

/** What fields are read from. Behind its end everything is zero. */
export type FieldSource = Bytes | Uint8Array;

/** The widest fields whose values are all exact as numbers. */
const NUMBER_BITS = 53;

/** `u8`, `i64` and the like; undefined for what is no type. */
export function parseFieldType(text: Bytes): FieldType | undefined {
  const parts = /^([iu])([1-9]\d?)$/.exec(text);
  if (parts === null) return undefined;
  const signed = parts[1] === 'i';
  const bits = Number(parts[2]);
  if (bits > (signed ? 64 : 63)) return undefined;
  const valueBits = BigInt(signed ? bits - 1 : bits);
  const greatest = (1n << valueBits) - 1n;
  const least = signed ? -greatest - 1n : 0n;
  return { signed, bits, least: normaliseInteger(least), greatest: normaliseInteger(greatest) };
}

export function readField(source: FieldSource, type: FieldType, offset: number): Int64 {
  const { signed, bits } = type;
  if (bits <= NUMBER_BITS) {
    const value = readBits(source, offset, bits);
    return signed && value > Number(type.greatest) ? value - 2 ** bits : value;
  }
  const high = BigInt(readBits(source, offset, bits - 32));
  const value = (high << 32n) | BigInt(readBits(source, offset + bits - 32, 32));
  return normaliseInteger(signed ? BigInt.asIntN(bits, value) : value);
}

/** Writes a value that the type can hold. */
export function writeField(bytes: Uint8Array, type: FieldType, offset: number, value: Int64): void {
  const { bits } = type;
  if (bits <= NUMBER_BITS) {
    const number = Number(value);
    writeBits(bytes, offset, bits, number < 0 ? number + 2 ** bits : number);
    return;
  }
  const unsigned = BigInt.asUintN(bits, BigInt(value));
  writeBits(bytes, offset, bits - 32, Number(unsigned >> 32n));
  writeBits(bytes, offset + bits - 32, 32, Number(unsigned & 0xffff_ffffn));
}

/** A value made to fit the type as `overflow` says; undefined where it does not fit and that is a failure. */
export function fitField(type: FieldType, value: Int64, overflow: Overflow): Int64 | undefined {
  const { signed, bits, least, greatest } = type;
  if (value >= least && value <= greatest) return value;
  if (overflow === 'FAIL') return undefined;
  if (overflow === 'SAT') return value > greatest ? greatest : least;
  return normaliseInteger(signed ? BigInt.asIntN(bits, BigInt(value)) : BigInt.asUintN(bits, BigInt(value)));
}

/** An unsigned integer of at most 53 bits. */
function readBits(source: FieldSource, offset: number, bits: number): number {
  let value = 0;
  let at = offset;
  let left = bits;
  while (left > 0) {
    const start = at % 8;
    const taken = Math.min(8 - start, left);
    const part = (byteAt(source, Math.floor(at / 8)) >> (8 - start - taken)) & ((1 << taken) - 1);
    value = value * (1 << taken) + part;
    at += taken;
    left -= taken;
  }
  return value;
}

function writeBits(bytes: Uint8Array, offset: number, bits: number, value: number): void {
  let rest = value;
  let end = offset + bits;
  while (end > offset) {
    const index = Math.floor((end - 1) / 8);
    const behind = (index + 1) * 8 - end;
    const taken = Math.min(8 - behind, end - offset);
    const mask = ((1 << taken) - 1) << behind;
    const part = rest % (1 << taken);
    bytes[index] = (bytes[index]! & ~mask) | (part << behind);
    rest = Math.floor(rest / (1 << taken));
    end -= taken;
  }
}

function byteAt(source: FieldSource, index: number): number {
  if (index >= source.length) return 0;
  return typeof source === 'string' ? source.charCodeAt(index) : source[index]!;
}
