/**
 * A map from stream IDs to values that know their ID, in ID order: lookup, insertion, removal and the next
 * neighbour take O(log n) and touch one chunk. Pending entries live in it, of a group and of a consumer.
 */

import { compareStreamIds, type StreamId } from './stream-id.js';

/** A chunk that outgrows this is cut in two halves. */
const CHUNK_LIMIT = 128;

export class StreamIdMap<V extends { readonly id: StreamId }> {
  /** Chunks in order, none of them empty; the values in a chunk are in order. */
  #chunks: V[][] = [];
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get(id: StreamId): V | undefined {
    const value = this.ceiling(id);
    return value !== undefined && compareStreamIds(value.id, id) === 0 ? value : undefined;
  }

  /** Adds a value, or replaces the one of the same ID. */
  set(value: V): void {
    const chunks = this.#chunks;
    if (chunks.length === 0) {
      chunks.push([value]);
      this.#size = 1;
      return;
    }
    // An ID after all others belongs to the last chunk.
    const at = Math.min(this.#chunkFor(value.id), chunks.length - 1);
    const chunk = chunks[at] as V[];
    const index = lowerIndex(chunk, value.id);
    const existing = chunk[index];
    if (existing !== undefined && compareStreamIds(existing.id, value.id) === 0) {
      chunk[index] = value;
      return;
    }
    this.#size++;
    if (index === chunk.length) chunk.push(value);
    else chunk.splice(index, 0, value);
    if (chunk.length > CHUNK_LIMIT) chunks.splice(at + 1, 0, chunk.splice(cutFor(index, chunk.length)));
  }

  delete(id: StreamId): boolean {
    const at = this.#chunkFor(id);
    const chunk = this.#chunks[at];
    if (chunk === undefined) return false;
    const index = lowerIndex(chunk, id);
    if (compareStreamIds((chunk[index] as V).id, id) !== 0) return false;
    if (chunk.length === 1) this.#chunks.splice(at, 1);
    else chunk.splice(index, 1);
    this.#size--;
    return true;
  }

  first(): V | undefined {
    return this.#chunks[0]?.[0];
  }

  last(): V | undefined {
    return this.#chunks.at(-1)?.at(-1);
  }

  /** The value of the least ID that is not before `id`. */
  ceiling(id: StreamId): V | undefined {
    const chunk = this.#chunks[this.#chunkFor(id)];
    return chunk?.[lowerIndex(chunk, id)];
  }

  /** Calls `visit` for every value from `start` to `end`, both included, until it answers false. */
  visit(start: StreamId, end: StreamId, visit: (value: V) => boolean): void {
    let at = this.#chunkFor(start);
    let index = at < this.#chunks.length ? lowerIndex(this.#chunks[at] as V[], start) : 0;
    for (; at < this.#chunks.length; at++, index = 0) {
      const chunk = this.#chunks[at] as V[];
      for (; index < chunk.length; index++) {
        const value = chunk[index] as V;
        if (compareStreamIds(value.id, end) > 0 || !visit(value)) return;
      }
    }
  }

  /** All values in order. */
  values(): V[] {
    return this.#chunks.flat();
  }

  /** The first chunk whose last ID is not before `id`: the only one that can hold it. */
  #chunkFor(id: StreamId): number {
    const chunks = this.#chunks;
    let low = 0;
    let high = chunks.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const chunk = chunks[middle] as V[];
      if (compareStreamIds((chunk[chunk.length - 1] as V).id, id) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** The index of the first value in the ordered array whose ID is not before `id`; its length if there is none. */
export function lowerIndex(values: readonly { readonly id: StreamId }[], id: StreamId): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareStreamIds((values[middle] as { readonly id: StreamId }).id, id) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Appending leaves full chunks behind; an insertion elsewhere halves the chunk. */
function cutFor(index: number, length: number): number {
  return index === length - 1 ? length - 1 : length >>> 1;
}
