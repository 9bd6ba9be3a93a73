/** TS.*: samples in order of time, buckets, retention and live rules. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AGGREGATIONS, TimeSeries } from '../../../src/keyspace/hotkv/time-series.js';
import { startServer } from '../../../src/server/start.js';
import { run } from '../../support/run-lines.js';

const NOW = 1_700_000_000_000;
const frozen = () => startServer({ port: 0, clock: NOW });

describe('TS', () => {
  it('keeps samples in order of time', async () => {
    await using server = await frozen();
    expect(await run(server, 'TS.CREATE t')).toBe('OK');
    expect(await run(server, 'TS.ADD t * 1.5')).toBe(NOW);
    expect(await run(server, 'TS.ADD t 200 2')).toBe(200);
    await run(server, 'TS.ADD t 100 -3', 'TS.ADD t 200 2.25');
    const all = [
      [100, '-3'],
      [200, '2.25'],
      [NOW, '1.5'],
    ];
    expect(await run(server, 'TS.RANGE t - +')).toEqual(all);
    expect(await run(server, 'TS.RANGE t 101 + COUNT 1')).toEqual([all[1]]);
    expect(await run(server, 'TS.RANGE t 100 200')).toEqual(all.slice(0, 2));
    expect(await run(server, 'TS.RANGE t 201 300')).toEqual([]);
  });

  it.each([
    ['avg', '2', '10'],
    ['min', '1', '10'],
    ['max', '3', '10'],
    ['sum', '6', '10'],
    ['count', '3', '1'],
  ])('TS.AGG %s', async (type, first, second) => {
    await using server = await frozen();
    await run(server, 'TS.CREATE t', 'TS.ADD t 1000 1', 'TS.ADD t 1500 2', 'TS.ADD t 1999 3', 'TS.ADD t 5000 10');
    expect(await run(server, `TS.AGG t - + 1000 ${type.toUpperCase()}`)).toEqual([
      [1000, first],
      [5000, second],
    ]);
  });

  it('sums up only what lies between the times', async () => {
    await using server = await frozen();
    await run(server, 'TS.CREATE t', 'TS.ADD t 1000 1', 'TS.ADD t 1500 2', 'TS.ADD t 1999 3');
    expect(await run(server, 'TS.AGG t 1001 1500 1000 sum')).toEqual([[1000, '2']]);
  });

  it('drops what is older than the retention', async () => {
    await using server = await frozen();
    await run(server, 'TS.CREATE t RETENTION 100', 'TS.ADD t 1000 1', 'TS.ADD t 1050 2', 'TS.ADD t 1100 3');
    expect(await run(server, 'TS.RANGE t - +')).toEqual([
      [1050, '2'],
      [1100, '3'],
    ]);
    await expect(run(server, 'TS.ADD t 1000 9')).rejects.toThrow('older than the retention');
    expect(await run(server, 'TS.RETENTION t 10')).toBe('OK');
    expect(await run(server, 'TS.RANGE t - +')).toEqual([[1100, '3']]);
    await run(server, 'TS.RETENTION t 0', 'TS.ADD t 5 5');
    expect(await run(server, 'TS.RANGE t - + COUNT 1')).toEqual([[5, '5']]);
  });

  it('keeps other series up to date', async () => {
    await using server = await frozen();
    await run(server, 'TS.CREATE raw', 'TS.CREATE slow', 'TS.CREATE fast', 'TS.ADD raw 900 7');
    await run(server, 'TS.DOWNSAMPLE raw slow avg 1000', 'TS.DOWNSAMPLE raw fast count 10');
    await run(server, 'TS.ADD raw 1000 1', 'TS.ADD raw 1005 3', 'TS.ADD raw 2500 5', 'TS.ADD raw 1500 8');
    expect(await run(server, 'TS.RANGE slow - +')).toEqual([
      [1000, '4'],
      [2000, '5'],
    ]);
    expect(await run(server, 'TS.RANGE fast - +')).toEqual([
      [1000, '2'],
      [1500, '1'],
      [2500, '1'],
    ]);
    await run(server, 'TS.DOWNSAMPLE raw slow sum 1000', 'TS.DELETE fast', 'TS.ADD raw 2501 5');
    expect(await run(server, 'TS.RANGE slow 2000 +')).toEqual([[2000, '10']]);
  });

  it('tells and lists', async () => {
    await using server = await frozen();
    await run(server, 'TS.CREATE a RETENTION 5 LABELS city Bonn kind t', 'TS.CREATE b', 'TS.ADD a 7 0.5');
    const info = (await run(server, 'TS.INFO a')) as unknown[];
    const fields = new Map(info.flatMap((_, i) => (i % 2 === 0 ? [[info[i], info[i + 1]] as const] : [])));
    expect(fields.get('samples')).toBe(1);
    expect(fields.get('lastValue')).toBe('0.5');
    expect(fields.get('labels')).toEqual([
      ['city', 'Bonn'],
      ['kind', 't'],
    ]);
    expect(await run(server, 'TS.LIST')).toEqual(['a', 'b']);
    expect(await run(server, 'TS.LIST LABEL city Bonn')).toEqual(['a']);
    expect(await run(server, 'TS.LIST LABEL city Rome')).toEqual([]);
    expect(await run(server, 'TS.DELETE a')).toBe('OK');
    await run(server, 'FLUSHALL');
    expect(await run(server, 'TS.LIST')).toEqual([]);
  });

  it.each([
    ['TS.CREATE t', "ERR time series 't' already exists"],
    ['TS.CREATE u RETENTION -1', 'ERR invalid retention'],
    ['TS.CREATE u LABELS a', 'ERR syntax error'],
    ['TS.CREATE u CHUNK 1', 'must be one of RETENTION ms, LABELS name value'],
    ['TS.ADD u 1 1', "ERR time series 'u' not found"],
    ['TS.ADD t -1 1', 'ERR invalid timestamp'],
    ['TS.ADD t x 1', 'ERR invalid timestamp'],
    ['TS.ADD t 1 nan', 'ERR invalid value: must be a finite number'],
    ['TS.ADD t 1 inf', 'ERR invalid value'],
    ['TS.AGG t - + 0 avg', 'ERR invalid bucket'],
    ['TS.AGG t - + 10 median', 'ERR invalid aggregation: must be one of avg, min, max, sum, count'],
    ['TS.RANGE t x +', 'ERR invalid start'],
    ['TS.RANGE t - + COUNT 0', 'ERR invalid count'],
    ['TS.DOWNSAMPLE t u avg 10', 'not found'],
    ['TS.DOWNSAMPLE t t avg 10', 'into itself'],
  ])('%s is refused', async (line, error) => {
    await using server = await frozen();
    await run(server, 'TS.CREATE t', 'TS.ADD t 5 5');
    await expect(run(server, line)).rejects.toThrow(error);
    expect(await run(server, 'TS.LIST')).toEqual(['t']);
    expect(await run(server, 'TS.RANGE t - +')).toEqual([[5, '5']]);
  });
});

describe('a series', () => {
  it('is a sorted map, its buckets plain loops', () => {
    const samples = fc.array(fc.tuple(fc.nat(300), fc.integer({ min: -9, max: 9 })), { maxLength: 200 });
    fc.assert(
      fc.property(samples, fc.nat(300), fc.nat(300), fc.integer({ min: 1, max: 50 }), (all, from, to, bucketMs) => {
        const series = new TimeSeries([], 0);
        const map = new Map<number, number>();
        for (const [time, value] of all) {
          series.add(time, value);
          map.set(time, value);
        }
        const inside = [...map].filter(([time]) => time >= from && time <= to).sort(([a], [b]) => a - b);
        const seen: [number, number][] = [];
        series.forEach(from, to, Number.POSITIVE_INFINITY, (time, value) => seen.push([time, value]));
        expect(seen).toEqual(inside);
        for (const aggregation of AGGREGATIONS) {
          const counts = series.aggregate(from, to, bucketMs, aggregation);
          const starts = [...new Set(inside.map(([time]) => Math.floor(time / bucketMs) * bucketMs))];
          expect(counts.map(({ time }) => time)).toEqual(starts);
          if (aggregation !== 'sum') continue;
          const sum = inside.reduce((total, [, value]) => total + value, 0);
          expect(counts.reduce((total, { value }) => total + value, 0)).toBe(sum);
        }
      }),
    );
  });
});
