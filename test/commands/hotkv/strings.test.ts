/** MSETEX, DELEX, DIGEST and the conditions of SET: Redis 8.4 by its documentation, MSETEX as Valkey 9.1 answers. */
import { describe, expect, it } from 'vitest';
import { startServer } from '../../../src/server/start.js';
import { connectRaw } from '../../support/resp-client.js';
import { run } from '../../support/run-lines.js';

const frozen = () => startServer({ port: 0, clock: 1_700_000_000_000 });
const DIGEST_OF_HELLO = '9555e8555c62dcfd';

describe('MSETEX', () => {
  it('sets keys with one expiry, all or none', async () => {
    await using server = await frozen();
    expect(await run(server, 'MSETEX 2 a 1 b 2 EX 10')).toBe(1);
    expect(await run(server, 'MGET a b')).toEqual(['1', '2']);
    expect(await run(server, 'TTL b')).toBe(10);
    expect(await run(server, 'MSETEX 2 c 1 b 2 NX')).toBe(0);
    expect(await run(server, 'MSETEX 2 c 1 b 2 XX')).toBe(0);
    expect(await run(server, 'EXISTS c')).toBe(0);
    expect(await run(server, 'MSETEX 1 a 3 KEEPTTL')).toBe(1);
    expect(await run(server, 'TTL a')).toBe(10);
    expect(await run(server, 'MSETEX 1 a 3 XX')).toBe(1);
    expect(await run(server, 'TTL a')).toBe(-1);
  });

  it.each([
    ['MSETEX 0 a 1', 'ERR invalid numkeys value or out of range'],
    ['MSETEX x a 1', 'ERR invalid numkeys value or out of range'],
    ['MSETEX 99999999999 a 1', 'ERR invalid numkeys value or out of range'],
    ['MSETEX 3 a 1 b 2', 'ERR syntax error'],
    ['MSETEX 2147483647 a 1', 'ERR syntax error'],
    ['MSETEX 1 a 1 NX XX', 'ERR syntax error'],
    ['MSETEX 1 a 1 EX 1 KEEPTTL', 'ERR syntax error'],
    ['MSETEX 1 a 1 GET', 'ERR syntax error'],
    ['MSETEX 1 a 1 IFEQ x', 'ERR syntax error'],
    ['MSETEX 1 a 1 EX 0', "ERR invalid expire time in 'msetex' command"],
    ['MSETEX 1 a 1 EX x', 'ERR value is not an integer or out of range'],
  ])('%s is refused', async (line, error) => {
    await using server = await frozen();
    await expect(run(server, line)).rejects.toThrow(error);
    expect(await run(server, 'DBSIZE')).toBe(0);
  });

  it('keeps to the key rules of the user for every key', async () => {
    await using server = await frozen();
    await run(server, 'ACL SETUSER bob on nopass ~app:* +msetex');
    const client = await connectRaw(server.port);
    await client.call('AUTH', 'bob', 'x');
    expect((await client.call('MSETEX', '2', 'app:1', 'x', 'other', 'y')).wire).toMatch(/^-NOPERM/);
    expect((await client.call('MSETEX', '99999999', 'app:1', 'x', 'other', 'y')).wire).toMatch(/^-(NOPERM|ERR)/);
    expect((await client.call('MSETEX', '2', 'app:1', 'x', 'app:2', 'other')).wire).toBe(':1\r\n');
    client.close();
  });
});

describe('conditions of SET', () => {
  const CASES: readonly (readonly [line: string, reply: unknown, value: unknown])[] = [
    ['SET k new IFEQ hello', 'OK', 'new'],
    ['SET k new IFEQ other', null, 'hello'],
    ['SET k new IFNE other', 'OK', 'new'],
    ['SET k new IFNE hello', null, 'hello'],
    [`SET k new IFDEQ ${DIGEST_OF_HELLO}`, 'OK', 'new'],
    [`SET k new IFDEQ ${DIGEST_OF_HELLO.toUpperCase()}`, 'OK', 'new'],
    ['SET k new IFDEQ 0000000000000000', null, 'hello'],
    [`SET k new IFDNE ${DIGEST_OF_HELLO}`, null, 'hello'],
    ['SET k new IFDNE 0000000000000000', 'OK', 'new'],
    ['SET k new IFEQ hello GET', 'hello', 'new'],
    ['SET k new IFEQ other GET', 'hello', 'hello'],
  ];
  it.each(CASES)('%s', async (line, reply, value) => {
    await using server = await frozen();
    await run(server, 'SET k hello');
    expect(await run(server, line)).toBe(reply);
    expect(await run(server, 'GET k')).toBe(value);
  });

  it('a missing key equals nothing', async () => {
    await using server = await frozen();
    expect(await run(server, 'SET a x IFEQ x')).toBeNull();
    expect(await run(server, `SET a x IFDEQ ${DIGEST_OF_HELLO}`)).toBeNull();
    expect(await run(server, 'EXISTS a')).toBe(0);
    expect(await run(server, 'SET a x IFNE x EX 10')).toBe('OK');
    expect(await run(server, `SET b x IFDNE ${DIGEST_OF_HELLO}`)).toBe('OK');
    expect(await run(server, 'TTL a')).toBe(10);
  });

  it('refuses two conditions, half a digest and other types', async () => {
    await using server = await frozen();
    await run(server, 'SET k hello', 'RPUSH l x');
    for (const options of ['IFEQ a NX', 'IFEQ a XX', 'IFEQ a IFEQ b', 'IFEQ']) {
      await expect(run(server, `SET k new ${options}`)).rejects.toThrow('ERR syntax error');
    }
    await expect(run(server, 'SET k new IFDEQ 12')).rejects.toThrow('must be exactly 16 hexadecimal characters');
    await expect(run(server, 'SET l new IFNE x')).rejects.toThrow('WRONGTYPE');
    await expect(run(server, 'GETEX k IFEQ hello')).rejects.toThrow('ERR syntax error');
    expect(await run(server, 'GET k')).toBe('hello');
  });
});

