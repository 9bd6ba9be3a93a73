/** The HyperLogLog value on its own, with facts recorded on Redis 8.2.3. */
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { Hyperloglog, hyperloglogSelfTest, looksLikeHyperloglog } from '../../../src/keyspace/values/hyperloglog.js';

/** The elements e0, e1 … added one by one: how many, PFCOUNT, and the SHA-1 of what GET answers before it. */
const RECORDED: readonly [count: number, estimate: number, digest: string][] = [
  [0, 0, 'e2c2a4d6f667db2d3180523f3c7a9bda5a4db0fc'],
  [1, 1, '3eb3234681303a26e57d597ed228af6a15d63ac1'],
  [10, 10, '771d194bc0a419552a28bb34101cac65f9c44a11'],
  [1000, 1008, '26dc3c41142e0317d54eb6adc1e29ccff5ca6941'],
  [5000, 4968, '21f2bcbf124c89c42b46e149b5d2218e30c42fd1'],
  [100000, 100853, 'ec6400bb60029296060157289491545488e0cdd1'],
];

function holding(count: number): Hyperloglog {
  const hll = Hyperloglog.create();
  for (let i = 0; i < count; i++) hll.add(`e${i}`);
  return hll;
}

function sha1(value: string): string {
  return createHash('sha1').update(Buffer.from(value, 'latin1')).digest('hex');
}

describe('a HyperLogLog', () => {
  test.each(RECORDED)('of %i elements estimates %i and has the bytes of Redis', (count, estimate, digest) => {
    const hll = holding(count);
    expect(sha1(hll.toBytes())).toBe(digest);
    expect(hll.cachedCount()).toBeNull();
    expect(hll.count()).toBe(estimate);
    expect(hll.cachedCount()).toBe(estimate);
  });

  test('edits the buffer it was parsed from while it need not grow', () => {
    const value = holding(5000);
    value.toDense();
    const buffer = Buffer.from(value.toBytes(), 'latin1');
    const parsed = Hyperloglog.parse(buffer) as Hyperloglog;
    expect(parsed.count()).toBe(value.count());
    expect(parsed.inPlace).toBe(true);
    expect(buffer.latin1Slice()).toBe(value.toBytes());
    const sparse = Hyperloglog.parse(Buffer.from(Hyperloglog.create().toBytes(), 'latin1')) as Hyperloglog;
    sparse.add('e1');
    expect(sparse.inPlace).toBe(false);
    const copy = Buffer.alloc(sparse.length);
    sparse.copyTo(copy);
    expect(copy.latin1Slice()).toBe(sparse.toBytes());
  });

  test('does not change when an element is added again', () => {
    const hll = holding(100);
    hll.count();
    const before = hll.toBytes();
    expect(hll.add('e50')).toBe(false);
    expect(hll.toBytes()).toBe(before);
  });

  test('keeps its registers and its cache when it becomes dense', () => {
    const hll = holding(100);
    const [count, registers] = [hll.count(), hll.registers()];
    expect(hll.toDense()).toBe(true);
    expect(hll.toDense()).toBe(false);
    expect(hll.registers()).toEqual(registers);
    expect(hll.cachedCount()).toBe(count);
    expect(hll.describe()).toBeNull();
  });

  test('is told from other strings', () => {
    expect(looksLikeHyperloglog(Hyperloglog.create().toBytes())).toBe(true);
    expect(looksLikeHyperloglog('HYLL')).toBe(false);
    expect(Hyperloglog.parse('a string of sixteen')).toBeNull();
  });

  test('passes its own test', () => {
    expect(hyperloglogSelfTest()).toBe(true);
  });
});
