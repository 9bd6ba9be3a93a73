/** LLMSTATS.*, LLMSTATS.PRICE and LLMBUDGET.*: tokens and money, exact to the micro-dollar, at a frozen clock. */
import { describe, expect, it } from 'vitest';
import { startServer } from '../../../src/server/start.js';
import { run } from '../../support/run-lines.js';

const NOW = 1_700_000_000_000;
const frozen = () => startServer({ port: -1, clock: NOW });

/** A record as an object. */
async function record(server: Awaited<ReturnType<typeof frozen>>, line: string): Promise<Record<string, unknown>> {
  const flat = (await run(server, line)) as unknown[];
  return Object.fromEntries(Array.from({ length: flat.length / 2 }, (_, i) => [flat[2 * i], flat[2 * i + 1]]));
}

describe('LLMSTATS', () => {
  it('adds up calls, in all and over the last minute', async () => {
    await using server = await frozen();
    expect(await run(server, 'LLMSTATS.BUCKET b', 'LLMSTATS.RECORD b 100 20 5 0.25 300')).toBe('OK');
    server.clock.advance(59_000);
    await run(server, 'LLMSTATS.RECORD b 1 2 0 1e-6 100 ERROR 1 CACHEWRITE5M 7 CACHEWRITE1H 8');
    expect(await record(server, 'LLMSTATS.GET b')).toEqual({
      requests: 2,
      errors: 1,
      input_tokens: 101,
      output_tokens: 22,
      cached_tokens: 5,
      cache_write_5m_tokens: 7,
      cache_write_1h_tokens: 8,
      cost_usd: '0.250001',
      avg_latency_ms: '200',
      unpriced_requests: 0,
      requests_1m: 2,
      tokens_1m: 143,
      cost_usd_1m: '0.250001',
    });
    server.clock.advance(1_000);
    expect(await record(server, 'LLMSTATS.GET b')).toMatchObject({ requests: 2, requests_1m: 1, tokens_1m: 18 });
    // A bucket that is there stays as it is.
    await run(server, 'LLMSTATS.BUCKET b');
    expect(await record(server, 'LLMSTATS.GET b')).toMatchObject({ requests: 2 });
    expect(await run(server, 'LLMSTATS.RESET b')).toBe(1);
    expect(await record(server, 'LLMSTATS.GET b')).toMatchObject({ requests: 0, avg_latency_ms: '0' });
  });

  it('takes the cost of a named model from the table, and counts models without a price', async () => {
    await using server = await frozen();
    await run(server, 'LLMSTATS.BUCKET b', 'LLMSTATS.PRICE SET m INPUT 3 OUTPUT 15');
    await run(server, 'LLMSTATS.RECORD b 1000 100 10 99 5 MODEL m CACHEWRITE5M 4 CACHEWRITE1H 2');
    // 1000·3 + 100·15 + 10·0.3 + 4·3.75 + 2·6 micro-dollars
    expect(await record(server, 'LLMSTATS.GET b')).toMatchObject({ cost_usd: '0.00453', unpriced_requests: 0 });
    await run(server, 'LLMSTATS.RECORD b 1 1 0 99 5 MODEL nobody');
    expect(await record(server, 'LLMSTATS.GET b')).toMatchObject({ cost_usd: '0.00453', unpriced_requests: 1 });
  });

  it('lists, drops, and is emptied by FLUSHALL alone', async () => {
    await using server = await frozen();
    await run(server, 'LLMSTATS.BUCKET a', 'LLMSTATS.BUCKET b');
    expect(await run(server, 'FLUSHDB', 'LLMSTATS.LIST')).toEqual(['a', 'b']);
    expect(await run(server, 'LLMSTATS.DROP a')).toBe(1);
    expect(await run(server, 'LLMSTATS.DROP a')).toBe(0);
    expect(await run(server, 'LLMSTATS.RESET a')).toBe(0);
    expect(await run(server, 'FLUSHALL', 'LLMSTATS.LIST')).toEqual([]);
  });

  it.each([
    ['LLMSTATS.RECORD nobody 1 1 1 1 1', /LLM bucket 'nobody' not found/],
    ['LLMSTATS.GET nobody', /not found/],
    ['LLMSTATS.RECORD b -1 1 1 1 1', /invalid input: must be a whole number from 0/],
    ['LLMSTATS.RECORD b 1 1.5 1 1 1', /invalid output/],
    ['LLMSTATS.RECORD b 1 1 1 -1 1', /invalid cost/],
    ['LLMSTATS.RECORD b 1 1 1 nan 1', /invalid cost/],
    ['LLMSTATS.RECORD b 1 1 1 1e30 1', /invalid cost/],
    ['LLMSTATS.RECORD b 1 1 1 1 0.5', /invalid latency/],
    ['LLMSTATS.RECORD b 1 1 1 1 1 ERROR 2', /invalid ERROR/],
    [
      'LLMSTATS.RECORD b 1 1 1 1 1 FOO 2',
      /unknown option 'FOO': must be one of ERROR, MODEL, CACHEWRITE5M, CACHEWRITE1H/,
    ],
    ['LLMSTATS.RECORD b 1 1 1 1 1 MODEL', /syntax error/],
    ['LLMSTATS.PRICE SET m INPUT 1e3 OUTPUT 1', /invalid INPUT price: .* no exponent/],
    ['LLMSTATS.PRICE SET m INPUT 1.1234567 OUTPUT 1', /invalid INPUT price/],
    ['LLMSTATS.PRICE SET m INPUT 18446744073709.551616 OUTPUT 1', /invalid INPUT price/],
    ['LLMSTATS.PRICE SET m INPUT 1 CACHEREAD 1 CACHEWRITE5M 1', /INPUT and OUTPUT must both be given/],
  ])('%s is an error that changes nothing', async (line, message) => {
    await using server = await frozen();
    await run(server, 'LLMSTATS.BUCKET b');
    await expect(run(server, line)).rejects.toThrow(message);
    expect(await record(server, 'LLMSTATS.GET b')).toMatchObject({ requests: 0, input_tokens: 0, cost_usd: '0' });
    expect(await record(server, 'LLMSTATS.PRICE GET m')).toMatchObject({ source: 'unpriced' });
  });
});

