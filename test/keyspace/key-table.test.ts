import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KeyTable } from '../../src/keyspace/key-table.js';

const key = fc.integer({ min: 0, max: 200 }).map((n) => `key:${n}`);
const step = fc.record({ key, remove: fc.boolean() });

describe('the table of keys', () => {
  it('holds what was added and not removed, in dense slots, through growing and shrinking', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 600 }), (steps) => {
        const table = new KeyTable<number>();
        const model = new Map<string, number>();
        steps.forEach(({ key, remove }, i) => {
          const slot = table.find(key);
          expect(slot >= 0).toBe(model.has(key));
          if (remove) {
            if (slot >= 0) table.removeAt(slot);
            model.delete(key);
          } else if (slot < 0) {
            expect(table.add(key, i)).toBe(model.size);
            model.set(key, i);
          }
        });
        expect(table.size).toBe(model.size);
        expect(table.capacity).toBeGreaterThanOrEqual(table.size);
        for (const [key, value] of model) expect(table.valueAt(table.find(key))).toBe(value);
      }),
    );
  });

  it('finds every one of many keys, also after most of them went', () => {
    const table = new KeyTable<number>();
    for (let i = 0; i < 50_000; i++) table.add(`k${i}`, i);
    for (let i = 0; i < 50_000; i++) if (i % 10 !== 0) table.removeAt(table.find(`k${i}`));
    expect(table.size).toBe(5_000);
    for (let i = 0; i < 50_000; i++) {
      const slot = table.find(`k${i}`);
      expect(slot < 0 ? undefined : table.valueAt(slot)).toBe(i % 10 === 0 ? i : undefined);
    }
    table.clear();
    expect(table.find('k0')).toBe(-1);
  });
});
