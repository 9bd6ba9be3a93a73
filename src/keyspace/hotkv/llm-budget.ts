/** A cap on tokens and money in windows of time that follow one another without a gap. */

/** Estimated bytes of a budget. */
const BUDGET_BYTES = 400;

export interface BudgetLimits {
  /** 0: no limit. */
  readonly tokens: number;
  /** Micro-dollars; 0: no limit. */
  readonly cost: bigint;
  readonly windowSeconds: number;
}

export class LlmBudget {
  readonly bytes = BUDGET_BYTES;
  tokensUsed = 0;
  /** Micro-dollars. */
  costUsed = 0n;
  /** Calls of models without a price since the window began. */
  unpriced = 0;
  private windowStart: number;

  /** The first window begins at `now`, unix ms. */
  constructor(
    public limits: BudgetLimits,
    now: number,
  ) {
    this.windowStart = now;
  }

  /** Takes tokens and micro-dollars if neither exceeds its limit; else takes nothing and answers false. */
  consume(tokens: number, cost: bigint, unpriced: boolean, now: number): boolean {
    this.turn(now);
    const { limits } = this;
    if (limits.tokens > 0 && this.tokensUsed + tokens > limits.tokens) return false;
    if (limits.cost > 0n && this.costUsed + cost > limits.cost) return false;
    this.tokensUsed += tokens;
    this.costUsed += cost;
    if (unpriced) this.unpriced++;
    return true;
  }

  /** Whole seconds until the window ends, rounded up. */
  remainingSeconds(now: number): number {
    this.turn(now);
    return Math.ceil((this.windowStart + this.limits.windowSeconds * 1000 - now) / 1000);
  }

  /** Begins a new window, with nothing used. */
  reset(now: number): void {
    this.windowStart = now;
    this.tokensUsed = 0;
    this.costUsed = 0n;
    this.unpriced = 0;
  }

  /** Goes to the window that `now` is in, an earlier one where the clock was set back; in another one nothing is used. */
  private turn(now: number): void {
    const length = this.limits.windowSeconds * 1000;
    const windows = Math.floor((now - this.windowStart) / length);
    if (windows !== 0) this.reset(this.windowStart + windows * length);
  }
}
