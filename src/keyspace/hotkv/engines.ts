/**
 * What HotKV keeps beside the databases: named objects of the node that no database counts and KEYS does not show
 * (our reading; the official client describes them as answered from the node's own state).
 */
import type { Bytes } from '../../protocol/reply.js';
import { AgentMemory } from './agent-memory.js';
import type { EmbeddingStore } from './embedding-store.js';
import type { FeatureGroup } from './feature-group.js';
import type { LlmBudget } from './llm-budget.js';
import type { LlmMeter } from './llm-meter.js';
import type { NamespaceCache } from './namespace-cache.js';
import { PriceTable } from './price-table.js';
import type { PromptCache } from './prompt-cache.js';
import type { PromptTemplate } from './prompt-template.js';
import type { RagPipeline } from './rag-pipeline.js';
import type { RateLimiter } from './rate-limiter.js';
import type { SemanticCache } from './semantic-cache.js';
import type { TimeSeries } from './time-series.js';
import type { VectorIndex } from './vector-index.js';

/** The families of caches of one shape. */
export const KEYED_CACHES = ['tool.cache', 'ncache', 'guard', 'rerank'] as const;
export type KeyedCacheFamily = (typeof KEYED_CACHES)[number];

export class Engines {
  readonly rateLimiters = new Map<Bytes, RateLimiter>();
  readonly vectorIndexes = new Map<Bytes, VectorIndex>();
  readonly timeSeries = new Map<Bytes, TimeSeries>();
  readonly featureGroups = new Map<Bytes, FeatureGroup>();
  readonly prompts = new Map<Bytes, PromptTemplate>();
  readonly ragPipelines = new Map<Bytes, RagPipeline>();
  readonly embeddingStores = new Map<Bytes, EmbeddingStore>();
  readonly agentMemory = new AgentMemory();
  readonly llmMeters = new Map<Bytes, LlmMeter>();
  readonly llmBudgets = new Map<Bytes, LlmBudget>();
  readonly prices = new PriceTable();
  readonly semanticCaches = new Map<Bytes, SemanticCache>();
  readonly promptCaches = new Map<Bytes, PromptCache>();
  readonly keyedCaches: Readonly<Record<KeyedCacheFamily, Map<Bytes, NamespaceCache>>> = {
    'tool.cache': new Map(),
    ncache: new Map(),
    guard: new Map(),
    rerank: new Map(),
  };
  /** Bytes that clients keep here, by name (VSIM.SAVE). */
  readonly snapshots = new Map<Bytes, Bytes>();

  /** Estimated bytes of all of it. */
  get bytes(): number {
    let { bytes } = this.agentMemory;
    for (const limiter of this.rateLimiters.values()) bytes += limiter.bytes;
    for (const index of this.vectorIndexes.values()) bytes += index.bytes;
    for (const series of this.timeSeries.values()) bytes += series.bytes;
    for (const group of this.featureGroups.values()) bytes += group.bytes;
    for (const template of this.prompts.values()) bytes += template.bytes;
    for (const pipeline of this.ragPipelines.values()) bytes += pipeline.bytes;
    for (const store of this.embeddingStores.values()) bytes += store.bytes;
    for (const meter of this.llmMeters.values()) bytes += meter.bytes;
    for (const budget of this.llmBudgets.values()) bytes += budget.bytes;
    bytes += this.prices.bytes;
    for (const cache of this.caches()) bytes += cache.bytes;
    for (const blob of this.snapshots.values()) bytes += blob.length;
    return bytes;
  }

  /** How many named objects there are of each kind, for INFO and OBSERVE. */
  counts(): readonly (readonly [name: string, count: number])[] {
    const { agentMemory, keyedCaches } = this;
    return [
      ['rate_limiters', this.rateLimiters.size],
      ['vector_indexes', this.vectorIndexes.size],
      ['vector_snapshots', this.snapshots.size],
      ['time_series', this.timeSeries.size],
      ['feature_groups', this.featureGroups.size],
      ['semantic_caches', this.semanticCaches.size],
      ['prompt_caches', this.promptCaches.size],
      ['tool_caches', keyedCaches['tool.cache'].size],
      ['negative_caches', keyedCaches.ncache.size],
      ['guard_caches', keyedCaches.guard.size],
      ['rerank_caches', keyedCaches.rerank.size],
      ['llm_buckets', this.llmMeters.size],
      ['llm_budgets', this.llmBudgets.size],
      ['prompt_templates', this.prompts.size],
      ['agent_sessions', agentMemory.conversations.size],
      ['agent_semantic_memories', agentMemory.semantic.size],
      ['agent_event_logs', agentMemory.events.size],
      ['agent_summaries', agentMemory.summaries.size],
      ['embedding_namespaces', this.embeddingStores.size],
      ['rag_pipelines', this.ragPipelines.size],
    ];
  }

  /** Removes everything (FLUSHALL). */
  clear(): void {
    this.rateLimiters.clear();
    this.vectorIndexes.clear();
    this.snapshots.clear();
    this.timeSeries.clear();
    this.featureGroups.clear();
    this.llmMeters.clear();
    this.llmBudgets.clear();
    this.prices.clear();
    this.prompts.clear();
    this.agentMemory.clear();
    this.embeddingStores.clear();
    this.ragPipelines.clear();
    this.semanticCaches.clear();
    this.promptCaches.clear();
    for (const family of KEYED_CACHES) this.keyedCaches[family].clear();
  }

  /** Removes up to `limit` entries of caches and memories that are due; returns how many. */
  expireDue(now: number, limit: number): number {
    let removed = this.agentMemory.removeDue(now, limit);
    for (const cache of this.caches()) {
      removed += cache.removeDue(now, limit - removed);
      if (removed === limit) break;
    }
    return removed;
  }

  private *caches(): Generator<NamespaceCache> {
    yield* this.semanticCaches.values();
    yield* this.promptCaches.values();
    for (const family of KEYED_CACHES) yield* this.keyedCaches[family].values();
  }
}
