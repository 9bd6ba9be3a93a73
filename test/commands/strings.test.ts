/** Strings and bitmaps over the wire. What is expected here was seen on Redis 8.2.3; the differential runner covers more. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Emulator, startEmulator } from '../support/emulator.js';
import { connectRaw, type RawClient } from '../support/resp-client.js';

let server: Emulator;
let client: RawClient;
beforeAll(async () => {
  server = await startEmulator(['--clock', 'frozen']);
  client = await connectRaw(server.port);
});
beforeEach(() => wire('FLUSHALL'));
afterAll(async () => {
  client?.close();
  await server?.stop();
});

/** The bytes of the reply to a command whose words have no spaces. */
async function wire(command: string): Promise<string> {
  return (await client.call(...command.split(' '))).wire;
}

async function expectReplies(dialogue: readonly (readonly [command: string, reply: string])[]): Promise<void> {
  for (const [command, reply] of dialogue) expect(await wire(command), command).toBe(`${reply}\r\n`);
}

const SYNTAX = '-ERR syntax error';
const NOT_AN_INTEGER = '-ERR value is not an integer or out of range';

describe('SET', () => {
  it('looks at its expiry first, then at the old type, then at the condition', () =>
    expectReplies([
      ['LPUSH l 1', ':1'],
      ['SET l 5 EX 0 GET', "-ERR invalid expire time in 'set' command"],
      ['SET l 5 EX abc GET', NOT_AN_INTEGER],
      ['SET l 5 NX GET', '-WRONGTYPE Operation against a key holding the wrong kind of value'],
      ['SET l 5 NX', '$-1'],
      ['SET l 5 XX', '+OK'],
    ]));

  it('refuses options that exclude each other and takes repeated ones', () =>
    expectReplies([
      ['SET k v NX XX', SYNTAX],
      ['SET k v EX 10 PX 10', SYNTAX],
      ['SET k v EX 10 KEEPTTL', SYNTAX],
      ['SET k v PERSIST', SYNTAX],
      ['SET k v EX', SYNTAX],
      ['SET k v PX 5 PX 100000 NX NX', '+OK'],
      ['PTTL k', ':100000'],
    ]));

  it('keeps times of the whole 64-bit range', () =>
    expectReplies([
      ['SET k v EX 9223372036854775', "-ERR invalid expire time in 'set' command"],
      ['SET k v PXAT 9223372036854775807', '+OK'],
      ['PEXPIRETIME k', ':9223372036854775807'],
      ['SET k w KEEPTTL', '+OK'],
      ['PEXPIRETIME k', ':9223372036854775807'],
      ['SET k v', '+OK'],
      ['PTTL k', ':-1'],
    ]));
});

describe('GETEX', () => {
  it('removes the key where the time has passed', () =>
    expectReplies([
      ['SET k v', '+OK'],
      ['GETEX k EXAT 1', '$1\r\nv'],
      ['EXISTS k', ':0'],
      ['GETEX k EX 0', '$-1'],
    ]));
});

describe('counters', () => {
  it('are exact over the 64-bit range', () =>
    expectReplies([
      ['SET c 9007199254740991', '+OK'],
      ['INCR c', ':9007199254740992'],
      ['INCR c', ':9007199254740993'],
      ['GET c', '$16\r\n9007199254740993'],
      ['DECRBY c 9007199254740993', ':0'],
      ['INCRBY c 9223372036854775807', ':9223372036854775807'],
      ['INCR c', '-ERR increment or decrement would overflow'],
      ['DECRBY c -9223372036854775808', '-ERR decrement would overflow'],
      ['DECRBY c 9223372036854775807', ':0'],
    ]));

  it('have the encoding of the command that wrote them last', () =>
    expectReplies([
      ['INCRBYFLOAT f 10', '$2\r\n10'],
      ['OBJECT ENCODING f', '$6\r\nembstr'],
      ['INCR f', ':11'],
      ['OBJECT ENCODING f', '$3\r\nint'],
      ['APPEND f 0', ':3'],
      ['OBJECT ENCODING f', '$3\r\nraw'],
      ['INCR f', ':111'],
    ]));
});

