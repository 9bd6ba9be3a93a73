/**
 * Prices of language models: a small table noted in 2025-11 and checked against no provider, which is there from the start, and those that a
 * client has set, which go before it. Nobody keeps the built-in ones up to date: who wants exact money sets prices.
 */
import type { Bytes } from '../../protocol/reply.js';
import { proportion } from './money.js';
import { costOf, type TokenPrices, type TokenUsage } from './token-usage.js';

export type PriceSource = 'default' | 'custom' | 'unpriced';

export interface PriceEntry {
  readonly model: Bytes;
  readonly source: PriceSource;
  readonly prices: TokenPrices;
  /** Whether the model's provider has withdrawn it. */
  readonly retired: boolean;
}

/** Micro-dollars for 1,000,000 tokens: model, input, output, cache read, whether it is retired. */
const BUILT_IN: readonly (readonly [model: Bytes, input: bigint, output: bigint, cacheRead: bigint, retired?: true])[] =
  [
    ['claude-opus-4-1', 15_000_000n, 75_000_000n, 1_500_000n],
    ['claude-sonnet-4-5', 3_000_000n, 15_000_000n, 300_000n],
    ['claude-haiku-4-5', 1_000_000n, 5_000_000n, 100_000n],
    ['claude-3-5-haiku', 800_000n, 4_000_000n, 80_000n],
    ['claude-3-opus', 15_000_000n, 75_000_000n, 1_500_000n, true],
    ['gpt-4.1', 2_000_000n, 8_000_000n, 500_000n],
    ['gpt-4.1-mini', 400_000n, 1_600_000n, 100_000n],
    ['gpt-4o', 2_500_000n, 10_000_000n, 1_250_000n],
    ['gpt-4o-mini', 150_000n, 600_000n, 75_000n],
  ];

const FREE: TokenPrices = { input: 0n, output: 0n, cacheRead: 0n, cacheWrite5m: 0n, cacheWrite1h: 0n };

/** Cache prices that are left out, in hundredths of the input price (official client 1.0.0). */
const CACHE_READ_SHARE = 10;
const CACHE_WRITE_5M_SHARE = 125;
const CACHE_WRITE_1H_SHARE = 200;

/** All five prices; those of caches follow from the input price where they are not given. */
export function pricesOf(
  input: bigint,
  output: bigint,
  caches: { readonly read?: bigint; readonly write5m?: bigint; readonly write1h?: bigint } = {},
): TokenPrices {
  return {
    input,
    output,
    cacheRead: caches.read ?? proportion(input, CACHE_READ_SHARE, 100),
    cacheWrite5m: caches.write5m ?? proportion(input, CACHE_WRITE_5M_SHARE, 100),
    cacheWrite1h: caches.write1h ?? proportion(input, CACHE_WRITE_1H_SHARE, 100),
  };
}

const BUILT_IN_ENTRIES: ReadonlyMap<Bytes, PriceEntry> = new Map(
  BUILT_IN.map(([model, input, output, read, retired]) => [
    model,
    { model, source: 'default', prices: pricesOf(input, output, { read }), retired: retired === true },
  ]),
);

export class PriceTable {
  private readonly custom = new Map<Bytes, PriceEntry>();

  /** Estimated bytes of the custom prices. */
  get bytes(): number {
    return this.custom.size * 300;
  }

  set(model: Bytes, prices: TokenPrices): void {
    const retired = BUILT_IN_ENTRIES.get(model)?.retired === true;
    this.custom.set(model, { model, source: 'custom', prices, retired });
  }

  /** The prices that hold for a model; of an unknown one all are 0 and the source is `unpriced`. */
  get(model: Bytes): PriceEntry {
    return (
      this.custom.get(model) ??
      BUILT_IN_ENTRIES.get(model) ?? { model, source: 'unpriced', prices: FREE, retired: false }
    );
  }

  /** Every model that has a price, by name. */
  list(): PriceEntry[] {
    const models = new Set([...BUILT_IN_ENTRIES.keys(), ...this.custom.keys()]);
    return [...models].sort().map((model) => this.get(model));
  }

  /** Removes a custom price; false when there is none. A built-in one applies again. */
  delete(model: Bytes): boolean {
    return this.custom.delete(model);
  }

  /** What a call costs in micro-dollars, undefined where its model has no price. */
  cost({ model, tokens }: TokenUsage): bigint | undefined {
    const { source, prices } = this.get(model);
    return source === 'unpriced' ? undefined : costOf(tokens, prices);
  }

  clear(): void {
    this.custom.clear();
  }
}
