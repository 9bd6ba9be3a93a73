/** What calls of language models have used and cost, added up for ever and over the last minute. */
import { TOKEN_KINDS, type TokenCounts, type TokenKind, totalTokens } from './token-usage.js';

/** Estimated bytes of a meter. */
const METER_BYTES = 3000;
/** The rolling minute is counted by seconds. */
const SECONDS = 60;

export interface LlmCall {
  readonly tokens: TokenCounts;
  /** Micro-dollars. */
  readonly cost: bigint;
  /** Whole ms. */
  readonly latencyMs: number;
  readonly failed: boolean;
  /** Whether a model was named that has no price. */
  readonly unpriced: boolean;
}

interface Second {
  /** Unix seconds. */
  at: number;
  requests: number;
  tokens: number;
  cost: bigint;
}

export class LlmMeter {
  readonly bytes = METER_BYTES;
  requests = 0;
  errors = 0;
  unpriced = 0;
  /** Micro-dollars. */
  cost = 0n;
  readonly tokens: Record<TokenKind, number> = { input: 0, output: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0 };
  private latencyMs = 0;
  private readonly minute: Second[] = Array.from({ length: SECONDS }, () => ({
    at: -1,
    requests: 0,
    tokens: 0,
    cost: 0n,
  }));

  /** Mean ms of a call; 0 before the first. */
  get averageLatencyMs(): number {
    return this.requests === 0 ? 0 : this.latencyMs / this.requests;
  }

  /** Counts a call at `now`, unix ms. */
  record(call: LlmCall, now: number): void {
    const { tokens, cost, latencyMs, failed, unpriced } = call;
    this.requests++;
    if (failed) this.errors++;
    if (unpriced) this.unpriced++;
    this.cost += cost;
    this.latencyMs += latencyMs;
    for (const kind of TOKEN_KINDS) this.tokens[kind] += tokens[kind];
    const second = this.second(Math.trunc(now / 1000));
    second.requests++;
    second.tokens += totalTokens(tokens);
    second.cost += cost;
  }

  /** Requests, tokens and micro-dollars of the last 60 seconds, counted by whole seconds. */
  lastMinute(now: number): { requests: number; tokens: number; cost: bigint } {
    const sum = { requests: 0, tokens: 0, cost: 0n };
    const end = Math.trunc(now / 1000);
    for (const { at, requests, tokens, cost } of this.minute) {
      if (at <= end - SECONDS || at > end) continue;
      sum.requests += requests;
      sum.tokens += tokens;
      sum.cost += cost;
    }
    return sum;
  }

  private second(at: number): Second {
    const second = this.minute[at % SECONDS]!;
    if (second.at !== at) Object.assign(second, { at, requests: 0, tokens: 0, cost: 0n });
    return second;
  }
}
