/** How jobs wait: order, time limits, aborts, leases, stores that fail. On memory, with a clock moved by hand. */
import { describe, expect, it } from 'vitest';
import {
  createValve,
  type IoredisClient,
  ioredisStore,
  type JobEvent,
  manualClock,
  memoryStore,
  type ValveError,
  type ValveOptions,
} from '../../src/valve/index.js';

const START = Date.UTC(2026, 5, 1);

function pacedValve(options: Partial<ValveOptions> = {}) {
  const clock = manualClock(START);
  const rate = { limit: 10, interval: '1s' };
  const valve = createValve({ name: 'v', store: memoryStore({ clock }), rate, ...options });
  const starts: [label: string, ms: number][] = [];
  /** A job that notes its start and takes some ms. */
  const job =
    (label: string, ms = 0) =>
    async () => {
      starts.push([label, clock.now() - START]);
      if (ms > 0) await new Promise<void>((resolve) => clock.after(ms, resolve));
      return label;
    };
  return { clock, valve, starts, job };
}

describe('run', () => {
  it('spaces starts and returns what jobs return', async () => {
    const { clock, valve, starts, job } = pacedValve();
    const results = Promise.all(['a', 'b', 'c'].map((label) => valve.run(job(label))));
    await clock.advance(1_000);
    expect(await results).toEqual(['a', 'b', 'c']);
    expect(starts).toEqual([
      ['a', 0],
      ['b', 100],
      ['c', 200],
    ]);
  });

  it('is first come first served, also when a later job costs less', async () => {
    const { clock, valve, starts, job } = pacedValve({ rate: { limit: 10, interval: '1s', burst: 3 } });
    for (const [label, cost] of [
      ['a', 3],
      ['b', 3],
      ['c', 1],
      ['d', 2],
    ] as const)
      void valve.run(job(label), { cost });
    await clock.advance(2_000);
    expect(starts).toEqual([
      ['a', 0],
      ['b', 300],
      ['c', 400],
      ['d', 600],
    ]);
  });

  it('rejects with what a job throws', async () => {
    const { valve } = pacedValve();
    await expect(valve.run(() => Promise.reject(new Error('mine')))).rejects.toThrow('mine');
    const { valve: other } = pacedValve();
    const thrown = other.run(() => {
      throw new Error('at once');
    });
    await expect(thrown).rejects.toThrow('at once');
  });

  it('a job that its own scope holds back lets others pass; a shared rule holds back all', async () => {
    const { clock, valve, starts, job } = pacedValve({
      rate: [
        { limit: 10, interval: '1s', burst: 1 },
        { limit: 1, interval: '1s', name: 'each', scope: 'tenant' },
      ],
    });
    for (const [label, tenant] of [
      ['a1', 'a'],
      ['a2', 'a'],
      ['b1', 'b'],
      ['c1', 'c'],
      ['b2', 'b'],
    ] as const) {
      void valve.run(job(label), { scope: { tenant } });
    }
    await clock.advance(5_000);
    expect(starts).toEqual([
      ['a1', 0],
      ['b1', 100],
      ['c1', 200],
      ['a2', 1_000],
      ['b2', 1_100],
    ]);
  });

  it('keeps to combined rules', async () => {
    const { clock, valve, starts, job } = pacedValve({
      rate: [
        { limit: 10, interval: '1s' },
        { limit: 3, interval: '1m', algorithm: 'fixed-window' },
      ],
    });
    for (const label of ['a', 'b', 'c', 'd']) void valve.run(job(label));
    await clock.advance(60_000);
    expect(starts).toEqual([
      ['a', 0],
      ['b', 100],
      ['c', 200],
      ['d', 60_000],
    ]);
  });

  it('sets one timer however many wait', async () => {
    const clock = manualClock(START);
    let timers = 0;
    const counting = {
      now: clock.now,
      after(ms: number, run: () => void) {
        timers++;
        const cancel = clock.after(ms, () => {
          timers--;
          run();
        });
        return () => {
          timers--;
          cancel();
        };
      },
    };
    const valve = createValve({
      name: 'v',
      store: memoryStore({ clock: counting }),
      rate: { limit: 1, interval: '1s' },
      lease: { max: 2, ttl: '10s' },
    });
    for (let i = 0; i < 50; i++) void valve.run(() => undefined, { maxWait: '100s' });
    expect(timers).toBe(1);
    await clock.advance(60_000);
    expect(timers).toBe(0);
  });
});

describe('maxWait', () => {
  it('rejects at once what the rules would start later, and what is behind it in time', async () => {
    const { clock, valve, starts, job } = pacedValve();
    void valve.run(job('a'));
    const late = valve.run(job('b'), { maxWait: 99 });
    await expect(late).rejects.toMatchObject({ code: 'WAIT_TOO_LONG', wait: 100 });
    const inTime = valve.run(job('c'), { maxWait: 100 });
    const behind = valve.run(job('d'), { maxWait: '150ms' });
    behind.catch(() => undefined);
    await clock.advance(151);
    expect(await inTime).toBe('c');
    await expect(behind).rejects.toMatchObject({ code: 'WAIT_TOO_LONG' });
    expect(starts).toEqual([
      ['a', 0],
      ['c', 100],
    ]);
  });
});

