/** Hashes over the wire. What is expected here was seen on Redis 8.2.3; the differential runner covers more. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type RunningServer, startServer } from '../../src/server/start.js';
import { connectRaw, type RawClient } from '../support/resp-client.js';

let server: RunningServer;
let client: RawClient;
beforeAll(async () => {
  server = await startServer({ port: 0, clock: 1_700_000_000_000 });
  client = await connectRaw(server.port);
});
beforeEach(() => server.flush());
afterAll(async () => {
  client?.close();
  await server?.close();
});

/** Each command, its words without spaces, and the reply's bytes without the last line end. */
async function expectReplies(dialogue: readonly (readonly [command: string, reply: string])[]): Promise<void> {
  for (const [command, reply] of dialogue) {
    expect((await client.call(...command.split(' '))).wire, command).toBe(`${reply}\r\n`);
  }
}

const WRONG_TYPE = '-WRONGTYPE Operation against a key holding the wrong kind of value';

describe('values', () => {
  it('are set in pairs', () =>
    expectReplies([
      ['HSET h a 1 b', "-ERR wrong number of arguments for 'hset' command"],
      ['HMSET h a 1 b', "-ERR wrong number of arguments for 'hmset' command"],
      ['HSET h a 1 b 2', ':2'],
      ['HSET h a 3 c 4', ':1'],
      ['HSETNX h a 9', ':0'],
      ['HMGET h a nosuch c', '*3\r\n$1\r\n3\r\n$-1\r\n$1\r\n4'],
      ['HSTRLEN h a', ':1'],
    ]));

  it('are numbers for HINCRBY, whose own argument comes first', () =>
    expectReplies([
      ['SET text x', '+OK'],
      ['HINCRBY text f x', '-ERR value is not an integer or out of range'],
      ['HSET h s abc n 9223372036854775807', ':2'],
      ['HINCRBY h s 1', '-ERR hash value is not an integer'],
      ['HINCRBY h n 1', '-ERR increment or decrement would overflow'],
      ['HINCRBY h new 5', ':5'],
    ]));

  it('are long doubles for HINCRBYFLOAT, with an error for each way to fail', () =>
    expectReplies([
      ['HSET h s abc i inf', ':2'],
      ['HINCRBYFLOAT h s x', '-ERR value is not a valid float'],
      ['HINCRBYFLOAT h s inf', '-ERR value is NaN or Infinity'],
      ['HINCRBYFLOAT h s 1', '-ERR hash value is not a float'],
      ['HINCRBYFLOAT h i 1', '-ERR increment would produce NaN or Infinity'],
      ['HINCRBYFLOAT h new 1000.1', '$22\r\n1000.09999999999999998'],
      ['HINCRBYFLOAT h other 1.50', '$3\r\n1.5'],
      ['HINCRBYFLOAT h other -3.25', '$5\r\n-1.75'],
    ]));

  it('are read and removed by HGETDEL', () =>
    expectReplies([
      ['HSET h a 1 b 2', ':2'],
      ['HGETDEL h 1 FIELDS a', '-ERR Mandatory argument FIELDS is missing or not at the right position'],
      ['HGETDEL h FIELDS 0 a', '-ERR Number of fields must be a positive integer'],
      ['HGETDEL h FIELDS 2 a', '-ERR The `numfields` parameter must match the number of arguments'],
      ['HGETDEL h FIELDS 3 a a b', '*3\r\n$1\r\n1\r\n$-1\r\n$1\r\n2'],
      ['EXISTS h', ':0'],
    ]));
});

describe('HRANDFIELD', () => {
  it('bounds what it is asked for', () =>
    expectReplies([
      ['HSET h a 1', ':1'],
      ['HRANDFIELD h 5 WITHVALUES', '*2\r\n$1\r\na\r\n$1\r\n1'],
      ['HRANDFIELD h -2', '*2\r\n$1\r\na\r\n$1\r\na'],
      ['HRANDFIELD h -9223372036854775807 WITHVALUES', '-ERR value is out of range'],
      ['HRANDFIELD h -9000000000', '-ERR the reply would be too large, this server picks at most 16777216 elements'],
      ['HRANDFIELD h 1 VALUES', '-ERR syntax error'],
    ]));

  it('answers with pairs in RESP3', async () => {
    const third = await connectRaw(server.port);
    await third.call('HELLO', '3');
    await third.call('HSET', 'h', 'a', '1');
    expect((await third.call('HRANDFIELD', 'h', '1', 'WITHVALUES')).wire).toBe('*1\r\n*2\r\n$1\r\na\r\n$1\r\n1\r\n');
    expect((await third.call('HGETALL', 'h')).wire).toBe('%1\r\n$1\r\na\r\n$1\r\n1\r\n');
    third.close();
  });
});

