import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { commonLength, commonRuns } from '../../../src/keyspace/values/common-subsequence.js';

const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 30 });

describe('the longest common subsequence', () => {
  it('is made of runs that both strings have, from the last to the first', () => {
    fc.assert(
      fc.property(text, text, (a, b) => {
        const runs = commonRuns(a, b);
        let [endA, endB] = [a.length, b.length];
        for (const run of runs) {
          expect(a.slice(run.a, run.a + run.length)).toBe(b.slice(run.b, run.b + run.length));
          expect(run.a + run.length).toBeLessThanOrEqual(endA);
          expect(run.b + run.length).toBeLessThanOrEqual(endB);
          [endA, endB] = [run.a, run.b];
        }
        expect(runs.reduce((sum, run) => sum + run.length, 0)).toBe(commonLength(a, b));
      }),
    );
  });

  it('has the length that the definition gives', () => {
    const define = (a: string, b: string): number => {
      if (a === '' || b === '') return 0;
      if (a[0] === b[0]) return 1 + define(a.slice(1), b.slice(1));
      return Math.max(define(a.slice(1), b), define(a, b.slice(1)));
    };
    const short = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 8 });
    fc.assert(fc.property(short, short, (a, b) => void expect(commonLength(a, b)).toBe(define(a, b))));
  });

  it('is the one that Redis answers', () => {
    expect(commonRuns('ohmytext', 'mynewtext')).toEqual([
      { a: 4, b: 5, length: 4 },
      { a: 2, b: 0, length: 2 },
    ]);
  });
});