describe('an abort', () => {
  it('rejects a waiting job, which has spent nothing', async () => {
    const { clock, valve, starts, job } = pacedValve();
    const controller = new AbortController();
    void valve.run(job('a'));
    const aborted = valve.run(job('b'), { signal: controller.signal });
    void valve.run(job('c'));
    controller.abort('reason');
    await expect(aborted).rejects.toMatchObject({ code: 'ABORTED', cause: 'reason' });
    await clock.advance(1_000);
    expect(starts).toEqual([
      ['a', 0],
      ['c', 100],
    ]);
    await expect(valve.run(job('d'), { signal: controller.signal })).rejects.toMatchObject({ code: 'ABORTED' });
  });

  it('while the store is asked gives what was admitted to the next job, or back', async () => {
    const answers: ((admitted: boolean) => void)[] = [];
    const refunds: unknown[] = [];
    const client: IoredisClient = {
      evalsha: (_sha, keyCount, ...rest) =>
        rest[keyCount] === undefined || !rest[keyCount].startsWith('{')
          ? Promise.resolve(refunds.push(rest.slice(keyCount)))
          : new Promise((resolve) => answers.push((yes) => resolve(yes ? [1, START, 'state'] : [0, START, 0, 5]))),
      eval: () => Promise.reject(new Error('not asked')),
    };
    const valve = createValve({ name: 'v', store: ioredisStore(client), rate: { limit: 10, interval: '1s' } });
    const controller = new AbortController();
    const ran: string[] = [];
    const first = valve.run(() => ran.push('first'), { signal: controller.signal });
    const second = valve.run(() => ran.push('second'));
    controller.abort();
    await expect(first).rejects.toMatchObject({ code: 'ABORTED' });
    answers[0]!(true);
    await second;
    expect(ran).toEqual(['second']);
    answers[1]!(true);
    await expect.poll(() => refunds).toHaveLength(1);
    expect((refunds[0] as string[]).slice(1)).toEqual(['state', '100', '0']);
  });
});

describe('tryRun and peek', () => {
  it('run now or say how long to wait', async () => {
    const { clock, valve, job } = pacedValve();
    expect(await valve.peek()).toEqual({ wait: 0, heldBy: [] });
    expect(await valve.tryRun(job('a'))).toEqual({ admitted: true, value: 'a' });
    expect(await valve.tryRun(job('b'))).toEqual({ admitted: false, wait: 100 });
    await clock.advance(40);
    expect(await valve.peek()).toEqual({ wait: 60, heldBy: [{ what: 'rule gcra/1000ms', wait: 60 }] });
    await clock.advance(60);
    expect(await valve.peek()).toEqual({ wait: 0, heldBy: [] });
    expect(await valve.peek()).toEqual({ wait: 0, heldBy: [] });
    await expect(valve.peek({ cost: 2 })).rejects.toMatchObject({ code: 'COST_EXCEEDS_LIMIT' });
  });

  it('tryRun does not overtake those that wait', async () => {
    const { clock, valve, starts, job } = pacedValve();
    void valve.run(job('a'));
    void valve.run(job('b'));
    expect(await valve.tryRun(job('c'))).toEqual({ admitted: false, wait: 100 });
    await clock.advance(1_000);
    expect(starts.map(([label]) => label)).toEqual(['a', 'b']);
  });
});

describe('drain and close', () => {
  it('drain resolves when nothing waits or runs', async () => {
    const { clock, valve, starts, job } = pacedValve();
    await valve.drain();
    for (const label of ['a', 'b']) void valve.run(job(label, 30));
    let drained = false;
    void valve.drain().then(() => {
      drained = true;
    });
    await clock.advance(129);
    expect([drained, starts.length]).toEqual([false, 2]);
    await clock.advance(2);
    expect(drained).toBe(true);
  });

  it('close rejects what waits, waits for what runs, and takes nothing more', async () => {
    const { clock, valve, starts, job } = pacedValve();
    const running = valve.run(job('a', 50));
    const waiting = valve.run(job('b'));
    waiting.catch(() => undefined);
    const closed = valve.close();
    await expect(waiting).rejects.toMatchObject({ code: 'CLOSED' });
    await expect(valve.run(job('c'))).rejects.toMatchObject({ code: 'CLOSED' });
    await expect(valve.tryRun(job('d'))).rejects.toMatchObject({ code: 'CLOSED' });
    await clock.advance(50);
    await closed;
    expect(await running).toBe('a');
    expect(starts).toEqual([['a', 0]]);
  });
});

