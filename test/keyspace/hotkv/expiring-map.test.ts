/** The map with entries that end, beside a plain map that is looked through for every answer. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Expiring, ExpiringMap } from '../../../src/keyspace/hotkv/expiring-map.js';

const steps = fc.array(
  fc.record({
    kind: fc.constantFrom('set', 'set', 'get', 'delete', 'live', 'due', 'wait'),
    key: fc.nat(19).map(String),
    lasts: fc.option(fc.integer({ min: -5, max: 50 }), { nil: Number.POSITIVE_INFINITY }),
  }),
  { maxLength: 200, size: 'max' },
);

it('has what has not ended, and tells of every entry that goes, once', () => {
  fc.assert(
    fc.property(steps, (all) => {
      const held = new Set<Expiring>();
      const map = new ExpiringMap<Expiring>((_key, value) => expect(held.delete(value)).toBe(true));
      const plain = new Map<string, Expiring>();
      let now = 1000;
      for (const { kind, key, lasts } of all) {
        for (const [name, { expiresAt }] of plain) if (expiresAt <= now) plain.delete(name);
        const ended = held.size - plain.size;
        if (kind === 'set') {
          const value = { expiresAt: now + lasts };
          map.set(key, value, now);
          held.add(value);
          plain.delete(key);
          plain.set(key, value);
        } else if (kind === 'get') expect(map.get(key, now)).toBe(plain.get(key));
        else if (kind === 'delete') expect(map.delete(key, now)).toBe(plain.delete(key));
        else if (kind === 'live') expect([...map.live(now)]).toEqual([...plain]);
        else if (kind === 'due') expect(map.removeDue(now, 2)).toBe(Math.min(ended, 2));
        else now += Math.min(Math.abs(lasts), 50);
        expect(map.size).toBe(held.size);
      }
    }),
  );
});
