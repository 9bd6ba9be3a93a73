/** What the hits of a cache saved: the calls that were not made again, their tokens and their cost. */
import type { PriceTable } from './price-table.js';
import type { TokenUsage } from './token-usage.js';

export class UsageSavings {
  /** Hits of entries whose usage is known. */
  requests = 0;
  inputTokens = 0n;
  outputTokens = 0n;
  cacheReadTokens = 0n;
  /** Of both lifetimes. */
  cacheWriteTokens = 0n;
  /** Micro-dollars; a model without a price adds none. */
  cost = 0n;

  /** Adds a call, at the prices of now. */
  add(usage: TokenUsage, prices: PriceTable): void {
    const { input, output, cacheRead, cacheWrite5m, cacheWrite1h } = usage.tokens;
    this.requests++;
    this.inputTokens += BigInt(input);
    this.outputTokens += BigInt(output);
    this.cacheReadTokens += BigInt(cacheRead);
    this.cacheWriteTokens += BigInt(cacheWrite5m + cacheWrite1h);
    this.cost += prices.cost(usage) ?? 0n;
  }
}
