/** Sets over the wire. What is expected here was seen on Redis 8.2.3; the differential runner covers more. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type RunningServer, startServer } from '../../src/server/start.js';
import { connectRaw, type RawClient } from '../support/resp-client.js';
import { itemsOf, textOf } from '../support/resp-frame.js';

let server: RunningServer;
let client: RawClient;
beforeAll(async () => {
  server = await startServer({ port: 0 });
  client = await connectRaw(server.port);
});
beforeEach(() => server.flush());
afterAll(async () => {
  client?.close();
  await server?.close();
});

/** The bytes of the reply to a command whose words have no spaces. */
async function wire(command: string): Promise<string> {
  return (await client.call(...command.split(' '))).wire;
}

async function expectReplies(dialogue: readonly (readonly [command: string, reply: string])[]): Promise<void> {
  for (const [command, reply] of dialogue) expect(await wire(command), command).toBe(`${reply}\r\n`);
}

const WRONG_TYPE = '-WRONGTYPE Operation against a key holding the wrong kind of value';
const NOT_POSITIVE = '-ERR value is out of range, must be positive';

it('moves a member, looking at the target only when there is a source', () =>
  expectReplies([
    ['SET text x', '+OK'],
    ['SMOVE none text a', ':0'],
    ['SADD s a b', ':2'],
    ['SMOVE s text nosuch', WRONG_TYPE],
    ['SMOVE s s a', ':1'],
    ['SMOVE s t a', ':1'],
    ['SMOVE s t b', ':1'],
    ['EXISTS s', ':0'],
    ['SCARD t', ':2'],
  ]));

it('reads the count of SPOP before it looks at the key', () =>
  expectReplies([
    ['SET text x', '+OK'],
    ['SPOP text -1', NOT_POSITIVE],
    ['SPOP text x', NOT_POSITIVE],
    ['SPOP text 1 2', '-ERR syntax error'],
    ['SPOP none', '$-1'],
    ['SPOP none 2', '*0'],
  ]));

it('pops each member once, and the key with the last', async () => {
  const members = Array.from({ length: 300 }, (_, i) => `m${i}`);
  await client.call('SADD', 's', ...members);
  const popped: string[] = [];
  while ((await wire('EXISTS s')) === ':1\r\n') {
    popped.push(...itemsOf(await client.call('SPOP', 's', '70')).map((item) => textOf(item)!));
  }
  expect(popped.sort()).toEqual(members.sort());
});

it('picks different members for a positive count, and repeats them for a negative one', async () => {
  await wire('SADD s a b c');
  const pick = async (count: number): Promise<string[]> =>
    itemsOf(await client.call('SRANDMEMBER', 's', String(count))).map((item) => textOf(item)!);
  expect((await pick(5)).sort()).toEqual(['a', 'b', 'c']);
  expect(new Set(await pick(2)).size).toBe(2);
  expect(await pick(-20)).toHaveLength(20);
  expect(await wire('SRANDMEMBER s -9000000000')).toBe(
    '-ERR the reply would be too large, this server picks at most 16777216 elements\r\n',
  );
});

it('counts an intersection up to its limit', () =>
  expectReplies([
    ['SADD s 1 2 3', ':3'],
    ['SADD t 2 3 4', ':3'],
    ['SINTERCARD 2 s t', ':2'],
    ['SINTERCARD 2 s t LIMIT 1', ':1'],
    ['SINTERCARD 2 s t LIMIT 0', ':2'],
    ['SINTERCARD 2 s t LIMIT -1', "-ERR LIMIT can't be negative"],
    ['SINTERCARD 0 s', '-ERR numkeys should be greater than 0'],
    ['SINTERCARD 3 s t', "-ERR Number of keys can't be greater than number of args"],
  ]));

it('stores results in the encoding that Redis gives them', () =>
  expectReplies([
    ['SADD ints 1 2 3', ':3'],
    ['SADD mixed 1 2 x', ':3'],
    ['SINTERSTORE r mixed ints', ':2'],
    ['OBJECT ENCODING r', '$6\r\nintset'],
    ['SUNIONSTORE r ints mixed', ':4'],
    ['OBJECT ENCODING r', '$8\r\nlistpack'],
    ['SDIFFSTORE r ints mixed', ':1'],
    ['OBJECT ENCODING r', '$6\r\nintset'],
    ['EXPIRE r 100', ':1'],
    ['SUNIONSTORE r ints', ':3'],
    ['TTL r', ':-1'],
    ['SINTERSTORE r ints none', ':0'],
    ['EXISTS r', ':0'],
  ]));

it('answers with sets in RESP3 where Redis does', async () => {
  const third = await connectRaw(server.port);
  await third.call('HELLO', '3');
  for (const [command, reply] of [
    ['SADD s a', ':1'],
    ['SMEMBERS s', '~1\r\n$1\r\na'],
    ['SUNION s s', '~1\r\n$1\r\na'],
    ['SRANDMEMBER s 1', '*1\r\n$1\r\na'],
    ['SPOP s 1', '~1\r\n$1\r\na'],
    ['SPOP s', '_'],
  ] as const) {
    expect((await third.call(...command.split(' '))).wire, command).toBe(`${reply}\r\n`);
  }
  third.close();
});
