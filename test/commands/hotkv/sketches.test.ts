/** BF.*, CMS.* and TOPK.*: sketches that are ordinary keys, within the bounds that they promise. */
import { describe, expect, it } from 'vitest';
import { startServer } from '../../../src/server/start.js';
import { run } from '../../support/run-lines.js';

const start = () => startServer({ port: -1 });
/** Items of one kind, numbered. */
const items = (prefix: string, count: number) => Array.from({ length: count }, (_, i) => `${prefix}${i}`);

describe('BF', () => {
  it('answers as the module does', async () => {
    await using server = await start();
    expect(await run(server, 'BF.ADD f one')).toBe(true);
    expect(await run(server, 'BF.ADD f one')).toBe(false);
    expect(await run(server, 'BF.MADD f one two three')).toEqual([false, true, true]);
    expect(await run(server, 'BF.EXISTS f two')).toBe(true);
    expect(await run(server, 'BF.MEXISTS f two four')).toEqual([true, false]);
    expect(await run(server, 'BF.MEXISTS nobody a b')).toEqual([false, false]);
    expect(await run(server, 'BF.CARD f')).toBe(3);
    expect(await run(server, 'BF.CARD nobody')).toBe(0);
    // The sizes are those of the documentation's example.
    expect(await run(server, 'BF.INFO f')).toEqual(
      new Map<string, number>([
        ['Capacity', 100],
        ['Size', 240],
        ['Number of filters', 1],
        ['Number of items inserted', 3],
        ['Expansion rate', 2],
      ]),
    );
    expect(await run(server, 'BF.INFO f items')).toEqual([3]);
    expect(await run(server, 'BF.INSERT g CAPACITY 5 ERROR 0.1 NONSCALING ITEMS a b')).toEqual([true, true]);
    expect(await run(server, 'BF.INFO g EXPANSION')).toEqual([null]);
  });

  it('knows every item, and takes few others for one, also when it has grown', async () => {
    await using server = await start();
    const count = 100_000;
    await server.call('BF.RESERVE', 'f', '0.01', '1000');
    for (let i = 0; i < count; i += 1000) await server.call('BF.MADD', 'f', ...items(`in:${i}:`, 1000));
    let known = 0;
    let mistaken = 0;
    for (let i = 0; i < count; i += 1000) {
      const found = (await server.call('BF.MEXISTS', 'f', ...items(`in:${i}:`, 1000))) as boolean[];
      known += found.filter(Boolean).length;
      const others = (await server.call('BF.MEXISTS', 'f', ...items(`out:${i}:`, 1000))) as boolean[];
      mistaken += others.filter(Boolean).length;
    }
    expect(known).toBe(count);
    expect(mistaken / count).toBeLessThan(0.01);
  });

  it('stops where it may not grow', async () => {
    await using server = await start();
    await run(server, 'BF.RESERVE f 0.001 2 NONSCALING');
    const replies = (await run(server, 'BF.MADD f a b c d')) as unknown[];
    expect(replies.map(String)).toEqual(['true', 'true', expect.stringContaining('ERR non scaling filter is full')]);
    expect(await run(server, 'BF.CARD f')).toBe(2);
  });

  it('goes out in pieces and comes in again', async () => {
    await using server = await start();
    await run(server, 'BF.MADD f a b c');
    const [iterator, data] = (await server.call('BF.SCANDUMP', 'f', '0')) as [number, string];
    expect(iterator).toBe(1);
    expect(await server.call('BF.SCANDUMP', 'f', '1')).toEqual([0, '']);
    expect(await server.call('BF.LOADCHUNK', 'g', '1', Buffer.from(data, 'latin1'))).toBe('OK');
    expect(await run(server, 'BF.MEXISTS g a b c d')).toEqual([true, true, true, false]);
    await expect(server.call('BF.LOADCHUNK', 'h', '1', 'rubbish')).rejects.toThrow(/^ERR received bad data/);
    expect(await run(server, 'EXISTS h')).toBe(0);
  });

  it.each([
    ['BF.RESERVE f 2 10', /^ERR \(0 < error rate range < 1\)/],
    ['BF.RESERVE f x 10', /^ERR bad error rate/],
    ['BF.RESERVE f 0.1 0', /^ERR \(capacity should be larger than 0\)/],
    ['BF.RESERVE f 0.1 x', /^ERR bad capacity/],
    ['BF.RESERVE f 0.1 10 EXPANSION 0', /^ERR expansion should be greater or equal to 1/],
    ['BF.RESERVE f 0.1 10 EXPANSION 2 NONSCALING', /^Nonscaling filters cannot expand/],
    ['BF.RESERVE f 0.0001 1000000000000000', /^ERR Insufficient memory/],
    ['BF.INSERT f NOCREATE ITEMS a', /^ERR not found/],
    ['BF.INSERT f LOUD ITEMS a', /^ERR Unknown argument received/],
    ['BF.INSERT f CAPACITY 10 ITEMS', /^ERR wrong number of arguments/],
    ['BF.INFO f', /^ERR not found/],
    ['BF.ADD text a', /^WRONGTYPE/],
    ['BF.EXISTS text a', /^WRONGTYPE/],
  ])('%s is an error that makes nothing', async (line, message) => {
    await using server = await start();
    await run(server, 'SET text 1');
    await expect(run(server, line)).rejects.toThrow(message);
    expect(await run(server, 'KEYS *')).toEqual(['text']);
  });
});

