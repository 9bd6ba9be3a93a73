/** The map with entries that end, beside a plain map that is looked through for every answer. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Expiring, ExpiringMap } from '../../../src/keyspace/hotkv/expiring-map.js';

const steps = fc.array(
  fc.record({
    kind: fc.constantFrom('set', 'get', 'has', 'delete', 'live', 'wait'),
    key: fc.nat(199),
    lasts: fc.option(fc.integer({ min: -5, max: 50 }), { nil: Number.POSITIVE_INFINITY }),
  }),
  { maxLength: 400, size: 'max' },
);

it('has what has not ended, and tells of every entry that goes, once', () => {
  fc.assert(
    fc.property(steps, (all) => {
      const held = new Set<Expiring>();
      const map = new ExpiringMap<number, Expiring>((_key, value) => expect(held.delete(value)).toBe(true));
      const plain = new Map<number, Expiring>();
      const find = (key: number) => {
        const value = plain.get(key);
        return value !== undefined && value.expiresAt > now ? value : undefined;
      };
      let now = 1000;
      for (const { kind, key, lasts } of all) {
        if (kind === 'set') {
          const value = { expiresAt: now + lasts };
          map.set(key, value, now);
          held.add(value);
          plain.delete(key);
          plain.set(key, value);
        } else if (kind === 'get') expect(map.get(key, now)).toBe(find(key));
        else if (kind === 'has') expect(map.has(key, now)).toBe(find(key) !== undefined);
        else if (kind === 'delete') {
          expect(map.delete(key, now)).toBe(find(key) !== undefined);
          plain.delete(key);
        } else if (kind === 'live') {
          expect([...map.live(now)]).toEqual([...plain].filter(([, { expiresAt }]) => expiresAt > now));
        } else now += Math.min(Math.abs(lasts), 50);
        expect(new Set(map.values())).toEqual(held);
      }
    }),
  );
});

it('does not grow by what has ended', () => {
  const map = new ExpiringMap<number, Expiring>();
  for (let now = 0; now < 10_000; now++) map.set(now, { expiresAt: now + 10 }, now);
  expect([...map.values()].length).toBeLessThanOrEqual(64);
});
