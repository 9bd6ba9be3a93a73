/** Fields that expire: gone for every reader at their very moment, and gone by themselves, wherever the hash went. */
import { describe, expect, it } from 'vitest';
import { type RunningServer, type ServerOptions, startServer } from '../../src/server/start.js';
import { until } from '../support/process.js';
import { connectRaw, type RawClient } from '../support/resp-client.js';
import { itemsOf, textOf } from '../support/resp-frame.js';
import { run } from '../support/run-lines.js';

/** A unix time in ms at which the frozen clock of a test stands. */
const NOW = 1_700_000_000_000;

function frozen(options: ServerOptions = {}): Promise<RunningServer> {
  return startServer({ port: 0, clock: NOW, ...options });
}

/** A client that hears all keyspace events, and how to read the `event key` texts that have come so far. */
async function listen(server: RunningServer): Promise<{ client: RawClient; events(): Promise<string[]> }> {
  const client = await connectRaw(server.port);
  await client.call('HELLO', '3');
  await client.call('CONFIG', 'SET', 'notify-keyspace-events', 'EA');
  await client.call('PSUBSCRIBE', '__keyevent@0__:*');
  const events = async (): Promise<string[]> => {
    client.send(['PING']);
    const heard: string[] = [];
    for (;;) {
      const [, , channel, key] = itemsOf(await client.read());
      if (channel === undefined) return heard;
      heard.push(`${textOf(channel)!.replace('__keyevent@0__:', '')} ${textOf(key)}`);
    }
  };
  return { client, events };
}

describe('the moment', () => {
  it('is when as much time has passed as was given, not before', async () => {
    await using server = await frozen();
    await run(server, 'HSET h a 1 b 2', 'HPEXPIRE h 1500 FIELDS 1 a');
    server.clock.advance(1499);
    expect(await run(server, 'HPTTL h FIELDS 1 a')).toEqual([1]);
    expect(await run(server, 'HTTL h FIELDS 1 a')).toEqual([1]);
    server.clock.advance(1);
    expect(await run(server, 'HGET h a')).toBeNull();
    expect(await run(server, 'HLEN h')).toBe(1);
    expect(await run(server, 'HTTL h FIELDS 2 a b')).toEqual([-2, -1]);
  });

  it('takes the key with its last field', async () => {
    await using server = await frozen();
    await run(server, 'HSET h a 1 b 2', 'HPEXPIRE h 5 FIELDS 1 a', 'HPEXPIRE h 9 FIELDS 1 b');
    server.clock.advance(9);
    expect(await run(server, 'EXISTS h')).toBe(0);
    expect(await run(server, 'DBSIZE')).toBe(0);
  });

  it('has passed before EMULATOR CLOCK ADVANCE answers, with the events in the order of time', async () => {
    await using server = await frozen();
    await run(server, 'HSET late a 1 b 2', 'HPEXPIRE late 20 FIELDS 1 a', 'SET middle x PX 15');
    await run(server, 'HSET early a 1', 'HPEXPIRE early 10 FIELDS 1 a');
    const { client, events } = await listen(server);
    await run(server, 'EMULATOR CLOCK ADVANCE 30');
    expect(await events()).toEqual(['hexpired early', 'del early', 'expired middle', 'hexpired late']);
    client.close();
  });
});

