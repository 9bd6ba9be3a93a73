/** Keys: expiry at its very moment, names and databases that change under waiting clients, MIGRATE. */
import { expect, test } from 'vitest';
import { type RunningServer, startServer } from '../../src/server/start.js';
import { connectRaw } from '../support/resp-client.js';
import { run } from '../support/run-lines.js';

/** A unix time in ms at which the frozen clock of a test stands. */
const NOW = 1_700_000_000_000;

test('a key with n ms to live is gone once n ms have passed', async () => {
  await using server = await startServer({ port: 0, clock: NOW });
  await run(server, 'SET k v', 'PEXPIRE k 1500');
  server.clock.advance(1499);
  expect(await run(server, 'PTTL k')).toBe(1);
  expect(await run(server, 'TTL k')).toBe(0);
  server.clock.advance(1);
  expect(await run(server, 'EXISTS k')).toBe(0);
  expect(await run(server, 'DBSIZE')).toBe(0);
});

test('expiry times keep all 64 bits', async () => {
  await using server = await startServer({ port: 0, clock: NOW });
  await run(server, 'SET k v', 'PEXPIREAT k 9223372036854775807');
  expect(await run(server, 'PEXPIRETIME k')).toBe(9223372036854775807n);
  expect(await run(server, 'EXPIRETIME k')).toBe(9223372036854776n);
  expect(await run(server, 'PTTL k')).toBe(9223372036854775807n - BigInt(NOW));
  expect(await run(server, 'RENAME k j', 'PEXPIRETIME j')).toBe(9223372036854775807n);
  await expect(run(server, 'PEXPIRE j 9223372036854775807')).rejects.toThrow(
    "ERR invalid expire time in 'pexpire' command",
  );
  expect(await run(server, 'PEXPIREAT j -9223372036854775808')).toBe(1);
  expect(await run(server, 'EXISTS j')).toBe(0);
});

test.each([
  ['EXPIRE k 50 NX', 0, 100],
  ['EXPIRE k 50 XX', 1, 50],
  ['EXPIRE k 50 GT', 0, 100],
  ['EXPIRE k 150 GT', 1, 150],
  ['EXPIRE k 150 LT', 0, 100],
  ['EXPIRE k 50 LT', 1, 50],
  ['EXPIRE forever 50 GT', 0, 100],
  ['EXPIRE forever 50 XX LT', 0, 100],
])('%s', async (line, reply, ttl) => {
  await using server = await startServer({ port: 0, clock: NOW });
  await run(server, 'SET forever v', 'SET k v EX 100');
  expect(await run(server, line)).toBe(reply);
  expect(await run(server, 'TTL k')).toBe(ttl);
});

test.each(['RENAME l k', 'RENAMENX l k', 'COPY l k', 'SORT l ALPHA STORE k', 'SWAPDB 0 1', 'MOVE l 0'])(
  'a client that waits for a list is served by %s',
  async (line) => {
    await using server = await startServer({ port: 0, clock: NOW });
    const waiting = server.call('BLPOP', 'k', line.startsWith('MOVE') ? 'l' : 'k', 0);
    const elsewhere = line.startsWith('SWAPDB') || line.startsWith('MOVE');
    if (elsewhere) await inDatabase1(server, line.startsWith('MOVE') ? ['RPUSH l a', line] : ['RPUSH k a', line]);
    else await run(server, 'RPUSH l a', line);
    expect(await waiting).toEqual([line.startsWith('MOVE') ? 'l' : 'k', 'a']);
  },
);

/** Every `call` is a session of its own, in database 0: another one takes a connection. */
async function inDatabase1(server: RunningServer, lines: string[]): Promise<void> {
  const client = await connectRaw(server.port);
  await client.call('SELECT', '1');
  for (const line of lines) expect((await client.call(...line.split(' '))).wire).not.toMatch(/^-/);
  client.close();
}

test('MIGRATE moves keys with their time to live; COPY leaves them', async () => {
  await using source = await startServer({ port: 0, clock: NOW });
  await using target = await startServer({ port: 0, clock: NOW });
  await run(source, 'RPUSH l a b', 'SET s v PX 5000', 'SET stays v');
  const address = `127.0.0.1 ${target.port}`;
  expect(await source.call('MIGRATE', '127.0.0.1', target.port, '', 0, 1000, 'KEYS', 'l', 's', 'nokey')).toBe('OK');
  expect(await run(source, 'KEYS *')).toEqual(['stays']);
  expect(await run(target, 'LRANGE l 0 -1')).toEqual(['a', 'b']);
  expect(await run(target, 'PTTL s')).toBe(5000);
  expect(await run(source, `MIGRATE ${address} stays 0 1000 COPY`)).toBe('OK');
  expect(await run(source, 'EXISTS stays')).toBe(1);
  await expect(run(source, `MIGRATE ${address} stays 0 1000`)).rejects.toThrow(
    'ERR Target instance replied with error: BUSYKEY Target key name already exists.',
  );
  expect(await run(source, `MIGRATE ${address} stays 0 1000 REPLACE`)).toBe('OK');
  expect(await run(source, `MIGRATE ${address} nokey 0 1000`)).toBe('NOKEY');
});

test('MIGRATE to nowhere is an error and keeps the key', async () => {
  await using server = await startServer({ port: 0, clock: NOW });
  await run(server, 'SET k v');
  await expect(run(server, 'MIGRATE 127.0.0.1 1 k 0 200')).rejects.toThrow(
    'IOERR error or timeout writing to target instance',
  );
  expect(await run(server, 'GET k')).toBe('v');
});
