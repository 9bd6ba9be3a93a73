/** SCACHE.*: the nearest answer by vector, at a frozen clock. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SemanticCache } from '../../../src/keyspace/hotkv/semantic-cache.js';
import { startServer } from '../../../src/server/start.js';
import { fieldsOf } from '../../support/fields.js';
import { run } from '../../support/run-lines.js';

const NOW = 1_700_000_000_000;
const frozen = () => startServer({ port: 0, clock: NOW });

describe('SCACHE', () => {
  it('answers the nearest response with its similarity', async () => {
    await using server = await frozen();
    expect(await run(server, 'SCACHE.CREATE c 2 METRIC cosine THRESHOLD 0.85')).toBe('OK');
    expect(await run(server, 'SCACHE.SET c east E 1 0', 'SCACHE.SET c north N 0 2e0')).toBe('OK');
    expect(await run(server, 'SCACHE.GET c 3 0')).toEqual(['E', '1']);
    expect(await run(server, 'SCACHE.GET c 3 4')).toBeNull();
    expect(await run(server, 'SCACHE.GET c 3 4 THRESHOLD 0.8')).toEqual(['N', '0.8']);
    expect(await run(server, 'SCACHE.GET c 3 4 threshold 0.81')).toBeNull();
    expect(await run(server, 'SCACHE.THRESHOLD c 0.7')).toBe('OK');
    expect(await run(server, 'SCACHE.GET c 3 4')).toEqual(['N', '0.8']);
    expect(await run(server, 'SCACHE.GET c 0 0')).toBeNull();
    expect(fieldsOf(await run(server, 'SCACHE.STATS c'))).toMatchObject({
      entries: 2,
      hits: 3,
      misses: 3,
      hit_rate: '0.5',
      p50_us: 0,
    });
  });

  it.each([
    ['l2', '0 0', '3 4', '0.16666666666666666'],
    ['ip', '2 3', '4 5', '23'],
    ['dot', '2 3', '4 5', '23'],
    ['euclidean', '2 3', '2 3', '1'],
    ['cosine', '-1 0', '1 0', '-1'],
  ])('%s: the similarity of %s to %s', async (metric, stored, query, similarity) => {
    await using server = await frozen();
    await run(server, `SCACHE.CREATE c 2 METRIC ${metric} THRESHOLD -1`, `SCACHE.SET c q R ${stored}`);
    expect(await run(server, `SCACHE.GET c ${query}`)).toEqual(['R', similarity]);
  });

  it('any vector is found by itself with the threshold 1', () => {
    const components = fc.array(fc.float({ noNaN: true, min: -1, max: 1 }), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(components, (numbers) => {
        const vector = Float64Array.from(numbers, (number) => (Math.abs(number) < 1e-6 ? 0.5 : number));
        const cache = new SemanticCache(vector.length, 'cosine', 1, Number.POSITIVE_INFINITY);
        const answer = { response: 'R', metadata: '', usage: undefined, hits: 0 };
        cache.setSimilar('q', vector, answer, Number.POSITIVE_INFINITY, NOW);
        expect(cache.nearest(vector, 1, NOW)?.similarity).toBe(1);
      }),
    );
  });

  it('a query that is set again replaces response, vector and expiry', async () => {
    await using server = await frozen();
    await run(server, 'SCACHE.CREATE c 2', 'SCACHE.SET c q old 1 0 TTL 1', 'SCACHE.SET c q new 0 1');
    expect(await run(server, 'SCACHE.GET c 1 0')).toBeNull();
    server.clock.advance(5000);
    expect(await run(server, 'SCACHE.GET c 0 1')).toEqual(['new', '1']);
    expect(fieldsOf(await run(server, 'SCACHE.STATS c'))).toMatchObject({ entries: 1 });
  });

  it('what is due is never found and hides nothing', async () => {
    await using server = await frozen();
    await run(server, 'SCACHE.CREATE c 2 TTL 10 THRESHOLD 0.5', 'SCACHE.SET c near A 1 0 TTL 1');
    await run(server, 'SCACHE.SET c far B 4 3', `SCACHE.SET c later C 1 0.1 PXAT ${NOW + 2000}`);
    await run(server, 'SCACHE.SET c past D 1 0 PXAT 1');
    server.clock.advance(999);
    expect(await run(server, 'SCACHE.GET c 1 0')).toEqual(['A', '1']);
    server.clock.advance(1);
    expect(await run(server, 'SCACHE.GET c 1 0')).toEqual(['C', expect.stringMatching(/^0\.99/)]);
    server.clock.advance(1000);
    expect(await run(server, 'SCACHE.GET c 1 0')).toEqual(['B', '0.8']);
    expect(fieldsOf(await run(server, 'SCACHE.STATS c'))).toMatchObject({ entries: 1 });
    server.clock.advance(8000);
    expect(await run(server, 'SCACHE.GET c 1 0')).toBeNull();
    expect(fieldsOf(await run(server, 'SCACHE.STATS c'))).toMatchObject({ entries: 0, hits: 3, misses: 1 });
  });

  it('finds what a look at all live entries finds', () => {
    const step = fc.record({
      query: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
      x: fc.integer({ min: -5, max: 5 }),
      y: fc.integer({ min: -5, max: 5 }),
      lasts: fc.integer({ min: -5, max: 30 }),
      pause: fc.nat(5),
      look: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const cache = new SemanticCache(2, 'l2', 0.2, Number.POSITIVE_INFINITY);
        const kept = new Map<string, { x: number; y: number; until: number }>();
        let now = NOW;
        for (const { query, x, y, lasts, pause, look } of steps) {
          now += pause;
          if (look) {
            const distances = [...kept.values()]
              .filter(({ until }) => until > now)
              .map((entry) => Math.hypot(entry.x - x, entry.y - y));
            const best = 1 / (1 + Math.min(...distances));
            const found = cache.nearest(Float64Array.of(x, y), 0.2, now)?.similarity;
            if (best >= 0.2) expect(found).toBeCloseTo(best, 12);
            else expect(found).toBeUndefined();
          } else {
            const answer = { response: query, metadata: '', usage: undefined, hits: 0 };
            cache.setSimilar(query, Float64Array.of(x, y), answer, now + lasts, now);
            kept.set(query, { x, y, until: now + lasts });
          }
          expect(cache.size(now)).toBe([...kept.values()].filter(({ until }) => until > now).length);
        }
      }),
    );
  });

  it('counts the usage that hits saved', async () => {
    await using server = await frozen();
    await run(server, 'LLMSTATS.PRICE SET m INPUT 3 OUTPUT 15', 'SCACHE.CREATE c 2');
    await run(server, 'SCACHE.SET c q R 1 0 TTL 9 MODEL m INPUT 1000 OUTPUT 200 CACHEWRITE5M 4', 'SCACHE.GET c 1 0');
    await run(server, 'SCACHE.GET c 1 0', 'SCACHE.GET c 0 1');
    expect(fieldsOf(await run(server, 'SCACHE.STATS c'))).toMatchObject({
      usage_saved_requests: 2,
      usage_saved_input_tokens: 2000,
      usage_saved_output_tokens: 400,
      usage_saved_cache_read_tokens: 0,
      usage_saved_cache_write_tokens: 8,
      usage_saved_cost_usd: '0.01203',
    });
  });

  it('flushes, drops, lists; a namespace that is not there has nothing', async () => {
    await using server = await frozen();
    await run(server, 'SCACHE.CREATE a 1', 'SCACHE.CREATE b 1', 'SCACHE.SET a q R 1');
    expect(await run(server, 'SCACHE.FLUSH a')).toBe(1);
    expect(await run(server, 'SCACHE.GET a 1')).toBeNull();
    expect(await run(server, 'SCACHE.LIST')).toEqual(['a', 'b']);
    expect(await run(server, 'SCACHE.DROP a')).toBe(1);
    expect(await run(server, 'SCACHE.DROP a')).toBe(0);
    expect(await run(server, 'SCACHE.FLUSH a')).toBe(0);
    expect(await run(server, 'SCACHE.GET a 1 2 3')).toBeNull();
    await run(server, 'FLUSHDB');
    expect(await run(server, 'SCACHE.LIST')).toEqual(['b']);
    await run(server, 'FLUSHALL');
    expect(await run(server, 'SCACHE.LIST')).toEqual([]);
  });

  it.each([
    ['SCACHE.CREATE c 2', "ERR cache namespace 'c' already exists or limit reached"],
    ['SCACHE.CREATE d 0', 'ERR invalid dims: must be a whole number from 1 to 32768'],
    ['SCACHE.CREATE d 9999999999999', 'ERR invalid dims'],
    ['SCACHE.CREATE d 2 METRIC manhattan', 'must be one of cosine, l2, ip'],
    ['SCACHE.CREATE d 2 THRESHOLD nan', 'ERR invalid THRESHOLD: must be a finite number'],
    ['SCACHE.CREATE d 2 THRESHOLD inf', 'ERR invalid THRESHOLD'],
    ['SCACHE.CREATE d 2 TTL 0', 'ERR invalid TTL'],
    ['SCACHE.CREATE d 2 PXAT 1', "ERR unknown option 'PXAT': must be one of METRIC, THRESHOLD, TTL"],
    ['SCACHE.SET c q R 1', 'ERR invalid vector: 1 components where'],
    ['SCACHE.SET c q R 1 2 3', 'ERR invalid vector: 3 components where'],
    ['SCACHE.SET c q R 1 TTL 5', "ERR invalid vector component 'TTL'"],
    ['SCACHE.SET c q R nan 0', "ERR invalid vector component 'nan'"],
    ['SCACHE.SET c q R 1 inf', "ERR invalid vector component 'inf'"],
    ['SCACHE.SET c q R 1e39 0', "ERR invalid vector component '1e39'"],
    ['SCACHE.SET c q R 1 0 TTL 5 PXAT 1', 'ERR TTL and PXAT exclude each other'],
    ['SCACHE.SET c q R 1 0 PXAT 9999999999999999', 'ERR invalid PXAT'],
    ['SCACHE.SET c q R 1 0 TTL 0', 'ERR invalid TTL'],
    ['SCACHE.SET c q R 1 0 INPUT 5', 'ERR MODEL is missing'],
    ['SCACHE.SET c q R 1 0 META x', "ERR unknown option 'META': must be one of TTL, PXAT, MODEL"],
    ['SCACHE.SET c q R 1 0 MODEL', 'ERR syntax error'],
    ['SCACHE.SET missing q R 1 0', "ERR cache namespace 'missing' not found"],
    ['SCACHE.GET c 1', 'ERR invalid vector: 1 components where'],
    ['SCACHE.GET c 1 0 THRESHOLD x', 'ERR invalid THRESHOLD'],
    ['SCACHE.GET c 1 0 K 5', "ERR unknown option 'K': must be one of THRESHOLD"],
    ['SCACHE.THRESHOLD missing 1', 'not found'],
    ['SCACHE.THRESHOLD c nan', 'ERR invalid THRESHOLD'],
    ['SCACHE.STATS missing', 'not found'],
  ])('%s is refused and changes nothing', async (line, error) => {
    await using server = await frozen();
    await run(server, 'SCACHE.CREATE c 2', 'SCACHE.SET c q old 1 0');
    const before = await run(server, 'SCACHE.STATS c');
    await expect(run(server, line)).rejects.toThrow(error);
    expect(await run(server, 'SCACHE.STATS c')).toEqual(before);
    expect(await run(server, 'SCACHE.GET c 1 0')).toEqual(['old', '1']);
    expect(await run(server, 'SCACHE.LIST')).toEqual(['c']);
  });

  it('says the same of a name that is taken and of too many', async () => {
    await using server = await frozen();
    for (let i = 0; i < 1000; i++) await run(server, `SCACHE.CREATE n${i} 1`);
    await expect(run(server, 'SCACHE.CREATE one-more 1')).rejects.toThrow('already exists or limit reached');
    await run(server, 'SCACHE.DROP n7');
    expect(await run(server, 'SCACHE.CREATE one-more 1')).toBe('OK');
    expect(await run(server, 'PCACHE.CREATE of-another-family')).toBe('OK');
  });
});
