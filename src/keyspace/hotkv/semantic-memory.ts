/** What an agent remembers by meaning: texts with a vector each, recalled by the nearness of theirs to another. */
import type { Bytes } from '../../protocol/reply.js';
import { type Expiring, ExpiringMap } from './expiring-map.js';
import { VectorIndex } from './vector-index.js';

/** Estimated bytes of a memory, and of a text in it beside its bytes and its vector. */
const MEMORY_BYTES = 600;
const TEXT_BYTES = 100;

interface Remembered extends Expiring {
  readonly content: Bytes;
}

export interface Recollection {
  readonly key: Bytes;
  readonly content: Bytes;
  /** Cosine of the two vectors, 0 when one of them is all zeros. */
  readonly similarity: number;
}

export class SemanticMemory {
  private readonly index: VectorIndex;
  private contentBytes = 0;
  private readonly texts = new ExpiringMap<Remembered>((key, { content }) => {
    this.index.delete(key);
    this.contentBytes -= TEXT_BYTES + content.length;
  });

  constructor(readonly dims: number) {
    this.index = new VectorIndex(dims, 'cosine');
  }

  /** Estimated bytes. */
  get bytes(): number {
    return MEMORY_BYTES + this.index.bytes + this.contentBytes;
  }

  /** Keeps a text in place of what has its key. */
  store(key: Bytes, text: Remembered, vector: Float64Array, now: number): void {
    this.texts.set(key, text, now);
    this.contentBytes += TEXT_BYTES + text.content.length;
    this.index.set(key, vector);
  }

  /** The `k` nearest, nearest first, equal ones by key. */
  recall(vector: Float64Array, k: number, now: number): Recollection[] {
    const texts = this.texts.live(now);
    return this.index.search(vector, k).map(({ key, distance }) => {
      return { key, content: texts.get(key)!.content, similarity: 1 - distance };
    });
  }

  /** Removes a text; false when there is none. */
  forget(key: Bytes, now: number): boolean {
    return this.texts.delete(key, now);
  }

  keys(now: number): Bytes[] {
    return [...this.texts.live(now).keys()];
  }

  /** Removes up to `limit` texts that have ended. Returns how many. */
  removeDue(now: number, limit: number): number {
    return this.texts.removeDue(now, limit);
  }
}
