/** A namespace of embeddings, each kept once under the hash of what it was made from, with a count of those who use it. */
import type { Bytes } from '../../protocol/reply.js';

/** Estimated bytes of a namespace, and of an entry beside its texts. */
const STORE_BYTES = 300;
const ENTRY_BYTES = 150;

interface Embedding {
  readonly model: Bytes;
  readonly embedding: Bytes;
  references: number;
}

export class EmbeddingStore {
  private readonly entries = new Map<Bytes, Embedding>();
  private textBytes = 0;
  hits = 0;
  misses = 0;
  references = 0;

  get size(): number {
    return this.entries.size;
  }

  /** Estimated bytes. */
  get bytes(): number {
    return STORE_BYTES + this.entries.size * ENTRY_BYTES + this.textBytes;
  }

  /** Stores an embedding; of a hash that is there already, only counts a further reference. True when it is new. */
  put(hash: Bytes, model: Bytes, embedding: Bytes): boolean {
    this.references++;
    const known = this.entries.get(hash);
    if (known !== undefined) {
      known.references++;
      return false;
    }
    this.entries.set(hash, { model, embedding, references: 1 });
    this.textBytes += hash.length + model.length + embedding.length;
    return true;
  }

  /** The embedding of a hash for a reader, undefined when there is none. */
  read(hash: Bytes): Bytes | undefined {
    const entry = this.entries.get(hash);
    if (entry === undefined) this.misses++;
    else this.hits++;
    return entry?.embedding;
  }

  /** Takes back one reference; the last one frees the entry. False when there is none. */
  release(hash: Bytes): boolean {
    const entry = this.entries.get(hash);
    if (entry === undefined) return false;
    this.references--;
    entry.references--;
    if (entry.references === 0) {
      this.entries.delete(hash);
      this.textBytes -= hash.length + entry.model.length + entry.embedding.length;
    }
    return true;
  }
}
