import { describe, expect, it } from 'vitest';
import { listpackEntryBytes } from '../../../src/keyspace/values/listpack.js';

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
