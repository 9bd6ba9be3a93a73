/** A namespace of PCACHE: answers by the exact text of the prompt, and what a hit is worth. */
import { NamespaceCache } from './namespace-cache.js';

export class PromptCache extends NamespaceCache {
  constructor(
    maxEntries: number,
    ttlSeconds: number,
    /** Micro-dollars that a hit saves. */
    public costPerHit: bigint,
  ) {
    super(maxEntries, ttlSeconds);
  }

  /** Micro-dollars that all hits saved. */
  get costSaved(): bigint {
    return BigInt(this.hits) * this.costPerHit;
  }
}
