/** Resident memory of a small key and of a limiter, ours beside Redis'. */
import { setTimeout as sleep } from 'node:timers/promises';
import { fill, sixteenBytes } from './fill.js';
import { GCRA_SCRIPT } from './gcra-script.js';
import { type Measured, residentBytes, startOurs, startRedis } from './processes.js';
import type { Result, Row } from './report.js';

/** A limit that is not full again before the measurement ends. */
const PERIOD = '86400000';
/** What the garbage collector is given to settle, in ms. */
const SETTLE_MS = 2000;

export async function benchMemory(quick: boolean): Promise<Result> {
  const count = quick ? 100_000 : 1_000_000;
  const text = (i: number) => ['SET', sixteenBytes('key:', i), sixteenBytes('val:', i)];
  const rows = [
    await compare('key of 16 bytes, value of 16', count, text, text),
    await compare(
      'limiter',
      count,
      (i) => ['GCRA.LIMIT', sixteenBytes('limit:', i), PERIOD, '100'],
      (i) => ['EVAL', GCRA_SCRIPT, '1', sixteenBytes('limit:', i), PERIOD, '100', '1'],
    ),
  ];
  return { title: `Resident memory with ${count} of them, bytes each (goal: ratio ≤ 2)`, rows };
}

type Command = (i: number) => readonly string[];

async function compare(what: string, count: number, ours: Command, redis: Command): Promise<Row> {
  const own = await bytesEach(await startOurs(), count, ours);
  const other = await bytesEach(await startRedis(), count, redis);
  return { what, ours: own, Redis: other, ratio: own / other };
}

async function bytesEach(server: Measured, count: number, command: Command): Promise<number> {
  try {
    // What the first requests of a process need is not the data's.
    await fill(server.port, 1000, command);
    const before = residentBytes(server.pid);
    await fill(server.port, count, command);
    await sleep(SETTLE_MS);
    return (residentBytes(server.pid) - before) / (count - 1000);
  } finally {
    await server.stop();
  }
}
