/** VSIM.*: the exact nearest neighbours, beside a search that looks at all vectors in the plainest way. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { VectorIndex } from '../../../src/keyspace/hotkv/vector-index.js';
import { VECTOR_METRICS, type VectorMetric } from '../../../src/keyspace/hotkv/vector-metrics.js';
import { startServer } from '../../../src/server/start.js';
import { connectRaw } from '../../support/resp-client.js';
import { run } from '../../support/run-lines.js';

const frozen = () => startServer({ port: 0, clock: 1_700_000_000_000 });

describe('VSIM', () => {
  it('sets, tells, removes', async () => {
    await using server = await frozen();
    expect(await run(server, 'VSIM.CREATEINDEX docs 3 METRIC cosine M 8')).toBe('OK');
    expect(await run(server, 'VSIM.SET docs a 1 0 0.1')).toBe(1);
    expect(await run(server, 'VSIM.SET docs a 1e-05 -2.5 1.23456789e+11')).toBe(0);
    expect(await run(server, 'VSIM.GET docs a')).toEqual(['0.00001', '-2.5', '123456790000']);
    expect(await run(server, 'VSIM.GET docs b')).toBeNull();
    const facts = { name: 'docs', metric: 'cosine', dims: 3, count: 1, m: 8, ef_construction: 200, ef_search: 50 };
    const fields = Object.entries(facts).flat();
    expect(((await run(server, 'VSIM.INFO docs')) as unknown[]).slice(0, fields.length)).toEqual(fields);
    expect(await run(server, 'VSIM.DEL docs a')).toBe(1);
    expect(await run(server, 'VSIM.DEL docs a')).toBe(0);
    expect(await run(server, 'VSIM.INFO')).toEqual(['docs']);
    expect(await run(server, 'VSIM.DROPINDEX docs')).toBe('OK');
    expect(await run(server, 'VSIM.INFO')).toEqual([]);
  });

  it('finds the nearest, ties by key', async () => {
    await using server = await frozen();
    await run(server, 'VSIM.CREATEINDEX i 2 METRIC l2', 'VSIM.SET i c 1 0', 'VSIM.SET i b 0 1', 'VSIM.SET i a 3 4');
    expect(await run(server, 'VSIM.SEARCH i 10 0 0')).toEqual(['b', '1', 'c', '1', 'a', '5']);
    expect(await run(server, 'VSIM.SEARCH i 1 0 0 EF 100')).toEqual(['b', '1']);
    await run(server, 'VSIM.CREATEINDEX j 2 METRIC DOT', 'VSIM.SET j a 1 1', 'VSIM.SET j b 2 2');
    expect(await run(server, 'VSIM.SEARCH j 2 1 1')).toEqual(['b', '-3', 'a', '-1']);
    await run(server, 'VSIM.CREATEINDEX k 2', 'VSIM.SET k same 2 0', 'VSIM.SET k other -1 0', 'VSIM.SET k zero 0 0');
    expect(await run(server, 'VSIM.SEARCH k 3 1 0')).toEqual(['same', '0', 'zero', '1', 'other', '2']);
  });

  it('filters by the tags of the key in the selected database', async () => {
    await using server = await frozen();
    await run(server, 'VSIM.CREATEINDEX i 1 METRIC l2', 'VSIM.SET i a 1', 'VSIM.SET i b 2', 'VSIM.SET i c 3');
    await run(server, 'MSET b x c x', 'TAG.SET b red', 'TAG.SET c red big');
    expect(await run(server, 'VSIM.SEARCH i 5 0 FILTER red')).toEqual(['b', '2', 'c', '3']);
    expect(await run(server, 'VSIM.SEARCH i 5 0 FILTER red big EF 10')).toEqual(['c', '3']);
    await run(server, 'DEL c');
    expect(await run(server, 'VSIM.SEARCH i 5 0 FILTER red big')).toEqual([]);
  });

  it('keeps snapshots', async () => {
    await using server = await frozen();
    expect(await run(server, 'VSIM.SAVE s blob')).toBe(4);
    expect(await run(server, 'VSIM.LOAD s')).toBe('blob');
    expect(await run(server, 'VSIM.LIST')).toEqual(['s']);
    expect(await run(server, 'VSIM.DROP s')).toBe(1);
    expect(await run(server, 'VSIM.DROP s')).toBe(0);
    expect(await run(server, 'VSIM.LOAD s')).toBeNull();
  });

  it('fails in EXEC, not before, where the index exists; works in scripts', async () => {
    await using server = await frozen();
    const client = await connectRaw(server.port);
    const commands = ['VSIM.CREATEINDEX i 1', 'MULTI', 'VSIM.CREATEINDEX i 1', 'VSIM.SET i a 1'];
    for (const command of commands) await client.call(...command.split(' '));
    expect((await client.call('EXEC')).wire).toBe("*2\r\n-ERR vector index 'i' already exists\r\n:1\r\n");
    const script = "return redis.pcall('VSIM.DROPINDEX', KEYS[1])";
    expect((await client.call('EVAL', script, '1', 'i')).wire).toBe('+OK\r\n');
    expect((await client.call('EVAL', script, '1', 'i')).wire).toMatch(/^-ERR vector index 'i' not found/);
    client.close();
  });

  it.each([
    ['VSIM.CREATEINDEX i 2', 'already exists'],
    ['VSIM.CREATEINDEX j 0', 'ERR invalid dims: must be a whole number from 1 to 32768'],
    ['VSIM.CREATEINDEX j 99999999999', 'ERR invalid dims'],
    ['VSIM.CREATEINDEX j 2 METRIC hamming', 'ERR invalid metric: must be one of cosine, l2, ip'],
    ['VSIM.CREATEINDEX j 2 M 0', 'ERR invalid M'],
    ['VSIM.CREATEINDEX j 2 SIZE 1', 'must be one of METRIC, M, EF_CONSTRUCTION, EF_SEARCH'],
    ['VSIM.SET i a 1', 'ERR invalid vector: 1 components where the index has 2 dimensions'],
    ['VSIM.SET i a 1 2 3', 'ERR invalid vector: 3 components'],
    ['VSIM.SET i a 1 nan', "ERR invalid vector component 'nan'"],
    ['VSIM.SET i a 1 inf', 'ERR invalid vector component'],
    ['VSIM.SET i a 1 4e38', 'ERR invalid vector component'],
    ['VSIM.SET i a 1 1e-46', 'ERR invalid vector component'],
    ['VSIM.SET i a 1 1e-400', 'ERR invalid vector component'],
    ['VSIM.SET missing a 1 2', "ERR vector index 'missing' not found"],
    ['VSIM.SEARCH i 0 1 2', 'ERR invalid k'],
    ['VSIM.SEARCH i -1 1 2', 'ERR invalid k'],
    ['VSIM.SEARCH i 1 1 FILTER x', "ERR invalid vector component 'FILTER'"],
    ['VSIM.SEARCH i 1 1 2 FILTER', 'ERR syntax error'],
    ['VSIM.SEARCH i 1 1 2 LIMIT 1', 'must be one of FILTER, EF'],
    ['VSIM.DROPINDEX missing', 'not found'],
  ])('%s is refused', async (line, error) => {
    await using server = await frozen();
    await run(server, 'VSIM.CREATEINDEX i 2', 'VSIM.SET i old 1 1');
    await expect(run(server, line)).rejects.toThrow(error);
    expect(await run(server, 'VSIM.INFO')).toEqual(['i']);
    expect(await run(server, 'VSIM.SEARCH i 9 1 1')).toEqual(['old', '0']);
  });
});

describe('the search', () => {
  const component = fc.integer({ min: -3, max: 3 });
  const vectors = fc.array(fc.array(component, { minLength: 5, maxLength: 5 }), { minLength: 1, maxLength: 60 });

  it.each(VECTOR_METRICS.map((metric) => [metric]))('%s: as by looking at all, also after removals', (metric) => {
    const graph = { m: 1, efConstruction: 1, efSearch: 1 };
    fc.assert(
      fc.property(vectors, fc.nat(), fc.integer({ min: 1, max: 70 }), (all, seed, k) => {
        const index = new VectorIndex(5, metric, graph);
        const kept = new Map<string, number[]>();
        all.forEach((vector, i) => {
          const key = `k${(i * 7 + seed) % 50}`;
          if (i % 5 === 4) expect(index.delete(key)).toBe(kept.delete(key));
          else {
            expect(index.set(key, Float64Array.from(vector))).toBe(!kept.has(key));
            kept.set(key, vector);
          }
        });
        const query = all[0]!;
        const expected = [...kept].map(([key, vector]) => ({ key, distance: plainDistance(metric, vector, query) }));
        expected.sort((a, b) => a.distance - b.distance || (a.key < b.key ? -1 : 1));
        expect(index.search(Float64Array.from(query), k)).toEqual(expected.slice(0, k));
        expect(index.size).toBe(kept.size);
      }),
    );
  });
});

/** Sums of small whole numbers are exact in any order. */
function plainDistance(metric: VectorMetric, a: number[], b: number[]): number {
  const dot = (x: number[], y: number[]) => x.reduce((sum, value, i) => sum + value * y[i]!, 0);
  const difference = a.map((value, i) => value - b[i]!);
  if (metric === 'l2') return Math.sqrt(dot(difference, difference));
  if (metric === 'ip') return 1 - dot(a, b);
  const norm = Math.sqrt(dot(a, a) * dot(b, b));
  return norm === 0 ? 1 : Math.max(1 - dot(a, b) / norm, 0);
}
