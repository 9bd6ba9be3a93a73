/** Streams by the clock, waiting readers, and node limits: what the differential runner cannot draw. Replies are those of Redis 8.2.3. */
import { expect, test } from 'vitest';
import { startServer } from '../../src/server/start.js';
import { connectRaw } from '../support/resp-client.js';
import { textOf } from '../support/resp-frame.js';
import { run } from '../support/run-lines.js';

/** A unix time in ms at which the frozen clock of a test stands. */
const NOW = 1_700_000_000_000;

test('IDs come from the clock and never go back', async () => {
  await using server = await startServer({ port: 0, clock: NOW });
  expect(await run(server, 'XADD s * a 1')).toBe(`${NOW}-0`);
  expect(await run(server, 'XADD s * a 2')).toBe(`${NOW}-1`);
  server.clock.advance(5);
  expect(await run(server, 'XADD s * a 3')).toBe(`${NOW + 5}-0`);
  expect(await run(server, `XADD s ${NOW + 99}-7 a 4`)).toBe(`${NOW + 99}-7`);
  expect(await run(server, 'XADD s * a 5')).toBe(`${NOW + 99}-8`);
  expect(await run(server, `XADD s ${NOW + 99}-* a 6`)).toBe(`${NOW + 99}-9`);
  await expect(run(server, `XADD s ${NOW}-* a 7`)).rejects.toThrow('equal or smaller than the target stream top item');
  expect(await run(server, 'XLEN s')).toBe(6);
});

test('idle times and claims follow the clock', async () => {
  await using server = await startServer({ port: 0, clock: NOW });
  await run(server, 'XADD s 1-1 a 1', 'XADD s 2-1 a 2', 'XGROUP CREATE s g 0');
  await run(server, 'XREADGROUP GROUP g alice COUNT 1 STREAMS s >');
  server.clock.advance(100);
  await run(server, 'XREADGROUP GROUP g alice COUNT 1 STREAMS s >');
  server.clock.advance(20);
  expect(await run(server, 'XPENDING s g - + 10')).toEqual([
    ['1-1', 'alice', 120, 1],
    ['2-1', 'alice', 20, 1],
  ]);
  expect(await run(server, 'XPENDING s g IDLE 120 - + 10')).toEqual([['1-1', 'alice', 120, 1]]);
  expect(await run(server, 'XCLAIM s g bob 121 1-1 2-1')).toEqual([]);
  expect(await run(server, 'XCLAIM s g bob 120 1-1 2-1')).toEqual([['1-1', ['a', '1']]]);
  expect(await run(server, 'XCLAIM s g bob 0 1-1 IDLE 50 RETRYCOUNT 7 JUSTID')).toEqual(['1-1']);
  expect(await run(server, 'XPENDING s g - + 10 bob')).toEqual([['1-1', 'bob', 50, 7]]);
  expect(await run(server, 'XAUTOCLAIM s g carol 30 0')).toEqual(['0-0', [['1-1', ['a', '1']]], []]);
  expect(await run(server, 'XINFO CONSUMERS s g')).toEqual([
    new Map<string, unknown>([
      ['name', 'alice'],
      ['pending', 1],
      ['idle', 20],
      ['inactive', 20],
    ]),
    new Map<string, unknown>([
      ['name', 'bob'],
      ['pending', 0],
      ['idle', 0],
      ['inactive', 0],
    ]),
    new Map<string, unknown>([
      ['name', 'carol'],
      ['pending', 1],
      ['idle', 0],
      ['inactive', 0],
    ]),
  ]);
});

test.each([
  'XREAD BLOCK 1000 STREAMS s $',
  'XREAD BLOCK 1000 STREAMS s nokey + +',
  'XREADGROUP GROUP g c BLOCK 1000 STREAMS s >',
])('%s ends when its time has passed', async (line) => {
  await using server = await startServer({ port: 0, clock: NOW });
  await run(server, 'XGROUP CREATE s g 0 MKSTREAM');
  const waiting = run(server, line);
  server.clock.advance(999);
  await run(server, 'XTRIM s MAXLEN 0');
  expect(await run(server, 'INFO clients')).toContain('blocked_clients:1');
  server.clock.advance(1);
  expect(await waiting).toBeNull();
});

