/** Random schedules of requests for admission, the rule sets they are played against, and players for each kind of store. */
import type { RuleOptions } from '../../src/valve/index.js';
import { type CheckedOptions, checkOptions, type LeaseOptions } from '../../src/valve/options.js';
import type { Decision, Gate, ValveStore } from '../../src/valve/store.js';

export interface RuleSet {
  readonly title: string;
  readonly rate: readonly RuleOptions[];
  readonly lease?: LeaseOptions;
}

export const RULE_SETS: readonly RuleSet[] = [
  { title: '10 a second', rate: [{ limit: 10, interval: '1s' }] },
  { title: '7 a second, burst 3', rate: [{ limit: 7, interval: '1s', burst: 3 }] },
  { title: '3 in 100 ms, burst 10', rate: [{ limit: 3, interval: '100ms', burst: 10 }] },
  { title: '5 in each window of 250 ms', rate: [{ limit: 5, interval: '250ms', algorithm: 'fixed-window' }] },
  {
    title: 'three rules',
    rate: [
      { limit: 10, interval: '1s', burst: 4 },
      { limit: 12, interval: '3s', algorithm: 'fixed-window' },
      { limit: 1_000, interval: '1h', burst: 9 },
    ],
  },
  {
    title: 'a scoped rule and a lease',
    rate: [
      { limit: 9, interval: '1s', burst: 6 },
      { limit: 4, interval: '1s', burst: 2, name: 'each', scope: 'tenant' },
    ],
    lease: { max: 3, ttl: '700ms' },
  },
];

export interface Request {
  /** Ms since the request before. */
  readonly gap: number;
  readonly cost: number;
  readonly tenant: string;
}

export interface Answer {
  readonly at: number;
  readonly cost: number;
  readonly tenant: string;
  readonly decision: Decision;
}

/** A small generator of numbers in [0, 1), the same for the same seed. */
export function randomFrom(seed: number): () => number {
  let state = (seed + 1) * 0x9e3779b9;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let x = Math.imul(state ^ (state >>> 15), state | 1);
    x ^= x + Math.imul(x ^ (x >>> 7), x | 61);
    return ((x ^ (x >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function randomSchedule(seed: number, greatestCost: number, length = 40): Request[] {
  const random = randomFrom(seed);
  const gaps = [0, 1, 10, 100, 1_000];
  const longest = gaps[Math.floor(random() * gaps.length)]!;
  return Array.from({ length }, () => ({
    gap: random() < 0.05 ? Math.floor(random() * 5_000) : Math.floor(random() * (longest + 1)),
    cost: random() < 0.7 ? 1 : 1 + Math.floor(random() * greatestCost),
    tenant: random() < 0.5 ? 'a' : 'b',
  }));
}

/** A gate on a store for a rule set, and what goes with it. */
export function openGate(store: ValveStore, { rate, lease }: RuleSet, name = 'v'): CheckedOptions & { gate: Gate } {
  const checked = checkOptions({ name, store, rate, lease });
  return { ...checked, gate: store.open(checked.policy) };
}

/** Plays a schedule at the times of a clock that `setTime` sets. */
export async function play(
  { gate, policy }: Pick<ReturnType<typeof openGate>, 'gate' | 'policy'>,
  schedule: readonly Request[],
  start: number,
  setTime: (ms: number) => unknown,
): Promise<Answer[]> {
  const answers: Answer[] = [];
  let at = start;
  for (const [i, { gap, cost, tenant }] of schedule.entries()) {
    at += gap;
    await setTime(at);
    const answer = gate.admit(policy.stateKeys({ tenant }), cost, `holder-${i}`);
    answers.push({ at, cost, tenant, decision: answer instanceof Promise ? await answer : answer });
  }
  return answers;
}

/** What was decided, without what only a store with refunds remembers. */
export function outcomes(answers: readonly Answer[]): unknown[] {
  return answers.map(({ decision }) => (decision.outcome === 'admitted' ? decision.at : decision));
}
