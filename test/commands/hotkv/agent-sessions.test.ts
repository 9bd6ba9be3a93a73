/** AMEM.CONV.* and AMEM.WORK.*: turns and scratch values of a session. */
import { describe, expect, it } from 'vitest';
import { startServer } from '../../../src/server/start.js';
import { run } from '../../support/run-lines.js';

const NOW = 1_700_000_000_000;
const CENTURY_MS = 100 * 365.25 * 86_400_000;
const frozen = () => startServer({ port: 0, clock: NOW });
const turn = (role: string, content: string) => ['role', role, 'content', content];

describe('AMEM.CONV', () => {
  it('keeps turns in their order', async () => {
    await using server = await frozen();
    expect(await run(server, 'AMEM.CONV.CREATE s')).toBe('OK');
    expect(await run(server, 'AMEM.CONV.GET s')).toEqual([]);
    expect(await run(server, 'AMEM.CONV.APPEND s user hi')).toBe('OK');
    await run(server, 'AMEM.CONV.APPEND s assistant hello', 'AMEM.CONV.APPEND s critic hm');
    const turns = [turn('user', 'hi'), turn('assistant', 'hello'), turn('critic', 'hm')];
    expect(await run(server, 'AMEM.CONV.GET s')).toEqual(turns);
    expect(await run(server, 'AMEM.CONV.WINDOW s 2')).toEqual(turns.slice(1));
    expect(await run(server, 'AMEM.CONV.WINDOW s 9')).toEqual(turns);
  });

  it('keeps no more turns than its window holds', async () => {
    await using server = await frozen();
    await run(server, 'AMEM.CONV.CREATE s WINDOW 2');
    for (const content of ['a', 'b', 'c', 'd']) await run(server, `AMEM.CONV.APPEND s user ${content}`);
    expect(await run(server, 'AMEM.CONV.GET s')).toEqual([turn('user', 'c'), turn('user', 'd')]);
  });

  it('is cleared and dropped', async () => {
    await using server = await frozen();
    await run(server, 'AMEM.CONV.CREATE s', 'AMEM.CONV.APPEND s user hi', 'AMEM.WORK.SET s k v');
    expect(await run(server, 'AMEM.CONV.CLEAR s')).toBe(1);
    expect(await run(server, 'AMEM.CONV.GET s')).toEqual([]);
    expect(await run(server, 'AMEM.WORK.GET s k')).toBe('v');
    expect(await run(server, 'AMEM.CONV.CLEAR s')).toBe(1);
    await run(server, 'FLUSHDB', 'AMEM.CONV.APPEND s user again');
    expect(await run(server, 'AMEM.CONV.DROP s')).toBe(1);
    expect(await run(server, 'AMEM.CONV.DROP s')).toBe(0);
    expect(await run(server, 'AMEM.CONV.CLEAR s')).toBe(0);
    expect(await run(server, 'AMEM.CONV.GET s')).toEqual([]);
    await expect(run(server, 'AMEM.CONV.APPEND s user hi')).rejects.toThrow("ERR session not found: 's'");
    await run(server, 'AMEM.CONV.CREATE s');
    expect(await run(server, 'AMEM.WORK.GET s k')).toBeNull();
    await run(server, 'FLUSHALL');
    await expect(run(server, 'AMEM.CONV.APPEND s user hi')).rejects.toThrow('session not found');
  });

  it('ends at its time with all that it held, though it is used', async () => {
    await using server = await frozen();
    await run(server, 'AMEM.CONV.CREATE s TTL 10', `AMEM.CONV.CREATE t pxat ${NOW + 500}`, 'AMEM.WORK.SET s k v');
    server.clock.advance(499);
    await run(server, 'AMEM.CONV.APPEND t user hi');
    server.clock.advance(1);
    await expect(run(server, 'AMEM.CONV.APPEND t user hi')).rejects.toThrow('session not found');
    server.clock.advance(9499);
    await run(server, 'AMEM.CONV.APPEND s user hi');
    expect(await run(server, 'AMEM.WORK.LIST s')).toEqual(['k']);
    server.clock.advance(1);
    expect(await run(server, 'AMEM.CONV.GET s')).toEqual([]);
    expect(await run(server, 'AMEM.CONV.DROP s')).toBe(0);
    expect(await run(server, 'AMEM.CONV.CREATE s')).toBe('OK');
    expect(await run(server, 'AMEM.WORK.LIST s')).toEqual([]);
    expect(await run(server, 'AMEM.CONV.CREATE past PXAT 5')).toBe('OK');
    expect(await run(server, 'AMEM.CONV.CLEAR past')).toBe(0);
  });

  it.each([
    ['AMEM.CONV.CREATE s', "ERR session 's' already exists"],
    ['AMEM.CONV.CREATE n WINDOW 0', 'ERR invalid WINDOW: must be a whole number from 1'],
    ['AMEM.CONV.CREATE n TTL 0', 'ERR invalid TTL'],
    ['AMEM.CONV.CREATE n TTL 5 PXAT 5', 'ERR TTL and PXAT exclude each other'],
    [`AMEM.CONV.CREATE n PXAT ${NOW + CENTURY_MS + 1}`, 'ERR invalid PXAT'],
    ['AMEM.CONV.CREATE n TTL', 'ERR syntax error'],
    ['AMEM.CONV.CREATE n EX 5', "ERR unknown option 'EX': must be one of WINDOW, TTL, PXAT"],
    ['AMEM.CONV.APPEND n user hi', "ERR session not found: 'n'"],
    ['AMEM.CONV.WINDOW s 0', 'ERR invalid number of turns'],
    ['AMEM.WORK.SET n k v', "ERR session not found: 'n'"],
    ['AMEM.WORK.SET s k v TTL 5 PXAT 5', 'ERR TTL and PXAT exclude each other'],
    ['AMEM.WORK.SET s k v TTL x', 'ERR invalid TTL'],
    ['AMEM.WORK.SET s k v EX 5', "unknown option 'EX': must be one of TTL, PXAT"],
  ])('%s is refused', async (line, error) => {
    await using server = await frozen();
    await run(server, 'AMEM.CONV.CREATE s', 'AMEM.CONV.APPEND s user hi', 'AMEM.WORK.SET s k old');
    await expect(run(server, line)).rejects.toThrow(error);
    expect(await run(server, 'AMEM.CONV.GET s')).toEqual([turn('user', 'hi')]);
    expect(await run(server, 'AMEM.WORK.GET s k')).toBe('old');
    expect(await run(server, 'AMEM.CONV.DROP n')).toBe(0);
  });
});

