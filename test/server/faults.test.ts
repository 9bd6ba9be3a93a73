/** What a server must survive: broken frames, clients that read slowly or leave, sizes at the edge, many clients. */
import { once } from 'node:events';
import { createConnection, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type RunningServer, startServer } from '../../src/server/start.js';
import { until } from '../support/process.js';
import { connectRaw, type RawClient } from '../support/resp-client.js';
import { show } from '../support/resp-frame.js';
import { encodeCommand } from '../support/resp-request.js';

let server: RunningServer;
let clients: RawClient[];

beforeEach(async () => {
  server = await startServer({ port: 0 });
  clients = [];
});

afterEach(async () => {
  for (const client of clients) client.close();
  await server.close();
});

async function client(): Promise<RawClient> {
  const connected = await connectRaw(server.port);
  clients.push(connected);
  return connected;
}

/** Sends bytes on a connection of their own, ends it, and gives all that came back. */
async function conversation(bytes: string, port = server.port): Promise<string> {
  const socket = createConnection({ port, host: '127.0.0.1' });
  let received = '';
  socket.on('data', (chunk) => {
    received += chunk.toString('latin1');
  });
  socket.on('error', () => undefined); // a reset after the last reply is no failure
  socket.end(bytes, 'latin1');
  await once(socket, 'close');
  return received;
}

describe('malformed requests', () => {
  it.each([
    ['a count that is no number', '*x\r\n', '-ERR Protocol error: invalid multibulk length\r\n'],
    ['too many arguments', '*2147483648\r\n', '-ERR Protocol error: invalid multibulk length\r\n'],
    ['no bulk string', '*1\r\nPING\r\n', "-ERR Protocol error: expected '$', got 'P'\r\n"],
    ['a negative length', '*1\r\n$-1\r\n', '-ERR Protocol error: invalid bulk length\r\n'],
    ['a length over the limit', '*1\r\n$536870913\r\n', '-ERR Protocol error: invalid bulk length\r\n'],
    ['an open quote', 'SET k "open\r\n', '-ERR Protocol error: unbalanced quotes in request\r\n'],
    ['a count without end', `*${'1'.repeat(70_000)}`, '-ERR Protocol error: too big mbulk count string\r\n'],
    ['an inline command without end', 'x'.repeat(70_000), '-ERR Protocol error: too big inline request\r\n'],
  ])('answers %s with an error and closes', async (_name, bytes, answer) => {
    expect(await conversation(bytes)).toBe(answer);
  });

  it('answers what came before the broken frame, and nothing after it', async () => {
    const answer = "+PONG\r\n-ERR Protocol error: expected '$', got '!'\r\n";
    expect(await conversation('PING\r\n*1\r\n!4\r\nPING\r\n*1\r\n$4\r\nPING\r\n')).toBe(answer);
  });

  it('answers in order what was sent behind a wait, up to the broken frame', async () => {
    const [waiter, other] = [await client(), await client()];
    const pipeline = [
      ['SET', 'a', '1'],
      ['BLPOP', 'queue', '0'],
      ['GET', 'a'],
      ['SELECT', '1'],
      ['GET', 'a'],
    ];
    waiter.sendBytes(`${pipeline.map(encodeCommand).join('')}*x\r\n`);
    await other.call('RPUSH', 'queue', 'element');
    const replies: string[] = [];
    for (let i = 0; i < 6; i++) replies.push(show(await waiter.read()));
    expect(replies).toEqual([
      'simple "OK"',
      'array [bulk "queue", bulk "element"]',
      'bulk "1"',
      'simple "OK"',
      'null (bulk)',
      'error "ERR Protocol error: invalid multibulk length"',
    ]);
  });

  it('survives random bytes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(chunkOfBytes, { maxLength: 20 }), async (chunks) => {
        await conversation(chunks.join(''));
      }),
      { numRuns: 150 },
    );
    expect(await server.call('PING')).toBe('PONG');
  });
});

/** Random bytes, among pieces of requests: so that more than the first byte is read. No command that ends or blocks. */
const chunkOfBytes = fc.oneof(
  fc.uint8Array({ maxLength: 40 }).map((bytes) => String.fromCharCode(...bytes)),
  fc.constantFrom(
    '*1\r\n',
    '*2\r\n',
    '*-1\r\n',
    '$4\r\n',
    '$0\r\n\r\n',
    'PING\r\n',
    '$3\r\nGET\r\n',
    '\r\n',
    '\0',
    '*3',
  ),
);