describe('LLMSTATS.PRICE', () => {
  it('derives cache prices, prefers what was set, and falls back to what is built in', async () => {
    await using server = await frozen();
    const builtIn = await record(server, 'LLMSTATS.PRICE GET gpt-4o-mini');
    expect(builtIn).toMatchObject({ source: 'default', priced: 1, retired: 0, input_usd_per_mtok: '0.15' });
    await run(server, 'LLMSTATS.PRICE SET gpt-4o-mini INPUT 0.000003 OUTPUT 18446744073709.551615 CACHEREAD 0');
    expect(await record(server, 'LLMSTATS.PRICE GET gpt-4o-mini')).toEqual({
      model: 'gpt-4o-mini',
      source: 'custom',
      priced: 1,
      retired: 0,
      input_usd_per_mtok: '0.000003',
      output_usd_per_mtok: '18446744073709.551615',
      cache_read_usd_per_mtok: '0',
      cache_write_5m_usd_per_mtok: '0.000004',
      cache_write_1h_usd_per_mtok: '0.000006',
    });
    const rows = (await run(server, 'LLMSTATS.PRICE LIST')) as unknown[][];
    expect(rows.filter((row) => row[1] === 'gpt-4o-mini').map((row) => row[3])).toEqual(['custom']);
    expect(await run(server, 'LLMSTATS.PRICE DEL gpt-4o-mini')).toBe(1);
    expect(await run(server, 'LLMSTATS.PRICE DEL gpt-4o-mini')).toBe(0);
    expect(await record(server, 'LLMSTATS.PRICE GET gpt-4o-mini')).toEqual(builtIn);
  });

  it('answers zeros for a model that nobody knows', async () => {
    await using server = await frozen();
    expect(await record(server, 'LLMSTATS.PRICE GET x')).toMatchObject({
      source: 'unpriced',
      priced: 0,
      output_usd_per_mtok: '0',
    });
  });

  it('shows its subcommands', async () => {
    await using server = await frozen();
    expect(await run(server, 'LLMSTATS.PRICE HELP')).toContain('DEL model');
    await expect(run(server, 'LLMSTATS.PRICE NOSUCH')).rejects.toThrow(/Try LLMSTATS\.PRICE HELP\.$/);
  });
});

