/** Time as valves see it: real, or moved by hand in tests. */
import type { StoreClock } from './store.js';

/** Node's timers take at most a signed 32-bit number of ms. */
const LONGEST_SLEEP = 0x7fff_ffff;

export const systemClock: Required<StoreClock> = {
  now: () => Date.now(),
  after: afterRealTime,
};

/** A timer of the process; one that is too long for it fires early, which whoever waits has to bear. */
export function afterRealTime(ms: number, run: () => void): () => void {
  const timer = setTimeout(run, Math.min(Math.max(Math.ceil(ms), 0), LONGEST_SLEEP));
  return () => clearTimeout(timer);
}

/** A steady count of ms that nobody can set back. */
export function steadyNow(): number {
  return performance.now();
}

export interface ManualClock extends Required<StoreClock> {
  /** Moves time on, running every timer at its moment and letting what it sets off come to rest. */
  advance(ms: number): Promise<void>;
}

/** A clock for tests of paced code, to be given to `memoryStore`: it stands still until it is advanced. */
export function manualClock(startMs = 0): ManualClock {
  let time = startMs;
  const timers = new Set<{ at: number; run: () => void }>();
  return {
    now: () => time,
    after(ms, run) {
      const timer = { at: time + Math.max(ms, 0), run };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    async advance(ms) {
      const end = time + ms;
      for (;;) {
        await settled();
        const next = [...timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
        if (next === undefined) break;
        time = Math.max(time, next.at);
        timers.delete(next);
        next.run();
      }
      time = end;
    },
  };
}

/** Resolves after all promises that are resolved now have had their reactions. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
