import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareStreamIds, MAX_STREAM_ID, MIN_STREAM_ID, StreamId } from '../../../src/keyspace/values/stream-id.js';
import { StreamIdMap } from '../../../src/keyspace/values/stream-id-map.js';

interface Value {
  readonly id: StreamId;
  readonly n: number;
}

test('behaves as a sorted list does, whatever is added and removed', () => {
  const step = fc.record({ remove: fc.boolean(), ms: fc.nat(60), seq: fc.nat(8) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 600, size: 'max' }), (steps) => {
      const map = new StreamIdMap<Value>();
      const model = new Map<string, Value>();
      steps.forEach(({ remove, ms, seq }, n) => {
        const id = new StreamId(ms, seq);
        if (remove) {
          expect(map.delete(id)).toBe(model.delete(`${id}`));
        } else {
          map.set({ id, n });
          model.set(`${id}`, { id, n });
        }
      });
      const sorted = [...model.values()].sort((a, b) => compareStreamIds(a.id, b.id));
      expect(map.values()).toEqual(sorted);
      expect(map.size).toBe(sorted.length);
      expect(map.first()).toEqual(sorted[0]);
      expect(map.last()).toEqual(sorted.at(-1));
      const [from, to] = [new StreamId(20, 3), new StreamId(40, 0)];
      expect(map.get(from)).toEqual(model.get(`${from}`));
      expect(map.ceiling(from)).toEqual(sorted.find(({ id }) => compareStreamIds(id, from) >= 0));
      const seen: Value[] = [];
      map.visit(from, to, (value) => seen.push(value) < 10);
      const inside = sorted.filter(({ id }) => compareStreamIds(id, from) >= 0 && compareStreamIds(id, to) <= 0);
      expect(seen).toEqual(inside.slice(0, 10));
    }),
    { numRuns: 60 },
  );
});

test('keeps its order over many chunks, filled from either end', () => {
  const map = new StreamIdMap<Value>();
  for (let n = 0; n < 5000; n++) map.set({ id: new StreamId(n % 2 === 0 ? 100_000 + n : 100_000 - n, 0), n });
  const ids = map.values().map(({ id }) => id.ms as number);
  expect(ids).toEqual([...ids].sort((a, b) => a - b));
  let count = 0;
  map.visit(MIN_STREAM_ID, MAX_STREAM_ID, () => ++count > 0);
  expect(count).toBe(5000);
});
