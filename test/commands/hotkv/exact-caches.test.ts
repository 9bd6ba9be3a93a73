/** The caches by exact key: PCACHE.*, and the four families of one shape, at a frozen clock. */
import { describe, expect, it } from 'vitest';
import { NamespaceCache } from '../../../src/keyspace/hotkv/namespace-cache.js';
import { startServer } from '../../../src/server/start.js';
import { fieldsOf } from '../../support/fields.js';
import { run } from '../../support/run-lines.js';

const NOW = 1_700_000_000_000;
const frozen = () => startServer({ port: 0, clock: NOW });
const SAVINGS = [
  'usage_saved_requests',
  'usage_saved_input_tokens',
  'usage_saved_output_tokens',
  'usage_saved_cache_read_tokens',
  'usage_saved_cache_write_tokens',
  'usage_saved_cost_usd',
];

describe.each(['PCACHE', 'TOOL.CACHE', 'NCACHE', 'GUARD', 'RERANK'])('%s', (family) => {
  it('keeps, answers, removes', async () => {
    await using server = await frozen();
    expect(await run(server, `${family}.CREATE c`)).toBe('OK');
    expect(await run(server, `${family}.GET c k`)).toBeNull();
    expect(await run(server, `${family}.SET c k v`)).toBe('OK');
    expect(await run(server, `${family}.GET c k`)).toBe('v');
    await server.call(`${family}.SET`, 'c', 'k', '', 'META', 'a note');
    expect(await run(server, `${family}.GET c k`)).toBe('');
    expect(await run(server, `${family}.DEL c k`)).toBe(1);
    expect(await run(server, `${family}.DEL c k`)).toBe(0);
    expect(fieldsOf(await run(server, `${family}.STATS c`))).toMatchObject({
      entries: 0,
      hits: 2,
      misses: 1,
      evictions: 0,
    });
  });

  it('ends entries at their time, to the ms', async () => {
    await using server = await frozen();
    await run(server, `${family}.CREATE c TTL 3`, `${family}.SET c default v`, `${family}.SET c own v TTL 1`);
    await run(server, `${family}.SET c at v PXAT ${NOW + 1500}`, `${family}.SET c past v PXAT 0`);
    const there = () =>
      Promise.all(['own', 'at', 'default', 'past'].map((key) => run(server, `${family}.GET c ${key}`)));
    server.clock.advance(999);
    expect(await there()).toEqual(['v', 'v', 'v', null]);
    server.clock.advance(1);
    expect(await there()).toEqual([null, 'v', 'v', null]);
    expect(await run(server, `${family}.DEL c own`)).toBe(0);
    server.clock.advance(500);
    expect(await there()).toEqual([null, null, 'v', null]);
    server.clock.advance(1499);
    expect(await there()).toEqual([null, null, 'v', null]);
    expect(fieldsOf(await run(server, `${family}.STATS c`))).toMatchObject({ entries: 1, evictions: 0 });
    server.clock.advance(1);
    expect(await there()).toEqual([null, null, null, null]);
    expect(await run(server, `${family}.FLUSH c`)).toBe(0);
  });

  it('an entry that is set again without expiry lasts', async () => {
    await using server = await frozen();
    await run(server, `${family}.CREATE c`, `${family}.SET c k v TTL 1`, `${family}.SET c k w`);
    server.clock.advance(10_000);
    expect(await run(server, `${family}.GET c k`)).toBe('w');
    await run(server, `${family}.SET c k gone PXAT 1`);
    expect(await run(server, `${family}.GET c k`)).toBeNull();
  });

  it('the least recently used entry makes room, but first those that are due', async () => {
    await using server = await frozen();
    await run(server, `${family}.CREATE c MAX_ENTRIES 2`, `${family}.SET c a 1`, `${family}.SET c b 2`);
    await run(server, `${family}.GET c a`, `${family}.SET c c 3`);
    expect(await run(server, `${family}.GET c b`)).toBeNull();
    expect(await run(server, `${family}.GET c a`)).toBe('1');
    await run(server, `${family}.SET c c 4`);
    expect(fieldsOf(await run(server, `${family}.STATS c`))).toMatchObject({ entries: 2, evictions: 1 });
    await run(server, `${family}.SET c c 5 TTL 1`);
    server.clock.advance(1000);
    await run(server, `${family}.SET c d 6`);
    expect(await run(server, `${family}.GET c a`)).toBe('1');
    expect(fieldsOf(await run(server, `${family}.STATS c`))).toMatchObject({ entries: 2, evictions: 1 });
  });

  it('counts the usage that hits saved, at the price of the moment', async () => {
    await using server = await frozen();
    await run(server, `${family}.CREATE c`, `${family}.SET c plain v`, `${family}.GET c plain`);
    await run(server, `${family}.SET c k v MODEL own INPUT 1000000 OUTPUT 5 CACHEREAD 6 CACHEWRITE5M 1 CACHEWRITE1H 2`);
    await run(server, `${family}.GET c k`, 'LLMSTATS.PRICE SET own INPUT 0.25 OUTPUT 0', `${family}.GET c k`);
    const stats = (await run(server, `${family}.STATS c`)) as unknown[];
    expect(stats.filter((_, i) => i % 2 === 0).slice(-6)).toEqual(SAVINGS);
    expect(stats.filter((_, i) => i % 2 === 1).slice(-6)).toEqual([2, 2_000_000, 10, 12, 6, '0.250001']);
  });

  it('flushes, drops, lists; a namespace that is not there has nothing', async () => {
    await using server = await frozen();
    await run(server, `${family}.CREATE a`, `${family}.CREATE b`, `${family}.SET a k v`, `${family}.SET a l v TTL 1`);
    server.clock.advance(1000);
    expect(await run(server, `${family}.FLUSH a`)).toBe(1);
    expect(await run(server, `${family}.GET a k`)).toBeNull();
    expect(await run(server, `${family}.LIST`)).toEqual(['a', 'b']);
    expect(await run(server, `${family}.DROP a`)).toBe(1);
    expect(await run(server, `${family}.DROP a`)).toBe(0);
    expect(await run(server, `${family}.GET a k`)).toBeNull();
    expect(await run(server, `${family}.DEL a k`)).toBe(0);
    expect(await run(server, `${family}.FLUSH a`)).toBe(0);
    await run(server, 'FLUSHDB');
    expect(await run(server, `${family}.LIST`)).toEqual(['b']);
    await run(server, 'FLUSHALL');
    expect(await run(server, `${family}.LIST`)).toEqual([]);
  });

  it.each([
    ['CREATE c', "ERR cache namespace 'c' already exists or limit reached"],
    ['CREATE d MAX_ENTRIES 0', 'ERR invalid MAX_ENTRIES'],
    ['CREATE d MAX_ENTRIES -1', 'ERR invalid MAX_ENTRIES'],
    ['CREATE d TTL 1.5', 'ERR invalid TTL'],
    ['CREATE d SIZE 5', "ERR unknown option 'SIZE': must be one of MAX_ENTRIES, TTL"],
    ['SET c k new TTL 1 PXAT 5', 'ERR TTL and PXAT exclude each other'],
    ['SET c k new TTL -1', 'ERR invalid TTL'],
    [`SET c k new PXAT ${NOW + 101 * 366 * 86_400_000}`, 'ERR invalid PXAT'],
    ['SET c k new MODEL m INPUT -1', 'ERR invalid INPUT'],
    ['SET c k new OUTPUT 1', 'ERR MODEL is missing'],
    ['SET c k new META', 'ERR syntax error'],
    ['SET c k new NX', "ERR unknown option 'NX': must be one of TTL, PXAT, META, MODEL, INPUT"],
    ['SET missing k v', "ERR cache namespace 'missing' not found"],
    ['STATS missing', 'not found'],
  ])('%s is refused and changes nothing', async (line, error) => {
    await using server = await frozen();
    await run(server, `${family}.CREATE c`, `${family}.SET c k old`);
    const before = await run(server, `${family}.STATS c`);
    await expect(run(server, `${family}.${line}`)).rejects.toThrow(error);
    expect(await run(server, `${family}.STATS c`)).toEqual(before);
    expect(await run(server, `${family}.GET c k`)).toBe('old');
    expect(await run(server, `${family}.LIST`)).toEqual(['c']);
  });
});

