/** node-redis against our server, in RESP2 and RESP3. */
import { createClient } from 'redis';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Emulator, startEmulator } from '../support/emulator.js';

describe.each([2, 3] as const)('node-redis, RESP%i', (RESP) => {
  let server: Emulator;
  const connect = async () => createClient({ RESP, socket: { host: '127.0.0.1', port: server.port } }).connect();
  let client: Awaited<ReturnType<typeof connect>>;
  beforeAll(async () => {
    server = await startEmulator(['--clock', 'frozen']);
    client = await connect();
  });
  beforeEach(async () => {
    await client.flushAll();
  });
  afterAll(async () => {
    await client?.close();
    await server?.stop();
  });

  it('sets, reads and counts', async () => {
    expect(await client.set('k', 'v', { expiration: { type: 'EX', value: 100 } })).toBe('OK');
    expect(await client.set('k', 'w', { condition: 'NX' })).toBeNull();
    expect(await client.get('k')).toBe('v');
    expect(await client.ttl('k')).toBe(100);
    expect(await client.incrByFloat('f', 0.5)).toBe('0.5');
    expect(await client.mGet(['k', 'missing'])).toEqual(['v', null]);
  });

  it('pipelines what is sent in one tick', async () => {
    const numbers = Array.from({ length: 1_000 }, (_, i) => i + 1);
    expect(await Promise.all(numbers.map(() => client.incr('n')))).toEqual(numbers);
  });

  it('runs a transaction, and none when a watched key changed', async () => {
    expect(await client.multi().set('a', '1').incr('a').exec()).toEqual(['OK', 2]);
    await client.watch('a');
    await client.set('a', '9');
    await expect(client.multi().get('a').exec()).rejects.toThrow(/watched keys/);
  });

  it('describes commands and itself', async () => {
    expect((await client.commandInfo(['get']))[0]).toMatchObject({ name: 'get', arity: 2, firstKeyIndex: 1 });
    expect(await client.clientSetName('worker')).toBe('OK');
    expect(await client.clientGetName()).toBe('worker');
    expect(await client.configGet('databases')).toEqual({ databases: '16' });
  });

  it('limits a rate', async () => {
    expect(await client.sendCommand(['GCRA.LIMIT', 'user:1', '60000', '10'])).toEqual([0, 10, 9, -1, 6000]);
  });

  it('scans', async () => {
    await client.mSet(Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`key:${i}`, '1'])));
    const seen = new Set<string>();
    for await (const names of client.scanIterator({ MATCH: 'key:*', COUNT: 40 }))
      for (const name of names) seen.add(name);
    expect(seen.size).toBe(300);
  });
});
