/** What the rules promise, on random schedules at a frozen clock. */
import { describe, expect, it } from 'vitest';
import { memoryStore } from '../../src/valve/index.js';
import type { Policy, Rule } from '../../src/valve/policy.js';
import type { Decision, Gate, Rejection } from '../../src/valve/store.js';
import { type Answer, openGate, RULE_SETS, type RuleSet, randomSchedule } from './schedules.js';

const SCHEDULES = 10_000;
const T0 = Date.UTC(2026, 0, 1, 23, 59, 58);

describe.each(RULE_SETS)('$title', (ruleSet) => {
  it(`keeps its bounds in ${SCHEDULES} schedules`, { timeout: 120_000 }, () => {
    for (let seed = 0; seed < SCHEDULES; seed++) {
      const { answers, policy } = playAtOnce(ruleSet, seed);
      const broken = policy.rules.flatMap((rule) => violations(rule, answers));
      if (broken.length > 0) expect.fail(`seed ${seed}: ${broken.join('; ')}`);
    }
  });
});

describe('a wait', () => {
  it.each(RULE_SETS)('is exact to the millisecond: $title', (ruleSet) => {
    for (let seed = 0; seed < 200; seed++) {
      const { gate, policy, clock } = playAtOnce(ruleSet, seed);
      const keys = policy.stateKeys({ tenant: 'a' });
      const look = (at: number) => {
        clock.time = at;
        return atOnce(gate.peek(keys, policy.greatestCost));
      };
      const now = clock.time;
      const first = look(now);
      if (first.outcome !== 'rejected') continue;
      const wait = Math.max(first.leaseWait, ...first.ruleWaits);
      expect(look(now + wait - 1).outcome, `seed ${seed}, a ms too early`).toBe('rejected');
      // A fixed window may be full again, and so on: it alone may ask to wait once more.
      const then = look(now + wait);
      if (then.outcome === 'rejected') expect(windowsAlone(policy, then), `seed ${seed}`).toBe(true);
    }
  });
});

describe('GCRA', () => {
  it('does not drift: 7 a second for an hour, each as soon as it may', () => {
    const clock = { time: T0, now: () => clock.time };
    const { gate, policy } = openGate(memoryStore({ clock }), {
      title: 'a second unit of burst makes up for the parts of a ms that whole ms are late',
      rate: [{ limit: 7, interval: '1s', burst: 2 }],
    });
    const keys = policy.stateKeys({});
    for (let i = 0; i <= 7 * 3_600; ) {
      const decision = atOnce(gate.admit(keys, 1, 'h'));
      if (decision.outcome === 'rejected') {
        clock.time += decision.ruleWaits[0]!;
        continue;
      }
      expect(clock.time).toBe(T0 + Math.ceil((Math.max(i - 1, 0) * 1_000) / 7));
      i++;
    }
  });
});

/** Memory answers without a promise. */
function atOnce(answer: Decision | Promise<Decision>): Decision {
  if (answer instanceof Promise) throw new Error('a promise');
  return answer;
}

interface Played {
  readonly answers: Answer[];
  readonly gate: Gate;
  readonly policy: Policy;
  readonly clock: { time: number; now(): number };
}

/** Plays a schedule on memory, whose answers need no promise. */
function playAtOnce(ruleSet: RuleSet, seed: number): Played {
  const clock = { time: T0, now: () => clock.time };
  const { gate, policy } = openGate(memoryStore({ clock }), ruleSet);
  const answers = randomSchedule(seed, policy.greatestCost).map(({ gap, cost, tenant }, i) => {
    clock.time += gap;
    const decision = atOnce(gate.admit(policy.stateKeys({ tenant }), cost, `holder-${i}`));
    return { at: clock.time, cost, tenant, decision };
  });
  return { answers, gate, policy, clock };
}

function windowsAlone(policy: Policy, { ruleWaits, leaseWait }: Rejection): boolean {
  return leaseWait === 0 && ruleWaits.every((wait, i) => wait === 0 || policy.rules[i]!.algorithm === 'fixed-window');
}

/** How the admissions break a rule, if they do. */
function violations(rule: Rule, answers: readonly Answer[]): string[] {
  const identities = rule.scope.length > 0 ? ['a', 'b'] : [undefined];
  return identities.flatMap((identity) => {
    const admitted = answers.filter(
      ({ decision, tenant }) => decision.outcome === 'admitted' && (identity === undefined || tenant === identity),
    );
    return rule.algorithm === 'gcra' ? gcraViolations(rule, admitted) : windowViolations(rule, admitted);
  });
}

function gcraViolations({ interval, limit, burst }: Rule, admitted: readonly Answer[]): string[] {
  const broken: string[] = [];
  admitted.forEach(({ at, cost }, i) => {
    let units = 0;
    for (let j = i; j < admitted.length && admitted[j]!.at < at + interval; j++) units += admitted[j]!.cost;
    if (units > limit + burst - 1) broken.push(`${units} units within ${interval} ms from ${at}`);
    const next = admitted[i + 1];
    if (burst === 1 && next !== undefined && (next.at - at) * limit < cost * interval) {
      broken.push(`${next.at - at} ms after a cost of ${cost}`);
    }
  });
  return broken;
}

function windowViolations({ interval, limit }: Rule, admitted: readonly Answer[]): string[] {
  const units = new Map<number, number>();
  for (const { at, cost } of admitted) {
    const index = Math.floor(at / interval);
    units.set(index, (units.get(index) ?? 0) + cost);
  }
  return [...units].filter(([, sum]) => sum > limit).map(([index, sum]) => `${sum} units in window ${index}`);
}
