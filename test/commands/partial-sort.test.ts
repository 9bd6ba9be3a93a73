import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sortFirst } from '../../src/commands/partial-sort.js';

interface Item {
  readonly weight: number;
  readonly place: number;
}

const byWeight = (a: Item, b: Item): number => a.weight - b.weight;

it('puts the wanted items first, in order, and loses none', () => {
  const weights = fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 300 });
  fc.assert(
    fc.property(weights, fc.nat(310), (drawn, wanted) => {
      const items = drawn.map((weight, place): Item => ({ weight, place }));
      const sorted = items.toSorted(byWeight).map((item) => item.weight);
      sortFirst(items, wanted, byWeight);
      expect(items.slice(0, wanted).map((item) => item.weight)).toEqual(sorted.slice(0, wanted));
      expect(new Set(items.map((item) => item.place)).size).toBe(drawn.length);
    }),
  );
});

it('keeps the order of equal items only as long as it sorts by insertion', () => {
  const places = (count: number): number[] => {
    const items = Array.from({ length: count }, (_, place): Item => ({ weight: place === 0 ? 1 : 0, place }));
    sortFirst(items, 3, byWeight);
    return items.slice(0, 3).map((item) => item.place);
  };
  expect(places(6)).toEqual([1, 2, 3]);
  expect(places(12)).not.toEqual([1, 2, 3]);
});
