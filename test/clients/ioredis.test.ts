/** ioredis against our server: connection, types of replies, pipelines, transactions, errors. */
import { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Emulator, startEmulator } from '../support/emulator.js';

describe('ioredis', () => {
  let server: Emulator;
  let client: Redis;
  beforeAll(async () => {
    server = await startEmulator(['--clock', 'frozen']);
    client = new Redis({ host: '127.0.0.1', port: server.port, maxRetriesPerRequest: 1 });
  });
  beforeEach(async () => {
    await client.flushall();
  });
  afterAll(async () => {
    await client?.quit();
    await server?.stop();
  });

  it('becomes ready and reads INFO', async () => {
    expect(client.status).toBe('ready');
    expect(await client.info('server')).toMatch(/^redis_version:8\.2\.0\r$/m);
  });

  it('sets, reads and counts', async () => {
    expect(await client.set('k', 'v', 'EX', 100)).toBe('OK');
    expect(await client.get('k')).toBe('v');
    expect(await client.ttl('k')).toBe(100);
    expect(await client.incrby('n', 5)).toBe(5);
    expect(await client.mget('k', 'missing')).toEqual(['v', null]);
  });

  it('keeps bytes', async () => {
    const bytes = Buffer.from([0, 255, 13, 10, 128]);
    await client.set('bytes', bytes);
    expect(await client.getBuffer('bytes')).toEqual(bytes);
  });

  it('pipelines', async () => {
    const replies = await client.pipeline().set('a', '1').incr('a').call('NOSUCHCOMMAND').get('a').exec();
    expect(replies?.map(([error, reply]) => error?.message ?? reply)).toEqual([
      'OK',
      2,
      "ERR unknown command 'NOSUCHCOMMAND', with args beginning with: ",
      '2',
    ]);
  });

  it('runs a transaction, and none when a watched key changed', async () => {
    expect(await client.multi().set('a', '1').incr('a').exec()).toEqual([
      [null, 'OK'],
      [null, 2],
    ]);
    await client.watch('a');
    const other = client.duplicate();
    await other.set('a', '9');
    await other.quit();
    expect(await client.multi().get('a').exec()).toBeNull();
  });

  it('limits a rate', async () => {
    expect(await client.call('GCRA.LIMIT', 'user:1', '60000', '10')).toEqual([0, 10, 9, -1, 6000]);
    expect(await client.call('GCRA.RESET', 'user:1')).toBe(1);
  });

  it('scans with a stream', async () => {
    const names = Array.from({ length: 500 }, (_, i) => `key:${i}`);
    await client.mset(Object.fromEntries(names.map((name) => [name, '1'])));
    const seen = new Set<string>();
    for await (const batch of client.scanStream({ match: 'key:*', count: 50 })) {
      for (const name of batch as string[]) seen.add(name);
    }
    expect([...seen].sort()).toEqual(names.sort());
  });
});
