/**
 * Many processes on one store, in real time. HOTKV_VALVE_SECONDS=10 makes it the measurement of docs/valve.md, for a quiet
 * machine: longer, on all servers, and with the share of what is allowed that has to be reached.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Redis } from 'ioredis';
import { describe, expect, it } from 'vitest';
import { createValve, ioredisStore, type RuleOptions } from '../../src/valve/index.js';
import type { LeaseOptions } from '../../src/valve/options.js';
import { describeWith } from '../support/describe-with.js';
import { startEmulator } from '../support/emulator.js';
import { freePort, startOracle } from '../support/oracles.js';
import { stopChild, until } from '../support/process.js';
import { type OracleServer, requireTool } from '../support/tools.js';

const WORKERS = 20;
const MEASURED_SECONDS = Number(process.env.HOTKV_VALVE_SECONDS ?? 0);
const RUN_MS = 1_000 * (MEASURED_SECONDS || 2);
/** A busy machine halts all twenty for longer than the burst makes up for. */
const LEAST_SHARE = MEASURED_SECONDS > 0 ? 0.98 : 0.3;
const SERVERS: readonly OracleServer[] =
  MEASURED_SECONDS > 0 ? ['redis-7.0.15', 'redis-8.2.3', 'valkey-9.1.2'] : ['redis-7.0.15'];
const START_MS = 120_000;
const TIMEOUT = RUN_MS + START_MS + 30_000;

interface WorkerOptions {
  readonly port: number;
  readonly rate: RuleOptions;
  readonly lease?: LeaseOptions;
  readonly runMs: number;
  readonly jobMs: number;
  readonly concurrency: number;
}

interface Worker {
  readonly child: ChildProcess;
  begin(): void;
  readonly ended: Promise<void>;
}

/** Starts workers, tells of every line that they write, and leaves none behind. They wait until `body` lets them begin. */
async function withWorkers(
  each: readonly WorkerOptions[],
  tell: (worker: number, line: string) => void,
  body: (workers: readonly Worker[]) => Promise<void>,
): Promise<void> {
  let ready = 0;
  const workers = each.map((options, i) => {
    const file = join(import.meta.dirname, 'worker.mjs');
    const child = spawn(process.execPath, [file, JSON.stringify(options)], { stdio: ['pipe', 'pipe', 'inherit'] });
    createInterface(child.stdout).on('line', (line) => {
      if (line === 'ready') ready++;
      else tell(i, line);
    });
    const begin = (): void => void child.stdin.write('go\n');
    return { child, begin, ended: new Promise<void>((resolve) => child.once('close', () => resolve())) };
  });
  try {
    await until(() => (ready === each.length ? true : undefined), START_MS);
    await body(workers);
  } finally {
    for (const { child } of workers) child.kill('SIGKILL');
  }
}

/** The store's times of all that the workers started, in order. */
async function admissions(options: WorkerOptions): Promise<number[]> {
  const times: number[] = [];
  const tell = (_worker: number, line: string) => {
    if (line.startsWith('start ')) times.push(Number(line.slice('start '.length)));
  };
  await withWorkers(Array<WorkerOptions>(WORKERS).fill(options), tell, async (workers) => {
    for (const worker of workers) worker.begin();
    await Promise.all(workers.map(({ ended }) => ended));
  });
  return times.sort((a, b) => a - b);
}

/** The most that started within any interval of this length. */
function mostWithin(times: readonly number[], interval: number): number {
  let most = 0;
  for (let first = 0, last = 0; last < times.length; last++) {
    while (times[last]! - times[first]! >= interval) first++;
    most = Math.max(most, last - first + 1);
  }
  return most;
}