describe('DELEX and DIGEST', () => {
  it('remove what fits', async () => {
    await using server = await frozen();
    await run(server, 'SET k hello', 'RPUSH l x');
    expect(await run(server, 'DELEX k IFEQ other')).toBe(0);
    expect(await run(server, 'DELEX k IFNE hello')).toBe(0);
    expect(await run(server, `DELEX k IFDNE ${DIGEST_OF_HELLO}`)).toBe(0);
    expect(await run(server, `DELEX k IFDEQ ${DIGEST_OF_HELLO}`)).toBe(1);
    expect(await run(server, 'DELEX k')).toBe(0);
    expect(await run(server, 'DELEX k IFNE x')).toBe(0);
    await expect(run(server, 'DELEX l IFEQ x')).rejects.toThrow('Key should be of string type');
    await expect(run(server, 'DELEX l IF x')).rejects.toThrow('Use IFEQ, IFNE, IFDEQ, or IFDNE');
    await expect(run(server, 'DELEX l IFEQ')).rejects.toThrow("wrong number of arguments for 'delex' command");
    expect(await run(server, 'DELEX l')).toBe(1);
  });

  it('answers the digest, also of counters', async () => {
    await using server = await frozen();
    await run(server, 'SET a hello', 'SET n 12', 'INCR n', 'SET t 13', 'RPUSH l x');
    expect(await run(server, 'DIGEST a')).toBe(DIGEST_OF_HELLO);
    expect(await run(server, 'DIGEST n')).toBe(await run(server, 'DIGEST t'));
    expect(await run(server, 'DIGEST missing')).toBeNull();
    await expect(run(server, 'DIGEST l')).rejects.toThrow('WRONGTYPE');
  });
});

describe('HIMPORT', () => {
  it('makes hashes from prepared fields, for one connection', async () => {
    await using server = await frozen();
    const client = await connectRaw(server.port);
    const call = async (line: string) => (await client.call(...line.split(' '))).wire;
    expect(await call('HIMPORT SET h u 1 2')).toBe('-ERR no such fieldset\r\n');
    expect(await call('HIMPORT PREPARE u name age')).toBe('+OK\r\n');
    expect(await call('HIMPORT PREPARE u a a')).toMatch(/^-ERR duplicate field/);
    expect(await call('HIMPORT SET h u 1')).toMatch(/^-ERR wrong number|^-ERR number of values/);
    expect(await call('HIMPORT SET h u ann 30')).toBe('+OK\r\n');
    expect(await call('HMGET h name age')).toBe('*2\r\n$3\r\nann\r\n$2\r\n30\r\n');
    expect(await call('HIMPORT PREPARE o id')).toBe('+OK\r\n');
    expect(await call('HIMPORT DISCARD o')).toBe(':1\r\n');
    expect(await call('HIMPORT DISCARD o')).toBe(':0\r\n');
    expect(await call('HIMPORT DISCARDALL')).toBe(':1\r\n');
    await call('HIMPORT PREPARE u name age');
    await call('RESET');
    expect(await call('HIMPORT SET h u bob 31')).toBe('-ERR no such fieldset\r\n');
    client.close();
  });
});

describe('commands of a cluster', () => {
  it.each([['SFLUSH 0 1'], ['TRIMSLOTS RANGES 1 0 1'], ['CLUSTERSCAN 0']])('%s', async (line) => {
    await using server = await frozen();
    await expect(run(server, line)).rejects.toThrow('ERR This instance has cluster support disabled');
  });
});
