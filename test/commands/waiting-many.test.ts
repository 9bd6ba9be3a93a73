/** Many clients that wait: each is served, in the order of the pushes, and at one key in the order of waiting. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Emulator, startEmulator } from '../support/emulator.js';
import { until } from '../support/process.js';
import { connectRaw, type RawClient } from '../support/resp-client.js';
import { itemsOf, textOf } from '../support/resp-frame.js';

/** The server is a process of its own: with both ends in one, this many take more files than a process may have. */
const WAITERS = 10_000;
/** Connections are opened so many at a time: the queue of a listening socket is short. */
const AT_ONCE = 200;
const TIMEOUT_MS = 120_000;

describe('10,000 clients that wait', () => {
  let server: Emulator;
  let control: RawClient;
  const clients: RawClient[] = [];

  beforeAll(async () => {
    server = await startEmulator(['--maxclients', String(WAITERS + 10)]);
    control = await connectRaw(server.port);
    while (clients.length < WAITERS) {
      clients.push(...(await Promise.all(Array.from({ length: AT_ONCE }, () => connectRaw(server.port)))));
    }
  }, TIMEOUT_MS);
  beforeEach(async () => {
    await control.call('FLUSHALL');
  });
  afterAll(async () => {
    for (const client of [...clients, control]) client?.close();
    await server?.stop();
  });

  /** Lets every client wait for its key, one after the other, pushes to the keys, and tells who was served with what. */
  async function serve(keyOf: (i: number) => string): Promise<string[]> {
    const served: string[] = [];
    for (const [i, client] of clients.entries()) {
      client.send(['BLPOP', keyOf(i), '0']);
      if (i % AT_ONCE === AT_ONCE - 1) await waiting(i + 1);
    }
    const replies = clients.map(async (client, i) => {
      const [key, element] = itemsOf(await client.read(TIMEOUT_MS)).map(textOf);
      served.push(`${i} ${key} ${element}`);
    });
    control.send(...clients.map((_, i) => ['RPUSH', keyOf(i), `element ${i}`]));
    for (let i = 0; i < WAITERS; i++) await control.read(TIMEOUT_MS);
    await Promise.all(replies);
    return served;
  }

  /** Waits until so many clients are blocked. */
  async function waiting(count: number): Promise<void> {
    const blocked = new RegExp(`^blocked_clients:${count}\r$`, 'm');
    await until(
      async () => (blocked.test(textOf(await control.call('INFO', 'clients')) ?? '') ? true : undefined),
      TIMEOUT_MS,
    );
  }

  test('for a key each are all served', { timeout: TIMEOUT_MS }, async () => {
    const served = await serve((i) => `queue:${i}`);
    expect(served.sort()).toEqual(clients.map((_, i) => `${i} queue:${i} element ${i}`).sort());
    expect(textOf(await control.call('DBSIZE'))).toBe('0');
  });

  test('for one key are served in the order of waiting', { timeout: TIMEOUT_MS }, async () => {
    const served = await serve(() => 'queue');
    expect(served.sort()).toEqual(clients.map((_, i) => `${i} queue element ${i}`).sort());
  });
});
