import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defaultEncodingLimits } from '../../../src/keyspace/values/encoding-limits.js';
import { ListValue } from '../../../src/keyspace/values/list.js';

const limits = defaultEncodingLimits();
const all = (list: ListValue) => list.range(0, list.size - 1);

function listOf(elements: string[], some = limits): ListValue {
  const list = new ListValue();
  list.pushTail(elements, some);
  return list;
}

/** Elements of all the kinds nodes tell apart: small integers, texts, and some that get a node of their own. */
const element = fc.oneof(
  { weight: 5, arbitrary: fc.integer({ min: 0, max: 9 }).map(String) },
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 300 }).map((n) => 'x'.repeat(n)) },
  { weight: 1, arbitrary: fc.constantFrom('y'.repeat(4500), 'z'.repeat(9000)) },
);
const place = fc.double({ min: 0, max: 0.999, noNaN: true });
const operation = fc.record({
  op: fc.constantFrom('pushHead', 'pushTail', 'pushTail', 'popHead', 'popTail', 'set', 'insert', 'remove', 'trim'),
  elements: fc.array(element, { minLength: 1, maxLength: 5 }),
  from: place,
  to: place,
  after: fc.boolean(),
  count: fc.integer({ min: -2, max: 2 }),
});

function removeFrom(model: string[], count: number, element: string): string[] {
  const ordered = count < 0 ? [...model].reverse() : [...model];
  let left = count === 0 ? model.length : Math.abs(count);
  const kept = ordered.filter((other) => other !== element || left-- <= 0);
  return count < 0 ? kept.reverse() : kept;
}

describe('ListValue', () => {
  it.each([-2, -1, 3, 1])('agrees with an array, list-max-listpack-size %i', (listMaxListpackSize) => {
    const some = { ...limits, listMaxListpackSize };
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 60 }), (operations) => {
        const list = new ListValue();
        let model: string[] = [];
        for (const { op, elements, from, to, after, count } of operations) {
          const index = Math.floor(from * model.length);
          const one = elements[0]!;
          if (op === 'pushHead') {
            list.pushHead(elements, some);
            model.unshift(...[...elements].reverse());
          } else if (op === 'pushTail') {
            list.pushTail(['RPUSH', 'key', ...elements], some, 2);
            model.push(...elements);
          } else if (op === 'popHead') {
            expect(list.popHead(some)).toBe(model.shift());
          } else if (op === 'popTail') {
            expect(list.popTail(some)).toBe(model.pop());
          } else if (model.length === 0) {
            expect(list.set(0, one, some)).toBe(false);
          } else if (op === 'set') {
            expect(list.set(index, one, some)).toBe(true);
            model[index] = one;
          } else if (op === 'insert') {
            const pivot = model[index]!;
            expect(list.insert(pivot, one, after, some)).toBe(true);
            model.splice(model.indexOf(pivot) + (after ? 1 : 0), 0, one);
          } else if (op === 'remove') {
            const kept = removeFrom(model, count, model[index]!);
            expect(list.remove(count, model[index]!, some)).toBe(model.length - kept.length);
            model = kept;
          } else {
            const end = Math.floor(to * model.length);
            list.trim(index, end, some);
            model = model.slice(index, end + 1);
          }
          expect(list.size).toBe(model.length);
        }
        expect(all(list)).toEqual(model);
        for (let i = 0; i < model.length; i++) expect(list.at(i)).toBe(model[i]);
        expect(list.at(model.length)).toBeUndefined();
        expect(list.range(2, 5)).toEqual(model.slice(2, 6));
      }),
      { numRuns: 60 },
    );
  });

  it('finds positions as LPOS does', () => {
    const list = listOf(['a', 'b', 'c', 'a', 'b', 'a'], { ...limits, listMaxListpackSize: 2 });
    expect(list.positions('a', 1, 1, 0)).toEqual([0]);
    expect(list.positions('a', 2, 0, 0)).toEqual([3, 5]);
    expect(list.positions('a', -1, 2, 0)).toEqual([5, 3]);
    expect(list.positions('a', -2, 0, 0)).toEqual([3, 0]);
    expect(list.positions('b', 1, 0, 2)).toEqual([1]);
    expect(list.positions('b', -1, 0, 1)).toEqual([]);
    expect(list.positions('x', 1, 0, 0)).toEqual([]);
  });

  it('removes from the tail and from the head', () => {
    const list = listOf(['a', 'b', 'a', 'c', 'a']);
    expect(list.remove(-2, 'a', limits)).toBe(2);
    expect(all(list)).toEqual(['a', 'b', 'c']);
    expect(list.remove(0, 'a', limits)).toBe(1);
    expect(list.remove(1, 'a', limits)).toBe(0);
  });

  it('is a listpack up to a node and again from half a node on', () => {
    const text = 'x'.repeat(100);
    const list = listOf(Array(78).fill(text));
    expect(list.encoding).toBe('listpack');
    list.pushTail([text, text], limits);
    expect(list.encoding).toBe('quicklist');
    while (list.size > 40) list.popTail(limits);
    expect(list.encoding).toBe('quicklist');
    list.popHead(limits);
    expect(list.encoding).toBe('listpack');
    const counted = { ...limits, listMaxListpackSize: 4 };
    const short = listOf(['1', '2', '3', '4', '5'], counted);
    expect(short.encoding).toBe('quicklist');
    short.trim(0, 2, counted);
    expect(short.encoding).toBe('quicklist');
    short.popTail(counted);
    expect(short.encoding).toBe('listpack');
  });

  it('has an independent clone, and an estimate that follows its content', () => {
    const list = listOf(['a', 'b']);
    const copy = list.clone();
    copy.set(0, 'c', limits);
    copy.pushTail(['d'], limits);
    expect(all(list)).toEqual(['a', 'b']);
    const before = list.estimateBytes();
    list.pushTail(['x'.repeat(5000)], limits);
    expect(list.estimateBytes()).toBeGreaterThan(before + 5000);
    list.popTail(limits);
    expect(list.estimateBytes()).toBe(before);
  });
});