describe('HEXPIRE', () => {
  it('looks at the type, then at its time, then at the fields', () =>
    expectReplies([
      ['SET text x', '+OK'],
      ['HEXPIRE text x FIELDS 2 a', WRONG_TYPE],
      ['HEXPIRE h -1 FIELDS 2 a', '-ERR invalid expire time, must be >= 0'],
      ['HPEXPIREAT h 70368744177664 FOO 1 a', "-ERR invalid expire time in 'hpexpireat' command"],
      ['HEXPIRE h 5 NX XX FIELDS 1 a', '-ERR Mandatory argument FIELDS is missing or not at the right position'],
      ['HEXPIRE h 5 FIELDS 0 a', '-ERR Parameter `numFields` should be greater than 0'],
      ['HEXPIRE h 5 FIELDS 2 a b', '*2\r\n:-2\r\n:-2'],
    ]));

  it('compares with the time that a field has', () =>
    expectReplies([
      ['HSET h a 1 b 2', ':2'],
      ['HEXPIREAT h 4000000000 FIELDS 1 a', '*1\r\n:1'],
      ['HEXPIREAT h 4000000001 NX FIELDS 2 a b', '*2\r\n:0\r\n:1'],
      ['HEXPIREAT h 4000000000 GT FIELDS 1 a', '*1\r\n:0'],
      ['HEXPIREAT h 4000000000 LT FIELDS 2 a b', '*2\r\n:0\r\n:1'],
      ['HPERSIST h FIELDS 2 a a', '*2\r\n:1\r\n:-1'],
      ['HEXPIREAT h 5000000000 GT FIELDS 1 a', '*1\r\n:0'],
      ['HEXPIRETIME h FIELDS 2 a b', '*2\r\n:-1\r\n:4000000000'],
      ['HEXPIREAT h 1 FIELDS 2 a b', '*2\r\n:2\r\n:2'],
      ['EXISTS h', ':0'],
    ]));
});

describe('HGETEX and HSETEX', () => {
  it('set, keep and take the time of fields', () =>
    expectReplies([
      ['HSETEX h EX 100 FIELDS 2 a 1 b 2', ':1'],
      ['HSETEX h KEEPTTL FIELDS 1 a 3', ':1'],
      ['HTTL h FIELDS 2 a b', '*2\r\n:100\r\n:100'],
      ['HSETEX h FIELDS 1 a 4', ':1'],
      ['HGETEX h PERSIST FIELDS 1 b', '*1\r\n$1\r\n2'],
      ['HTTL h FIELDS 2 a b', '*2\r\n:-1\r\n:-1'],
      ['HGETEX h PX 0 FIELDS 3 a a b', '*3\r\n$1\r\n4\r\n$-1\r\n$1\r\n2'],
      ['EXISTS h', ':0'],
    ]));

  it('hold to their conditions for all fields together', () =>
    expectReplies([
      ['HSETEX h FXX FIELDS 1 a 1', ':0'],
      ['HSETEX h FNX FIELDS 1 a 1', ':1'],
      ['HSETEX h FNX FIELDS 2 a 1 b 1', ':0'],
      ['HSETEX h FXX FIELDS 2 a 1 b 1', ':0'],
      ['HLEN h', ':1'],
    ]));

  it('refuse what excludes each other, unknown words, and a wrong number of fields', () =>
    expectReplies([
      ['HSETEX h FNX FXX FIELDS 1 a 1', '-ERR Only one of FXX or FNX arguments can be specified'],
      [
        'HSETEX h EX 5 KEEPTTL FIELDS 1 a 1',
        '-ERR Only one of EX, PX, EXAT, PXAT or KEEPTTL arguments can be specified',
      ],
      ['HSETEX h PERSIST FIELDS 1 a 1', '-ERR unknown argument: PERSIST'],
      ['HSETEX h FIELDS 0 a 1', '-ERR invalid number of fields'],
      ['HSETEX h FIELDS 2 a 1', "-ERR wrong number of arguments for 'hsetex' command"],
      ['HGETEX h EX 5 PX 5 FIELDS 1 a', '-ERR Mandatory argument FIELDS is missing or not at the right position'],
      ['HGETEX h EX 5 FIELDS', "-ERR wrong number of arguments for 'hgetex' command"],
    ]));
});
