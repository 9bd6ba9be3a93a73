/** A pipeline of retrieval: documents cut into chunks, which are found by their words, by their vectors, or by both. */
import type { Bytes } from '../../protocol/reply.js';
import { Bm25Index } from './bm25-index.js';
import { fixedChunks } from './text-chunks.js';
import { VectorIndex } from './vector-index.js';

export const CHUNK_STRATEGIES = ['fixed'] as const;
export type ChunkStrategy = (typeof CHUNK_STRATEGIES)[number];

/** The most chunks that one document may make. */
export const MAX_CHUNKS = 100_000;
/** Estimated bytes of a pipeline, of a document and of a chunk beside texts and indexes. */
const PIPELINE_BYTES = 1000;
const DOCUMENT_BYTES = 300;
const CHUNK_BYTES = 200;

interface RagDocument {
  readonly id: Bytes;
  readonly metadata: ReadonlyMap<Bytes, Bytes>;
  readonly chunks: Chunk[];
  readonly textBytes: number;
}

interface Chunk {
  readonly id: Bytes;
  readonly document: RagDocument;
  readonly text: Bytes;
}

export interface RagQuery {
  readonly text: Bytes;
  /** Undefined: the words alone count. */
  readonly vector: Float64Array | undefined;
  /** Share of the vector in the score, 0 to 1. */
  readonly alpha: number;
  /** What the metadata of a document must hold. */
  readonly filter: ReadonlyMap<Bytes, Bytes>;
  /** The most hits. */
  readonly k: number;
}

export interface RagHit {
  readonly chunk: Chunk;
  /** `alpha` · cosine + (1 − `alpha`) · BM25 / the best BM25 among those that were found. */
  readonly score: number;
  /** Cosine between the vectors of chunk and query, 0 where one of them has none. */
  readonly cosine: number;
  readonly bm25: number;
}

export class RagPipeline {
  readonly documents = new Map<Bytes, RagDocument>();
  queries = 0;
  private readonly chunks = new Map<Bytes, Chunk>();
  private readonly words = new Bm25Index<Chunk>();
  private readonly vectors: VectorIndex;
  private textBytes = 0;

  constructor(
    readonly dims: number,
    readonly strategy: ChunkStrategy,
    /** Characters in a chunk. */
    readonly chunkSize: number,
    /** Characters that a chunk shares with the one before. */
    readonly chunkOverlap: number,
  ) {
    this.vectors = new VectorIndex(dims, 'cosine');
  }

  get chunkCount(): number {
    return this.chunks.size;
  }

  /** Estimated bytes. */
  get bytes(): number {
    const objects = this.documents.size * DOCUMENT_BYTES + this.chunks.size * CHUNK_BYTES;
    return PIPELINE_BYTES + objects + this.textBytes + this.words.bytes + this.vectors.bytes;
  }

  /** The chunks that a text makes, undefined when they are more than `MAX_CHUNKS`. */
  split(text: Bytes): Bytes[] | undefined {
    return fixedChunks(text, this.chunkSize, this.chunkOverlap, MAX_CHUNKS);
  }

  /** Puts a document in place of what has its id. `vectors`: one for each chunk, or none at all. */
  put(
    id: Bytes,
    chunks: readonly Bytes[],
    metadata: ReadonlyMap<Bytes, Bytes>,
    vectors: readonly Float64Array[] | undefined,
  ): void {
    this.remove(id);
    let textBytes = 0;
    for (const [name, value] of metadata) textBytes += name.length + value.length;
    for (const text of chunks) textBytes += text.length;
    const document: RagDocument = { id, metadata, chunks: [], textBytes };
    chunks.forEach((text, i) => {
      const chunk: Chunk = { id: `${id}:${i}`, document, text };
      document.chunks.push(chunk);
      this.chunks.set(chunk.id, chunk);
      this.words.add(chunk, text);
      if (vectors !== undefined) this.vectors.set(chunk.id, vectors[i]!);
    });
    this.documents.set(id, document);
    this.textBytes += textBytes;
  }

  private remove(id: Bytes): void {
    const document = this.documents.get(id);
    if (document === undefined) return;
    for (const chunk of document.chunks) {
      this.chunks.delete(chunk.id);
      this.words.remove(chunk, chunk.text);
      this.vectors.delete(chunk.id);
    }
    this.documents.delete(id);
    this.textBytes -= document.textBytes;
  }

  /**
   * The best chunks: those that have a word of the query (unless `alpha` is 1) and those that have a vector (unless it is 0),
   * by score, equal ones by the bytes of their ids.
   */
  search(query: RagQuery): RagHit[] {
    this.queries++;
    const alpha = query.vector === undefined ? 0 : query.alpha;
    const filter = [...query.filter];
    const fits = ({ document }: Chunk) => filter.every(([name, value]) => document.metadata.get(name) === value);
    const bm25 = this.words.scores(query.text);
    const cosines = this.cosines(query.vector);
    const found = new Set<Chunk>();
    if (alpha < 1) for (const chunk of bm25.keys()) if (fits(chunk)) found.add(chunk);
    if (alpha > 0) for (const chunk of cosines.keys()) if (fits(chunk)) found.add(chunk);
    let best = 0;
    for (const chunk of found) best = Math.max(best, bm25.get(chunk) ?? 0);
    const hits = Array.from(found, (chunk): RagHit => {
      const [ofWords, cosine] = [bm25.get(chunk) ?? 0, cosines.get(chunk) ?? 0];
      const score = alpha * cosine + (best === 0 ? 0 : ((1 - alpha) * ofWords) / best);
      return { chunk, score, cosine, bm25: ofWords };
    });
    return hits.sort((a, b) => b.score - a.score || (a.chunk.id < b.chunk.id ? -1 : 1)).slice(0, query.k);
  }

  private cosines(query: Float64Array | undefined): Map<Chunk, number> {
    const cosines = new Map<Chunk, number>();
    if (query === undefined) return cosines;
    this.vectors.visit(query, (id, distance) => cosines.set(this.chunks.get(id)!, 1 - distance));
    return cosines;
  }
}
