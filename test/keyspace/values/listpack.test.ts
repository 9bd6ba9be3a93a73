import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalInteger, listpackEntryBytes } from '../../../src/keyspace/values/listpack.js';

describe('canonicalInteger', () => {
  it('reads the shortest text of every 64-bit integer, as a number while exact', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (n) => {
        const read = canonicalInteger(String(n));
        expect(BigInt(read!)).toBe(n);
        expect(typeof read).toBe(Number.isSafeInteger(Number(n)) ? 'number' : 'bigint');
      }),
    );
  });

  it.each([
    '',
    '-',
    '-0',
    '01',
    '+1',
    ' 1',
    '1 ',
    '1.0',
    '1e3',
    '0x1',
    '9223372036854775808',
    '-9223372036854775809',
    '99999999999999999999',
  ])('does not take %j for an integer', (text) => {
    expect(canonicalInteger(text)).toBeUndefined();
  });
});

describe('listpackEntryBytes', () => {
  it.each([
    ['0', 2],
    ['127', 2],
    ['128', 3],
    ['-1', 3],
    ['4095', 3],
    ['4096', 4],
    ['-32768', 4],
    ['32768', 5],
    ['8388608', 6],
    ['2147483648', 10],
    ['', 2],
    ['a', 3],
    ['x'.repeat(63), 65],
    ['x'.repeat(64), 67],
    ['x'.repeat(125), 128],
    ['x'.repeat(126), 130],
    ['x'.repeat(4096), 4103],
  ])('of %j is %i', (text, bytes) => {
    expect(listpackEntryBytes(text)).toBe(bytes);
  });
});