describe('requests in pieces', () => {
  const commands = [['SET', 'key', 'a\r\nb'], ['GET', 'key'], ['ECHO', ''], ['PING']];
  const bytes = `${commands.map(encodeCommand).join('')}ECHO "in line"\r\n`;
  const answer = '+OK\r\n$4\r\na\r\nb\r\n$0\r\n\r\n+PONG\r\n$7\r\nin line\r\n';

  it('gives the same replies wherever a request is split', async () => {
    const { port } = server;
    const splits = Array.from({ length: bytes.length - 1 }, (_, i) => i + 1);
    for (const at of splits) {
      const socket = createConnection({ port, host: '127.0.0.1', noDelay: true });
      let received = '';
      socket.on('data', (chunk) => {
        received += chunk.toString('latin1');
      });
      await once(socket, 'connect');
      socket.write(bytes.slice(0, at), 'latin1');
      await sleep(2);
      socket.end(bytes.slice(at), 'latin1');
      await once(socket, 'close');
      expect(received, `split at ${at}`).toBe(answer);
    }
  });

  it('gives the same replies byte by byte', async () => {
    const slow = await client();
    for (const byte of bytes) {
      slow.sendBytes(byte);
      await sleep(0);
    }
    const frames = [];
    for (let i = 0; i < 5; i++) frames.push((await slow.read()).wire);
    expect(frames.join('')).toBe(answer);
  });
});

describe('sizes', () => {
  it('reserves nothing for arguments that are only announced', async () => {
    const greedy = await client();
    const before = process.memoryUsage().rss;
    greedy.sendBytes('*1000000\r\n$536870912\r\nx');
    await sleep(100);
    expect(process.memoryUsage().rss - before).toBeLessThan(50 * 1024 * 1024);
    expect(await server.call('PING')).toBe('PONG');
  });

  it('carries a value of 100 MB both ways', async () => {
    const value = 'v'.repeat(100 * 1024 * 1024);
    const bytes = await conversation(encodeCommand(['SET', 'big', value]) + encodeCommand(['GET', 'big']));
    expect(bytes.length).toBe('+OK\r\n$104857600\r\n\r\n'.length + value.length);
    expect(bytes.endsWith('vvv\r\n')).toBe(true);
  }, 60_000);

  it('serves 2,000 connections at once', async () => {
    const many = await Promise.all(Array.from({ length: 2000 }, client));
    const numbers = await Promise.all(many.map((each) => each.call('INCR', 'counter')));
    expect(new Set(numbers.map((frame) => frame.wire)).size).toBe(2000);
  }, 60_000);

  it('refuses clients beyond maxclients with an error', async () => {
    await server.call('CONFIG', 'SET', 'maxclients', '1');
    await (await client()).call('PING');
    expect(await conversation('PING\r\n')).toBe('-ERR max number of clients reached\r\n');
  });
});

