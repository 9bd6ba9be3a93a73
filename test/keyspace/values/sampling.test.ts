import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { distinctIndexes } from '../../../src/keyspace/values/sampling.js';

describe('distinctIndexes', () => {
  it('gives as many different indexes as asked for, ascending', () => {
    fc.assert(
      fc.property(fc.nat(60), fc.nat(80), (size, count) => {
        const indexes = distinctIndexes(size, count, Math.random);
        expect(indexes).toHaveLength(Math.min(size, count));
        expect(indexes).toEqual([...new Set(indexes)].sort((a, b) => a - b));
        for (const index of indexes) expect(index).toBeLessThan(size);
      }),
    );
  });

  it('gives every choice with the same chance', () => {
    const tally = new Map<string, number>();
    for (const first of [1 / 8, 3 / 8, 5 / 8, 7 / 8]) {
      for (const second of [0.1, 0.3, 0.5, 0.7, 0.9]) {
        const random = [first, second];
        const choice = distinctIndexes(5, 2, () => random.shift()!).join();
        tally.set(choice, (tally.get(choice) ?? 0) + 1);
      }
    }
    // The first draw is one of four indexes, the second one of five: each of the ten pairs comes up twice.
    expect([...tally.values()]).toEqual(Array(10).fill(2));
  });
});
