/**
 * Load on a server: the same command over and over, from many connections, with a key that is random each time. By
 * redis-benchmark where it is installed, else by `generator.ts`.
 */
import { run } from '../test/support/process.js';
import { generate } from './generator.js';
import { cpuSeconds, type Measured, onPath } from './processes.js';

/** What stands for 12 random digits in an argument; redis-benchmark's own word for it. */
export const RANDOM = '__rand_int__';

export const CONNECTIONS = 50;
/** Number of different keys. */
export const KEYS = 100_000;

export interface Load {
  readonly command: readonly string[];
  readonly requests: number;
  readonly pipeline: number;
}

export interface Sample {
  readonly requestsPerSecond: number;
  /** User and system time of the server, µs a request. */
  readonly cpuMicros: number;
}

/** Runs a load and measures what it costs the server. */
export async function measureLoad(server: Measured, load: Load): Promise<Sample> {
  const before = cpuSeconds(server.pid);
  const started = performance.now();
  await runLoad(server, load);
  const seconds = (performance.now() - started) / 1000;
  const cpu = cpuSeconds(server.pid) - before;
  return { requestsPerSecond: load.requests / seconds, cpuMicros: (cpu * 1e6) / load.requests };
}

/** Longest run in ms: redis-benchmark waits for ever when a server does not answer. */
const LIMIT_MS = 120_000;

export async function runLoad({ port, name }: Measured, { command, requests, pipeline }: Load): Promise<void> {
  const program = onPath('redis-benchmark');
  if (program === undefined) {
    await generate({ port, command, requests, pipeline, connections: CONNECTIONS, keys: KEYS });
    return;
  }
  const amounts = { p: port, n: requests, c: CONNECTIONS, P: pipeline, r: KEYS };
  const flags = Object.entries(amounts).flatMap(([flag, value]) => [`-${flag}`, String(value)]);
  const { code, stderr, stdout } = await run(program, [...flags, '-q', ...command], { timeoutMs: LIMIT_MS });
  if (code !== 0) throw new Error(`redis-benchmark ${command[0]} on ${name} ended with ${code}: ${stdout}${stderr}`);
}