describe('clients that leave or do not read', () => {
  it('answers a client that has closed its half', async () => {
    expect(await conversation('PING\r\nECHO last\r\n')).toBe('+PONG\r\n$4\r\nlast\r\n');
  });

  it('forgets a waiting client that has gone', async () => {
    const waiting = await client();
    waiting.send(['BLPOP', 'list', '0']);
    await until(async () => ((await infoField('blocked_clients')) === '1' ? true : undefined), 2000);
    waiting.close();
    await until(async () => ((await infoField('blocked_clients')) === '0' ? true : undefined), 2000);
    await server.call('RPUSH', 'list', 'kept');
    expect(await server.call('LLEN', 'list')).toBe(1);
  });

  it('cuts a subscriber that reads too slowly', async () => {
    await server.call('CONFIG', 'SET', 'client-output-buffer-limit', 'pubsub 1mb 0 0');
    const socket = await pausedSubscriber();
    const message = 'm'.repeat(256 * 1024);
    let receivers = 1;
    for (let i = 0; i < 400 && receivers === 1; i++) receivers = Number(await server.call('PUBLISH', 'news', message));
    expect(receivers).toBe(0);
    socket.destroy();
  });

  it('cuts one that stays over the soft limit, also when nothing more is sent to it', async () => {
    await server.call('CONFIG', 'SET', 'client-output-buffer-limit', 'pubsub 0 64kb 1');
    const socket = await pausedSubscriber();
    for (let i = 0; i < 40; i++) await server.call('PUBLISH', 'news', 'm'.repeat(256 * 1024));
    expect(await server.call('PUBSUB', 'NUMSUB', 'news')).toEqual(['news', 1]);
    await until(async () => ((await infoField('connected_clients')) === '0' ? true : undefined), 4000);
    socket.destroy();
  });

  it('closes the largest client when all take more than maxmemory-clients', async () => {
    await server.call('CONFIG', 'SET', 'maxmemory-clients', '1mb');
    const small = await client();
    const large = await client();
    large.sendBytes(`*1\r\n$3000000\r\n${'x'.repeat(2_000_000)}`);
    await until(() => (large.closed ? true : undefined), 2000);
    expect((await small.call('PING')).wire).toBe('+PONG\r\n');
    expect(await infoField('evicted_clients')).toBe('1');
  });

  it('closes idle clients after `timeout`, but not those that listen or wait', async () => {
    await server.call('CONFIG', 'SET', 'timeout', '1');
    const [idle, listening, waiting] = [await client(), await client(), await client()];
    await listening.call('SUBSCRIBE', 'news');
    waiting.send(['BLPOP', 'list', '0']);
    await until(() => (idle.closed ? true : undefined), 4000);
    expect(listening.closed || waiting.closed).toBe(false);
  });
});

async function pausedSubscriber(): Promise<Socket> {
  const socket = createConnection({ port: server.port, host: '127.0.0.1' });
  socket.on('error', () => undefined); // the server cuts it: that is the test
  socket.write('SUBSCRIBE news\r\n');
  await once(socket, 'data');
  socket.pause();
  return socket;
}

async function infoField(name: string): Promise<string | undefined> {
  return new RegExp(`${name}:(.*)\r`).exec(String(await server.call('INFO', 'everything')))?.[1];
}

describe('several servers in one process', () => {
  it('share nothing', async () => {
    const others = await Promise.all(Array.from({ length: 5 }, () => startServer({ port: 0, clock: 'frozen' })));
    await server.call('SET', 'key', 'here');
    await server.call('CONFIG', 'SET', 'maxclients', '77');
    for (const [i, other] of others.entries()) {
      expect(await other.call('GET', 'key')).toBe(null);
      other.clock.advance(i * 1000);
      expect(await other.call('CONFIG', 'GET', 'maxclients')).toEqual(new Map([['maxclients', '10000']]));
    }
    expect(new Set(others.map((other) => other.port)).size).toBe(5);
    await Promise.all(others.map((other) => other.close()));
    expect(await server.call('GET', 'key')).toBe('here');
  });
});

describe('a frozen clock', () => {
  beforeEach(async () => {
    await server.call('EMULATOR', 'CLOCK', 'FREEZE');
  });

  it('ends waits before the reply to the one who moved it', async () => {
    const waiting = await client();
    waiting.send(['BLPOP', 'list', '5']);
    await until(async () => ((await infoField('blocked_clients')) === '1' ? true : undefined), 2000);
    await server.call('EMULATOR', 'CLOCK', 'ADVANCE', '4999');
    expect(await infoField('blocked_clients')).toBe('1');
    await server.call('EMULATOR', 'CLOCK', 'ADVANCE', '1');
    expect(await infoField('blocked_clients')).toBe('0');
    expect((await waiting.read()).wire).toBe('*-1\r\n');
  });

  it('tells of keys that expire by moving it', async () => {
    await server.call('CONFIG', 'SET', 'notify-keyspace-events', 'Ex');
    const listening = await client();
    await listening.call('SUBSCRIBE', '__keyevent@0__:expired');
    await server.call('SET', 'key', 'value', 'PX', '1000');
    await server.call('EMULATOR', 'CLOCK', 'ADVANCE', '1000');
    expect((await listening.read()).wire).toContain('key');
  });
});