describe('CMS', () => {
  it('counts, never too little', async () => {
    await using server = await start();
    expect(await run(server, 'CMS.INITBYPROB s 0.001 0.01')).toBe('OK');
    expect(await run(server, 'CMS.INFO s')).toEqual(
      new Map<string, number>([
        ['width', 2000],
        ['depth', 7],
        ['count', 0],
      ]),
    );
    expect(await run(server, 'CMS.INCRBY s a 5 b 7 a 1')).toEqual([5, 7, 6]);
    expect(await run(server, 'CMS.QUERY s a b nobody')).toEqual([6, 7, 0]);
    for (const [i, item] of items('item', 1000).entries()) await server.call('CMS.INCRBY', 's', item, String(i));
    const counts = (await server.call('CMS.QUERY', 's', ...items('item', 1000))) as number[];
    expect(counts.every((count, i) => count >= i)).toBe(true);
    expect(counts.filter((count, i) => count > i + 500).length).toBeLessThan(10);
  });

  it('merges with weights', async () => {
    await using server = await start();
    await run(server, 'CMS.INITBYDIM a 100 4', 'CMS.INITBYDIM b 100 4', 'CMS.INITBYDIM sum 100 4');
    await run(server, 'CMS.INCRBY a x 2 y 3', 'CMS.INCRBY b x 10');
    expect(await run(server, 'CMS.MERGE sum 2 a b WEIGHTS 3 2')).toBe('OK');
    expect(await run(server, 'CMS.QUERY sum x y')).toEqual([26, 9]);
    expect(await run(server, 'CMS.MERGE sum 1 a', 'CMS.QUERY sum x y')).toEqual([2, 3]);
    await run(server, 'CMS.INITBYDIM other 50 4');
    await expect(run(server, 'CMS.MERGE sum 2 a other')).rejects.toThrow(/^CMS: width\/depth is not equal/);
    await expect(run(server, 'CMS.MERGE sum 3 a b')).rejects.toThrow(/^CMS: wrong number of keys/);
    await expect(run(server, 'CMS.MERGE sum 1 a WEIGHTS -1')).rejects.toThrow(/^CMS: MERGE overflow/);
    expect(await run(server, 'CMS.QUERY sum x y')).toEqual([2, 3]);
  });

  it.each([
    ['CMS.INITBYDIM s 10 2', /^CMS: key already exists/],
    ['CMS.INITBYDIM n 0 2', /^CMS: invalid width/],
    ['CMS.INITBYDIM n 10 x', /^CMS: invalid depth/],
    ['CMS.INITBYPROB n 1 0.1', /^CMS: invalid overestimation value/],
    ['CMS.INITBYPROB n 0.1 1', /^CMS: invalid prob value/],
    ['CMS.INITBYDIM n 100000000 100000000', /Insufficient memory/],
    ['CMS.INCRBY nobody a 1', /^CMS: key does not exist/],
    ['CMS.INCRBY s a -1', /^CMS: Number cannot be negative/],
    ['CMS.INCRBY s a x', /^CMS: Cannot parse number/],
    ['CMS.QUERY text a', /^WRONGTYPE/],
  ])('%s is an error', async (line, message) => {
    await using server = await start();
    await run(server, 'SET text 1', 'CMS.INITBYDIM s 10 2');
    await expect(run(server, line)).rejects.toThrow(message);
    expect(await run(server, 'EXISTS n')).toBe(0);
    expect(await run(server, 'CMS.QUERY s a')).toEqual([0]);
  });
});

