/** AMEM.SEM.*, AMEM.EPIS.* and AMEM.SEARCH: what an agent knows, and what happened to it. */
import { describe, expect, it } from 'vitest';
import { type RunningServer, startServer } from '../../../src/server/start.js';
import { run } from '../../support/run-lines.js';

const NOW = 1_700_000_000_000;
const frozen = () => startServer({ port: 0, clock: NOW });
const known = (key: string, content: string, similarity: string) => [
  ...['key', key, 'content', content],
  ...['similarity', similarity],
];
const event = (type: string, content: string, metadata: string | null, timestamp: number) => [
  ...['type', type, 'content', content],
  ...['metadata', metadata, 'timestamp', timestamp],
];

async function usedMemory(server: RunningServer): Promise<number> {
  return Number(/^used_memory:(\d+)/m.exec(String(await run(server, 'INFO memory')))![1]);
}

describe('AMEM.SEM', () => {
  it('recalls by similarity, ties by key', async () => {
    await using server = await frozen();
    expect(await run(server, 'AMEM.SEM.CREATE bot 2')).toBe('OK');
    expect(await run(server, 'AMEM.SEM.STORE bot up north 0 2')).toBe('OK');
    await run(server, 'AMEM.SEM.STORE bot slant northeast 3 4', 'AMEM.SEM.STORE bot down south 0 -1');
    await run(server, 'AMEM.SEM.STORE bot above overhead 0 5');
    expect(await run(server, 'AMEM.SEM.RECALL bot 3 0 1')).toEqual([
      known('above', 'overhead', '1'),
      known('up', 'north', '1'),
      known('slant', 'northeast', '0.8'),
    ]);
    await run(server, 'AMEM.SEM.STORE bot up east 1 0');
    expect(await run(server, 'AMEM.SEM.RECALL bot 1 1 0')).toEqual([known('up', 'east', '1')]);
    expect(await run(server, 'AMEM.SEM.LIST bot')).toEqual(['slant', 'down', 'above', 'up']);
    expect(await run(server, 'AMEM.SEM.FORGET bot up')).toBe(1);
    expect(await run(server, 'AMEM.SEM.FORGET bot up')).toBe(0);
    expect(((await run(server, 'AMEM.SEM.RECALL bot 9 1 0')) as unknown[]).length).toBe(3);
  });

  it('forgets at a time', async () => {
    await using server = await frozen();
    await run(server, 'AMEM.SEM.CREATE bot 1', 'AMEM.SEM.STORE bot a x 1 TTL 1', 'AMEM.SEM.STORE bot b y 1');
    await run(server, `AMEM.SEM.STORE bot c z 1 pxat ${NOW - 1}`);
    expect(await run(server, 'AMEM.SEM.LIST bot')).toEqual(['a', 'b']);
    server.clock.advance(1000);
    expect(await run(server, 'AMEM.SEM.RECALL bot 5 1')).toEqual([known('b', 'y', '1')]);
    expect(await run(server, 'AMEM.SEM.LIST bot')).toEqual(['b']);
    expect(await run(server, 'AMEM.SEM.FORGET bot a')).toBe(0);
  });

  it('gives back the memory of what has ended', async () => {
    await using server = await frozen();
    await run(server, 'AMEM.SEM.CREATE bot 1');
    const before = await usedMemory(server);
    for (let i = 0; i < 1000; i++) {
      await run(server, `AMEM.SEM.STORE bot k${i} ${'x'.repeat(1000)} 1 TTL 1`);
      server.clock.advance(1000);
    }
    expect((await usedMemory(server)) - before).toBeLessThan(400_000);
  });

  it('is empty for an agent that has none', async () => {
    await using server = await frozen();
    expect(await run(server, 'AMEM.SEM.RECALL none 5 1 2')).toEqual([]);
    expect(await run(server, 'AMEM.SEM.LIST none')).toEqual([]);
    expect(await run(server, 'AMEM.SEM.FORGET none k')).toBe(0);
  });

  it.each([
    ['AMEM.SEM.CREATE bot 2', "ERR semantic memory 'bot' already exists"],
    ['AMEM.SEM.CREATE new 0', 'ERR invalid dims: must be a whole number from 1 to 32768'],
    ['AMEM.SEM.STORE new k x 1 2', "ERR semantic memory 'new' not found"],
    ['AMEM.SEM.STORE bot k x 1', 'ERR invalid vector: 1 components where the index has 2 dimensions'],
    ['AMEM.SEM.STORE bot k x 1 2 3', 'ERR invalid vector: 3 components where the index has 2 dimensions'],
    ['AMEM.SEM.STORE bot k x 1 inf', "ERR invalid vector component 'inf'"],
    ['AMEM.SEM.STORE bot k x 1 2 TTL 1 PXAT 1', 'ERR TTL and PXAT exclude each other'],
    ['AMEM.SEM.STORE bot k x 1 2 TTL -1', 'ERR invalid TTL'],
    ['AMEM.SEM.STORE bot k x 1 2 EX 1', "unknown option 'EX': must be one of TTL, PXAT"],
    ['AMEM.SEM.RECALL bot 0 1 2', 'ERR invalid k'],
    ['AMEM.SEM.RECALL bot 1 1', 'ERR invalid vector: 1 components'],
    ['AMEM.SEM.RECALL bot 1 1 2 3', 'ERR invalid vector: 3 components'],
    ['AMEM.SEM.RECALL none 1 x', "ERR invalid vector component 'x'"],
    ['AMEM.EPIS.LOG bot t c META m', "unknown option 'META': must be one of METADATA"],
    ['AMEM.EPIS.LOG bot t c METADATA', 'ERR syntax error'],
    ['AMEM.EPIS.QUERY bot LIMIT 0', 'ERR invalid LIMIT'],
    ['AMEM.EPIS.QUERY bot FROM x', 'ERR invalid FROM'],
    ['AMEM.EPIS.QUERY bot AFTER 1', 'must be one of TYPE, FROM, TO, LIMIT'],
    ['AMEM.SEARCH bot 0 1 2', 'ERR invalid k'],
    ['AMEM.SEARCH bot 1 1', 'ERR invalid vector: 1 components'],
    ['AMEM.SEARCH none 1 nan', 'ERR invalid vector component'],
  ])('%s is refused', async (line, error) => {
    await using server = await frozen();
    await run(server, 'AMEM.SEM.CREATE bot 2', 'AMEM.SEM.STORE bot k old 1 1');
    await expect(run(server, line)).rejects.toThrow(error);
    expect(await run(server, 'AMEM.SEARCH bot 9 1 1')).toEqual([['source', 'semantic', ...known('k', 'old', '1')]]);
    expect(await run(server, 'AMEM.SEM.LIST new')).toEqual([]);
  });
});

