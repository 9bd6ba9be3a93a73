/** What pacing a job by a valve costs: in one process, and through one connection to our server. */
import { Redis } from 'ioredis';
import { createValve, type IoredisClient, ioredisStore, memoryStore } from '../src/valve/index.js';
import { startOurs } from './processes.js';
import { median, type Result, type Row } from './report.js';

const ROUNDS = 5;
/** Jobs that wait for the store at the same time. */
const CONCURRENCY = 100;
/** So much is allowed that no job ever waits. */
const RATE = { limit: 1_000_000, interval: '1s', burst: 1_000_000 } as const;

export async function benchValve(quick: boolean): Promise<Result> {
  const rows = [await inMemory(quick ? 20_000 : 200_000), await overConnection(quick ? 10_000 : 50_000)];
  return { title: 'Valve (goals: run() ≤ 30 times an empty async function; admissions ≥ 0.8 of bare EVALSHA)', rows };
}

async function inMemory(count: number): Promise<Row> {
  const valve = createValve({ name: 'bench', store: memoryStore(), rate: RATE });
  const empty = async (): Promise<void> => {};
  const [run, bare] = await alternate(
    () => nanosEach(count, () => valve.run(empty)),
    () => nanosEach(count, empty),
  );
  await valve.close();
  return { what: 'run() with the memory store, ns', valve: run, bare, ratio: run / bare };
}

async function overConnection(count: number): Promise<Row> {
  const server = await startOurs();
  const client = new Redis(server.port, '127.0.0.1');
  try {
    // The call that an admission makes is caught once, to be made without a valve.
    let call: Parameters<IoredisClient['evalsha']> | undefined;
    const watched: IoredisClient = {
      eval: (...words) => client.eval(...words),
      evalsha: (...words) => {
        call = words;
        return client.evalsha(...words);
      },
    };
    const valve = createValve({ name: 'bench', store: ioredisStore(watched), rate: RATE });
    await valve.run(async () => {});
    const [run, bare] = await alternate(
      () => perSecond(count, () => valve.run(async () => {})),
      () => perSecond(count, () => client.evalsha(...call!)),
    );
    await valve.close();
    return { what: `admissions a second, ${CONCURRENCY} at a time`, valve: run, bare, ratio: run / bare };
  } finally {
    client.disconnect();
    await server.stop();
  }
}

/** The medians of two measurements that take turns; the first round only warms up. */
async function alternate(one: () => Promise<number>, other: () => Promise<number>): Promise<[number, number]> {
  const found: [number[], number[]] = [[], []];
  for (let round = 0; round <= ROUNDS; round++) {
    const [first, second] = [await one(), await other()];
    if (round === 0) continue;
    found[0].push(first);
    found[1].push(second);
  }
  return [median(found[0]), median(found[1])];
}

async function nanosEach(count: number, job: () => Promise<unknown>): Promise<number> {
  const started = process.hrtime.bigint();
  for (let i = 0; i < count; i++) await job();
  return Number(process.hrtime.bigint() - started) / count;
}

async function perSecond(count: number, job: () => Promise<unknown>): Promise<number> {
  const started = process.hrtime.bigint();
  let left = count;
  const work = async (): Promise<void> => {
    while (left-- > 0) await job();
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  return (count / Number(process.hrtime.bigint() - started)) * 1e9;
}
