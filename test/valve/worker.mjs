/**
 * A worker of the tests with many processes: paces jobs on a server until its time is over. It writes `ready`, waits for a
 * line on stdin, and writes `start AT` and `end` for each job, AT being the store's unix ms.
 */
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { createValve, ioredisStore, ValveError } from '../../dist/valve/index.js';

const { port, rate, lease, runMs, jobMs, concurrency } = JSON.parse(process.argv[2]);
const redis = new Redis(port, '127.0.0.1');
const valve = createValve({ name: 'workers', store: ioredisStore(redis), rate, lease });
valve.on('admitted', ({ at }) => process.stdout.write(`start ${at}\n`));

await once(redis, 'ready');
process.stdout.write('ready\n');
await once(process.stdin, 'data');

const end = performance.now() + runMs;
async function work() {
  for (;;) {
    const left = Math.floor(end - performance.now());
    if (left <= 0) return;
    try {
      await valve.run(() => (jobMs > 0 ? sleep(jobMs) : undefined), { maxWait: left });
      process.stdout.write('end\n');
    } catch (error) {
      if (error instanceof ValveError && error.code === 'WAIT_TOO_LONG') return;
      throw error;
    }
  }
}
await Promise.all(Array.from({ length: concurrency }, work));
await valve.close();
redis.disconnect();
process.exit(0);