test('a reader that waits gets what comes after the moment it asked', async () => {
  await using server = await startServer({ port: 0, clock: NOW });
  await run(server, 'XADD s 1-1 a old');
  const reader = await connectRaw(server.port);
  reader.send(['XREAD', 'BLOCK', '0', 'COUNT', '5', 'STREAMS', 's', 't', '$', '$']);
  await expect.poll(() => run(server, 'INFO clients')).toContain('blocked_clients:1');
  const writer = await connectRaw(server.port);
  writer.send(['MULTI'], ['XADD', 's', '2-1', 'a', 'gone'], ['XDEL', 's', '2-1'], ['EXEC']);
  writer.send(['MULTI'], ['XADD', 's', '3-1', 'a', 'x'], ['XADD', 't', '1-1', 'b', 'y'], ['EXEC']);
  const { wire } = await reader.read();
  expect(
    wire
      .replaceAll(/[*$]\d+\r\n/g, '')
      .trimEnd()
      .split('\r\n'),
  ).toEqual('s 3-1 a x t 1-1 b y'.split(' '));
  reader.close();
  writer.close();
});

test.each([
  ['DEL s', "NOGROUP No such key 's' or consumer group 'g' in XREADGROUP with GROUP option"],
  ['FLUSHALL', "NOGROUP No such key 's' or consumer group 'g' in XREADGROUP with GROUP option"],
  ['XGROUP DESTROY s2 g', "NOGROUP No such key 's2' or consumer group 'g' in XREADGROUP with GROUP option"],
  ['SET s v', 'WRONGTYPE Operation against a key holding the wrong kind of value'],
  ['PEXPIRE s -1', "NOGROUP No such key 's' or consumer group 'g' in XREADGROUP with GROUP option"],
])('a consumer that waits is told of %s', async (line, error) => {
  await using server = await startServer({ port: 0, clock: NOW });
  await run(server, 'XGROUP CREATE s g 0 MKSTREAM', 'XGROUP CREATE s2 g 0 MKSTREAM');
  const reader = await connectRaw(server.port);
  reader.send(['XREADGROUP', 'GROUP', 'g', 'c', 'BLOCK', '0', 'STREAMS', 's', 's2', '>', '>']);
  await expect.poll(() => run(server, 'INFO clients')).toContain('blocked_clients:1');
  await run(server, line);
  expect(textOf(await reader.read())).toBe(error);
  reader.close();
});

test('an approximate trim removes whole nodes, whose size is configured', async () => {
  await using server = await startServer({ port: 0, clock: NOW });
  await run(server, 'CONFIG SET stream-node-max-entries 10');
  for (let i = 1; i <= 95; i++) await run(server, `XADD s ${i}-1 a b`);
  expect(await run(server, 'XTRIM s MAXLEN ~ 42')).toBe(50);
  expect(await run(server, 'XTRIM s MAXLEN ~ 0 LIMIT 25')).toBe(20);
  expect(await run(server, 'XTRIM s MINID = 73')).toBe(2);
  expect(await run(server, 'XADD s MAXLEN ~ 14 LIMIT 0 100-1 a b', 'XLEN s')).toBe(16);
  const info = (await run(server, 'XINFO STREAM s')) as Map<string, unknown>;
  expect(info.get('radix-tree-keys')).toBe(2);
  expect(info.get('recorded-first-entry-id')).toBe('81-1');
});

test('an approximate trim stops after a hundred nodes unless LIMIT says otherwise', async () => {
  await using server = await startServer({ port: 0, clock: NOW });
  await run(server, 'CONFIG SET stream-node-max-entries 2');
  for (let i = 1; i <= 300; i++) await run(server, `XADD s ${i}-1 a b`);
  expect(await run(server, 'XTRIM s MAXLEN ~ 0')).toBe(200);
});

test('only what changes entries breaks a WATCH', async () => {
  await using server = await startServer({ port: 0, clock: NOW });
  await run(server, 'XADD s 1-1 a b', 'XADD s 2-1 a b', 'XGROUP CREATE s g 0');
  const watcher = await connectRaw(server.port);
  const survives = async (line: string): Promise<boolean> => {
    await watcher.call('WATCH', 's');
    await run(server, line);
    await watcher.call('MULTI');
    return (await watcher.call('EXEC')).kind !== 'null';
  };
  for (const line of ['XREADGROUP GROUP g c STREAMS s >', 'XACK s g 1-1', 'XGROUP SETID s g 0', 'XSETID s 5-1']) {
    expect(await survives(line), line).toBe(true);
  }
  for (const line of ['XADD s 6-1 a b', 'XDEL s 1-1', 'XTRIM s MAXLEN 1'])
    expect(await survives(line), line).toBe(false);
  watcher.close();
});
