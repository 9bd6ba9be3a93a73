import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defaultEncodingLimits } from '../../../src/keyspace/values/encoding-limits.js';
import { HashValue } from '../../../src/keyspace/values/hash.js';

const limits = defaultEncodingLimits();

function hashOf(...fields: string[]): HashValue {
  const hash = new HashValue();
  for (const field of fields) hash.set(field, 'v', limits);
  return hash;
}

function fieldsOf(hash: HashValue): string {
  return Array.from({ length: hash.size }, (_, i) => hash.fieldAt(i)).join('');
}

const field = fc.integer({ min: 0, max: 15 }).map((n) => `f${n}`);
const operation = fc.oneof(
  fc.record({ op: fc.constant('set' as const), field, n: fc.nat(9) }),
  fc.record({ op: fc.constant('setKeepingTtl' as const), field, n: fc.nat(9) }),
  fc.record({ op: fc.constant('delete' as const), field, n: fc.constant(0) }),
  fc.record({ op: fc.constant('expire' as const), field, n: fc.nat(50) }),
  fc.record({ op: fc.constant('persist' as const), field, n: fc.constant(0) }),
  fc.record({ op: fc.constant('due' as const), field, n: fc.nat(50) }),
);

describe('HashValue', () => {
  it.each([4, 512])('agrees with maps of values and times, up to %i fields compact', (hashMaxListpackEntries) => {
    const some = { ...limits, hashMaxListpackEntries };
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 100 }), (operations) => {
        const hash = new HashValue();
        const values = new Map<string, string>();
        const times = new Map<string, number>();
        for (const { op, field, n } of operations) {
          if (op === 'set' || op === 'setKeepingTtl') {
            const keepTtl = op === 'setKeepingTtl';
            expect(hash.set(field, `${n}`, some, keepTtl)).toBe(!values.has(field));
            values.set(field, `${n}`);
            if (!keepTtl) times.delete(field);
          } else if (op === 'delete') {
            expect(hash.delete(field)).toBe(values.delete(field));
            times.delete(field);
          } else if (op === 'expire') {
            if (!values.has(field)) continue;
            hash.setExpireAt(field, n);
            times.set(field, n);
          } else if (op === 'persist') {
            expect(hash.persist(field)).toBe(times.delete(field));
          } else {
            const due = [...times].filter(([, time]) => time <= n).map(([name]) => name);
            expect(hash.expireDue(n).sort()).toEqual(due.sort());
            for (const name of due) {
              values.delete(name);
              times.delete(name);
            }
          }
          expect(hash.size).toBe(values.size);
          expect(hash.expiringFields).toBe(times.size);
          expect(hash.nextExpiry()).toBe(times.size === 0 ? undefined : Math.min(...times.values()));
        }
        for (const [name, value] of values) {
          expect(hash.get(name)).toBe(value);
          expect(hash.expireAt(name)).toBe(times.get(name));
        }
        if (hash.encoding === 'listpackex') {
          const order = Array.from({ length: hash.size }, (_, i) => times.get(hash.fieldAt(i)) ?? Infinity);
          expect(order).toEqual([...order].sort((a, b) => a - b));
        }
        const scanned = new Set<string>();
        for (let cursor = -1; cursor !== 0; ) cursor = hash.scan(Math.max(0, cursor), 3, (name) => scanned.add(name));
        expect(scanned).toEqual(new Set(values.keys()));
      }),
    );
  });

  it('keeps insertion order while compact', () => {
    const hash = hashOf('a', 'b', 'c', 'd');
    hash.delete('b');
    hash.set('a', 'w', limits);
    hash.set('b', 'v', limits);
    expect(fieldsOf(hash)).toBe('acdb');
    expect(hash.encoding).toBe('listpack');
  });

  it('orders a listpackex by time, the newest of equals first, as Redis 8.2.3 does', () => {
    const hash = hashOf('a', 'b', 'c', 'd', 'e');
    hash.setExpireAt('c', 1000);
    expect(fieldsOf(hash)).toBe('cabde');
    for (const field of ['d', 'b', 'a']) hash.setExpireAt(field, 500);
    expect(fieldsOf(hash)).toBe('abdce');
    hash.setExpireAt('d', 500);
    expect(fieldsOf(hash)).toBe('dabce');
    hash.persist('b');
    expect(fieldsOf(hash)).toBe('daceb');
    hash.set('a', 'w', limits);
    expect(fieldsOf(hash)).toBe('dceba');
    hash.set('e', 'w', limits);
    hash.set('c', 'w', limits, true);
    expect(fieldsOf(hash)).toBe('dceba');
    expect(hash.encoding).toBe('listpackex');
  });

  it('becomes a hash table by fields, by length, or by the number it is offered', () => {
    const many = hashOf(...Array.from({ length: 512 }, (_, i) => `f${i}`));
    expect(many.encoding).toBe('listpack');
    many.set('one more', 'v', limits);
    expect(many.encoding).toBe('hashtable');
    const long = hashOf('f');
    long.set('f', 'x'.repeat(64), limits);
    expect(long.encoding).toBe('listpack');
    long.set('f', 'x'.repeat(65), limits);
    long.delete('f');
    expect(long.encoding).toBe('hashtable');
    const offered = new HashValue();
    offered.expectFields(513, limits);
    expect(offered.encoding).toBe('hashtable');
    const asked = hashOf('f');
    asked.prepareExpiry();
    expect(asked.encoding).toBe('listpackex');
  });

  it('expires a bounded number of fields, the earliest first', () => {
    const hash = hashOf('a', 'b', 'c');
    hash.setExpireAt('a', 30);
    hash.setExpireAt('b', 10);
    hash.setExpireAt('c', 20);
    expect(hash.expireDue(9)).toEqual([]);
    expect(hash.expireDue(100, 2)).toEqual(['b', 'c']);
    expect(hash.nextExpiry()).toBe(30);
  });

  it('has an independent clone, and grows in estimated size', () => {
    const hash = hashOf('a', 'b');
    hash.setExpireAt('a', 5);
    const copy = hash.clone();
    copy.persist('a');
    copy.set('b', 'w', limits);
    copy.set('c', 'w', limits);
    expect([hash.size, hash.get('b'), hash.expireAt('a'), copy.expireAt('a')]).toEqual([2, 'v', 5, undefined]);
    expect(copy.estimateBytes()).not.toBe(hash.estimateBytes());
    expect(hashOf(...Array.from({ length: 99 }, (_, i) => `f${i}`)).estimateBytes()).toBeGreaterThan(5000);
  });
});
