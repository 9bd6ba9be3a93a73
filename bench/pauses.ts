/** What a client notices while 1,000,000 keys expire within one second, and how long the event loop stood still. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { startServer } from '../src/index.js';
import { connectRaw } from '../test/support/resp-client.js';
import { fill, sixteenBytes } from './fill.js';
import { startOurs } from './processes.js';
import type { Result, Row } from './report.js';

/** Keys expire at a time drawn evenly from this second, which begins when all of them are there. */
const SPREAD_MS = 1000;
/** How often the event loop's delay is sampled, in ms; a delay shows this much too long. */
const RESOLUTION_MS = 1;

export async function benchPauses(quick: boolean): Promise<Result> {
  const count = quick ? 100_000 : 1_000_000;
  return {
    title: `Longest pause in ms while ${count} keys expire within a second (goal: ≤ 20)`,
    rows: [await seenByClient(count), await seenByEventLoop(count)],
  };
}

/** PING after PING to a server in a process of its own. */
async function seenByClient(count: number): Promise<Row> {
  const server = await startOurs();
  try {
    const { latencies, seconds } = await pingWhileExpiring(server.port, count);
    return { seen: 'PING of a client', longest: latencies.at(-1)!, p99: quantile(latencies, 0.99), seconds };
  } finally {
    await server.stop();
  }
}

/** The delay of this process' event loop, with the server in it. */
async function seenByEventLoop(count: number): Promise<Row> {
  await using server = await startServer({ port: 0 });
  await setKeys(server.port, count);
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  const started = performance.now();
  while ((await server.call('DBSIZE')) !== 0) await new Promise((resolve) => setTimeout(resolve, RESOLUTION_MS));
  const seconds = (performance.now() - started) / 1000;
  delay.disable();
  return { seen: 'event loop', longest: delay.max / 1e6, p99: delay.percentile(99) / 1e6, seconds };
}

async function pingWhileExpiring(port: number, count: number): Promise<{ latencies: number[]; seconds: number }> {
  await setKeys(port, count);
  const client = await connectRaw(port);
  const latencies: number[] = [];
  const started = performance.now();
  for (let left = 1; left > 0; ) {
    const asked = performance.now();
    await client.call('PING');
    latencies.push(performance.now() - asked);
    if (latencies.length % 100 === 0) {
      const size = await client.call('DBSIZE');
      left = 'text' in size ? Number(size.text) : 0;
    }
  }
  client.close();
  return { latencies: latencies.sort((a, b) => a - b), seconds: (performance.now() - started) / 1000 };
}

/** All keys expire within the second that begins when filling, which takes some µs a key, is surely done. */
async function setKeys(port: number, count: number): Promise<void> {
  const begin = Date.now() + 5000 + count / 50;
  await fill(port, count, (i) => {
    const at = begin + Math.trunc(Math.random() * SPREAD_MS);
    return ['SET', sixteenBytes('key:', i), 'x', 'PXAT', String(at)];
  });
  await new Promise((resolve) => setTimeout(resolve, Math.max(begin - Date.now(), 0)));
}

function quantile(sorted: readonly number[], part: number): number {
  return sorted[Math.min(Math.trunc(sorted.length * part), sorted.length - 1)]!;
}