describe('parts of strings', () => {
  it('are checked against the greatest length before anything is made', () =>
    expectReplies([
      ['SETRANGE s 536870911 xy', '-ERR string exceeds maximum allowed size (proto-max-bulk-len)'],
      ['SETRANGE s 9223372036854775807 x', '-ERR string exceeds maximum allowed size (proto-max-bulk-len)'],
      ['SETRANGE s -1 x', '-ERR offset is out of range'],
      ['EXISTS s', ':0'],
    ]));

  it('are cut to the string', () =>
    expectReplies([
      ['SET s hello', '+OK'],
      ['GETRANGE s -20 -10', '$1\r\nh'],
      ['GETRANGE s -10 -20', '$0\r\n'],
      ['SETRANGE s 5 !', ':6'],
      ['GETRANGE s -3 100', '$3\r\nlo!'],
    ]));
});

describe('bits', () => {
  it('cut a range that runs backwards as each command does', () =>
    expectReplies([
      ['SET s hello', '+OK'],
      ['BITCOUNT s -10 -20', ':0'],
      ['BITPOS s 1 -10 -20', ':1'],
      ['BITPOS nothing 0 5 1', ':0'],
    ]));

  it('follow a string without end as zeros', () =>
    expectReplies([
      ['SETRANGE f 0 \xff\xff', ':2'],
      ['BITPOS f 0', ':16'],
      ['BITPOS f 0 0 -1', ':-1'],
      ['BITPOS f 0 0 5 BIT', ':-1'],
    ]));

  it('are overwritten by BITOP, expiry and type too', () =>
    expectReplies([
      ['LPUSH d 1', ':1'],
      ['EXPIRE d 100', ':1'],
      ['SET a abc', '+OK'],
      ['BITOP OR d a', ':3'],
      ['TTL d', ':-1'],
      ['BITOP NOT d nothing', ':0'],
      ['EXISTS d', ':0'],
    ]));

  it('form integers that wrap, saturate or fail', () =>
    expectReplies([
      ['BITFIELD c OVERFLOW FAIL INCRBY u8 0 300', '*1\r\n$-1'],
      ['STRLEN c', ':1'],
      ['BITFIELD c OVERFLOW SAT SET u8 0 -1 GET u8 #0', '*2\r\n:0\r\n:255'],
      ['BITFIELD c OVERFLOW SAT INCRBY u8 0 -300', '*1\r\n:0'],
      ['BITFIELD_RO c SET u8 0 1', '-ERR BITFIELD_RO only supports the GET subcommand'],
    ]));
});

describe('keyspace events', () => {
  it('are sent where a value changes, and only there', async () => {
    const subscriber = await connectRaw(server.port);
    await wire('CONFIG SET notify-keyspace-events Eg$oc');
    await subscriber.call('PSUBSCRIBE', '__keyevent@0__:*');
    const commands = [
      'SET a 1 EX 10',
      'SETBIT a 0 0',
      'SETBIT a 0 1',
      'BITFIELD b OVERFLOW FAIL SET u1 0 5',
      'LPUSH l 1',
    ];
    for (const command of [...commands, 'SET l v', 'GETEX a EXAT 1', 'PUBLISH __keyevent@0__:end end'])
      await wire(command);
    const events: string[] = [];
    while (events.at(-1) !== 'end') {
      const { wire: message } = await subscriber.read();
      events.push(/__:(\w+)\r\n[^:]*$/.exec(message)![1]!);
    }
    await wire('CONFIG SET notify-keyspace-events ');
    subscriber.close();
    expect(events).toEqual(['set', 'expire', 'setbit', 'overwritten', 'type_changed', 'set', 'del', 'end']);
  });
});
