/** Scripts of production through ioredis and node-redis, on a frozen clock: rate limiters and locks. */
import { Redis } from 'ioredis';
import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { createClient } from 'redis';
import Redlock from 'redlock';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Emulator, startEmulator } from '../support/emulator.js';

/** Capacity and tokens a second; returns whether it was allowed and the tokens left. Time is the server's. */
const TOKEN_BUCKET = `
local capacity, rate, wanted = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local time = redis.call('TIME')
local now = tonumber(time[1]) + tonumber(time[2]) / 1000000
local state = redis.call('HMGET', KEYS[1], 'tokens', 'at')
local tokens = tonumber(state[1]) or capacity
local at = tonumber(state[2]) or now
tokens = math.min(capacity, tokens + math.max(0, now - at) * rate)
local allowed = tokens >= wanted
if allowed then tokens = tokens - wanted end
redis.call('HSET', KEYS[1], 'tokens', tostring(tokens), 'at', string.format('%.6f', now))
redis.call('EXPIRE', KEYS[1], math.ceil(capacity / rate) + 1)
return {allowed and 1 or 0, tostring(tokens)}`;

/** Requests allowed in a window of so many ms; returns whether it was allowed and how many are in the window. */
const SLIDING_WINDOW = `
local limit, window = tonumber(ARGV[1]), tonumber(ARGV[2])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - window)
local count = redis.call('ZCARD', KEYS[1])
if count >= limit then return {0, count} end
redis.call('ZADD', KEYS[1], now, ARGV[3])
redis.call('PEXPIRE', KEYS[1], window)
return {1, count + 1}`;

describe('scripts of limiters and locks', () => {
  let server: Emulator;
  let client: Redis;
  let nodeRedis: ReturnType<typeof createClient>;
  const advance = (ms: number): Promise<unknown> => client.call('EMULATOR', 'CLOCK', 'ADVANCE', String(ms));
  beforeAll(async () => {
    server = await startEmulator(['--clock', 'frozen']);
    client = new Redis({ host: '127.0.0.1', port: server.port, maxRetriesPerRequest: 1 });
    nodeRedis = createClient({ url: `redis://127.0.0.1:${server.port}` });
    await nodeRedis.connect();
  });
  beforeEach(async () => {
    await client.flushall();
  });
  afterAll(async () => {
    await client?.quit();
    await nodeRedis?.close();
    await server?.stop();
  });

  for (const kind of ['ioredis', 'node-redis'] as const) {
    it(`rate-limiter-flexible counts in windows, through ${kind}`, async () => {
      const options = { points: 3, duration: 10, keyPrefix: kind };
      const limiter = new RateLimiterRedis(
        kind === 'ioredis'
          ? { ...options, storeClient: client }
          : { ...options, storeClient: nodeRedis, useRedisPackage: true },
      );
      for (const remaining of [2, 1, 0]) {
        expect(await limiter.consume('user')).toMatchObject({ remainingPoints: remaining, msBeforeNext: 10_000 });
      }
      await advance(4_000);
      const refused = await limiter.consume('user').catch((problem: unknown) => problem);
      expect(refused).toBeInstanceOf(RateLimiterRes);
      expect(refused).toMatchObject({ remainingPoints: 0, consumedPoints: 4, msBeforeNext: 6_000 });
      expect(await limiter.get('user')).toMatchObject({ consumedPoints: 4 });
      await advance(6_000);
      expect(await limiter.consume('user')).toMatchObject({ remainingPoints: 2, consumedPoints: 1 });
    });
  }

  it('redlock holds a lock until it is released or its time is over', async () => {
    const redlock = new Redlock([client], { retryCount: 1, retryDelay: 5 });
    const lock = await redlock.lock(['a', 'b'], 5_000);
    expect(await client.get('a')).toBe(lock.value);
    await expect(redlock.lock('b', 1_000)).rejects.toThrow('Exceeded 1 attempts');
    await lock.extend(20_000);
    expect(await client.pttl('b')).toBe(20_000);
    await lock.unlock();
    expect(await client.exists('a', 'b')).toBe(0);
    await redlock.lock('a', 1_000);
    await advance(1_000);
    await (await redlock.lock('a', 1_000)).unlock();
  });

  it('a token bucket refills with time', async () => {
    const ask = (tokens: number): Promise<unknown> => client.eval(TOKEN_BUCKET, 1, 'bucket', 10, 2, tokens);
    expect(await ask(4)).toEqual([1, '6']);
    expect(await ask(6)).toEqual([1, '0']);
    expect(await ask(1)).toEqual([0, '0']);
    await advance(1_250);
    expect(await ask(2)).toEqual([1, '0.5']);
    await advance(60_000);
    expect(await client.exists('bucket')).toBe(0);
    expect(await ask(1)).toEqual([1, '9']);
  });

  it('a sliding window forgets what has left it', async () => {
    const sha = await nodeRedis.scriptLoad(SLIDING_WINDOW);
    const ask = (id: string): Promise<unknown> =>
      nodeRedis.evalSha(sha, { keys: ['window'], arguments: ['2', '1000', id] });
    expect(await ask('first')).toEqual([1, 1]);
    await advance(400);
    expect(await ask('second')).toEqual([1, 2]);
    expect(await ask('third')).toEqual([0, 2]);
    await advance(600);
    expect(await ask('third')).toEqual([1, 2]);
    expect(await ask('fourth')).toEqual([0, 2]);
  });
});