function manyProcesses(start: () => Promise<{ readonly port: number; stop(): Promise<void> }>): void {
  it(`${WORKERS} processes use what the rule allows, and no more`, { timeout: TIMEOUT }, async () => {
    const server = await start();
    try {
      const rate = { limit: 50, interval: '1s', burst: 5 };
      const times = await admissions({ port: server.port, rate, runMs: RUN_MS, jobMs: 0, concurrency: 2 });
      expect(mostWithin(times, 1_000)).toBeLessThanOrEqual(50 + 5 - 1);
      const lasted = times.at(-1)! - times[0]!;
      const allowed = 5 + Math.floor((lasted * 50) / 1_000);
      console.log(`${times.length} of ${allowed} in ${lasted} ms`);
      expect(times.length).toBeGreaterThanOrEqual(LEAST_SHARE * allowed);
    } finally {
      await server.stop();
    }
  });

  it('a killed worker gives its leases back within the ttl, and never more than max run', {
    timeout: TIMEOUT,
  }, async () => {
    const server = await start();
    const max = 4;
    const ttl = 800;
    const running = [0, 0];
    let most = 0;
    let killedAt = 0;
    let tookOver = 0;
    const tell = (worker: number, line: string) => {
      running[worker] = running[worker]! + (line === 'end' ? -1 : 1);
      most = Math.max(most, running[0]! + running[1]!);
      if (killedAt > 0 && tookOver === 0 && running[1] === max) tookOver = performance.now();
    };
    const shared = { port: server.port, rate: { limit: 1_000, interval: '1s', burst: 1_000 }, lease: { max, ttl } };
    // One keeps two places for good, until it is killed; the other wants all four.
    const keeper = { ...shared, runMs: 60_000, jobMs: 60_000, concurrency: 2 };
    const other = { ...shared, runMs: 6_000, jobMs: 150, concurrency: max };
    try {
      await withWorkers([keeper, other], tell, async ([kept, wanting]) => {
        kept!.begin();
        await until(() => (running[0] === 2 ? true : undefined), 10_000);
        wanting!.begin();
        await until(() => (running[1] === 2 ? true : undefined), 10_000);
        kept!.child.kill('SIGKILL');
        await kept!.ended;
        killedAt = performance.now();
        running[0] = 0;
        await wanting!.ended;
      });
      expect(most).toBe(max);
      expect(tookOver).toBeGreaterThan(0);
      console.log(`taken over ${Math.round(tookOver - killedAt)} ms after the kill, ttl ${ttl} ms`);
      expect(tookOver - killedAt).toBeLessThan(ttl + 700);
    } finally {
      await server.stop();
    }
  });
}

describe('the emulator', () => manyProcesses(startEmulator));
for (const name of SERVERS) describeWith(name, [name], () => manyProcesses(() => startOracle(name)));

describeWith('a store that is killed', ['redis-7.0.15'], () => {
  it('jobs go on when it is back, and what was spent is remembered', { timeout: TIMEOUT }, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'hotkv-valve-'));
    const port = await freePort();
    let server = startDurable(port, folder);
    const redis = new Redis(port, '127.0.0.1', { retryStrategy: () => 50, maxRetriesPerRequest: 0 });
    redis.on('error', () => undefined); // what it costs is what this test is about
    try {
      await until(() => (redis.status === 'ready' ? true : undefined), 10_000);
      const rate: RuleOptions[] = [
        { limit: 20, interval: '1s' },
        { limit: 8, interval: '1000h', algorithm: 'fixed-window' },
      ];
      const valve = createValve({ name: 'killed', store: ioredisStore(redis), rate });
      let failures = 0;
      valve.on('storeError', () => {
        failures++;
      });
      for (let i = 0; i < 4; i++) await valve.run(() => undefined);
      const exit = new Promise((resolve) => server.once('exit', resolve));
      server.kill('SIGKILL');
      await exit;
      const waiting = Promise.all(Array.from({ length: 4 }, () => valve.run(() => 'ran')));
      await until(() => (failures > 0 ? true : undefined), 10_000);
      server = startDurable(port, folder);
      expect(await waiting).toEqual(['ran', 'ran', 'ran', 'ran']);
      expect(await valve.tryRun(() => 'a ninth')).toMatchObject({ admitted: false });
      await valve.close();
    } finally {
      redis.disconnect();
      await stopChild(server);
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

/** A Redis that writes every change to disk before it answers. */
function startDurable(port: number, folder: string): ChildProcess {
  const flags = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', ''];
  return spawn(requireTool('redis-7.0.15'), [...flags, '--appendonly', 'yes', '--appendfsync', 'always'], {
    argv0: 'redis-server',
    stdio: 'ignore',
  });
}
