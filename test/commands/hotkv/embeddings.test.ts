/** EMBED.DEDUP.*: embeddings stored once, with a count of references. */
import { describe, expect, it } from 'vitest';
import { startServer } from '../../../src/server/start.js';
import { run } from '../../support/run-lines.js';

const frozen = () => startServer({ port: 0, clock: 1_700_000_000_000 });

describe('EMBED.DEDUP', () => {
  it('stores once and gives back the bytes', async () => {
    await using server = await frozen();
    const embedding = Buffer.from([0, 255, 13, 10]);
    expect(await server.call('EMBED.DEDUP.PUT', 'ns', 'h1', 'ada', embedding)).toBe(1);
    expect(await run(server, 'EMBED.DEDUP.PUT ns h1 other else')).toBe(0);
    expect(await run(server, 'EMBED.DEDUP.GET ns h1')).toBe(embedding.toString('latin1'));
    expect(await run(server, 'EMBED.DEDUP.GET ns h2')).toBeNull();
    expect(await run(server, 'EMBED.DEDUP.GET none h1')).toBeNull();
    await run(server, 'EMBED.DEDUP.PUT ns h2 ada x');
    const stats = (await run(server, 'EMBED.DEDUP.STATS ns')) as unknown[];
    expect(stats.slice(0, 8)).toEqual(['hits', 1, 'misses', 1, 'entries', 2, 'references', 3]);
  });

  it('frees with the last reference', async () => {
    await using server = await frozen();
    await run(server, 'EMBED.DEDUP.PUT ns keep m x');
    const before = await run(server, 'EMBED.DEDUP.STATS ns');
    await run(server, 'EMBED.DEDUP.PUT ns h m x', 'EMBED.DEDUP.PUT ns h m x');
    expect(await run(server, 'EMBED.DEDUP.RELEASE ns h')).toBe(1);
    expect(await run(server, 'EMBED.DEDUP.PURGE ns')).toBe(1);
    expect(await run(server, 'EMBED.DEDUP.RELEASE ns h')).toBe(1);
    expect(await run(server, 'EMBED.DEDUP.RELEASE ns h')).toBe(0);
    expect(await run(server, 'EMBED.DEDUP.STATS ns')).toEqual(before);
    expect(await run(server, 'EMBED.DEDUP.GET ns h')).toBeNull();
    expect(await run(server, 'EMBED.DEDUP.PUT ns h m y')).toBe(1);
    expect(await run(server, 'EMBED.DEDUP.GET ns h')).toBe('y');
  });

  it('drops and lists', async () => {
    await using server = await frozen();
    await run(server, 'EMBED.DEDUP.PUT b h m x', 'EMBED.DEDUP.PUT a h m x', 'FLUSHDB');
    expect(await run(server, 'EMBED.DEDUP.LIST')).toEqual(['b', 'a']);
    expect(await run(server, 'EMBED.DEDUP.DROP b')).toBe(1);
    expect(await run(server, 'EMBED.DEDUP.DROP b')).toBe(0);
    expect(await run(server, 'EMBED.DEDUP.PURGE b')).toBe(0);
    expect(await run(server, 'EMBED.DEDUP.RELEASE b h')).toBe(0);
    await expect(run(server, 'EMBED.DEDUP.STATS b')).rejects.toThrow("ERR embedding namespace 'b' not found");
    expect(await run(server, 'EMBED.DEDUP.LIST')).toEqual(['a']);
    await run(server, 'FLUSHALL');
    expect(await run(server, 'EMBED.DEDUP.LIST')).toEqual([]);
  });
});
