import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defaultEncodingLimits } from '../../../src/keyspace/values/encoding-limits.js';
import { type LexBound, SortedSet } from '../../../src/keyspace/values/sorted-set.js';

const limits = defaultEncodingLimits();
const score = fc.oneof(
  fc.integer({ min: -5, max: 5 }),
  fc.double({ noNaN: true, min: -3, max: 3 }),
  fc.constantFrom(Infinity, -Infinity, 0, -0),
);
const member = fc.integer({ min: 0, max: 60 }).map((n) => `m${n}`);

type Pair = [member: string, score: number];
const byOrder = ([m1, s1]: Pair, [m2, s2]: Pair) => (s1 < s2 || (s1 === s2 && m1 < m2) ? -1 : 1);

function pairsOf(set: SortedSet): Pair[] {
  const { members, scores } = set.range(0, set.size - 1);
  return members.map((m, i): Pair => [m, scores[i]!]);
}

function setOf(pairs: Pair[]): SortedSet {
  const set = new SortedSet();
  for (const [m, s] of pairs) set.set(m, s, limits);
  return set;
}

/** A set of n members with pseudo-random scores, and its pairs in order. */
function large(n: number): { set: SortedSet; pairs: Pair[] } {
  const pairs = Array.from({ length: n }, (_, i): Pair => [`m${i}`, (i * 7919) % 1009]);
  return { set: setOf(pairs), pairs: [...pairs].sort(byOrder) };
}

