/** Fixed windows are those of the store's clock in UTC, whatever the host's clock and time zone. */
import { afterEach, describe, expect, it } from 'vitest';
import { type RunningServer, startServer } from '../../src/index.js';
import { createValve, type Duration, ioredisStore, memoryStore, type ValveStore } from '../../src/valve/index.js';

const HOUR = 3_600_000;
const zone = process.env.TZ;

interface TimedStore {
  readonly store: ValveStore;
  setTime(ms: number): void;
  close(): Promise<void>;
}

function memory(): TimedStore {
  const clock = { time: 0, now: () => clock.time };
  return {
    store: memoryStore({ clock }),
    setTime(ms) {
      clock.time = ms;
    },
    close: async () => undefined,
  };
}

async function emulator(): Promise<TimedStore> {
  const server: RunningServer = await startServer({ port: -1, clock: 0 });
  const call =
    (name: string) =>
    (script: string, keyCount: number, ...rest: string[]) =>
      server.call(name, script, keyCount, ...rest);
  return {
    store: ioredisStore({ evalsha: call('EVALSHA'), eval: call('EVAL') }),
    setTime: (ms) => server.clock.set(ms),
    close: () => server.close(),
  };
}

/** How many of ten jobs start at each of some moments, and what the last of them is told to wait. */
async function startsAt({ store, setTime }: TimedStore, interval: Duration, moments: readonly number[]) {
  const rate = { limit: 3, interval, algorithm: 'fixed-window', burst: 9 } as const;
  const valve = createValve({ name: 'windows', store, rate });
  const found: [starts: number, wait: number][] = [];
  for (const moment of moments) {
    setTime(moment);
    let starts = 0;
    let wait = 0;
    for (let i = 0; i < 10; i++) {
      const result = await valve.tryRun(() => undefined);
      if (result.admitted) starts++;
      else wait = result.wait;
    }
    found.push([starts, wait]);
  }
  return found;
}

const MIDNIGHT = Date.UTC(2026, 2, 29); // the night in which Europe's clocks go forward
/** A boundary of seven-hour blocks; no multiple of a day. */
const SEVEN = 70_000 * 7 * HOUR;

describe.each([
  ['memory', memory],
  ['the emulator', emulator],
] as const)('fixed windows on %s', (_name, open) => {
  afterEach(() => {
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  });

  it.each([
    ['24h', MIDNIGHT, 24 * HOUR],
    ['7h', SEVEN, 7 * HOUR],
    ['1m', Date.UTC(2026, 0, 1, 12, 34), 60_000],
    ['1h30m', 300_000 * 1.5 * HOUR, 1.5 * HOUR],
    [7, 7 * 250_000_000_000, 7],
  ] as const)('of %s begin at multiples from 1970 on', async (interval, boundary, length) => {
    const timed = await open();
    try {
      const found = await startsAt(timed, interval, [boundary - 1, boundary, boundary + 1, boundary + length]);
      expect(found).toEqual([
        [3, 1],
        [3, length],
        [0, length - 1],
        [3, length],
      ]);
    } finally {
      await timed.close();
    }
  });

  it.each(['America/New_York', 'Asia/Kathmandu', 'Pacific/Kiritimati'])('are the same in %s', async (name) => {
    process.env.TZ = name;
    const timed = await open();
    try {
      const found = await startsAt(timed, '24h', [MIDNIGHT - 1, MIDNIGHT]);
      expect(found).toEqual([
        [3, 1],
        [3, 24 * HOUR],
      ]);
    } finally {
      await timed.close();
    }
  });

  it("follow the store's clock where it is an hour off the host's", async () => {
    const timed = await open();
    try {
      const store = Date.now() + HOUR;
      const end = Math.ceil((store + 1) / HOUR) * HOUR;
      expect(await startsAt(timed, '1h', [store])).toEqual([[3, end - store]]);
    } finally {
      await timed.close();
    }
  });
});
