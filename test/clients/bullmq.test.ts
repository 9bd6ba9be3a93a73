/** BullMQ against our server: all it does is Lua scripts, streams, blocking pops and sorted sets. */
import { FlowProducer, type Job, Queue, QueueEvents, Worker } from 'bullmq';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Emulator, startEmulator } from '../support/emulator.js';
import { until } from '../support/process.js';

/** Jobs of the plain queue; `BULLMQ_JOBS=5000` asks for more. */
const JOBS = Number(process.env.BULLMQ_JOBS ?? 300);

describe('BullMQ', () => {
  let server: Emulator;
  const open: { close(): Promise<void> }[] = [];
  beforeAll(async () => {
    server = await startEmulator();
  });
  afterEach(async () => {
    for (const thing of open.splice(0).reverse()) await thing.close();
  });
  afterAll(() => server?.stop());

  const connection = () => ({ host: '127.0.0.1', port: server.port, maxRetriesPerRequest: null });
  const opened = <T extends { close(): Promise<void> }>(thing: T): T => {
    open.push(thing);
    return thing;
  };
  const queue = (name: string): Queue => opened(new Queue(name, { connection: connection() }));

  it('works off jobs with delays and priorities, each once', async () => {
    const jobs = queue('plain');
    const done = new Map<number, number>();
    let stalled = 0;
    await jobs.addBulk(
      Array.from({ length: JOBS }, (_, n) => ({
        name: 'job',
        data: { n },
        opts: { ...(n % 3 === 0 && { delay: n % 200 }), ...(n % 3 === 1 && { priority: 1 + (n % 10) }) },
      })),
    );
    const work = async ({ data }: Job): Promise<number> => {
      done.set(data.n, (done.get(data.n) ?? 0) + 1);
      return data.n * 2;
    };
    const worker = opened(new Worker('plain', work, { connection: connection(), concurrency: 20 }));
    worker.on('stalled', () => stalled++);
    await until(async () => ((await jobs.getCompletedCount()) === JOBS ? true : undefined), 60_000);
    expect(done.size).toBe(JOBS);
    expect([...done.values()].every((times) => times === 1)).toBe(true);
    expect(stalled).toBe(0);
    expect(await jobs.getJobCounts('waiting', 'active', 'delayed', 'failed', 'prioritized')).toEqual({
      waiting: 0,
      active: 0,
      delayed: 0,
      failed: 0,
      prioritized: 0,
    });
  }, 90_000);

  it('takes the jobs of highest priority first', async () => {
    const jobs = queue('priorities');
    const order: number[] = [];
    for (const priority of [5, 1, 4, 2, 3]) await jobs.add('job', { priority }, { priority });
    opened(
      new Worker('priorities', async ({ data }) => void order.push(data.priority), {
        connection: connection(),
        concurrency: 1,
      }),
    );
    await until(async () => (order.length === 5 ? true : undefined), 10_000);
    expect(order).toEqual([1, 2, 3, 4, 5]);
  });

  it('keeps a rate limit', async () => {
    const jobs = queue('limited');
    const starts: number[] = [];
    await jobs.addBulk(Array.from({ length: 12 }, (_, n) => ({ name: 'job', data: { n } })));
    opened(
      new Worker('limited', async () => void starts.push(Date.now()), {
        connection: connection(),
        concurrency: 10,
        limiter: { max: 4, duration: 300 },
      }),
    );
    await until(async () => (starts.length === 12 ? true : undefined), 20_000);
    expect(starts[11]! - starts[0]!).toBeGreaterThanOrEqual(550);
  }, 30_000);

  it('retries, and keeps what failed', async () => {
    const jobs = queue('failing');
    opened(
      new Worker(
        'failing',
        async (job) => {
          if (job.data.broken || job.attemptsMade === 0) throw new Error('not yet');
          return 'fine';
        },
        { connection: connection() },
      ),
    );
    const events = opened(new QueueEvents('failing', { connection: connection() }));
    const good = await jobs.add('job', {}, { attempts: 2, backoff: { type: 'fixed', delay: 20 } });
    const bad = await jobs.add('job', { broken: true }, { attempts: 2 });
    expect(await good.waitUntilFinished(events, 10_000)).toBe('fine');
    await expect(bad.waitUntilFinished(events, 10_000)).rejects.toThrow('not yet');
    expect(await jobs.getFailedCount()).toBe(1);
  });

  it('runs the children of a flow before their parent', async () => {
    const order: string[] = [];
    opened(
      new Worker(
        'flow',
        async (job) => {
          order.push(job.name);
          return job.name === 'parent' ? Object.values(await job.getChildrenValues()).sort() : job.name;
        },
        { connection: connection(), concurrency: 3 },
      ),
    );
    const events = opened(new QueueEvents('flow', { connection: connection() }));
    await events.waitUntilReady();
    const flows = opened(new FlowProducer({ connection: connection() }));
    const { job } = await flows.add({
      name: 'parent',
      queueName: 'flow',
      children: ['a', 'b', 'c'].map((name) => ({ name, queueName: 'flow', data: {} })),
    });
    expect(await job.waitUntilFinished(events, 10_000)).toEqual(['a', 'b', 'c']);
    expect(order.at(-1)).toBe('parent');
  });

  it('repeats a job', async () => {
    const jobs = queue('repeating');
    let runs = 0;
    opened(new Worker('repeating', async () => void runs++, { connection: connection() }));
    await jobs.upsertJobScheduler('every', { every: 50, limit: 4 }, { name: 'tick' });
    await until(async () => (runs >= 4 ? true : undefined), 10_000);
    expect(await jobs.getJobSchedulersCount()).toBeLessThanOrEqual(1);
    await jobs.removeJobScheduler('every');
  });
});