describe('LLMBUDGET', () => {
  it('takes what fits and refuses the rest whole, until the window ends', async () => {
    await using server = await frozen();
    expect(await run(server, 'LLMBUDGET.SET b 100 0.5 60')).toBe('OK');
    expect(await run(server, 'LLMBUDGET.CONSUME b 100 0.4')).toBe(1);
    expect(await run(server, 'LLMBUDGET.CONSUME b 1 0')).toBe(0);
    expect(await run(server, 'LLMBUDGET.CONSUME b 0 0.100001')).toBe(0);
    expect(await run(server, 'LLMBUDGET.CONSUME b 0 0.1')).toBe(1);
    server.clock.advance(58_500);
    expect(await record(server, 'LLMBUDGET.STATUS b')).toEqual({
      tokens_used: 100,
      token_limit: 100,
      cost_used_usd: '0.5',
      cost_limit_usd: '0.5',
      window_seconds: 60,
      window_remaining_s: 2,
      unpriced_requests: 0,
    });
    server.clock.advance(1_500);
    expect(await record(server, 'LLMBUDGET.STATUS b')).toMatchObject({ tokens_used: 0, window_remaining_s: 60 });
    server.clock.advance(90_000);
    expect(await record(server, 'LLMBUDGET.STATUS b')).toMatchObject({ window_remaining_s: 30 });
  });

  it('counts a named model by its tokens and price', async () => {
    await using server = await frozen();
    await run(server, 'LLMSTATS.PRICE SET m INPUT 10 OUTPUT 20', 'LLMBUDGET.SET b 0 0.00003 60');
    expect(await run(server, 'LLMBUDGET.CONSUME b 0 0 MODEL m INPUT 1 OUTPUT 1')).toBe(1);
    expect(await record(server, 'LLMBUDGET.STATUS b')).toMatchObject({ tokens_used: 2, cost_used_usd: '0.00003' });
    expect(await run(server, 'LLMBUDGET.CONSUME b 0 0 MODEL m INPUT 1')).toBe(0);
    expect(await run(server, 'LLMBUDGET.CONSUME b 0 0 MODEL nobody INPUT 5')).toBe(1);
    expect(await record(server, 'LLMBUDGET.STATUS b')).toMatchObject({ tokens_used: 7, unpriced_requests: 1 });
  });

  it('begins an earlier window with nothing used when the clock is set back', async () => {
    await using server = await frozen();
    await run(server, 'LLMBUDGET.SET b 100 0 60', 'LLMBUDGET.CONSUME b 10 0', 'EMULATOR CLOCK ADVANCE 30 S');
    await run(server, `EMULATOR CLOCK SET ${NOW + 10_000}`);
    expect(await record(server, 'LLMBUDGET.STATUS b')).toMatchObject({ tokens_used: 10, window_remaining_s: 50 });
    await run(server, `EMULATOR CLOCK SET ${NOW - 10_000}`);
    expect(await record(server, 'LLMBUDGET.STATUS b')).toMatchObject({ tokens_used: 0, window_remaining_s: 10 });
  });

  it('keeps what was used when its limits change, resets and drops', async () => {
    await using server = await frozen();
    await run(server, 'LLMBUDGET.SET b 10 0 60', 'LLMBUDGET.CONSUME b 10 0', 'LLMBUDGET.SET b 20 0 60');
    expect(await run(server, 'LLMBUDGET.CONSUME b 11 0')).toBe(0);
    expect(await run(server, 'LLMBUDGET.RESET b')).toBe(1);
    expect(await run(server, 'LLMBUDGET.CONSUME b 11 0')).toBe(1);
    expect(await run(server, 'LLMBUDGET.LIST')).toEqual(['b']);
    expect(await run(server, 'LLMBUDGET.DROP b')).toBe(1);
    expect(await run(server, 'LLMBUDGET.RESET b')).toBe(0);
  });

  it.each([
    ['LLMBUDGET.SET n 1 1 0', /invalid window: must be a whole number from 1/],
    ['LLMBUDGET.SET n 1 1e2 1', /invalid cost limit/],
    ['LLMBUDGET.SET n -1 1 1', /invalid token limit/],
    ['LLMBUDGET.CONSUME nobody 1 1', /LLM budget 'nobody' not found/],
    ['LLMBUDGET.CONSUME b 1 1 INPUT 5', /MODEL is missing/],
    ['LLMBUDGET.CONSUME b 1 1 FOO 5', /unknown option 'FOO': must be one of MODEL, INPUT, OUTPUT, CACHEREAD/],
    ['LLMBUDGET.CONSUME b x 1', /invalid tokens/],
    ['LLMBUDGET.CONSUME b x 1 MODEL gpt-4o INPUT 5', /invalid tokens/],
  ])('%s is an error that changes nothing', async (line, message) => {
    await using server = await frozen();
    await run(server, 'LLMBUDGET.SET b 0 0 60');
    await expect(run(server, line)).rejects.toThrow(message);
    expect(await run(server, 'LLMBUDGET.LIST')).toEqual(['b']);
    expect(await record(server, 'LLMBUDGET.STATUS b')).toMatchObject({ tokens_used: 0, cost_used_usd: '0' });
  });
});
