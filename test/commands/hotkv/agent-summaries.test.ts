/** AMEM.SUMMARY.*: a text with versions. */
import { describe, expect, it } from 'vitest';
import { startServer } from '../../../src/server/start.js';
import { run } from '../../support/run-lines.js';

const frozen = () => startServer({ port: 0, clock: 1_700_000_000_500 });

describe('AMEM.SUMMARY', () => {
  it('is written, added to and told, with version and time', async () => {
    await using server = await frozen();
    expect(await run(server, 'AMEM.SUMMARY.GET bot')).toBeNull();
    expect(await run(server, 'AMEM.SUMMARY.APPEND bot one')).toBe(1);
    server.clock.advance(1000);
    expect(await run(server, 'AMEM.SUMMARY.APPEND bot two')).toBe(2);
    expect(await run(server, 'AMEM.SUMMARY.GET bot')).toEqual(['one\ntwo', 2, 1_700_000_001]);
    expect(await run(server, 'AMEM.SUMMARY.SET bot three')).toBe(3);
    expect(await run(server, 'AMEM.SUMMARY.GET bot')).toEqual(['three', 3, 1_700_000_001]);
  });

  it('is dropped and listed', async () => {
    await using server = await frozen();
    await run(server, 'AMEM.SUMMARY.SET b x', 'AMEM.SUMMARY.SET a x', 'FLUSHDB');
    expect(await run(server, 'AMEM.SUMMARY.LIST')).toEqual(['b', 'a']);
    expect(await run(server, 'AMEM.SUMMARY.DROP b')).toBe(1);
    expect(await run(server, 'AMEM.SUMMARY.DROP b')).toBe(0);
    expect(await run(server, 'AMEM.SUMMARY.SET b y')).toBe(1);
    await run(server, 'FLUSHALL');
    expect(await run(server, 'AMEM.SUMMARY.LIST')).toEqual([]);
  });
});
