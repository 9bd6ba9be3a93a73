/** The tokens of a call of a language model, and what they cost by a table of prices. */
import type { Bytes } from '../../protocol/reply.js';

/** What is counted and priced apart (official client 1.0.0): cache writes by how long they are kept. */
export const TOKEN_KINDS = ['input', 'output', 'cacheRead', 'cacheWrite5m', 'cacheWrite1h'] as const;
export type TokenKind = (typeof TOKEN_KINDS)[number];

/** Numbers of tokens. `input` does not include those that were read from a cache. */
export type TokenCounts = Readonly<Record<TokenKind, number>>;

export interface TokenUsage {
  readonly model: Bytes;
  readonly tokens: TokenCounts;
}

/** Micro-dollars for 1,000,000 tokens of each kind. */
export type TokenPrices = Readonly<Record<TokenKind, bigint>>;

const MILLION = 1_000_000n;

/** Tokens of all kinds. */
export function totalTokens(tokens: TokenCounts): number {
  return TOKEN_KINDS.reduce((sum, kind) => sum + tokens[kind], 0);
}

/** Whole micro-dollars, rounded once for the whole call (halves up). */
export function costOf(tokens: TokenCounts, prices: TokenPrices): bigint {
  const exact = TOKEN_KINDS.reduce((sum, kind) => sum + BigInt(tokens[kind]) * prices[kind], 0n);
  return (exact * 2n + MILLION) / (MILLION * 2n);
}
