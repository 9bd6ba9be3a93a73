/** Licences: what is not included answers NOLICENSE, before the server starts and at run time. */
import { describe, expect, it } from 'vitest';
import { startServer } from '../../src/server/start.js';
import { startEmulator } from '../support/emulator.js';
import { connectRaw } from '../support/resp-client.js';
import { show } from '../support/resp-frame.js';
import { run } from '../support/run-lines.js';

const CREATE = 'RATELIMIT.CREATE l 5 1000 ALGO fixed_window';
const NO_RATELIMIT =
  /^NOLICENSE 'ratelimit.create' needs a license for ratelimit: EMULATOR LICENSE ratelimit or --license ratelimit switches it on$/;

describe('a license', () => {
  it('includes everything unless told otherwise', async () => {
    await using server = await startServer({ port: -1 });
    expect(await run(server, 'EMULATOR LICENSE')).toBe('full');
    expect(await run(server, CREATE)).toBe('OK');
  });

  it('leaves out whole families, and nothing that needs none', async () => {
    await using server = await startServer({ port: -1, license: 'none' });
    await expect(run(server, CREATE)).rejects.toThrow(NO_RATELIMIT);
    await expect(run(server, 'TS.LIST')).rejects.toThrow(/^NOLICENSE /);
    await expect(run(server, 'VSIM.LIST')).rejects.toThrow(
      /^NOLICENSE 'vsim.list' needs the full license for vsim.snapshots: EMULATOR LICENSE full or --license full /,
    );
    expect(await run(server, 'VSIM.CREATEINDEX i 2 METRIC l2')).toBe('OK');
    expect(await run(server, 'GCRA.LIMIT k 1000 5')).toHaveLength(5);
    // As on Redis, the number of words is looked at before anything else.
    await expect(run(server, 'RATELIMIT.CREATE l')).rejects.toThrow(/^ERR wrong number of arguments/);
  });

  it('can be changed at run time', async () => {
    await using server = await startServer({ port: -1, license: 'core,ratelimit' });
    expect(await run(server, CREATE)).toBe('OK');
    await expect(run(server, 'FEATURE.LIST')).rejects.toThrow(/^NOLICENSE/);
    expect(await run(server, 'EMULATOR LICENSE')).toBe('ratelimit');
    expect(await run(server, 'EMULATOR LICENSE feature')).toBe('OK');
    expect(await run(server, 'FEATURE.LIST')).toEqual([]);
    await expect(run(server, 'RATELIMIT.PEEK l k')).rejects.toThrow(/^NOLICENSE/);
    await expect(run(server, 'EMULATOR LICENSE gold')).rejects.toThrow(
      /^ERR unknown license 'gold': must be full or none alone, or any of core, scache, /,
    );
    expect(await run(server, 'EMULATOR LICENSE')).toBe('feature');
    expect(await run(server, 'EMULATOR LICENSE full', 'RATELIMIT.PEEK l k')).toHaveLength(5);
  });

  it('includes some families only when it is full', async () => {
    await using server = await startServer({ port: -1, license: 'amem,ts' });
    expect(await run(server, 'AMEM.CONV.CREATE s')).toBe('OK');
    await expect(run(server, 'AMEM.SUMMARY.LIST')).rejects.toThrow(
      /^NOLICENSE .* needs the full license for amem.summary/,
    );
    await expect(run(server, 'EMBED.DEDUP.LIST')).rejects.toThrow(
      /^NOLICENSE .* needs the full license for embed.dedup/,
    );
    await expect(run(server, 'EMULATOR LICENSE amem.summary')).rejects.toThrow(
      /only full includes vsim.snapshots, amem.summary, embed.dedup$/,
    );
    await expect(run(server, 'EMULATOR LICENSE full,ts')).rejects.toThrow(/^ERR unknown license 'full'/);
    // What is there already stays in what the error recommends.
    await expect(run(server, 'FEATURE.LIST')).rejects.toThrow(/: EMULATOR LICENSE amem,ts,feature or /);
    expect(await run(server, 'EMULATOR LICENSE full', 'AMEM.SUMMARY.LIST')).toEqual([]);
  });

  it('comes before permissions and after NOAUTH', async () => {
    await using server = await startServer({ port: 0, license: 'none' });
    const client = await connectRaw(server.port);
    await client.call('ACL', 'SETUSER', 'weak', 'on', '>secret', '-@all', '+auth');
    expect(show(await client.call('AUTH', 'weak', 'secret'))).toBe('simple "OK"');
    expect(show(await client.call('TS.LIST'))).toMatch(/^error "NOLICENSE/);
    expect(show(await client.call('FEATURE.LIST', 'x'))).toMatch(/^error "ERR wrong number of arguments/);
    expect(show(await client.call('GET', 'k'))).toMatch(/^error "NOPERM/);
    await run(server, 'CONFIG SET requirepass secret');
    const stranger = await connectRaw(server.port);
    expect(show(await stranger.call('TS.LIST'))).toMatch(/^error "NOAUTH/);
    stranger.close();
    client.close();
  });

  it('is looked at in transactions and scripts', async () => {
    await using server = await startServer({ port: 0, license: 'none' });
    const client = await connectRaw(server.port);
    expect(show(await client.call('MULTI'))).toBe('simple "OK"');
    expect(show(await client.call('TS.LIST'))).toMatch(/^error "NOLICENSE/);
    expect(show(await client.call('EXEC'))).toMatch(/^error "EXECABORT/);
    expect(show(await client.call('EVAL', "return redis.call('TS.LIST')", '0'))).toMatch(/^error "NOLICENSE/);
    client.close();
  });

  it('is a flag and an environment variable', async () => {
    const server = await startEmulator(['--license', 'none']);
    const client = await connectRaw(server.port);
    expect(show(await client.call('TS.LIST'))).toMatch(/^error "NOLICENSE/);
    client.close();
    await server.stop();
    await expect(startEmulator([], { env: { HOTKV_LICENSE: 'gold' } })).rejects.toThrow(/unknown license 'gold'/);
  });
});
