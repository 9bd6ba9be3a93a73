import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defaultEncodingLimits } from '../../../src/keyspace/values/encoding-limits.js';
import { SetValue } from '../../../src/keyspace/values/set.js';

const limits = defaultEncodingLimits();
const texts = (n: number) => Array.from({ length: n }, (_, i) => `m${i}`);
const numbers = (n: number) => Array.from({ length: n }, (_, i) => String(i));

/** What `SADD` does with the members on a new key, or on `set`. */
function sadd(members: string[], set = SetValue.forMembers(members[0]!, members.length, limits)): SetValue {
  set.expectMembers(members.length, limits);
  for (const member of members) set.add(member, limits);
  return set;
}

const member = fc.oneof(
  fc.integer({ min: -20, max: 20 }).map(String),
  fc.constantFrom('a', 'b', '01', '-0', '', 'x'.repeat(65)),
  fc.bigInt({ min: 2n ** 53n - 2n, max: 2n ** 53n + 3n }).map(String),
);

describe('SetValue', () => {
  it('agrees with a Set after any operations, in any encoding', () => {
    const operation = fc.record({ add: fc.boolean(), member });
    const small = { ...limits, setMaxIntsetEntries: 4, setMaxListpackEntries: 6 };
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 60 }), (operations) => {
        const set = new SetValue();
        const model = new Set<string>();
        for (const { add, member } of operations) {
          if (add) expect(set.add(member, small)).toBe(!model.has(member));
          else expect(set.delete(member)).toBe(model.has(member));
          add ? model.add(member) : model.delete(member);
          expect(set.has(member)).toBe(add);
        }
        expect(set.size).toBe(model.size);
        expect(new Set(set.members())).toEqual(model);
        const scanned = new Set<string>();
        for (let cursor = -1; cursor !== 0; ) cursor = set.scan(Math.max(0, cursor), 3, (found) => scanned.add(found));
        expect(scanned).toEqual(model);
        if (set.encoding !== 'hashtable') expect(set.size).toBeLessThanOrEqual(6);
      }),
    );
  });

  it('lists integers by value, and a listpack by insertion', () => {
    expect(sadd(['3', '9007199254740993', '-5', '9007199254740992', '10']).members()).toEqual([
      '-5',
      '3',
      '10',
      '9007199254740992',
      '9007199254740993',
    ]);
    expect(sadd(['3', '1', 'x', '2']).members()).toEqual(['1', '3', 'x', '2']);
    expect(sadd(['x', '3', '1']).members()).toEqual(['x', '3', '1']);
    const set = sadd(['a', 'b', 'c', 'd']);
    set.delete('b');
    set.add('e', limits);
    expect(set.members()).toEqual(['a', 'c', 'd', 'e']);
  });

  // Each row was asked of Redis 8.2.3.
  it.each<[string, SetValue, string]>([
    ['512 integers', sadd(numbers(512)), 'intset'],
    ['513 integers', sadd(numbers(513)), 'hashtable'],
    ['128 texts', sadd(texts(128)), 'listpack'],
    ['129 texts', sadd(texts(129)), 'hashtable'],
    ['127 integers, then a text', sadd(['a'], sadd(numbers(127))), 'listpack'],
    ['128 integers, then a text', sadd(['a'], sadd(numbers(128))), 'hashtable'],
    ['integers, then a text of 64', sadd(['x'.repeat(64)], sadd(['1'])), 'listpack'],
    ['integers, then a text of 65', sadd(['x'.repeat(65)], sadd(['1'])), 'hashtable'],
    ['600 times the same integer', sadd(Array(600).fill('1')), 'hashtable'],
    ['129 times the same text', sadd(Array(129).fill('a'), sadd(['a', 'b'])), 'hashtable'],
    ['200 integers and a text at once', sadd([...numbers(200), 'a']), 'hashtable'],
  ])('%s', (_, set, encoding) => {
    expect(set.encoding).toBe(encoding);
  });

  it('makes an intset of an intersection that has only integers', () => {
    const set = SetValue.emptyListpack();
    for (const member of numbers(200).reverse()) set.add(member, limits);
    expect(set.encoding).toBe('hashtable');
    set.shrinkToIntset(limits);
    expect(set.encoding).toBe('intset');
    expect(set.members()).toEqual(numbers(200));
    const mixed = SetValue.emptyListpack();
    mixed.add('a', limits);
    mixed.shrinkToIntset(limits);
    expect(mixed.encoding).toBe('listpack');
  });

  it('pops different members, and keeps the others', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 300 }),
        fc.nat(320),
        fc.boolean(),
        fc.infiniteStream(fc.double({ min: 0, max: 0.999, noNaN: true })),
        (size, count, integers, randoms) => {
          const set = sadd(integers ? numbers(size) : texts(size));
          const before = set.members();
          const popped = set.popRandom(count, () => randoms.next().value as number, limits);
          expect(popped).toHaveLength(Math.min(count, size));
          expect([...popped, ...set.members()].sort()).toEqual(before.sort());
        },
      ),
      { numRuns: 60 },
    );
  });

  it('leaves a smaller encoding when nearly all is popped', () => {
    const set = sadd(['a'], sadd(numbers(300)));
    set.popRandom(290, Math.random, limits);
    expect(set.encoding).toBe('listpack');
    const integers = sadd(numbers(100));
    integers.popRandom(95, Math.random, limits);
    expect(integers.encoding).toBe('intset');
  });

  it('has an independent clone, and grows in estimated size', () => {
    const set = sadd(['a', 'b']);
    const copy = set.clone();
    copy.add('c', limits);
    copy.delete('a');
    expect(set.members()).toEqual(['a', 'b']);
    expect(sadd(texts(1000)).estimateBytes()).toBeGreaterThan(10 * set.estimateBytes());
  });
});