describe('TOPK', () => {
  it('keeps the heavy hitters among many others', async () => {
    await using server = await start();
    expect(await run(server, 'TOPK.RESERVE t 5 500 5 0.9')).toBe('OK');
    for (let i = 0; i < 200; i++) {
      const heavy = items('heavy', 5).flatMap((item, rank) => Array<string>(5 - rank).fill(item));
      await server.call('TOPK.ADD', 't', ...heavy, ...items(`rare${i}:`, 10));
    }
    expect(await run(server, 'TOPK.LIST t')).toEqual(items('heavy', 5));
    expect(await run(server, 'TOPK.QUERY t heavy0 rare1:1')).toEqual([true, false]);
    const [count] = (await run(server, 'TOPK.COUNT t heavy0')) as number[];
    expect(count).toBeGreaterThan(900);
    expect(count).toBeLessThanOrEqual(1000);
  });

  it('tells who was driven out', async () => {
    await using server = await start();
    await run(server, 'TOPK.RESERVE t 1 50 3 0.9');
    expect(await run(server, 'TOPK.ADD t a a')).toEqual([null, null]);
    expect(await run(server, 'TOPK.INCRBY t b 5')).toEqual(['a']);
    expect(await run(server, 'TOPK.LIST t WITHCOUNT')).toEqual(['b', 5]);
    expect(await run(server, 'TOPK.INFO t')).toEqual(
      new Map<string, number>([
        ['k', 1],
        ['width', 50],
        ['depth', 3],
        ['decay', 0.9],
      ]),
    );
  });

  it.each([
    ['TOPK.RESERVE t 5', /^TopK: key already exists/],
    ['TOPK.RESERVE n 0', /^TopK: invalid k/],
    ['TOPK.RESERVE n 5 0 7 0.9', /^TopK: invalid width/],
    ['TOPK.RESERVE n 5 8 7 2', /^TopK: invalid decay value. must be '<= 1' & '> 0'/],
    ['TOPK.RESERVE n 5 8', /^ERR wrong number of arguments/],
    ['TOPK.INCRBY t a 100001', /^TopK: increment must be an integer greater or equal to 0 +and smaller/],
    ['TOPK.ADD nobody a', /^TopK: key does not exist/],
    ['TOPK.LIST t COUNTS', /^WITHCOUNT keyword expected/],
    ['TOPK.QUERY text a', /^WRONGTYPE/],
  ])('%s is an error', async (line, message) => {
    await using server = await start();
    await run(server, 'SET text 1', 'TOPK.RESERVE t 5');
    await expect(run(server, line)).rejects.toThrow(message);
    expect(await run(server, 'EXISTS n')).toBe(0);
    expect(await run(server, 'TOPK.LIST t')).toEqual([]);
  });
});

describe('a sketch', () => {
  it.each([
    ['MBbloom--', 'BF.ADD k a', 'BF.EXISTS copy a', true],
    ['CMSk-TYPE', 'CMS.INITBYDIM k 10 2', 'CMS.QUERY copy a', [0]],
    ['TopK-TYPE', 'TOPK.RESERVE k 3', 'TOPK.LIST copy', []],
  ])('of type %s is an ordinary key', async (type, make, ask, answer) => {
    await using server = await start();
    await run(server, make);
    expect(await run(server, 'TYPE k')).toBe(type);
    expect(await run(server, 'OBJECT ENCODING k')).toBe('raw');
    expect(await run(server, `SCAN 0 TYPE ${type}`)).toEqual(['0', ['k']]);
    expect(await run(server, 'MEMORY USAGE k')).toBeGreaterThan(50);
    expect(await run(server, 'COPY k copy', ask)).toEqual(answer);
    const payload = (await run(server, 'DUMP k')) as string;
    await run(server, 'DEL copy');
    expect(await server.call('RESTORE', 'copy', '0', Buffer.from(payload, 'latin1'))).toBe('OK');
    expect(await run(server, ask)).toEqual(answer);
    await expect(run(server, 'GET k')).rejects.toThrow(/^WRONGTYPE/);
    await expect(run(server, 'LPUSH k a')).rejects.toThrow(/^WRONGTYPE/);
    expect(await run(server, 'DEBUG DIGEST-VALUE k')).not.toEqual(['0'.repeat(40)]);
    expect(await run(server, 'RENAME k z', 'EXPIRE z 100', 'TTL z')).toBe(100);
    expect(await run(server, 'FLUSHALL', 'DBSIZE')).toBe(0);
  });
});
