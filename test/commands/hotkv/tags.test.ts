/** TAG.*: tags go with their key and follow it, whatever takes it away or moves it. */
import { describe, expect, it } from 'vitest';
import { startServer } from '../../../src/server/start.js';
import { connectRaw } from '../../support/resp-client.js';
import { run } from '../../support/run-lines.js';

const NOW = 1_700_000_000_000;
const frozen = () => startServer({ port: 0, clock: NOW });

describe('TAG.*', () => {
  it('adds, tells and removes', async () => {
    await using server = await frozen();
    await run(server, 'SET a 1', 'RPUSH b x');
    expect(await run(server, 'TAG.SET a red big red')).toBe(2);
    expect(await run(server, 'TAG.SET a red small')).toBe(1);
    expect(await run(server, 'TAG.GET a')).toEqual(['red', 'big', 'small']);
    expect(await run(server, 'TAG.COUNT a')).toBe(3);
    expect(await run(server, 'TAG.EXISTS a big')).toBe(1);
    expect(await run(server, 'TAG.EXISTS a blue')).toBe(0);
    await run(server, 'TAG.SET b red');
    expect(await run(server, 'TAG.MEMBERS red')).toEqual(['a', 'b']);
    expect(await run(server, 'TAG.INTER red big')).toEqual(['a']);
    expect(await run(server, 'TAG.INTER red none')).toEqual([]);
    expect(await run(server, 'TAG.REM a red nothing')).toBe(1);
    expect(await run(server, 'TAG.MEMBERS red')).toEqual(['b']);
  });

  it('needs a key', async () => {
    await using server = await frozen();
    await expect(run(server, 'TAG.SET missing red')).rejects.toThrow('ERR no such key');
    expect(await run(server, 'TAG.MEMBERS red')).toEqual([]);
    expect(await run(server, 'TAG.GET missing')).toEqual([]);
    expect(await run(server, 'TAG.REM missing red')).toBe(0);
  });

  it.each([
    ['DEL a'],
    ['UNLINK a'],
    ['GETDEL a'],
    ['EXPIRE a 0'],
    ['FLUSHDB'],
    ['FLUSHALL'],
    ['RENAME other a'],
    ['COPY other a REPLACE'],
  ])('is over after %s', async (line) => {
    await using server = await frozen();
    await run(server, 'SET a 1', 'SET other 1', 'TAG.SET a red', line);
    expect(await run(server, 'TAG.MEMBERS red')).toEqual([]);
    await run(server, 'SET a 2');
    expect(await run(server, 'TAG.GET a')).toEqual([]);
  });

  it('is over when the key expires, and when its collection is emptied', async () => {
    await using server = await frozen();
    await run(server, 'SET a 1 PX 10', 'SADD s x', 'TAG.SET a red', 'TAG.SET s red');
    server.clock.advance(10);
    expect(await run(server, 'TAG.MEMBERS red')).toEqual(['s']);
    await run(server, 'SREM s x');
    expect(await run(server, 'TAG.MEMBERS red')).toEqual([]);
  });

  it('is over when the key is evicted', async () => {
    await using server = await frozen();
    await run(server, 'SET a 1', 'TAG.SET a red', 'CONFIG SET maxmemory-policy allkeys-lru', 'CONFIG SET maxmemory 1');
    await expect(run(server, 'SET b 1')).rejects.toThrow('OOM');
    await run(server, 'CONFIG SET maxmemory 0');
    expect(await run(server, 'EXISTS a')).toBe(0);
    expect(await run(server, 'TAG.MEMBERS red')).toEqual([]);
  });

  it.each([['SET a 2'], ['SET a 2 KEEPTTL'], ['APPEND a x'], ['SUNIONSTORE a s']])('stays after %s', async (line) => {
    await using server = await frozen();
    await run(server, 'SET a 1', 'SADD s x', 'TAG.SET a red', line);
    expect(await run(server, 'TAG.GET a')).toEqual(['red']);
  });

  it('follows RENAME, COPY, MOVE and SWAPDB', async () => {
    await using server = await frozen();
    const client = await connectRaw(server.port);
    await run(server, 'SET a 1', 'TAG.SET a red', 'RENAME a b');
    expect(await run(server, 'TAG.MEMBERS red')).toEqual(['b']);
    await run(server, 'COPY b c');
    expect(await run(server, 'TAG.MEMBERS red')).toEqual(['b', 'c']);
    await run(server, 'MOVE b 1', 'COPY c d DB 1');
    expect(await run(server, 'TAG.MEMBERS red')).toEqual(['c']);
    await client.call('SELECT', '1');
    expect((await client.call('TAG.MEMBERS', 'red')).wire).toBe('*2\r\n$1\r\nb\r\n$1\r\nd\r\n');
    await run(server, 'SWAPDB 0 1');
    expect(await run(server, 'TAG.MEMBERS red')).toEqual(['b', 'd']);
    client.close();
  });

  it('breaks WATCH, and only when something changed', async () => {
    await using server = await frozen();
    const client = await connectRaw(server.port);
    await run(server, 'SET a 1', 'TAG.SET a red');
    const exec = async (line: string) => {
      await client.call('WATCH', 'a');
      await run(server, line);
      await client.call('MULTI');
      await client.call('TAG.COUNT', 'a');
      return (await client.call('EXEC')).wire;
    };
    expect(await exec('TAG.SET a red')).toBe('*1\r\n:1\r\n');
    expect(await exec('TAG.SET a blue')).toBe('*-1\r\n');
    expect(await exec('TAG.REM a blue')).toBe('*-1\r\n');
    client.close();
  });

  it('keeps to the key rules of the user', async () => {
    await using server = await frozen();
    await run(server, 'SET app:1 x', 'SET other x', 'TAG.SET app:1 red', 'TAG.SET other red');
    await run(server, 'ACL SETUSER bob on nopass ~app:* +@tag');
    const client = await connectRaw(server.port);
    await client.call('AUTH', 'bob', 'x');
    expect((await client.call('TAG.MEMBERS', 'red')).wire).toBe('*1\r\n$5\r\napp:1\r\n');
    expect((await client.call('TAG.SET', 'other', 'x')).wire).toMatch(/^-NOPERM/);
    expect((await client.call('TAG.SET', 'app:1', 'x')).wire).toBe(':1\r\n');
    client.close();
  });

  it('counts in the memory of the key', async () => {
    await using server = await frozen();
    await run(server, 'SET a 1');
    const before = Number(await run(server, 'MEMORY USAGE a'));
    await run(server, 'TAG.SET a x');
    expect(Number(await run(server, 'MEMORY USAGE a'))).toBeGreaterThan(before);
    await run(server, 'TAG.REM a x');
    expect(await run(server, 'MEMORY USAGE a')).toBe(before);
  });
});
