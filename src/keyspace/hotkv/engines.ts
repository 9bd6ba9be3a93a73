/**
 * What HotKV keeps beside the databases: named objects of the node that no database counts and KEYS does not show
 * (our reading; the official client describes them as answered from the node's own state).
 */
import type { Bytes } from '../../protocol/reply.js';
import { AgentMemory } from './agent-memory.js';
import type { EmbeddingStore } from './embedding-store.js';
import type { FeatureGroup } from './feature-group.js';
import type { PromptTemplate } from './prompt-template.js';
import type { RagPipeline } from './rag-pipeline.js';
import type { RateLimiter } from './rate-limiter.js';
import type { TimeSeries } from './time-series.js';
import type { VectorIndex } from './vector-index.js';

export class Engines {
  readonly rateLimiters = new Map<Bytes, RateLimiter>();
  readonly vectorIndexes = new Map<Bytes, VectorIndex>();
  readonly timeSeries = new Map<Bytes, TimeSeries>();
  readonly featureGroups = new Map<Bytes, FeatureGroup>();
  readonly prompts = new Map<Bytes, PromptTemplate>();
  readonly ragPipelines = new Map<Bytes, RagPipeline>();
  readonly embeddingStores = new Map<Bytes, EmbeddingStore>();
  readonly agentMemory = new AgentMemory();
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
    for (const blob of this.snapshots.values()) bytes += blob.length;
    return bytes;
  }

  /** Removes everything (FLUSHALL). */
  clear(): void {
    this.rateLimiters.clear();
    this.vectorIndexes.clear();
    this.snapshots.clear();
    this.timeSeries.clear();
    this.featureGroups.clear();
    this.prompts.clear();
    this.agentMemory.clear();
    this.embeddingStores.clear();
    this.ragPipelines.clear();
  }
}