describe('AMEM.WORK', () => {
  it('sets, tells, lists and removes scratch values', async () => {
    await using server = await frozen();
    await run(server, 'AMEM.CONV.CREATE s');
    expect(await run(server, 'AMEM.WORK.SET s a 1')).toBe('OK');
    await run(server, 'AMEM.WORK.SET s b 2', 'AMEM.WORK.SET s a 3');
    expect(await server.call('AMEM.WORK.SET', 's', 'empty', '')).toBe('OK');
    expect(await run(server, 'AMEM.WORK.GET s a')).toBe('3');
    expect(await run(server, 'AMEM.WORK.GET s empty')).toBeNull();
    expect(await run(server, 'AMEM.WORK.GET s none')).toBeNull();
    expect(await run(server, 'AMEM.WORK.LIST s')).toEqual(['b', 'a', 'empty']);
    expect(await run(server, 'AMEM.WORK.DEL s a')).toBe(1);
    expect(await run(server, 'AMEM.WORK.DEL s a')).toBe(0);
    expect(await run(server, 'AMEM.WORK.CLEAR s')).toBe(1);
    expect(await run(server, 'AMEM.WORK.LIST s')).toEqual([]);
  });

  it('has nothing where there is no session', async () => {
    await using server = await frozen();
    expect(await run(server, 'AMEM.WORK.GET s a')).toBeNull();
    expect(await run(server, 'AMEM.WORK.DEL s a')).toBe(0);
    expect(await run(server, 'AMEM.WORK.CLEAR s')).toBe(0);
    expect(await run(server, 'AMEM.WORK.LIST s')).toEqual([]);
  });

  it('forgets values at their time', async () => {
    await using server = await frozen();
    await run(server, 'AMEM.CONV.CREATE s', 'AMEM.WORK.SET s a 1 TTL 1', `AMEM.WORK.SET s b 2 PXAT ${NOW + 2000}`);
    await run(server, 'AMEM.WORK.SET s c 3 TTL 1', 'AMEM.WORK.SET s c 4', 'AMEM.WORK.SET s d 5 PXAT 0');
    expect(await run(server, 'AMEM.WORK.LIST s')).toEqual(['a', 'b', 'c']);
    server.clock.advance(999);
    expect(await run(server, 'AMEM.WORK.GET s a')).toBe('1');
    server.clock.advance(1);
    expect(await run(server, 'AMEM.WORK.GET s a')).toBeNull();
    expect(await run(server, 'AMEM.WORK.DEL s a')).toBe(0);
    server.clock.advance(1000);
    expect(await run(server, 'AMEM.WORK.LIST s')).toEqual(['c']);
  });
});
