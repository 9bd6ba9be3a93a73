import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitField, parseFieldType, readField, writeField } from '../../../src/keyspace/values/bit-field.js';
import { normaliseInteger } from '../../../src/protocol/numbers.js';

const typeName = fc.oneof(
  fc.integer({ min: 1, max: 64 }).map((bits) => `i${bits}`),
  fc.integer({ min: 1, max: 63 }).map((bits) => `u${bits}`),
);
const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });

describe('fields of bits', () => {
  it('have the types i1 to i64 and u1 to u63', () => {
    expect(parseFieldType('i64')).toMatchObject({
      signed: true,
      bits: 64,
      least: -(2n ** 63n),
      greatest: 2n ** 63n - 1n,
    });
    expect(parseFieldType('u8')).toMatchObject({ signed: false, bits: 8, least: 0, greatest: 255 });
    for (const text of ['u64', 'i65', 'u0', 'i08', 'U8', 'u', '8', 'u-1', 'u8 ']) {
      expect(parseFieldType(text), text).toBeUndefined();
    }
  });

  it('read back what was written and leave the other bits alone', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 24, maxLength: 24 }),
        fc.integer({ min: 0, max: 128 }),
        typeName,
        int64,
        (bytes, offset, name, wanted) => {
          const type = parseFieldType(name)!;
          const value = fitField(type, normaliseInteger(wanted), 'WRAP')!;
          const before = bitText(bytes);
          writeField(bytes, type, offset, value);
          const after = bitText(bytes);
          expect(readField(bytes, type, offset)).toBe(value);
          expect(readField(String.fromCharCode(...bytes), type, offset)).toBe(value);
          expect(after.slice(0, offset)).toBe(before.slice(0, offset));
          expect(after.slice(offset + type.bits)).toBe(before.slice(offset + type.bits));
          expect(after.slice(offset, offset + type.bits)).toBe(
            BigInt.asUintN(type.bits, BigInt(value)).toString(2).padStart(type.bits, '0'),
          );
        },
      ),
    );
  });

  it('are zero behind the end', () => {
    const type = parseFieldType('u8')!;
    expect(readField('\xff', type, 4)).toBe(0xf0);
    expect(readField('', type, 4_294_967_288)).toBe(0);
  });

  it('wrap, saturate or fail where a value does not fit', () => {
    const signed = parseFieldType('i8')!;
    expect(fitField(signed, 128, 'WRAP')).toBe(-128);
    expect(fitField(signed, 128, 'SAT')).toBe(127);
    expect(fitField(signed, -129, 'SAT')).toBe(-128);
    expect(fitField(signed, 128, 'FAIL')).toBeUndefined();
    const unsigned = parseFieldType('u63')!;
    expect(fitField(unsigned, -1, 'WRAP')).toBe(2n ** 63n - 1n);
    expect(fitField(unsigned, -1, 'SAT')).toBe(0);
  });
});

function bitText(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
}
