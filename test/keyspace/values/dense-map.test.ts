import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DenseMap, DenseSet } from '../../../src/keyspace/values/dense-map.js';

const key = fc.integer({ min: 0, max: 40 }).map((n) => `k${n}`);
const operation = fc.oneof(
  fc.record({ op: fc.constant('set' as const), key, value: fc.nat(1000) }),
  fc.record({ op: fc.constant('delete' as const), key, value: fc.constant(0) }),
  fc.record({ op: fc.constant('deleteInOrder' as const), key, value: fc.constant(0) }),
);

describe('DenseMap', () => {
  it('agrees with a Map after any operations, and its slots have no gaps', () => {
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 200 }), (operations) => {
        const dense = new DenseMap<number>();
        const model = new Map<string, number>();
        for (const { op, key, value } of operations) {
          if (op === 'set') {
            expect(dense.set(key, value)).toBe(!model.has(key));
            model.set(key, value);
          } else {
            expect(dense[op](key)).toBe(model.delete(key));
          }
        }
        expect(dense.size).toBe(model.size);
        for (let slot = 0; slot < dense.size; slot++) {
          expect(dense.indexOf(dense.keyAt(slot))).toBe(slot);
          expect(dense.valueAt(slot)).toBe(model.get(dense.keyAt(slot)));
        }
        for (const [k, v] of model) expect(dense.get(k)).toBe(v);
      }),
    );
  });

  it('keeps insertion order when entries are only deleted in order', () => {
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 120 }), (operations) => {
        const dense = new DenseMap<number>();
        const model = new Map<string, number>();
        for (const { op, key, value } of operations) {
          if (op === 'set') {
            dense.set(key, value);
            model.set(key, value);
          } else {
            dense.deleteInOrder(key);
            model.delete(key);
          }
        }
        expect(dense.keyList()).toEqual([...model.keys()]);
      }),
    );
  });

  it('has an independent clone', () => {
    const map = new DenseMap<number[]>();
    for (let i = 0; i < 20; i++) map.set(`k${i}`, [i]);
    const copy = map.clone((value) => value.slice());
    copy.get('k3')!.push(99);
    copy.delete('k0');
    map.set('new', []);
    expect(map.get('k3')).toEqual([3]);
    expect(map.has('k0')).toBe(true);
    expect(copy.has('new')).toBe(false);
    expect(copy.size).toBe(19);
  });
});

describe('scan', () => {
  it('returns every element that is present all the time, whatever is added and deleted between the steps', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 60 }),
        fc.integer({ min: 1, max: 12 }),
        fc.array(fc.array(operation, { maxLength: 8 }), { maxLength: 30 }),
        (stable, count, changes) => {
          const set = new DenseSet();
          for (let i = 0; i < stable; i++) {
            set.add(`k${i}`);
            set.add(`stable${i}`);
          }
          const seen = new Set<string>();
          let cursor = 0;
          let step = 0;
          do {
            let visited = 0;
            cursor = set.scan(cursor, count, (key) => {
              seen.add(key);
              visited++;
            });
            expect(visited).toBeLessThanOrEqual(count);
            for (const { op, key } of changes[step] ?? []) op === 'set' ? set.add(key) : set[op](key);
            step++;
          } while (cursor !== 0);
          for (let i = 0; i < stable; i++) expect(seen).toContain(`stable${i}`);
        },
      ),
    );
  });

  it('may delete what it visits', () => {
    const set = new DenseSet();
    for (let i = 0; i < 50; i++) set.add(`k${i}`);
    const seen: string[] = [];
    let cursor = 0;
    do {
      cursor = set.scan(cursor, 7, (key) => {
        seen.push(key);
        set.delete(key);
      });
    } while (cursor !== 0);
    expect(seen).toHaveLength(50);
    expect(set.size).toBe(0);
  });

  it('starts at the top for a cursor beyond the size', () => {
    const set = new DenseSet();
    for (const key of ['a', 'b', 'c']) set.add(key);
    const seen: string[] = [];
    expect(set.scan(1000, 2, (key) => seen.push(key))).toBe(1);
    expect(seen).toEqual(['c', 'b']);
  });
});

describe('randomSlot', () => {
  it('reaches every slot', () => {
    const set = new DenseSet();
    for (const key of ['a', 'b', 'c', 'd']) set.add(key);
    expect([0, 0.25, 0.5, 0.999].map((r) => set.keyAt(set.randomSlot(() => r)))).toEqual(['a', 'b', 'c', 'd']);
  });
});