describe('AMEM.EPIS', () => {
  it('tells what happened, newest first', async () => {
    await using server = await frozen();
    expect(await run(server, 'AMEM.EPIS.QUERY bot')).toEqual([]);
    expect(await run(server, 'AMEM.EPIS.LOG bot start boot')).toBe('OK');
    server.clock.advance(1000);
    await run(server, 'AMEM.EPIS.LOG bot call search metadata {}', 'AMEM.EPIS.LOG bot call read');
    server.clock.advance(1000);
    await run(server, 'AMEM.EPIS.LOG bot end halt');
    const [start, search, read, end] = [
      event('start', 'boot', null, NOW),
      event('call', 'search', '{}', NOW + 1000),
      event('call', 'read', null, NOW + 1000),
      event('end', 'halt', null, NOW + 2000),
    ];
    expect(await run(server, 'AMEM.EPIS.QUERY bot')).toEqual([end, read, search, start]);
    expect(await run(server, 'AMEM.EPIS.QUERY bot TYPE call LIMIT 1')).toEqual([read]);
    expect(await run(server, `AMEM.EPIS.QUERY bot FROM ${NOW} TO ${NOW + 1000}`)).toEqual([read, search, start]);
    expect(await run(server, `AMEM.EPIS.QUERY bot FROM ${NOW + 1001}`)).toEqual([end]);
    expect(await run(server, `AMEM.EPIS.QUERY bot FROM 2 TO 1`)).toEqual([]);
    const stats = ['total_events', 4, 'oldest_ts', NOW, 'newest_ts', NOW + 2000];
    expect(await run(server, 'AMEM.EPIS.STATS bot')).toEqual(stats);
    expect(await run(server, 'AMEM.EPIS.CLEAR bot')).toBe(1);
    expect(await run(server, 'AMEM.EPIS.CLEAR bot')).toBe(0);
    expect(await run(server, 'AMEM.EPIS.STATS bot')).toEqual(['total_events', 0, 'oldest_ts', 0, 'newest_ts', 0]);
  });
});

describe('AMEM.SEARCH', () => {
  it('looks into semantic, episodic and working memory, k rows of each', async () => {
    await using server = await frozen();
    expect(await run(server, 'AMEM.SEARCH bot 5 1 2')).toEqual([]);
    await run(server, 'AMEM.SEM.CREATE bot 2', 'AMEM.SEM.STORE bot k1 far 0 1', 'AMEM.SEM.STORE bot k2 near 1 0');
    await run(server, 'AMEM.EPIS.LOG bot t first', 'AMEM.EPIS.LOG bot t second METADATA m');
    await run(server, 'AMEM.CONV.CREATE bot', 'AMEM.WORK.SET bot a 1', 'AMEM.WORK.SET bot b 2 TTL 1');
    await run(server, 'AMEM.CONV.CREATE other', 'AMEM.WORK.SET other c 3');
    expect(await run(server, 'AMEM.SEARCH bot 1 1 0')).toEqual([
      ['source', 'semantic', ...known('k2', 'near', '1')],
      ['source', 'episodic', ...event('t', 'second', 'm', NOW)],
      ['source', 'working', 'key', 'b', 'content', '2'],
    ]);
    server.clock.advance(1000);
    const rows = (await run(server, 'AMEM.SEARCH bot 5 1 0')) as string[][];
    expect(rows.map((row) => `${row[1]} ${row[3]}`)).toEqual([
      ...['semantic k2', 'semantic k1'],
      ...['episodic t', 'episodic t'],
      'working a',
    ]);
    await run(server, 'FLUSHALL');
    expect(await run(server, 'AMEM.SEARCH bot 5 1 2')).toEqual([]);
  });
});
