/** What the server tells of itself: INFO, the slow log, the latency monitor, and its end. */
import { expect, test } from 'vitest';
import { startServer } from '../../src/server/start.js';
import { connectRaw } from '../support/resp-client.js';
import { textOf } from '../support/resp-frame.js';

test('INFO: sections by name, in the order of Redis, each line with its end', async () => {
  await using server = await startServer({ port: 0, clock: 0 });
  const titles = async (...words: string[]) => String(await server.call('INFO', ...words)).match(/^# \w+/gm) ?? [];
  expect(await titles('keyspace', 'SERVER')).toEqual(['# Server', '# Keyspace']);
  expect(await titles('nosuch')).toEqual([]);
  expect(await titles()).toContain('# Errorstats');
  expect(await titles()).not.toContain('# Commandstats');
  expect(await titles('default', 'commandstats')).toContain('# Commandstats');
  // Those of Redis, and the one of HotKV.
  expect((await titles('everything')).length).toBe(16);
  for (const line of String(await server.call('INFO', 'all')).split('\r\n')) {
    expect(line).toMatch(/^$|^# \w+$|^[a-z0-9_|.-]+:.*$/i);
  }
});

test('INFO counts keys, sizes, calls and errors', async () => {
  await using server = await startServer({ port: 0, clock: 0 });
  await server.call('SET', 'a', 'x', 'PX', 5000);
  await server.call('RPUSH', 'l', 1, 2, 3);
  await expect(server.call('GET', 'l')).rejects.toThrow('WRONGTYPE');
  expect(await server.call('INFO', 'keyspace')).toMatch(/\r\ndb0:keys=2,expires=1,avg_ttl=5000/);
  expect(await server.call('INFO', 'keysizes')).toBe(
    '# Keysizes\r\ndb0_distrib_strings_sizes:1=1\r\ndb0_distrib_lists_items:2=1\r\n',
  );
  expect(await server.call('INFO', 'errorstats')).toBe('# Errorstats\r\nerrorstat_WRONGTYPE:count=1\r\n');
  expect(await server.call('INFO', 'commandstats')).toMatch(/cmdstat_get:calls=1,.*failed_calls=1\r\n/);
  await server.call('CONFIG', 'RESETSTAT');
  expect(await server.call('INFO', 'errorstats')).toBe('# Errorstats\r\n');
});

test('the slow log keeps the newest, and no secrets', async () => {
  await using server = await startServer({ port: 0 });
  await server.call('CONFIG', 'SET', 'slowlog-log-slower-than', 0, 'slowlog-max-len', 3);
  await server.call('CONFIG', 'SET', 'masterauth', 'secret', 'hz', 11);
  await server.call('PING');
  const entries = (await server.call('SLOWLOG', 'GET', -1)) as unknown[][];
  expect(entries.map((entry) => entry[3])).toEqual([
    ['PING'],
    ['CONFIG', 'SET', 'masterauth', '(redacted)', 'hz', '11'],
    ['CONFIG', 'SET', 'slowlog-log-slower-than', '0', 'slowlog-max-len', '3'],
  ]);
  await server.call('SLOWLOG', 'RESET');
  expect(await server.call('SLOWLOG', 'LEN')).toBe(1);
});

test('the latency monitor keeps the worst of each second', async () => {
  await using server = await startServer({ port: 0, loglevel: 'nothing' });
  const client = await connectRaw(server.port);
  await server.call('CONFIG', 'SET', 'latency-monitor-threshold', 20);
  await client.call('DEBUG', 'SLEEP', '0.03');
  const [[event, at, latest, worst]] = (await server.call('LATENCY', 'LATEST')) as [[string, number, number, number]];
  expect([event, latest]).toEqual(['command', worst]);
  expect(worst).toBeGreaterThanOrEqual(25);
  expect(await server.call('LATENCY', 'HISTORY', 'command')).toEqual([[at, latest]]);
  expect(await server.call('LATENCY', 'GRAPH', 'command')).toMatch(/^command - high \d+ ms, low \d+ ms/);
  expect(await server.call('LATENCY', 'RESET', 'command', 'other')).toBe(1);
  client.close();
});

test('SHUTDOWN ends the server without an answer', async () => {
  const server = await startServer({ port: 0, loglevel: 'nothing' });
  const client = await connectRaw(server.port);
  expect(textOf(await client.call('SHUTDOWN', 'SAVE'))).toMatch(/^ERR this server keeps its data in memory/);
  expect(textOf(await client.call('SHUTDOWN', 'ABORT'))).toBe('ERR No shutdown in progress.');
  await expect(client.call('SHUTDOWN', 'NOSAVE')).rejects.toThrow('closed');
  await server.closed;
});