describe('PCACHE', () => {
  it('tells metadata and hits of an entry', async () => {
    await using server = await frozen();
    await run(server, 'PCACHE.CREATE c', 'PCACHE.SET c p v META note', 'PCACHE.GET c p');
    expect(await run(server, 'PCACHE.GETEX c p')).toEqual(['v', 'note', 2]);
    expect(await run(server, 'PCACHE.SET c p w', 'PCACHE.GETEX c p')).toEqual(['w', '', 1]);
    expect(await run(server, 'PCACHE.GETEX c none')).toBeNull();
    expect(await run(server, 'PCACHE.GETEX none p')).toBeNull();
    expect(fieldsOf(await run(server, 'PCACHE.STATS c'))).toMatchObject({ hits: 3, misses: 1, hit_rate: '0.75' });
  });

  it('counts money without a double', async () => {
    await using server = await frozen();
    await run(server, 'PCACHE.CREATE c COST_PER_HIT 0.1', 'PCACHE.SET c p v');
    for (let i = 0; i < 3; i++) await run(server, 'PCACHE.GET c p');
    const cost = async () => fieldsOf(await run(server, 'PCACHE.STATS c')).cost_saved_usd;
    expect(await cost()).toBe('0.3');
    await run(server, 'PCACHE.CONFIG c SET COST_PER_HIT 0.0000015');
    expect(await cost()).toBe('0.000006');
    await run(server, 'PCACHE.CONFIG c SET COST_PER_HIT 0');
    expect(await cost()).toBe('0');
  });

  it('CONFIG changes the limits', async () => {
    await using server = await frozen();
    await run(server, 'PCACHE.CREATE c', 'PCACHE.SET c a 1', 'PCACHE.SET c b 2', 'PCACHE.SET c d 3', 'PCACHE.GET c a');
    expect(await run(server, 'PCACHE.CONFIG c SET MAX_ENTRIES 2')).toBe('OK');
    expect(fieldsOf(await run(server, 'PCACHE.STATS c'))).toMatchObject({ entries: 2, evictions: 1 });
    expect(await run(server, 'PCACHE.GET c b')).toBeNull();
    await run(server, 'PCACHE.CONFIG c set max_entries 0', 'PCACHE.CONFIG c SET TTL 1', 'PCACHE.SET c e 4');
    await run(server, 'PCACHE.CONFIG c SET TTL 0', 'PCACHE.SET c f 5');
    expect(fieldsOf(await run(server, 'PCACHE.STATS c'))).toMatchObject({ entries: 4 });
    server.clock.advance(1000);
    expect(fieldsOf(await run(server, 'PCACHE.STATS c'))).toMatchObject({ entries: 3, evictions: 1 });
  });

  it.each([
    ['PCACHE.CREATE d COST_PER_HIT -1', 'ERR invalid COST_PER_HIT: must be a decimal of dollars, 0 or more'],
    ['PCACHE.CREATE d COST_PER_HIT nan', 'ERR invalid COST_PER_HIT'],
    ['PCACHE.CREATE d COST_PER_HIT inf', 'ERR invalid COST_PER_HIT'],
    ['PCACHE.CREATE d COST_PER_HIT 1e30', 'ERR invalid COST_PER_HIT'],
    ['PCACHE.CONFIG c GET MAX_ENTRIES 1', "ERR unknown option 'GET': must be one of SET"],
    ['PCACHE.CONFIG c SET SIZE 1', 'ERR invalid parameter: must be one of max_entries, ttl, cost_per_hit'],
    ['PCACHE.CONFIG c SET MAX_ENTRIES -1', 'ERR invalid MAX_ENTRIES'],
    ['PCACHE.CONFIG c SET TTL x', 'ERR invalid TTL'],
    ['PCACHE.CONFIG missing SET TTL 1', 'not found'],
  ])('%s is refused', async (line, error) => {
    await using server = await frozen();
    await run(server, 'PCACHE.CREATE c');
    await expect(run(server, line)).rejects.toThrow(error);
    expect(await run(server, 'PCACHE.LIST')).toEqual(['c']);
  });
});

describe('the background work', () => {
  it('removes due entries in bounded steps', () => {
    const cache = new NamespaceCache(Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY);
    const empty = cache.bytes;
    for (let i = 0; i < 100; i++) {
      cache.set(`k${i}`, { response: 'v', metadata: '', usage: undefined, hits: 0 }, NOW + i, NOW - 1);
    }
    expect(cache.removeDue(NOW + 49, 20)).toBe(20);
    expect(cache.removeDue(NOW + 49, 100)).toBe(30);
    expect(cache.removeDue(NOW + 49, 100)).toBe(0);
    expect(cache.size(NOW + 98)).toBe(1);
    expect(cache.flush(NOW + 98)).toBe(1);
    expect(cache.bytes).toBe(empty);
  });

  it('is done while nobody asks', async () => {
    await using server = await startServer({ port: 0 });
    const usedMemory = async () => Number(/used_memory:(\d+)/.exec(String(await run(server, 'INFO memory')))?.[1]);
    await run(server, 'NCACHE.CREATE c', `NCACHE.SET c k ${'v'.repeat(100_000)} TTL 1`);
    const full = await usedMemory();
    await expect.poll(usedMemory, { timeout: 5000 }).toBeLessThan(full - 90_000);
  });
});
