/** A namespace of SCACHE: answers found by the vector that is nearest to the one of the question. */
import type { Bytes } from '../../protocol/reply.js';
import { type CachedAnswer, NamespaceCache } from './namespace-cache.js';
import { VectorIndex } from './vector-index.js';
import type { VectorMetric } from './vector-metrics.js';

/** An answer, and how similar its vector is to the one that was looked for. */
export interface SimilarAnswer {
  readonly answer: CachedAnswer;
  readonly similarity: number;
}

export class SemanticCache extends NamespaceCache {
  /** Vectors by query, of live entries and of due ones that are still to be removed. */
  private readonly vectors: VectorIndex;

  constructor(
    readonly dims: number,
    readonly metric: VectorMetric,
    /** The least similarity of a hit. */
    public threshold: number,
    ttlSeconds: number,
  ) {
    super(Number.POSITIVE_INFINITY, ttlSeconds);
    this.vectors = new VectorIndex(dims, metric);
  }

  override get bytes(): number {
    return super.bytes + this.vectors.bytes;
  }

  /** Sets the answer of a query, found by its vector from now on. */
  setSimilar(query: Bytes, vector: Float64Array, answer: CachedAnswer, expiresAt: number, now: number): void {
    this.set(query, answer, expiresAt, now);
    if (this.has(query)) this.vectors.set(query, vector);
  }

  /** The answer whose vector is nearest, if it is at least as similar as asked for; counted as a hit or a miss. */
  nearest(vector: Float64Array, threshold: number, now: number): SimilarAnswer | undefined {
    const [neighbour] = this.vectors.search(vector, 1, (query) => this.isLive(query, now));
    if (neighbour !== undefined) {
      const similarity = similarityOf(neighbour.distance, this.metric);
      if (similarity >= threshold) {
        const answer = this.use(neighbour.key);
        return { answer, similarity };
      }
    }
    this.misses++;
    return undefined;
  }

  protected override delete(query: Bytes): boolean {
    this.vectors.delete(query);
    return super.delete(query);
  }
}

/** Cosine and inner product as they are; 1/(1 + d) of a Euclidean distance d. */
function similarityOf(distance: number, metric: VectorMetric): number {
  return metric === 'l2' ? 1 / (1 + distance) : 1 - distance;
}
