/** The stream value on its own; `stream-oracle.test.ts` compares it with Redis. */
import { describe, expect, test } from 'vitest';
import { DELETE_OUTCOME, Stream, type StreamTrim } from '../../../src/keyspace/values/stream.js';
import { deliverNew } from '../../../src/keyspace/values/stream-delivery.js';
import { MAX_STREAM_ID, MIN_STREAM_ID, parseStreamId, StreamId } from '../../../src/keyspace/values/stream-id.js';
import { defaultTrimLimit } from '../../../src/keyspace/values/stream-node.js';

function streamOf(count: number): Stream {
  const stream = new Stream();
  for (let ms = 1; ms <= count; ms++) stream.append(new StreamId(ms, 0), ['f', `${ms}`]);
  return stream;
}

function id(text: string): StreamId {
  return parseStreamId(text)!;
}

const KEEP_TEN = { until: { maxLength: 10 }, limit: 0, references: 'keepref' } as const;

describe('a stream', () => {
  test('answers ranges in both directions and single entries', () => {
    const stream = streamOf(350);
    expect(stream.range(id('99-1'), id('102-0')).map(({ id }) => `${id}`)).toEqual(['100-0', '101-0', '102-0']);
    expect(stream.range(MIN_STREAM_ID, MAX_STREAM_ID, 2).map(({ id }) => id.ms)).toEqual([1, 2]);
    expect(stream.reverseRange(MAX_STREAM_ID, id('300'), 2).map(({ id }) => id.ms)).toEqual([350, 349]);
    expect(stream.reverseRange(id('101'), id('99')).map(({ id }) => id.ms)).toEqual([101, 100, 99]);
    expect(stream.reverseRange(MIN_STREAM_ID, MIN_STREAM_ID)).toEqual([]);
    expect(stream.get(id('200'))?.fields).toEqual(['f', '200']);
    expect(stream.get(id('200-1'))).toBeUndefined();
    expect(stream.firstEntry()?.id.ms).toBe(1);
    expect(stream.lastEntry()?.id.ms).toBe(350);
    expect(new Stream().firstEntry()).toBeUndefined();
  });

  test('makes IDs that grow: of the clock, of a given time, up to the last one', () => {
    const stream = new Stream();
    expect(`${stream.resolveId({ kind: 'auto' }, 50)}`).toBe('50-0');
    expect(`${stream.resolveId({ kind: 'ms', ms: 0 }, 50)}`).toBe('0-1');
    stream.append(id('50-3'), ['f', 'v']);
    expect(`${stream.resolveId({ kind: 'auto' }, 50)}`).toBe('50-4');
    expect(`${stream.resolveId({ kind: 'auto' }, 20)}`).toBe('50-4');
    expect(`${stream.resolveId({ kind: 'ms', ms: 50 }, 20)}`).toBe('50-4');
    expect(stream.resolveId({ kind: 'ms', ms: 49 }, 20)).toBeNull();
    expect(stream.resolveId({ kind: 'full', id: id('50-3') }, 20)).toBeNull();
    stream.lastId = id('50-18446744073709551615');
    expect(`${stream.resolveId({ kind: 'auto' }, 20)}`).toBe('51-0');
    expect(stream.resolveId({ kind: 'ms', ms: 50 }, 20)).toBeNull();
    stream.lastId = MAX_STREAM_ID;
    expect(stream.resolveId({ kind: 'auto' }, 20)).toBeNull();
  });

  test('trims exactly, or whole nodes only', () => {
    const exact = streamOf(350);
    expect(exact.trim({ ...KEEP_TEN, approximate: false })).toBe(340);
    expect(`${exact.firstId}`).toBe('341-0');
    const rough = streamOf(350);
    expect(rough.trim({ ...KEEP_TEN, approximate: true })).toBe(300);
    const limited: StreamTrim = { ...KEEP_TEN, approximate: true, limit: 250 };
    expect(streamOf(350).trim(limited)).toBe(200);
    expect(streamOf(350).trim({ ...limited, references: 'delref' })).toBe(0);
    expect(defaultTrimLimit({ maxEntries: 100, maxBytes: 4096 })).toBe(10_000);
    expect(defaultTrimLimit({ maxEntries: 0, maxBytes: 4096 })).toBe(10_000);
  });

  test('deletes an entry under ACKED once every group is done with it', () => {
    const stream = streamOf(3);
    const group = stream.createGroup('g', MIN_STREAM_ID, null)!;
    expect(stream.deleteReferenced(id('1'), 'acked')).toBe(DELETE_OUTCOME.stillReferenced);
    const consumer = group.createConsumer('c', 5)!;
    deliverNew(stream, group, consumer, { noAck: false, now: 5 });
    expect(stream.deleteReferenced(id('1'), 'acked')).toBe(DELETE_OUTCOME.stillReferenced);
    expect(stream.acknowledgeAndDelete(group, id('1'), 'acked')).toBe(DELETE_OUTCOME.deleted);
    expect(stream.deleteReferenced(id('2'), 'delref')).toBe(DELETE_OUTCOME.deleted);
    expect(group.pending.values().map(({ id }) => id.ms)).toEqual([3]);
    expect(consumer.pending.size).toBe(1);
    expect(stream.deleteReferenced(id('2'), 'keepref')).toBe(DELETE_OUTCOME.unknown);
  });

  test('is copied whole, and the copy goes its own way', () => {
    const stream = streamOf(150);
    const group = stream.createGroup('g', MIN_STREAM_ID, null)!;
    deliverNew(stream, group, group.createConsumer('c', 5)!, { count: 3, noAck: false, now: 5 });
    stream.delete(id('2'));
    const copy = stream.clone();
    copy.delete(id('1'));
    copy.group('g')?.acknowledge(id('1'));
    expect(stream.length).toBe(149);
    expect(copy.length).toBe(148);
    expect(group.pending.size).toBe(3);
    expect(copy.group('g')?.pending.size).toBe(2);
    expect(copy.group('g')?.consumer('c')?.activeTime).toBe(5);
    expect(copy.estimateBytes()).toBeLessThan(stream.estimateBytes());
  });

  test('lists groups and consumers by name', () => {
    const stream = new Stream();
    for (const name of ['b', 'a', '\xff', 'B']) stream.createGroup(name, MIN_STREAM_ID, null);
    expect(stream.groups().map(({ name }) => name)).toEqual(['B', 'a', 'b', '\xff']);
    expect(stream.createGroup('a', MIN_STREAM_ID, null)).toBeNull();
    expect(stream.deleteGroup('a')).toBe(true);
    const group = stream.group('b')!;
    expect(group.createConsumer('x', 1)).not.toBeNull();
    expect(group.createConsumer('x', 1)).toBeNull();
    expect(group.deleteConsumer('y')).toBeNull();
    expect(group.deleteConsumer('x')).toBe(0);
  });
});