describe('SortedSet', () => {
  it('agrees with a sorted array of pairs', () => {
    const operation = fc.record({
      op: fc.constantFrom('set', 'set', 'set', 'delete', 'popMin', 'popMax'),
      member,
      score,
    });
    fc.assert(
      fc.property(
        fc.array(operation, { maxLength: 150 }),
        score,
        score,
        fc.boolean(),
        fc.boolean(),
        (operations, min, max, minEx, maxEx) => {
          const set = new SortedSet();
          const model = new Map<string, number>();
          const sorted = () => [...model].sort(byOrder);
          for (const { op, member, score } of operations) {
            const old = model.get(member);
            if (op === 'set') {
              const outcome = old === undefined ? 'added' : old === score ? 'same' : 'updated';
              expect(set.set(member, score, limits)).toBe(outcome);
              if (outcome !== 'same') model.set(member, score + 0);
            } else if (op === 'delete') {
              expect(set.delete(member)).toBe(model.delete(member));
            } else {
              const pair = op === 'popMin' ? sorted()[0] : sorted().at(-1);
              const popped = op === 'popMin' ? set.popMin() : set.popMax();
              expect(popped && [popped.member, popped.score]).toEqual(pair);
              if (pair) model.delete(pair[0]);
            }
          }
          const pairs = sorted();
          expect(pairsOf(set)).toEqual(pairs);
          expect(set.range(0, set.size - 1, true).members).toEqual(pairs.map(([m]) => m).reverse());
          pairs.forEach(([m, s], rank) => {
            expect([set.rank(m), set.get(m), set.memberAt(rank), set.scoreAt(rank)]).toEqual([rank, s, m, s]);
          });
          expect([set.rank('absent'), set.get('absent')]).toEqual([undefined, undefined]);
          const inRange = pairs.filter(([, s]) => (minEx ? s > min : s >= min) && (maxEx ? s < max : s <= max));
          expect(set.countInScoreRange(min, minEx, max, maxEx)).toBe(inRange.length);
          if (inRange.length > 0) {
            expect(set.memberAt(set.rankOfScoreLower(min, minEx))).toBe(inRange[0]![0]);
            expect(set.memberAt(set.rankOfScoreUpper(max, maxEx) - 1)).toBe(inRange.at(-1)![0]);
          }
        },
      ),
    );
  });

  it('keeps ranks right over many blocks, through removals anywhere', () => {
    const { set, pairs } = large(5000);
    fc.assert(
      fc.property(fc.nat(4999), fc.nat(900), (start, count) => {
        const from = Math.min(start, pairs.length - 1);
        const end = Math.min(from + count, pairs.length) - 1;
        expect(set.removeRankRange(from, end)).toBe(end - from + 1);
        pairs.splice(from, end - from + 1);
        for (const [m, s] of pairs.slice(0, 300).map(([m, s]): Pair => [`again-${m}`, s])) {
          if (set.set(m, s, limits) === 'added') pairs.push([m, s]);
        }
        pairs.sort(byOrder);
        expect(set.size).toBe(pairs.length);
        for (let rank = 0; rank < pairs.length; rank += 37) {
          expect(set.memberAt(rank)).toBe(pairs[rank]![0]);
          expect(set.rank(pairs[rank]![0])).toBe(rank);
        }
        expect(set.range(10, 700).members).toEqual(pairs.slice(10, 701).map(([m]) => m));
      }),
      { numRuns: 25 },
    );
    expect(pairsOf(set)).toEqual(pairs);
  });

  it('is emptied from either end', () => {
    const { set, pairs } = large(2000);
    for (let i = 0; i < 1000; i++) {
      expect(set.popMin()!.member).toBe(pairs[i]![0]);
      expect(set.popMax()!.member).toBe(pairs[1999 - i]![0]);
    }
    expect([set.size, set.popMin(), set.popMax()]).toEqual([0, undefined, undefined]);
    expect(set.set('a', 1, limits)).toBe('added');
  });

  it('finds ranges of members in byte order', () => {
    const set = setOf(['a', 'b', 'c', 'd', '\xff'].map((m): Pair => [m, 0]));
    const range = (min: LexBound, max: LexBound) => {
      const first = set.rankOfLexLower(min);
      return set.range(first, set.rankOfLexUpper(max) - 1).members.join('');
    };
    const at = (m: string, exclusive = false) => ({ member: m, exclusive });
    expect(range('-', '+')).toBe('abcd\xff');
    expect(range(at('b'), at('d'))).toBe('bcd');
    expect(range(at('b', true), at('d', true))).toBe('c');
    expect(range(at('bb'), '+')).toBe('cd\xff');
    expect(range('+', '-')).toBe('');
    expect(range(at('d'), at('b'))).toBe('');
  });

  it('keeps −0 only in a skiplist, and takes it for the same score as 0', () => {
    const set = setOf([['a', -0]]);
    expect(Object.is(set.get('a'), 0)).toBe(true);
    set.set('x'.repeat(65), 1, limits);
    set.set('b', -0, limits);
    expect(Object.is(set.get('b'), -0)).toBe(true);
    expect(set.set('b', 0, limits)).toBe('same');
  });

  // Each was asked of Redis 8.2.3.
  it('reports the encodings of Redis', () => {
    expect(large(128).set.encoding).toBe('listpack');
    expect(large(129).set.encoding).toBe('skiplist');
    expect(setOf([['x'.repeat(64), 1]]).encoding).toBe('listpack');
    expect(setOf([['x'.repeat(65), 1]]).encoding).toBe('skiplist');
    expect(SortedSet.forMembers(129, 1, limits).encoding).toBe('skiplist');
    expect(SortedSet.forMembers(1, 65, limits).encoding).toBe('skiplist');
    const { set } = large(129);
    set.removeRankRange(2, 128);
    expect(set.encoding).toBe('skiplist');
    set.shrinkToListpack(limits);
    expect([set.encoding, set.size]).toEqual(['listpack', 2]);
  });

  it('scans every member with its score', () => {
    for (const n of [5, 100, 700]) {
      const { set, pairs } = large(n);
      const seen: Pair[] = [];
      for (let cursor = -1; cursor !== 0; ) cursor = set.scan(Math.max(0, cursor), 10, (m, s) => seen.push([m, s]));
      expect(seen.sort(byOrder)).toEqual(pairs);
    }
  });

  it('has an independent clone, and grows in estimated size', () => {
    const { set, pairs } = large(600);
    const copy = set.clone();
    copy.delete('m0');
    copy.set('m1', 77777, limits);
    expect(pairsOf(set)).toEqual(pairs);
    expect(copy.rank('m1')).toBe(598);
    expect(set.estimateBytes()).toBeGreaterThan(10 * large(10).set.estimateBytes());
  });
});
