/**
 * How entries reach the consumers of a group: new ones (XREADGROUP `>`), a consumer's own pending ones again
 * (XREADGROUP with an ID), and those taken over from others (XCLAIM, XAUTOCLAIM). Rules of Redis 8.2.
 */

import type { Int64 } from '../../protocol/reply.js';
import type { Stream } from './stream.js';
import type { PendingEntry, StreamConsumer, StreamGroup } from './stream-group.js';
import { addInt64, compareStreamIds, MAX_STREAM_ID, MIN_STREAM_ID, nextStreamId, type StreamId } from './stream-id.js';
import type { StreamEntry } from './stream-node.js';

/** Delivers up to `count` entries that the group has not read, and makes them pending unless `noAck`. */
export function deliverNew(
  stream: Stream,
  group: StreamGroup,
  consumer: StreamConsumer,
  options: { readonly count?: number; readonly noAck: boolean; readonly now: number },
): StreamEntry[] {
  const start = nextStreamId(group.lastDeliveredId);
  if (start === null) return [];
  const entries = stream.range(start, MAX_STREAM_ID, options.count);
  for (const entry of entries) {
    stream.advanceGroup(group, entry.id);
    if (options.noAck) continue;
    group.deliver(entry.id, consumer, options.now, 1);
    consumer.activeTime = options.now;
  }
  return entries;
}

/** A pending entry that is shown again: its content, or undefined when it was deleted from the stream. */
export interface RedeliveredEntry {
  readonly id: StreamId;
  readonly entry: StreamEntry | undefined;
}

/** Shows a consumer up to `count` of its own pending entries after `after`; those that still exist count as delivered again. */
export function redeliver(
  stream: Stream,
  consumer: StreamConsumer,
  after: StreamId,
  options: { readonly count?: number; readonly now: number },
): RedeliveredEntry[] {
  const shown: RedeliveredEntry[] = [];
  const start = nextStreamId(after);
  const count = options.count ?? Number.POSITIVE_INFINITY;
  if (start === null || count <= 0) return shown;
  consumer.pending.visit(start, MAX_STREAM_ID, (pending) => {
    const entry = stream.get(pending.id);
    shown.push({ id: pending.id, entry });
    if (entry !== undefined) {
      pending.deliveryTime = options.now;
      pending.deliveryCount = addInt64(pending.deliveryCount, 1);
    }
    return shown.length < count;
  });
  return shown;
}

/** The options of XCLAIM. */
export interface StreamClaim {
  /** Only entries that were delivered at least so many ms ago. */
  readonly minIdle: Int64;
  /** The delivery time to set, unix ms. */
  readonly deliveryTime: number;
  /** RETRYCOUNT: the delivery count to set; left out, it grows by one unless `justId`. */
  readonly deliveryCount?: Int64;
  readonly justId: boolean;
  /** Claim entries that are not pending as well. */
  readonly force: boolean;
  readonly now: number;
}

/** Claims one entry for a consumer; answers it, or null when there is nothing to claim. */
export function claim(
  stream: Stream,
  group: StreamGroup,
  consumer: StreamConsumer,
  id: StreamId,
  options: StreamClaim,
): StreamEntry | null {
  const entry = stream.get(id);
  if (entry === undefined) {
    group.acknowledge(id);
    return null;
  }
  let pending = group.pending.get(id);
  if (pending === undefined) {
    if (!options.force) return null;
    pending = group.deliver(id, consumer, options.deliveryTime, 1);
  } else if (!hasIdled(pending, options.minIdle, options.now)) {
    return null;
  }
  take(group, pending, consumer, options.deliveryTime, options.justId);
  if (options.deliveryCount !== undefined) pending.deliveryCount = options.deliveryCount;
  consumer.activeTime = options.now;
  return entry;
}

/** The options of XAUTOCLAIM. */
export interface StreamAutoClaim {
  readonly minIdle: Int64;
  readonly start: StreamId;
  /** Claim, or drop, at most so many entries, and look at ten times as many. */
  readonly count: number;
  readonly justId: boolean;
  readonly now: number;
}

export interface AutoClaimed {
  /** Where to go on; 0-0 at the end. */
  readonly cursor: StreamId;
  readonly claimed: StreamEntry[];
  /** IDs that were pending but no longer in the stream; they are not pending any more. */
  readonly deleted: StreamId[];
}

/** Claims what has idled, walking the group's pending entries from `start`. */
export function autoClaim(
  stream: Stream,
  group: StreamGroup,
  consumer: StreamConsumer,
  options: StreamAutoClaim,
): AutoClaimed {
  const claimed: StreamEntry[] = [];
  const deleted: StreamId[] = [];
  let attempts = options.count * 10;
  let pending = group.pending.ceiling(options.start);
  while (pending !== undefined && attempts > 0 && claimed.length + deleted.length < options.count) {
    attempts--;
    const { id } = pending;
    const entry = stream.get(id);
    if (entry === undefined) {
      group.acknowledge(id);
      deleted.push(id);
    } else if (hasIdled(pending, options.minIdle, options.now)) {
      take(group, pending, consumer, options.now, options.justId);
      consumer.activeTime = options.now;
      claimed.push(entry);
    }
    const next = nextStreamId(id);
    pending = next === null ? undefined : group.pending.ceiling(next);
  }
  return { cursor: pending?.id ?? MIN_STREAM_ID, claimed, deleted };
}

/** Moves the group's last delivered ID forward (XCLAIM LASTID); never back. */
export function raiseLastDelivered(group: StreamGroup, id: StreamId): void {
  if (compareStreamIds(id, group.lastDeliveredId) > 0) group.lastDeliveredId = id;
}

function hasIdled(pending: PendingEntry, minIdle: Int64, now: number): boolean {
  return minIdle <= 0 || now - pending.deliveryTime >= minIdle;
}

function take(
  group: StreamGroup,
  pending: PendingEntry,
  consumer: StreamConsumer,
  deliveryTime: number,
  justId: boolean,
): void {
  group.transfer(pending, consumer);
  pending.deliveryTime = deliveryTime;
  if (!justId) pending.deliveryCount = addInt64(pending.deliveryCount, 1);
}
