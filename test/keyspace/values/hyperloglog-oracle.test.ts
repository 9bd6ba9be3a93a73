/** The same PF commands on Redis and on the HyperLogLog value: the same bytes and the same estimates. */
import { expect, test } from 'vitest';
import { Hyperloglog, HyperloglogCorrupted } from '../../../src/keyspace/values/hyperloglog.js';
import { describeWith } from '../../support/describe-with.js';
import { startOracleClient } from '../../support/oracle-client.js';
import type { RawClient } from '../../support/resp-client.js';
import { type Frame, itemsOf, textOf } from '../../support/resp-frame.js';

describeWith('HyperLogLogs beside Redis', ['redis-8.2.3'], () => {
  const redis = startOracleClient('redis-8.2.3');

  const stored = async (key: string): Promise<string> => textOf(await redis.client.call('GET', key)) ?? '';

  /** Adds elements from → to one by one to both and compares each reply. */
  async function addRange(ours: Hyperloglog, key: string, from: number, to: number, limit?: number): Promise<void> {
    const commands: string[][] = [];
    for (let i = from; i < to; i++) commands.push(['PFADD', key, element(i)]);
    redis.client.send(...commands);
    for (let i = from; i < to; i++) {
      expect(ours.add(element(i), limit), `element ${i}`).toBe(textOf(await redis.client.read()) === '1');
    }
  }

  for (const limit of [3000, 0, 200]) {
    test(`hll-sparse-max-bytes ${limit}: bytes, counts and promotion`, async () => {
      await redis.client.call('CONFIG', 'SET', 'hll-sparse-max-bytes', String(limit));
      await redis.client.call('DEL', 'h');
      await redis.client.call('PFADD', 'h');
      const ours = Hyperloglog.create();
      expect(ours.toBytes()).toBe(await stored('h'));
      const stops = [1, 2, 3, 10, 50, 100, 300, 700, 1200, 1500, 2000, 8000];
      let from = 0;
      for (const to of stops) {
        await addRange(ours, 'h', from, to, limit);
        from = to;
        expect(ours.toBytes(), `after ${to}`).toBe(await stored('h'));
        if (ours.encoding === 'sparse')
          expect(ours.describe()).toBe(textOf(await redis.client.call('PFDEBUG', 'DECODE', 'h')));
        expect(`${ours.count()}`).toBe(textOf(await redis.client.call('PFCOUNT', 'h')));
        expect(ours.toBytes(), `counted after ${to}`).toBe(await stored('h'));
        expect(Hyperloglog.parse(ours.toBytes())?.toBytes()).toBe(ours.toBytes());
        expect(ours.encoding).toBe(textOf(await redis.client.call('PFDEBUG', 'ENCODING', 'h')));
      }
      const registers = await redis.client.call('PFDEBUG', 'GETREG', 'h');
      expect([...ours.registers()].map(String)).toEqual(itemsOf(registers).map(textOf));
    });
  }

  test('many sparse values, whose registers come in every order', async () => {
    await redis.client.call('CONFIG', 'SET', 'hll-sparse-max-bytes', '3000');
    for (let seed = 0; seed < 40; seed++) {
      await redis.client.call('DEL', 'h');
      const ours = Hyperloglog.create();
      await addRange(ours, 'h', seed * 1e6, seed * 1e6 + 400);
      expect(ours.toBytes()).toBe(await stored('h'));
      expect(`${ours.count()}`).toBe(textOf(await redis.client.call('PFCOUNT', 'h')));
    }
  });

  test('PFMERGE and PFCOUNT of several, sparse and dense', async () => {
    await redis.client.call('CONFIG', 'SET', 'hll-sparse-max-bytes', '3000');
    for (const [first, second] of [
      [100, 200],
      [100, 9000],
      [700, 900],
      [9000, 8000],
    ] as const) {
      await redis.client.call('FLUSHALL');
      const a = Hyperloglog.create();
      const b = Hyperloglog.create();
      await addRange(a, 'a', 0, first);
      await addRange(b, 'b', 50, 50 + second);
      const union = a.registers();
      b.raiseTo(union);
      const merged = Hyperloglog.create();
      if (a.encoding === 'dense' || b.encoding === 'dense') merged.toDense();
      merged.merge(union);
      const together = textOf(await redis.client.call('PFCOUNT', 'a', 'b'));
      await redis.client.call('PFMERGE', 'm', 'a', 'b');
      expect(merged.toBytes()).toBe(await stored('m'));
      expect(`${merged.count()}`).toBe(together);
      expect(`${merged.toDense()}`).toBe(`${textOf(await redis.client.call('PFDEBUG', 'TODENSE', 'm')) === '1'}`);
      await redis.client.call('PFCOUNT', 'm');
      expect(merged.toBytes()).toBe(await stored('m'));
    }
  });

  test('values that are none, and values that are broken', async () => {
    const good = Hyperloglog.create();
    for (let i = 0; i < 100; i++) good.add(element(i));
    const sparse = good.toBytes();
    good.toDense();
    const dense = good.toBytes();
    const values = ['', 'HYLL', 'x'.repeat(16), sparse, dense, `${dense}x`, dense.slice(0, -1), sparse.slice(0, 16)];
    values.push(sparse.slice(0, -1), `${sparse}\x80`, `${sparse}\x7f\xff`, `${sparse.slice(0, 16)}\x7f\xff`);
    values.push(
      `HYLL\x02${sparse.slice(5)}`,
      `hYLL${sparse.slice(4)}`,
      `${sparse.slice(0, 16)}\x7f\xfe`,
      `${sparse}\x40`,
    );
    values.push(`${sparse.slice(0, 16)}\x7f`, `${sparse.slice(0, 16)}\x7f\xff\x00`);
    for (const value of values) {
      for (const operation of ['PFADD', 'PFCOUNT', 'PFMERGE'] as const) {
        await redis.client.call('FLUSHALL');
        await redis.client.call('SET', 'h', value);
        const theirs = shortReply(await runCommand(redis.client, operation));
        expect(runOurs(value, operation), `${operation} ${JSON.stringify(value.slice(0, 60))}`).toBe(theirs);
      }
    }
  });
});

function element(i: number): string {
  // Elements of every length modulo 8, with bytes of both halves.
  return `${i}${'\xe9\x01\xff\x80zero'.slice(0, i % 8)}`;
}

function runCommand(client: RawClient, operation: 'PFADD' | 'PFCOUNT' | 'PFMERGE'): Promise<Frame> {
  if (operation === 'PFADD') return client.call('PFADD', 'h', 'new', 'newer');
  return operation === 'PFCOUNT' ? client.call('PFCOUNT', 'h') : client.call('PFMERGE', 'other', 'h');
}

function runOurs(value: string, operation: 'PFADD' | 'PFCOUNT' | 'PFMERGE'): string {
  const ours = Hyperloglog.parse(value);
  if (ours === null) return 'WRONGTYPE';
  try {
    if (operation === 'PFADD') return `${Number([ours.add('new'), ours.add('newer')].some(Boolean))}`;
    if (operation === 'PFCOUNT') return `${ours.count()}`;
    ours.registers();
    return 'OK';
  } catch (error) {
    if (error instanceof HyperloglogCorrupted) return 'INVALIDOBJ';
    throw error;
  }
}

function shortReply(frame: Frame): string {
  return (textOf(frame) ?? '').split(' ')[0] as string;
}
