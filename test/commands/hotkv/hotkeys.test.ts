/** HOTKEYS: exact counts, which belong to the key. */
import { describe, expect, it } from 'vitest';
import { startServer } from '../../../src/server/start.js';
import { run } from '../../support/run-lines.js';

const frozen = () => startServer({ port: 0, clock: 1_700_000_000_000 });

describe('HOTKEYS', () => {
  it('counts one access a command', async () => {
    await using server = await frozen();
    await run(server, 'SET a 1', 'GET a', 'GET a', 'INCR a', 'SET b 1', 'LPUSH c x', 'LPUSH c y', 'LRANGE c 0 -1');
    await run(server, 'EXISTS b', 'TTL b', 'TYPE b', 'KEYS *', 'SCAN 0', 'GET missing');
    expect(await run(server, 'HOTKEYS TOP')).toEqual([
      ['a', 4],
      ['c', 3],
      ['b', 1],
    ]);
    expect(await run(server, 'HOTKEYS TOP 1')).toEqual([['a', 4]]);
  });

  it('starts anew after RESET', async () => {
    await using server = await frozen();
    await run(server, 'SET a 1', 'SET b 1', 'HOTKEYS RESET');
    expect(await run(server, 'HOTKEYS TOP')).toEqual([]);
    await run(server, 'GET b');
    expect(await run(server, 'HOTKEYS TOP')).toEqual([['b', 1]]);
  });

  it('goes with the key and follows it', async () => {
    await using server = await frozen();
    await run(server, 'SET a 1', 'GET a', 'SET b 1', 'RENAME a c', 'DEL b', 'SET d 1');
    expect(await run(server, 'HOTKEYS TOP')).toEqual([
      ['c', 3],
      ['d', 1],
    ]);
    await run(server, 'FLUSHALL', 'SET e 1');
    expect(await run(server, 'HOTKEYS TOP')).toEqual([['e', 1]]);
  });

  it('shows the most used of many, equal ones once', async () => {
    await using server = await frozen();
    for (let i = 0; i < 100; i++) {
      await run(server, `SET k${i} v`);
      for (let j = 0; j < i % 10; j++) await run(server, `GET k${i}`);
    }
    const top = (await run(server, 'HOTKEYS TOP 25')) as [string, number][];
    expect(top.map(([, count]) => count)).toEqual([...Array(10).fill(10), ...Array(10).fill(9), ...Array(5).fill(8)]);
    expect(new Set(top.map(([key]) => key)).size).toBe(25);
  });

  it('refuses a count of nothing', async () => {
    await using server = await frozen();
    for (const count of ['0', '-1', 'x', '1001']) {
      await expect(run(server, `HOTKEYS TOP ${count}`)).rejects.toThrow('ERR invalid count: must be from 1 to 1000');
    }
  });
});