describe('a lease', () => {
  const lease = { max: 2, ttl: '300ms' };
  const rate = { limit: 1_000, interval: '1s', burst: 1_000 };

  it('bounds how many run, is renewed while they do, and is freed at the end, also by a throw', async () => {
    const { clock, valve, starts, job } = pacedValve({ lease, rate });
    void valve.run(job('a', 1_000));
    const thrown = valve.run(async () => {
      await job('b', 500)();
      throw new Error('b');
    });
    thrown.catch(() => undefined);
    void valve.run(job('c', 1));
    void valve.run(job('d', 1));
    await clock.advance(2_000);
    await expect(thrown).rejects.toThrow('b');
    expect(starts).toEqual([
      ['a', 0],
      ['b', 0],
      ['c', 500],
      ['d', 501],
    ]);
    expect((await valve.peek()).wait).toBe(0);
  });

  it('is shared by all workers; peek tells when the next lapses', async () => {
    const { clock, valve, job } = pacedValve({ lease, rate });
    const store = memoryStore({ clock });
    const [one, other] = [0, 1].map(() => createValve({ name: 'w', store, rate, lease }));
    const held = [1, 2].map(() => one!.run(job('held', 450)));
    const late = other!.run(job('late', 1));
    expect(await other!.peek()).toEqual({ wait: 300, heldBy: [{ what: 'lease', wait: 300 }] });
    await clock.advance(449);
    expect(await Promise.race([late, 'waits'])).toBe('waits');
    await clock.advance(101);
    expect(await late).toBe('late');
    await Promise.all(held);
    await valve.close();
  });

  it('that is lost aborts the signal of its job', async () => {
    const { clock, valve } = pacedValve({ lease, rate });
    let signal: AbortSignal | undefined;
    void valve.run((context) => {
      signal = context.signal;
      return new Promise<void>((resolve) => clock.after(2_000, resolve));
    });
    const { now } = clock;
    clock.now = () => now() + 10_000; // as after a long halt of this process
    await clock.advance(150);
    expect(signal?.aborted).toBe(true);
  });
});

describe('events', () => {
  it('tell what becomes of jobs', async () => {
    const { clock, valve, job } = pacedValve();
    const told: unknown[] = [];
    for (const name of ['admitted', 'delayed', 'rejected'] as const) {
      valve.on(name, ({ cost, scope, ...rest }: JobEvent & { readonly error?: ValveError }) => {
        const code = rest.error?.code;
        told.push([name, code ?? rest]);
        expect([cost, scope]).toEqual([1, {}]);
      });
    }
    void valve.run(job('a'));
    void valve.run(job('b'));
    await clock.advance(100);
    await valve.run(job('c'), { maxWait: 0 }).catch(() => undefined);
    expect(told).toEqual([
      ['admitted', { at: START, waited: 0 }],
      ['delayed', { wait: 100 }],
      ['admitted', { at: START + 100, waited: 100 }],
      ['rejected', 'WAIT_TOO_LONG'],
    ]);
  });
});

describe('a store that fails', () => {
  /** A client that answers once it is healed. */
  function brokenClient() {
    const state = { broken: true, calls: 0 };
    const answer = async () => {
      state.calls++;
      if (state.broken) throw new Error('gone');
      return [1, START, 'state'];
    };
    return { state, client: { evalsha: answer, eval: answer } satisfies IoredisClient };
  }
  const rate = { limit: 10, interval: '1s' };

  it("with 'reject' rejects its jobs", async () => {
    const { client, state } = brokenClient();
    const valve = createValve({ name: 'v', store: ioredisStore(client), rate, onStoreError: 'reject' });
    const errors: unknown[] = [];
    valve.on('storeError', (error) => errors.push(error));
    await expect(valve.run(() => 1)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE', cause: { message: 'gone' } });
    await expect(valve.tryRun(() => 1)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    expect(errors).toHaveLength(2);
    state.broken = false;
    expect(await valve.run(() => 1)).toBe(1);
  });

  it('by default waits with growing pauses, up to maxWait', async () => {
    const { client, state } = brokenClient();
    const valve = createValve({ name: 'v', store: ioredisStore(client), rate });
    const late = valve.run(() => 1, { maxWait: 120 });
    const patient = valve.run(() => 2);
    await expect(late).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    expect(state.calls).toBeLessThanOrEqual(5);
    state.broken = false;
    expect(await patient).toBe(2);
    await valve.drain();
  });
});

describe('a policy', () => {
  it('other than the stored one is refused until the fingerprint is reset; what is spent stays spent', async () => {
    const clock = manualClock(START);
    const store = memoryStore({ clock });
    const before = createValve({ name: 'v', store, rate: { limit: 1, interval: '1h' } });
    const after = createValve({ name: 'v', store, rate: { limit: 1, interval: '1h', burst: 2 } });
    await before.run(() => 1);
    await expect(after.run(() => 2)).rejects.toMatchObject({
      code: 'INVALID_OPTIONS',
      problems: ['rule gcra/3600000ms: burst is 2 here and 1 in the store'],
    });
    await before.resetFingerprint();
    expect(await after.tryRun(() => 2)).toMatchObject({ admitted: true });
    expect(await after.tryRun(() => 3)).toMatchObject({ admitted: false, wait: 3_600_000 });
    await expect(before.peek()).rejects.toMatchObject({ code: 'INVALID_OPTIONS' });
  });
});
