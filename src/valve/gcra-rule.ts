/**
 * A GCRA rule in exact numbers. A rule of `limit` units an interval spaces units interval / limit apart and lets `burst`
 * of them start back to back: with TAT the state, a job of cost c starts if
 *
 *     max(TAT, now) + (c − burst) · interval / limit ≤ now,       then TAT = max(TAT, now) + c · interval / limit.
 *
 * `gcraLimit` of `src/gcra` has the same spacing for the period n · interval and the burst n · limit, n any whole number,
 * and lets n · limit units start at once. Asking it for n · limit − burst units more than the job costs therefore gives
 * the decision and the wait of the rule; telling it the cost alone moves the state on.
 */
import { GcraResult, gcraLimit } from '../gcra/limit.js';
import { GcraState } from '../gcra/state.js';
import type { Rule } from './policy.js';

/** An exact number of ms: whole + part / limit, 0 ≤ part < limit. */
export interface ExactMs {
  readonly whole: number;
  readonly part: number;
}

/** How much a cost moves TAT. */
export function stepOf(rule: Rule, cost: number): ExactMs {
  return exactMs(cost, rule);
}

/** How far in the future TAT may lie for a job of this cost to start. */
export function slackOf(rule: Rule, cost: number): ExactMs {
  return exactMs(rule.burst - cost, rule);
}

function exactMs(units: number, { interval, limit }: Rule): ExactMs {
  const total = BigInt(units) * BigInt(interval);
  return { whole: Number(total / BigInt(limit)), part: Number(total % BigInt(limit)) };
}

/** Decides the rule on states that are kept in this process. */
export class GcraRule {
  private readonly period: number;
  private readonly capacity: number;
  private readonly reserve: number;
  private readonly trial = new GcraState();
  private readonly result = new GcraResult();

  constructor(rule: Rule) {
    const n = Math.ceil(rule.burst / rule.limit);
    this.period = n * rule.interval;
    this.capacity = n * rule.limit;
    this.reserve = this.capacity - rule.burst;
  }

  /** Ms until a job of this cost may start; 0 if it may now. Changes nothing. */
  wait(state: GcraState, now: number, cost: number): number {
    const { trial, result } = this;
    trial.whole = state.whole;
    trial.numerator = state.numerator;
    trial.denominator = state.denominator;
    trial.wide = state.wide;
    gcraLimit(trial, now, this.period, this.capacity, cost + this.reserve, result);
    return result.denied === 0 ? 0 : Number(result.retry);
  }

  /** Spends the cost, which `wait` has found to be admitted, and returns the unix ms at which all is recovered. */
  spend(state: GcraState, now: number, cost: number): number {
    gcraLimit(state, now, this.period, this.capacity, cost, this.result);
    return this.result.expireAt;
  }
}
