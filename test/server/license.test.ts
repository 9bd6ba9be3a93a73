/** Licences: what is not included answers NOLICENSE, before the server starts and at run time. */
import { describe, expect, it } from 'vitest';
import { startServer } from '../../src/server/start.js';
import { startEmulator } from '../support/emulator.js';
import { connectRaw } from '../support/resp-client.js';
import { show } from '../support/resp-frame.js';
import { run } from '../support/run-lines.js';

const CREATE = 'RATELIMIT.CREATE l 5 1000 ALGO fixed_window';
const NO_RATELIMIT =
  /^NOLICENSE 'ratelimit.create' needs a license for ratelimit, which the emulator was told not to have$/;

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
    await expect(run(server, 'VSIM.LIST')).rejects.toThrow(/^NOLICENSE 'vsim.list' needs a license for vsim.snapshots/);
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
      /^ERR unknown license 'gold': must be full, none, or any of core, scache, /,
    );
    expect(await run(server, 'EMULATOR LICENSE')).toBe('feature');
    expect(await run(server, 'EMULATOR LICENSE full', 'RATELIMIT.PEEK l k')).toHaveLength(5);
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