describe('expiry by itself', () => {
  it('happens under a running clock, in bounded steps', async () => {
    await using server = await startServer({ port: 0 });
    const fields = Array.from({ length: 1000 }, (_, i) => `f${i}`);
    await server.call('HSET', 'big', ...fields.flatMap((field) => [field, 'v']), 'stays', 'v');
    await server.call('HPEXPIRE', 'big', '30', 'FIELDS', '1000', ...fields);
    await run(server, 'HSET small a 1', 'HPEXPIRE small 30 FIELDS 1 a');
    await until(async () => ((await run(server, 'DBSIZE')) === 1 ? true : undefined), 5000);
    await until(
      async () => (String(await run(server, 'INFO stats')).includes('expired_subkeys:1001') ? true : undefined),
      5000,
    );
    expect(await run(server, 'HKEYS big')).toEqual(['stays']);
  });

  it('is counted: fields in expired_subkeys, hashes in subexpiry', async () => {
    await using server = await frozen();
    await run(server, 'HSET h a 1 b 2 c 3', 'HSET g a 1', 'HPEXPIRE h 10 FIELDS 2 a b', 'HPEXPIRE g 20 FIELDS 1 a');
    expect(await run(server, 'INFO keyspace')).toContain('subexpiry=2');
    server.clock.advance(10);
    expect(await run(server, 'INFO stats')).toContain('expired_subkeys:2');
    expect(await run(server, 'INFO keyspace')).toContain('subexpiry=1');
    await run(server, 'HPERSIST g FIELDS 1 a');
    expect(await run(server, 'INFO keyspace')).toContain('subexpiry=0');
  });

  it('waits for readers where DEBUG turned it off', async () => {
    await using server = await startServer({ port: 0, config: { 'enable-debug-command': 'yes' } });
    await run(server, 'DEBUG SET-ACTIVE-EXPIRE 0', 'HSET h a 1', 'HPEXPIRE h 1 FIELDS 1 a');
    await until(async () => ((await run(server, 'EXISTS h')) === 0 ? true : undefined), 5000);
    expect(await run(server, 'INFO stats')).toContain('expired_subkeys:1');
  });
});

describe('a hash that went elsewhere', () => {
  const MOVES: readonly (readonly [move: string, database: number])[] = [
    ['RENAME h g', 0],
    ['COPY h g', 0],
    ['MOVE h 1', 1],
    ['SWAPDB 0 1', 1],
  ];
  it.each(MOVES)('%s', async (move, database) => {
    await using server = await frozen();
    const client = await connectRaw(server.port);
    const setUp = ['HSET h a 1 b 2', 'HPEXPIRE h 50 FIELDS 1 a', move, `SELECT ${database}`];
    for (const command of setUp) await client.call(...command.split(' '));
    const key = (await client.call('EXISTS', 'g')).wire === ':1\r\n' ? 'g' : 'h';
    expect((await client.call('HPTTL', key, 'FIELDS', '2', 'a', 'b')).wire).toBe('*2\r\n:50\r\n:-1\r\n');
    server.clock.advance(50);
    expect(await run(server, 'INFO keyspace')).not.toMatch(/subexpiry=[1-9]/);
    expect((await client.call('HKEYS', key)).wire).toBe('*1\r\n$1\r\nb\r\n');
    client.close();
  });

  it('has no time left once another value took its key', async () => {
    await using server = await frozen();
    await run(server, 'HSET h a 1', 'HPEXPIRE h 50 FIELDS 1 a', 'SET h text');
    expect(await run(server, 'INFO keyspace')).toContain('subexpiry=0');
    server.clock.advance(50);
    expect(await run(server, 'GET h')).toBe('text');
  });
});

describe('what reads hash fields', () => {
  it('sees live ones only: SORT, scripts, scans', async () => {
    await using server = await frozen();
    await run(server, 'RPUSH l x', 'HSET w_x f 5 g 6', 'HPEXPIRE w_x 10 FIELDS 1 f');
    expect(await run(server, 'SORT l BY nosort GET w_*->f GET w_*->g')).toEqual(['5', '6']);
    server.clock.advance(10);
    expect(await run(server, 'SORT l BY nosort GET w_*->f GET w_*->g')).toEqual([null, '6']);
    expect(await run(server, 'HSCAN w_x 0')).toEqual(['0', ['g', '6']]);
  });

  it('breaks WATCH when a field went', async () => {
    await using server = await frozen();
    const client = await connectRaw(server.port);
    await run(server, 'HSET h a 1 b 2', 'HPEXPIRE h 10 FIELDS 1 a');
    for (const command of ['WATCH h', 'MULTI', 'PING']) await client.call(...command.split(' '));
    server.clock.advance(10);
    expect((await client.call('EXEC')).wire).toBe('*-1\r\n');
    client.close();
  });
});
