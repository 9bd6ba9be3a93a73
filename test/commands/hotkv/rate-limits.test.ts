/** RATELIMIT.*: each algorithm at a frozen clock, and that the wait which is told is the shortest that is long enough. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RATE_ALGORITHMS, RateLimiter, RateVerdict } from '../../../src/keyspace/hotkv/rate-limiter.js';
import { startServer } from '../../../src/server/start.js';
import { run } from '../../support/run-lines.js';

const frozen = () => startServer({ port: 0, clock: 1_700_000_000_000 });

describe('RATELIMIT', () => {
  it('sliding_window: every use leaves after a window of its own', async () => {
    await using server = await frozen();
    expect(await run(server, 'RATELIMIT.CREATE api 3 1000')).toBe('OK');
    expect(await run(server, 'RATELIMIT.CHECK api bob')).toEqual([1, 2, 0, 3, 1]);
    server.clock.advance(400);
    expect(await run(server, 'RATELIMIT.CHECK api bob COST 2')).toEqual([1, 0, 0, 3, 3]);
    expect(await run(server, 'RATELIMIT.CHECK api bob')).toEqual([0, 0, 600, 3, 3]);
    expect(await run(server, 'RATELIMIT.CHECK api bob COST 2')).toEqual([0, 0, 1000, 3, 3]);
    expect(await run(server, 'RATELIMIT.CHECK api ann')).toEqual([1, 2, 0, 3, 1]);
    server.clock.advance(600);
    expect(await run(server, 'RATELIMIT.PEEK api bob')).toEqual([1, 1, 0, 3, 2]);
    expect(await run(server, 'RATELIMIT.CHECK api bob')).toEqual([1, 0, 0, 3, 3]);
    expect(await run(server, 'RATELIMIT.RESET api bob')).toBe('OK');
    expect(await run(server, 'RATELIMIT.PEEK api bob')).toEqual([1, 3, 0, 3, 0]);
  });

  it('fixed_window: all uses leave together', async () => {
    await using server = await frozen();
    await run(server, 'RATELIMIT.CREATE f 2 1000 ALGO FIXED_WINDOW', 'RATELIMIT.CHECK f k');
    server.clock.advance(900);
    expect(await run(server, 'RATELIMIT.CHECK f k')).toEqual([1, 0, 0, 2, 2]);
    expect(await run(server, 'RATELIMIT.CHECK f k')).toEqual([0, 0, 100, 2, 2]);
    server.clock.advance(100);
    expect(await run(server, 'RATELIMIT.CHECK f k')).toEqual([1, 1, 0, 2, 1]);
  });

  it.each([
    ['token_bucket', 'REFILL'],
    ['leaky_bucket', 'DRAIN'],
  ])('%s: units come back one by one', async (algo, option) => {
    await using server = await frozen();
    await run(server, `RATELIMIT.CREATE b 2 1000 ALGO ${algo}`, 'RATELIMIT.CHECK b k COST 2');
    expect(await run(server, 'RATELIMIT.CHECK b k')).toEqual([0, 0, 500, 2, 2]);
    server.clock.advance(499);
    expect(await run(server, 'RATELIMIT.PEEK b k')).toEqual([0, 0, 1, 2, 2]);
    server.clock.advance(1);
    expect(await run(server, 'RATELIMIT.CHECK b k')).toEqual([1, 0, 0, 2, 2]);
    await run(server, `RATELIMIT.CREATE slow 2 1000 ALGO ${algo} ${option} 0.1`, 'RATELIMIT.CHECK slow k COST 2');
    expect(await run(server, 'RATELIMIT.CHECK slow k')).toEqual([0, 0, 10_000, 2, 2]);
  });

  it('never allows more than the limit at once', async () => {
    await using server = await frozen();
    await run(server, 'RATELIMIT.CREATE api 3 1000');
    expect(await run(server, 'RATELIMIT.CHECK api bob COST 4')).toEqual([0, 3, -1, 3, 0]);
  });

  it('tells, lists and drops', async () => {
    await using server = await frozen();
    await run(server, 'RATELIMIT.CREATE a 1 1000', 'RATELIMIT.CREATE b 5 1000 ALGO token_bucket REFILL 2.5');
    await run(server, 'RATELIMIT.CHECK a k', 'RATELIMIT.CHECK a k', 'RATELIMIT.CHECK a l');
    const stats = ['name', 'a', 'algo', 'sliding_window', 'limit', 1, 'window_ms', 1000];
    expect(await run(server, 'RATELIMIT.STATS a')).toEqual([...stats, 'allowed', 2, 'denied', 1, 'keys', 2]);
    expect(await run(server, 'RATELIMIT.STATS b')).toEqual(expect.arrayContaining(['rate_per_second', '2.5']));
    expect(await run(server, 'RATELIMIT.LIST')).toEqual(['a', 'b']);
    expect(await run(server, 'RATELIMIT.DROP a')).toBe('OK');
    await run(server, 'FLUSHDB');
    expect(await run(server, 'RATELIMIT.LIST')).toEqual(['b']);
    await run(server, 'FLUSHALL');
    expect(await run(server, 'RATELIMIT.LIST')).toEqual([]);
  });

  it.each([
    ['RATELIMIT.CREATE a 1 1000', "ERR rate limiter 'a' already exists"],
    ['RATELIMIT.CREATE b 0 1000', 'ERR invalid limit: must be a whole number from 1 to 1000000000000'],
    ['RATELIMIT.CREATE b 1 0', 'ERR invalid window'],
    ['RATELIMIT.CREATE b 1 1.5', 'ERR invalid window'],
    ['RATELIMIT.CREATE b 1 1 ALGO gcra', 'must be one of sliding_window, fixed_window, token_bucket, leaky_bucket'],
    ['RATELIMIT.CREATE b 1 1 REFILL 1', 'ERR REFILL is for the algorithm token_bucket alone'],
    ['RATELIMIT.CREATE b 1 1 ALGO token_bucket DRAIN 1', 'ERR DRAIN is for the algorithm leaky_bucket alone'],
    ['RATELIMIT.CREATE b 1 1 ALGO token_bucket REFILL 0', 'ERR invalid refill: must be a number above 0'],
    ['RATELIMIT.CREATE b 1 1 ALGO token_bucket REFILL inf', 'ERR invalid refill'],
    ['RATELIMIT.CREATE b 1 1 BURST 2', "ERR unknown option 'BURST': must be one of ALGO, REFILL, DRAIN"],
    ['RATELIMIT.CHECK missing k', "ERR rate limiter 'missing' not found"],
    ['RATELIMIT.CHECK a k COST 0', 'ERR invalid cost'],
    ['RATELIMIT.CHECK a k COST', "ERR unknown option 'COST'"],
    ['RATELIMIT.DROP missing', 'not found'],
  ])('%s is refused', async (line, error) => {
    await using server = await frozen();
    await run(server, 'RATELIMIT.CREATE a 1 1000');
    await expect(run(server, line)).rejects.toThrow(error);
    expect(await run(server, 'RATELIMIT.LIST')).toEqual(['a']);
    expect(await run(server, 'RATELIMIT.STATS a')).toEqual(expect.arrayContaining(['allowed', 0, 'denied', 0]));
  });
});

describe('the wait', () => {
  const uses = fc.array(fc.record({ pause: fc.nat(400), cost: fc.integer({ min: 1, max: 6 }) }), { maxLength: 40 });
  it.each(RATE_ALGORITHMS.map((algorithm) => [algorithm]))('%s: not a ms too short or too long', (algorithm) => {
    fc.assert(
      fc.property(uses, fc.integer({ min: 1, max: 7 }), (steps, limit) => {
        const limiter = new RateLimiter(algorithm, limit, 1000, limit / 1000);
        const verdict = new RateVerdict();
        let now = 1_700_000_000_000;
        for (const { pause, cost } of steps) {
          now += pause;
          limiter.check('k', cost, now, verdict);
          expect(verdict.current).toBeLessThanOrEqual(limit);
          if (verdict.allowed || verdict.retry < 0) continue;
          const { retry } = verdict;
          limiter.peek('k', cost, now + retry - 1, verdict);
          expect(verdict.allowed).toBe(false);
          limiter.peek('k', cost, now + retry, verdict);
          expect(verdict.allowed).toBe(true);
          now += retry;
        }
      }),
    );
  });

  it('lets through what a log of all uses lets through', () => {
    fc.assert(
      fc.property(uses, (steps) => {
        const limiter = new RateLimiter('sliding_window', 12, 1000, 0);
        const verdict = new RateVerdict();
        const log: { at: number; cost: number }[] = [];
        let now = 0;
        for (const { pause, cost } of steps) {
          now += pause;
          const used = log.filter(({ at }) => at > now - 1000).reduce((sum, use) => sum + use.cost, 0);
          limiter.check('k', cost, now, verdict);
          expect(verdict.allowed).toBe(used + cost <= 12);
          if (verdict.allowed) log.push({ at: now, cost });
        }
      }),
    );
  });

  it('a log of very many moments lets nothing through early', () => {
    const limiter = new RateLimiter('sliding_window', 10_000, 20_000, 0);
    const verdict = new RateVerdict();
    for (let now = 0; now < 10_000; now++) limiter.check('k', 1, now, verdict);
    for (let now = 20_000; now < 30_000; now += 7) {
      limiter.peek('k', 1, now, verdict);
      const left = 10_000 - (now - 20_000 + 1);
      expect(verdict.current).toBeGreaterThanOrEqual(left);
      expect(verdict.current).toBeLessThanOrEqual(left + 16);
    }
  });
});
