import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  addInt64,
  compareStreamIds,
  MAX_STREAM_ID,
  MIN_STREAM_ID,
  nextStreamId,
  parseRequestedStreamId,
  parseStreamId,
  parseStreamLowerBound,
  parseStreamUpperBound,
  previousStreamId,
  type StreamId,
} from '../../../src/keyspace/values/stream-id.js';

/** 64-bit halves, with those around 2^53 and at both ends more often than chance would have them. */
const half = fc.oneof(
  fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
  fc.bigInt({ min: 0n, max: 9n }),
  fc.bigInt({ min: 2n ** 53n - 3n, max: 2n ** 53n + 3n }),
  fc.bigInt({ min: 2n ** 64n - 3n, max: 2n ** 64n - 1n }),
);
const pair = fc.tuple(half, half);

function idOf([ms, seq]: [bigint, bigint]): StreamId {
  return parseStreamId(`${ms}-${seq}`)!;
}

function asNumber(id: StreamId): bigint {
  return BigInt(id.ms) * 2n ** 64n + BigInt(id.seq);
}

describe('stream IDs', () => {
  test('keep every 64-bit half exactly, in text and in order', () => {
    fc.assert(
      fc.property(pair, pair, (a, b) => {
        expect(`${idOf(a)}`).toBe(`${a[0]}-${a[1]}`);
        const [x, y] = [asNumber(idOf(a)), asNumber(idOf(b))];
        expect(Math.sign(compareStreamIds(idOf(a), idOf(b)))).toBe(x < y ? -1 : Number(x > y));
        expect(compareStreamIds(idOf(a), idOf(a))).toBe(0);
      }),
    );
  });

  test('have neighbours with carry, up to both ends', () => {
    fc.assert(
      fc.property(pair, (a) => {
        const id = idOf(a);
        const [next, previous] = [nextStreamId(id), previousStreamId(id)];
        if (next !== null) expect(asNumber(next)).toBe(asNumber(id) + 1n);
        if (previous !== null) expect(asNumber(previous)).toBe(asNumber(id) - 1n);
      }),
    );
    expect(nextStreamId(MAX_STREAM_ID)).toBeNull();
    expect(previousStreamId(MIN_STREAM_ID)).toBeNull();
    expect(`${nextStreamId(parseStreamId('7-18446744073709551615')!)}`).toBe('8-0');
    expect(`${previousStreamId(parseStreamId('8-0')!)}`).toBe('7-18446744073709551615');
  });

  test('are read with a sequence, without one, and as ends of ranges', () => {
    expect(`${parseStreamId('5')}`).toBe('5-0');
    expect(`${parseStreamLowerBound('5')?.id}`).toBe('5-0');
    expect(`${parseStreamUpperBound('5')?.id}`).toBe('5-18446744073709551615');
    expect(parseStreamLowerBound('(5-1')).toMatchObject({ exclusive: true, id: { ms: 5, seq: 1 } });
    expect(parseStreamLowerBound('-')?.id).toBe(MIN_STREAM_ID);
    expect(parseStreamUpperBound('+')?.id).toBe(MAX_STREAM_ID);
    for (const text of ['', '-', '+', 'x', '5-', '5-x', '5-1-2', '18446744073709551616']) {
      expect(parseStreamId(text), text).toBeNull();
    }
    for (const text of ['(', '(-', '(+', '((5']) expect(parseStreamLowerBound(text), text).toBeNull();
  });

  test('are asked for in full, by time, or not at all', () => {
    expect(parseRequestedStreamId('*')).toEqual({ kind: 'auto' });
    expect(parseRequestedStreamId('5-*')).toEqual({ kind: 'ms', ms: 5 });
    expect(parseRequestedStreamId('5')).toMatchObject({ kind: 'full', id: { ms: 5, seq: 0 } });
    expect(parseRequestedStreamId('*-5')).toBeNull();
  });

  test('64-bit sums come out as numbers while they are exact', () => {
    expect(addInt64(2 ** 53 - 2, 1)).toBe(2 ** 53 - 1);
    expect(addInt64(2 ** 53 - 1, 1)).toBe(2n ** 53n);
    expect(addInt64(2n ** 53n, -1)).toBe(2 ** 53 - 1);
  });
});
