/** A valve over real clients and a real server: node-redis in both protocols, and a server that goes away and comes back. */
import { Redis } from 'ioredis';
import { createClient } from 'redis';
import { describe, expect, it } from 'vitest';
import { startServer } from '../../src/index.js';
import { createValve, ioredisStore, nodeRedisStore } from '../../src/valve/index.js';

const HOUR = 3_600_000;
const TIMEOUT_MS = 30_000;

describe.each([2, 3] as const)('node-redis, RESP%i', (RESP) => {
  it('paces by rules and leases, and tells what it would do', async () => {
    await using server = await startServer({ port: 0, clock: 'frozen' });
    const client = await createClient({ RESP, url: server.url }).connect();
    const store = nodeRedisStore(client);
    const rate = [
      { limit: 2, interval: HOUR, burst: 2 },
      { limit: 3, interval: '24h', algorithm: 'fixed-window' },
    ] as const;
    const valve = createValve({ name: 'provider', store, rate, lease: { max: 1, ttl: '10s' } });
    expect(await valve.run(() => 'first')).toBe('first');
    expect(await valve.run(() => 'second')).toBe('second');
    // Under GCRA the next unit is worth waiting half an hour for; the window alone would let one more through.
    expect(await valve.tryRun(() => 'third')).toMatchObject({ admitted: false, wait: HOUR / 2 });
    server.clock.advance(HOUR / 2);
    expect(await valve.run(() => 'third')).toBe('third');
    server.clock.advance(HOUR / 2);
    const refused = await valve.tryRun(() => 'fourth');
    expect(refused).toMatchObject({ admitted: false });
    // Another policy under the same name is refused.
    const other = createValve({ name: 'provider', store, rate: { limit: 5, interval: '1s' } });
    await expect(other.run(() => 'never')).rejects.toMatchObject({ code: 'INVALID_OPTIONS' });
    await valve.close();
    await other.close();
    client.destroy();
  });
});

describe('a server that goes away', () => {
  it('is waited for, and what it forgot is not held against the jobs', { timeout: TIMEOUT_MS }, async () => {
    let server = await startServer({ port: 0 });
    const { port } = server;
    const client = new Redis(port, '127.0.0.1', { maxRetriesPerRequest: 0, retryStrategy: () => 50 });
    client.on('error', () => undefined); // that it is away is what is tested
    const valve = createValve({
      name: 'jobs',
      store: ioredisStore(client),
      rate: { limit: 1_000, interval: '1s', burst: 50 },
    });
    let away = 0;
    valve.on('storeError', () => {
      away++;
    });
    expect(await valve.run(() => 1)).toBe(1);
    await server.close();
    const waiting = Promise.all([valve.run(() => 2), valve.run(() => 3)]);
    while (away === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    server = await startServer({ port });
    expect(await waiting).toEqual([2, 3]);
    await valve.close();
    client.disconnect();
    await server.close();
  });
});
