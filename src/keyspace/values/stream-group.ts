/**
 * Consumer groups of a stream: how far a group has read, and which entries were delivered to whom and are not
 * acknowledged yet. A pending entry stands in the list of its group and in that of its consumer.
 */

import type { Bytes, Int64 } from '../../protocol/reply.js';
import type { StreamId } from './stream-id.js';
import { StreamIdMap } from './stream-id-map.js';

/** An entry that was delivered and not acknowledged. */
export class PendingEntry {
  constructor(
    readonly id: StreamId,
    public consumer: StreamConsumer,
    /** Unix ms of the last delivery. */
    public deliveryTime: number,
    public deliveryCount: Int64,
  ) {}
}

export class StreamConsumer {
  readonly pending = new StreamIdMap<PendingEntry>();
  /** Unix ms of the last time the consumer got or claimed an entry, −1 before the first. */
  activeTime = -1;

  constructor(
    readonly name: Bytes,
    /** Unix ms of the last time the consumer asked for anything. */
    public seenTime: number,
  ) {}
}

export class StreamGroup {
  readonly pending = new StreamIdMap<PendingEntry>();
  readonly #consumers = new Map<Bytes, StreamConsumer>();

  constructor(
    readonly name: Bytes,
    public lastDeliveredId: StreamId,
    /** The entries read so far, counted from the stream's first one ever; null when it cannot be known. */
    public entriesRead: Int64 | null,
  ) {}

  get consumerCount(): number {
    return this.#consumers.size;
  }

  consumer(name: Bytes): StreamConsumer | undefined {
    return this.#consumers.get(name);
  }

  /** The consumers by name, the order Redis lists them in. */
  consumers(): StreamConsumer[] {
    return sortedByName(this.#consumers);
  }

  /** Adds a consumer, seen at `now`; null when the name is taken. */
  createConsumer(name: Bytes, now: number): StreamConsumer | null {
    if (this.#consumers.has(name)) return null;
    const consumer = new StreamConsumer(name, now);
    this.#consumers.set(name, consumer);
    return consumer;
  }

  /** Removes a consumer and what is pending for it; answers how much that was, null for an unknown name. */
  deleteConsumer(name: Bytes): number | null {
    const consumer = this.#consumers.get(name);
    if (consumer === undefined) return null;
    for (const entry of consumer.pending.values()) this.pending.delete(entry.id);
    this.#consumers.delete(name);
    return consumer.pending.size;
  }

  /** Makes an entry pending for a consumer, taking it from whoever had it. */
  deliver(id: StreamId, consumer: StreamConsumer, deliveryTime: number, deliveryCount: Int64): PendingEntry {
    const existing = this.pending.get(id);
    if (existing !== undefined) {
      this.transfer(existing, consumer);
      existing.deliveryTime = deliveryTime;
      existing.deliveryCount = deliveryCount;
      return existing;
    }
    const entry = new PendingEntry(id, consumer, deliveryTime, deliveryCount);
    this.pending.set(entry);
    consumer.pending.set(entry);
    return entry;
  }

  /** Gives a pending entry to another consumer. */
  transfer(entry: PendingEntry, consumer: StreamConsumer): void {
    if (entry.consumer === consumer) return;
    entry.consumer.pending.delete(entry.id);
    entry.consumer = consumer;
    consumer.pending.set(entry);
  }

  /** Takes an entry off the pending lists; false when it was not there. */
  acknowledge(id: StreamId): boolean {
    const entry = this.pending.get(id);
    if (entry === undefined) return false;
    this.pending.delete(id);
    entry.consumer.pending.delete(id);
    return true;
  }

  clone(): StreamGroup {
    const copy = new StreamGroup(this.name, this.lastDeliveredId, this.entriesRead);
    for (const consumer of this.#consumers.values()) {
      const twin = new StreamConsumer(consumer.name, consumer.seenTime);
      twin.activeTime = consumer.activeTime;
      copy.#consumers.set(twin.name, twin);
      for (const entry of consumer.pending.values()) {
        copy.deliver(entry.id, twin, entry.deliveryTime, entry.deliveryCount);
      }
    }
    return copy;
  }

  /** A rough count of the bytes this group takes in memory. */
  estimateBytes(): number {
    return GROUP_BYTES + this.name.length + this.#consumers.size * CONSUMER_BYTES + this.pending.size * PENDING_BYTES;
  }
}

/** The values of a map from names, by name in the order of bytes. */
export function sortedByName<V extends { readonly name: Bytes }>(map: Map<Bytes, V>): V[] {
  return [...map.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

const GROUP_BYTES = 160;
const CONSUMER_BYTES = 120;
/** The entry itself and its two places. */
const PENDING_BYTES = 96;
