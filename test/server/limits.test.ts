/** Limits on what is kept for clients: replies that they have not read, and keys that they may have cached. */
import { expect, test } from 'vitest';
import { startServer } from '../../src/server/start.js';
import { ConnectionClosed, connectRaw, type RawClient } from '../support/resp-client.js';
import { itemsOf, textOf } from '../support/resp-frame.js';

/** Everything that comes until the server closes the connection. */
async function readToEnd(client: RawClient): Promise<string[]> {
  const replies: string[] = [];
  try {
    for (;;) replies.push(String(textOf(await client.read())));
  } catch (problem) {
    if (!(problem instanceof ConnectionClosed)) throw problem;
    return replies;
  }
}

test('replies to a pipeline that had to wait leave together, or, over the limit, none of them', async () => {
  await using server = await startServer({ port: 0, loglevel: 'nothing' });
  await server.call('CONFIG', 'SET', 'client-output-buffer-limit', 'normal 100000 0 0');
  await server.call('SET', 'big', 'x'.repeat(10_000));
  const sleeper = await connectRaw(server.port);
  const client = await connectRaw(server.port);
  await client.call('PING');
  sleeper.send(['DEBUG', 'SLEEP', '0.2']);
  await new Promise((resolve) => setTimeout(resolve, 50));
  client.send(...Array.from({ length: 15 }, () => [['PING'], ['GET', 'big']]).flat());
  expect(await readToEnd(client)).toEqual([]);
  sleeper.close();
});

test.each([
  ['HRANDFIELD', 'HSET', ['a', 'b']],
  ['SRANDMEMBER', 'SADD', ['a']],
  ['ZRANDMEMBER', 'ZADD', ['1', 'a']],
])('%s with a huge count: refused, or the client is cut where its output is limited', async (name, adding, element) => {
  await using server = await startServer({ port: 0, loglevel: 'nothing' });
  const client = await connectRaw(server.port);
  await client.call(adding, 'key', ...element);
  for (const count of ['-999999999', '-9000000000', '-4611686018427387903']) {
    expect(textOf(await client.call(name, 'key', count))).toMatch(/^ERR the reply would be too large/);
  }
  await server.call('CONFIG', 'SET', 'client-output-buffer-limit', 'normal 1000000 0 0');
  client.send([name, 'key', '-999999999'], ['PING']);
  expect(await readToEnd(client)).toEqual([]);
});

test('the table of client-side caching is cut before a command that is only queued', async () => {
  await using server = await startServer({ port: 0 });
  const client = await connectRaw(server.port);
  await client.call('HELLO', '3');
  await server.call('DEBUG', 'PAUSE-CRON', '1');
  await client.call('CLIENT', 'TRACKING', 'on');
  await client.call('MGET', '1', '2');
  await client.call('MULTI');
  await server.call('CONFIG', 'SET', 'tracking-table-max-keys', 1);
  client.send(['PING']);
  expect(textOf(itemsOf(await client.read())[0]!)).toBe('invalidate');
  expect(textOf(await client.read())).toBe('QUEUED');
  client.close();
});

test('ACL LOG tells a command that EXEC found forbidden from one of its own', async () => {
  await using server = await startServer({ port: 0 });
  const client = await connectRaw(server.port);
  await server.call('ACL', 'SETUSER', 'alice', 'on', '>secret', '~*', '+@all');
  await client.call('AUTH', 'alice', 'secret');
  await client.call('MULTI');
  await client.call('INCR', 'counter');
  await server.call('ACL', 'SETUSER', 'alice', '-incr');
  await client.call('EXEC');
  await client.call('INCR', 'counter');
  await client.call('AUTH', 'alice', 'wrong');
  const entries = (await server.call('ACL', 'LOG')) as Map<string, unknown>[];
  expect(entries.map((entry) => [entry.get('context'), entry.get('object')])).toEqual([
    ['toplevel', 'AUTH'],
    ['toplevel', 'incr'],
    ['multi', 'incr'],
  ]);
  client.close();
});

test('CLIENT LIST tells what a client takes: of a long argument the whole from its announcement on, as on Redis', async () => {
  await using server = await startServer({ port: 0 });
  const client = await connectRaw(server.port);
  const fields = async () => {
    const words = String(await server.call('CLIENT', 'LIST')).split(' ');
    const value = (name: string) => Number(words.find((word) => word.startsWith(`${name}=`))?.slice(name.length + 1));
    return { qbuf: value('qbuf'), free: value('qbuf-free'), argv: value('argv-mem'), multi: value('multi-mem') };
  };
  const total = async () => Number(/tot-mem=(\d+)/.exec(String(await server.call('CLIENT', 'LIST')))?.[1]);
  await client.call('MULTI');
  await client.call('SET', 'key', 'v'.repeat(1000));
  expect(await fields()).toEqual({ qbuf: 0, free: 0, argv: 0, multi: 3 + 3 + 1000 + 24 });
  await client.call('DISCARD');
  const idle = await total();
  client.sendBytes(`*3\r\n$3\r\nSET\r\n$3\r\nkey\r\n$100000\r\n${'x'.repeat(100)}`);
  await expect.poll(fields).toEqual({ qbuf: 100, free: 99_902, argv: 6, multi: 0 });
  expect(await total()).toBe(idle + 100_002 + 6);
  client.close();
});
