/** The same requests at the same times are answered alike by memory and by the scripts on every server. */
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningServer, startServer } from '../../src/index.js';
import { type IoredisClient, ioredisStore, memoryStore } from '../../src/valve/index.js';
import { describeWith } from '../support/describe-with.js';
import { type Oracle, startOracle } from '../support/oracles.js';
import type { OracleServer } from '../support/tools.js';
import { openGate, outcomes, play, RULE_SETS, randomSchedule } from './schedules.js';

const SEEDS = 40;
/** Far ahead of the real time, so that no key of a server that has its own time expires. */
const START = Date.UTC(2101, 0, 1) - 2_000;

/** A server whose scripts see a time that the test sets. */
interface TimedServer {
  readonly client: IoredisClient;
  setTime(ms: number): unknown;
  flush(): Promise<unknown>;
  /** All keys with the bytes of their values and their times to live. */
  contents(): Promise<unknown>;
  stop(): Promise<unknown>;
}

/** Our server: its clock is frozen. */
async function emulator(): Promise<TimedServer> {
  const server: RunningServer = await startServer({ port: -1, clock: START });
  const call =
    (name: string) =>
    (script: string, keyCount: number, ...rest: string[]) =>
      server.call(name, script, keyCount, ...rest);
  return {
    client: { evalsha: call('EVALSHA'), eval: call('EVAL') },
    setTime: (ms) => server.clock.set(ms),
    flush: async () => server.flush(),
    contents: () => contents((name, ...args) => server.call(name, ...args)),
    stop: () => server.close(),
  };
}

const CLOCK_KEY = 'clock';

/** A real server, whose time nobody can set: its scripts read it from a key instead of TIME, otherwise unchanged. */
async function realServer(name: OracleServer): Promise<TimedServer> {
  const oracle: Oracle = await startOracle(name);
  const redis = new Redis(oracle.port, '127.0.0.1');
  return {
    client: {
      evalsha: () => Promise.reject(new Error('NOSCRIPT')),
      eval: (script, keyCount, ...rest) =>
        redis.eval(
          script.replace("redis.call('TIME')", `redis.call('LRANGE', '${CLOCK_KEY}', 0, -1)`),
          keyCount,
          ...rest,
        ),
    },
    async setTime(ms) {
      await redis
        .multi()
        .del(CLOCK_KEY)
        .rpush(CLOCK_KEY, Math.floor(ms / 1_000), (ms % 1_000) * 1_000)
        .exec();
    },
    flush: () => redis.flushall(),
    contents: () => contents((command, ...args) => redis.call(command, ...args)),
    async stop() {
      redis.disconnect();
      await oracle.stop();
    },
  };
}

async function contents(call: (name: string, ...args: string[]) => Promise<unknown>): Promise<unknown> {
  const keys = ((await call('KEYS', '*')) as string[]).filter((key) => key !== CLOCK_KEY).sort();
  return Promise.all(keys.map(async (key) => [key, await call('DUMP', key), await call('PEXPIRETIME', key)]));
}

function sameAsMemory(start: () => Promise<TimedServer>): void {
  let server: TimedServer;
  beforeAll(async () => {
    server = await start();
  });
  afterAll(() => server?.stop());

  it.each(RULE_SETS)('admits what memory admits, and waits as long: $title', { timeout: 60_000 }, async (ruleSet) => {
    for (let seed = 0; seed < SEEDS; seed++) {
      await server.flush();
      const there = openGate(ioredisStore(server.client), ruleSet);
      const schedule = randomSchedule(seed, there.policy.greatestCost);
      const clock = { time: 0, now: () => clock.time };
      const here = openGate(memoryStore({ clock }), ruleSet);
      const expected = await play(here, schedule, START, (ms) => {
        clock.time = ms;
      });
      const answers = await play(there, schedule, START, server.setTime);
      expect(outcomes(answers), `seed ${seed}`).toEqual(outcomes(expected));
    }
  });

  it.each(RULE_SETS)('changes no key when it rejects or looks: $title', { timeout: 60_000 }, async (ruleSet) => {
    await server.flush();
    const { gate, policy } = openGate(ioredisStore(server.client), ruleSet);
    let time = START;
    let rejections = 0;
    for (const { gap, cost, tenant } of randomSchedule(1, policy.greatestCost, 60)) {
      time += gap;
      await server.setTime(time);
      const keys = policy.stateKeys({ tenant });
      const before = await server.contents();
      await gate.peek(keys, cost);
      expect(await server.contents()).toEqual(before);
      const { outcome } = await gate.admit(keys, cost, `holder-${time}`);
      if (outcome === 'admitted') continue;
      expect(await server.contents()).toEqual(before);
      rejections++;
    }
    expect(rejections).toBeGreaterThan(5);
  });

  it('keeps nothing without expiry but the fingerprint', async () => {
    await server.flush();
    await server.setTime(START);
    const { gate, policy } = openGate(ioredisStore(server.client), RULE_SETS[5]!);
    await gate.admit(policy.stateKeys({ tenant: 'a' }), 1, 'h');
    const expiries = (await server.contents()) as [string, string, number][];
    expect(expiries.map(([key, , expiry]) => [key, expiry])).toEqual([
      ['valve:{v}:gcra:1000', START + 112],
      ['valve:{v}:lease', START + 700],
      ['valve:{v}:policy', -1],
      ['valve:{v}:rule:each:tenant=a', START + 250],
    ]);
  });

  it('takes back what an admission spent, unless somebody has spent since', async () => {
    await server.flush();
    await server.setTime(START);
    const { gate, policy } = openGate(ioredisStore(server.client), RULE_SETS[4]!);
    const keys = policy.stateKeys({});
    await gate.admit(keys, 1, 'h');
    const before = await server.contents();
    const admission = await gate.admit(keys, 2, 'h');
    if (admission.outcome !== 'admitted') throw new Error('not admitted');
    await gate.refund(keys, 2, 'h', admission);
    const values = (found: unknown) => (found as unknown[][]).map(([key, dump]) => [key, dump]);
    expect(values(await server.contents())).toEqual(values(before));
    const again = await gate.admit(keys, 1, 'h');
    if (again.outcome !== 'admitted') throw new Error('not admitted');
    await gate.admit(keys, 1, 'h');
    const full = await gate.peek(keys, 2);
    await gate.refund(keys, 1, 'h', again);
    expect(await gate.peek(keys, 2)).toEqual(full);
  });

  it('renews leases that are held, and names those that are lost', async () => {
    await server.flush();
    await server.setTime(START);
    const { gate, policy } = openGate(ioredisStore(server.client), RULE_SETS[5]!);
    for (const tenant of ['a', 'b']) await gate.admit(policy.stateKeys({ tenant }), 1, tenant);
    await server.setTime(START + 699);
    expect(await gate.renew(['a'])).toEqual([]);
    await server.setTime(START + 700);
    expect(await gate.renew(['a', 'b', 'c'])).toEqual(['b', 'c']);
    await gate.release('a');
    expect(await gate.renew(['a'])).toEqual(['a']);
  });
}

describe('the emulator', () => sameAsMemory(emulator));
for (const name of ['redis-7.0.15', 'redis-8.2.3', 'valkey-9.1.2'] as const) {
  describeWith(name, [name], () => sameAsMemory(() => realServer(name)));
}
