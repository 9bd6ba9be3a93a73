/** Any value survives its dump, and no payload does harm. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Value } from '../../../src/keyspace/value.js';
import { defaultEncodingLimits } from '../../../src/keyspace/values/encoding-limits.js';
import { HashValue } from '../../../src/keyspace/values/hash.js';
import { ListValue } from '../../../src/keyspace/values/list.js';
import { SetValue } from '../../../src/keyspace/values/set.js';
import { SortedSet } from '../../../src/keyspace/values/sorted-set.js';
import { Stream } from '../../../src/keyspace/values/stream.js';
import { deliverNew } from '../../../src/keyspace/values/stream-delivery.js';
import { StreamId } from '../../../src/keyspace/values/stream-id.js';
import { dumpValue, restoreValue } from '../../../src/persistence/rdb/payload.js';
import { crc64 } from '../../../src/protocol/crc.js';
import { contentOf } from '../../support/value-content.js';

/** Small ones, so that few elements reach the larger encodings. */
const limits = {
  ...defaultEncodingLimits(),
  hashMaxListpackEntries: 6,
  setMaxIntsetEntries: 8,
  setMaxListpackEntries: 6,
  zsetMaxListpackEntries: 6,
  listMaxListpackSize: 4,
};

const EDGES = [
  0, 12, 13, 127, 128, -1, -128, -129, 4095, 4096, -4096, -4097, 32767, 32768, 8388607, 8388608, 2147483647, 2147483648,
];
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }).map((s) => Buffer.from(s).latin1Slice()),
  fc.constantFrom(...EDGES, '9223372036854775807', '-9223372036854775808', '007').map(String),
  fc.constantFrom(63, 64, 127, 128, 4095, 4096, 20000).map((length) => 'x'.repeat(length)),
);

const list = fc.array(text, { minLength: 1, maxLength: 12 }).map((elements): Value => {
  const value = new ListValue();
  value.pushTail(elements, limits);
  return value;
});

const set = fc
  .array(fc.oneof(text, fc.integer().map(String)), { minLength: 1, maxLength: 12 })
  .map((members): Value => {
    const value = SetValue.forMembers(members[0]!, 1, limits);
    for (const member of members) value.add(member, limits);
    return value;
  });

const score = fc.oneof(fc.double({ noNaN: true }), fc.constantFrom(0, 1, -3, Infinity, -Infinity));
const sortedSet = fc.array(fc.tuple(text, score), { minLength: 1, maxLength: 12 }).map((pairs): Value => {
  const value = new SortedSet();
  for (const [member, points] of pairs) value.set(member, points, limits);
  return value;
});

const fieldExpiry = fc.option(fc.integer({ min: 1, max: 2 ** 40 }), { nil: undefined });
const hash = fc.array(fc.tuple(text, text, fieldExpiry), { minLength: 1, maxLength: 12 }).map((fields): Value => {
  const value = new HashValue();
  for (const [field, content, expireAt] of fields) {
    value.set(field, content, limits);
    if (expireAt !== undefined) value.setExpireAt(field, expireAt);
  }
  return value;
});

const step = fc.record({
  ms: fc.nat(3),
  fields: fc.array(fc.tuple(fc.constantFrom('f', 'g'), text), { minLength: 1, maxLength: 3 }),
});
const stream = fc
  .tuple(
    fc.array(step, { maxLength: 12 }),
    fc.array(fc.nat(11), { maxLength: 4 }),
    fc.array(fc.nat(5), { maxLength: 3 }),
  )
  .map(([steps, deleted, reads]): Value => {
    const value = new Stream();
    let ms = 1;
    const ids = steps.map(({ ms: forward, fields }, i) => {
      ms += forward;
      return value.append(new StreamId(ms, i + 1), fields.flat(), { maxEntries: 4, maxBytes: 0 }).id;
    });
    reads.forEach((count, i) => {
      const group = value.createGroup(`g${i}`, new StreamId(0, 0), i === 0 ? null : 0)!;
      const consumer = group.createConsumer('c', 1000 + i)!;
      deliverNew(value, group, consumer, { count, noAck: false, now: 2000 });
      group.createConsumer('idle', 3000);
    });
    for (const index of deleted) if (ids[index] !== undefined) value.delete(ids[index]);
    return value;
  });

const anyValue = fc.oneof(text, list, set, sortedSet, hash, stream);

describe('round trip', () => {
  test('in the exact form nothing is lost', () => {
    fc.assert(
      fc.property(anyValue, (value) => {
        const restored = restoreValue(dumpValue(value, 'exact'), limits) as Value;
        expect(contentOf(restored)).toEqual(contentOf(value));
      }),
      { numRuns: 400 },
    );
  });

  test('what the compatible form gives is the same after another round', () => {
    fc.assert(
      fc.property(anyValue, (value) => {
        const once = restoreValue(dumpValue(value), limits) as Value;
        const twice = restoreValue(dumpValue(once), limits) as Value;
        expect(contentOf(twice)).toEqual(contentOf(once));
      }),
      { numRuns: 200 },
    );
  });
});

describe('bad payloads', () => {
  test('a wrong footer is told from wrong data', () => {
    const payload = dumpValue('text');
    expect(restoreValue('', limits)).toBe('footer');
    expect(restoreValue(payload.slice(0, -1), limits)).toBe('footer');
    expect(restoreValue(`x${payload.slice(1)}`, limits)).toBe('footer');
    expect(restoreValue(sealed('\x00\x02hi', 13), limits)).toBe('footer');
    expect(restoreValue(sealed('\x00\x02hi', 80), limits)).toBe('hi');
    expect(restoreValue(sealed('\x63\x02hi', 10), limits)).toBe('data');
    expect(restoreValue(sealed('\x01\x00', 10), limits)).toBe('data');
  });

  test('changed bytes give a value or an error, never an exception', () => {
    const change = fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 }));
    fc.assert(
      fc.property(anyValue, fc.array(change, { minLength: 1, maxLength: 4 }), fc.boolean(), (value, changes, exact) => {
        const bytes = Buffer.from(dumpValue(value, exact ? 'exact' : 'compatible'), 'latin1').subarray(0, -10);
        for (const [at, byte] of changes) bytes[at % bytes.length] = byte;
        const restored = restoreValue(sealed(bytes.latin1Slice(), 12), limits);
        if (restored !== 'data') dumpValue(restored as Value);
      }),
      { numRuns: 2000 },
    );
  });
});

/** A payload with a right checksum. */
function sealed(body: string, version: number): string {
  const bytes = Buffer.concat([Buffer.from(body, 'latin1'), Buffer.of(version, 0)]);
  const checksum = Buffer.alloc(8);
  checksum.writeBigUInt64LE(crc64(bytes));
  return bytes.latin1Slice() + checksum.latin1Slice();
}
