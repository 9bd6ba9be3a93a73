import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type BitOperation, combineBits, countBits, findBit } from '../../../src/keyspace/values/bits.js';
import { ByteBuffer } from '../../../src/keyspace/values/byte-buffer.js';

/** Long runs of the same byte are where whole words are skipped. */
const bytes = fc
  .array(fc.tuple(fc.constantFrom(0, 0xff, 0x80, 0x01, 0x5a), fc.integer({ min: 1, max: 40 })), { maxLength: 6 })
  .map((runs) => runs.map(([byte, times]) => String.fromCharCode(byte).repeat(times)).join(''));

const bitsOf = (text: string): string =>
  [...text].map((char) => char.charCodeAt(0).toString(2).padStart(8, '0')).join('');

/** A value and a range of its bits. */
const valueAndRange = bytes
  .filter((text) => text !== '')
  .chain((text) => {
    const place = fc.integer({ min: 0, max: text.length * 8 - 1 });
    return fc.tuple(fc.constant(text), place, place).map(([value, a, b]) => ({
      value,
      first: Math.min(a, b),
      last: Math.max(a, b),
    }));
  });

describe('bits of a string', () => {
  it('are counted within a range', () => {
    fc.assert(
      fc.property(valueAndRange, ({ value, first, last }) => {
        const expected = bitsOf(value)
          .slice(first, last + 1)
          .replaceAll('0', '').length;
        expect(countBits(new ByteBuffer(value), first, last)).toBe(expected);
      }),
    );
  });

  it('are found within a range', () => {
    fc.assert(
      fc.property(valueAndRange, fc.constantFrom(0 as const, 1 as const), ({ value, first, last }, bit) => {
        const found = bitsOf(value)
          .slice(0, last + 1)
          .indexOf(String(bit), first);
        expect(findBit(new ByteBuffer(value), bit, first, last)).toBe(found);
      }),
    );
  });

  /** Whether a bit is set, from the bit of the first source and the number of the others that have it. */
  const meaning: Record<BitOperation, (x: number, others: number, count: number) => boolean> = {
    AND: (x, others, count) => x + others === count,
    OR: (x, others) => x + others > 0,
    XOR: (x, others) => (x + others) % 2 === 1,
    NOT: (x) => x === 0,
    DIFF: (x, others) => x === 1 && others === 0,
    DIFF1: (x, others) => x === 0 && others > 0,
    ANDOR: (x, others) => x === 1 && others > 0,
    ONE: (x, others) => x + others === 1,
  };

  it.each(Object.keys(meaning) as BitOperation[])('are combined by %s', (operation) => {
    const sources = fc.array(bytes, { minLength: operation === 'NOT' ? 1 : 2, maxLength: operation === 'NOT' ? 1 : 4 });
    fc.assert(
      fc.property(sources, (texts) => {
        const length = Math.max(...texts.map((text) => text.length));
        const rows = texts.map((text) => bitsOf(text.padEnd(length, '\0')));
        let expected = '';
        for (let i = 0; i < length * 8; i++) {
          const [x, ...others] = rows.map((row) => Number(row[i])) as [number, ...number[]];
          const set = others.reduce((sum, bit) => sum + bit, 0);
          expected += meaning[operation](x, set, rows.length) ? '1' : '0';
        }
        const combined = combineBits(
          operation,
          texts.map((text) => new ByteBuffer(text)),
        );
        expect(bitsOf(combined.toString())).toBe(expected);
        // Bytes behind the end stay zero: a longer value would show them.
        combined.grow(length + 3);
        expect(combined.toString().slice(length)).toBe('\0\0\0');
      }),
    );
  });
});
