/**
 * The stream value: an append-only log of entries with consumer groups on it.
 *
 * Entries lie in nodes (see `stream-node.ts`), nodes in an array in ID order: a lookup is two binary searches.
 * The counters follow Redis 8.2: `firstId` is the first entry that is not deleted, `maxDeletedId` the greatest ID
 * that was deleted by name (trimming does not count), `entriesAdded` all entries ever.
 */

import type { Bytes, Int64 } from '../../protocol/reply.js';
import { StreamGroup, sortedByName } from './stream-group.js';
import {
  addInt64,
  compareStreamIds,
  MIN_STREAM_ID,
  nextStreamId,
  type RequestedStreamId,
  StreamId,
  subtractInt64,
} from './stream-id.js';
import { DEFAULT_NODE_LIMITS, StreamEntry, StreamNode, type StreamNodeLimits } from './stream-node.js';
import { radixTreeNodes } from './stream-radix.js';

/**
 * What becomes of the groups' references to a deleted entry: they stay, they go with it, or the entry may only be
 * deleted when every group has read and acknowledged it.
 */
export type StreamReferences = 'keepref' | 'delref' | 'acked';

/** What became of one ID in XDELEX or XACKDEL: their integer replies. */
export const DELETE_OUTCOME = { unknown: -1, deleted: 1, stillReferenced: 2 } as const;
export type DeleteOutcome = (typeof DELETE_OUTCOME)[keyof typeof DELETE_OUTCOME];

/** A trim as XADD and XTRIM ask for it. */
export interface StreamTrim {
  /** Keep at most so many entries, or drop those before an ID. */
  readonly until: { readonly maxLength: Int64 } | { readonly minId: StreamId };
  /** `~`: remove whole nodes only. */
  readonly approximate: boolean;
  /** With `~`: remove at most so many entries; 0 is no limit. */
  readonly limit: number;
  readonly references: StreamReferences;
}

export class Stream {
  readonly type = 'stream';
  /** The entries that are not deleted. */
  length = 0;
  /** The greatest ID ever added, or set by XSETID. */
  lastId: StreamId = MIN_STREAM_ID;
  /** The first entry's ID, 0-0 when there is none. */
  firstId: StreamId = MIN_STREAM_ID;
  /** The greatest ID deleted by name, 0-0 before the first. */
  maxDeletedId: StreamId = MIN_STREAM_ID;
  entriesAdded: Int64 = 0;
  readonly #nodes: StreamNode[] = [];
  /** The sum of what the nodes take: an addition is not to look at them all. */
  #nodeBytes = 0;
  readonly #groups = new Map<Bytes, StreamGroup>();

  // Adding

  /** The ID a requested one comes to; null when it is not after the last ID or all are used up. */
  resolveId(requested: RequestedStreamId, now: number): StreamId | null {
    const last = this.lastId;
    if (requested.kind === 'auto') return now > last.ms ? new StreamId(now, 0) : nextStreamId(last);
    if (requested.kind === 'full') return compareStreamIds(requested.id, last) > 0 ? requested.id : null;
    if (requested.ms > last.ms) return new StreamId(requested.ms, 0);
    const next = nextStreamId(last);
    return next !== null && next.ms === requested.ms ? next : null;
  }

  /** Adds an entry. Its ID must be after `lastId`, its fields and values in turns. */
  append(id: StreamId, fields: readonly Bytes[], limits: StreamNodeLimits = DEFAULT_NODE_LIMITS): StreamEntry {
    const entry = new StreamEntry(id, fields);
    let node = this.#nodes[this.#nodes.length - 1];
    if (node === undefined || !node.hasRoomFor(fields, limits)) {
      node = StreamNode.startingWith(id, fields);
      this.appendNode(node);
    }
    const before = node.estimateBytes();
    node.append(entry);
    this.#nodeBytes += node.estimateBytes() - before;
    this.length++;
    this.entriesAdded = addInt64(this.entriesAdded, 1);
    this.lastId = id;
    if (this.length === 1) this.firstId = id;
    return entry;
  }

  /** Takes over a node as it was saved, after all others; the counters are the caller's to set. */
  appendNode(node: StreamNode): void {
    this.#nodes.push(node);
    this.#nodeBytes += node.estimateBytes();
  }

  // Reading

  get(id: StreamId): StreamEntry | undefined {
    const node = this.#nodes[this.#nodeFor(id)];
    const entry = node?.at(node.placeOf(id));
    return entry !== undefined && compareStreamIds(entry.id, id) === 0 ? entry : undefined;
  }

  firstEntry(): StreamEntry | undefined {
    return this.range(this.firstId, this.lastId, 1)[0];
  }

  lastEntry(): StreamEntry | undefined {
    for (let at = this.#nodes.length - 1; at >= 0; at--) {
      const node = this.#nodes[at] as StreamNode;
      for (let place = node.places - 1; place >= 0; place--) {
        const entry = node.at(place);
        if (entry !== undefined) return entry;
      }
    }
    return undefined;
  }

  /** Up to `count` entries from `start` to `end`, both included, in order. */
  range(start: StreamId, end: StreamId, count = Number.POSITIVE_INFINITY): StreamEntry[] {
    const found: StreamEntry[] = [];
    for (let at = Math.max(this.#nodeFor(start), 0); at < this.#nodes.length; at++) {
      const node = this.#nodes[at] as StreamNode;
      for (let place = node.placeOf(start); place < node.places; place++) {
        if (found.length >= count) return found;
        const entry = node.at(place);
        if (entry === undefined) continue;
        if (compareStreamIds(entry.id, end) > 0) return found;
        found.push(entry);
      }
    }
    return found;
  }

  /** Up to `count` entries from `end` back to `start`, both included, in reverse order. */
  reverseRange(end: StreamId, start: StreamId, count = Number.POSITIVE_INFINITY): StreamEntry[] {
    const found: StreamEntry[] = [];
    for (let at = this.#nodeFor(end); at >= 0; at--) {
      const node = this.#nodes[at] as StreamNode;
      for (let place = node.places - 1; place >= 0; place--) {
        if (found.length >= count) return found;
        const entry = node.at(place);
        if (entry === undefined || compareStreamIds(entry.id, end) > 0) continue;
        if (compareStreamIds(entry.id, start) < 0) return found;
        found.push(entry);
      }
    }
    return found;
  }

  // Deleting

  /** Deletes an entry by name (XDEL); false when it is not there. References to it stay. */
  delete(id: StreamId): boolean {
    const at = this.#nodeFor(id);
    const node = this.#nodes[at];
    const place = node?.placeOf(id) ?? 0;
    const entry = node?.at(place);
    if (node === undefined || entry === undefined || compareStreamIds(entry.id, id) !== 0) return false;
    if (node.live === 1) this.#removeNode(at);
    else node.deleteAt(place);
    this.length--;
    if (compareStreamIds(id, this.maxDeletedId) > 0) this.maxDeletedId = id;
    if (compareStreamIds(id, this.firstId) === 0) this.#findFirstId();
    return true;
  }

  /** Deletes one entry the way XDELEX does. */
  deleteReferenced(id: StreamId, references: StreamReferences): DeleteOutcome {
    if (references === 'acked' && this.isReferenced(id)) return DELETE_OUTCOME.stillReferenced;
    if (references === 'delref') this.dropReferences(id);
    return this.delete(id) ? DELETE_OUTCOME.deleted : DELETE_OUTCOME.unknown;
  }

  /** Acknowledges and deletes one entry the way XACKDEL does. */
  acknowledgeAndDelete(group: StreamGroup, id: StreamId, references: StreamReferences): DeleteOutcome {
    if (!group.acknowledge(id)) return DELETE_OUTCOME.unknown;
    const outcome = this.deleteReferenced(id, references);
    return outcome === DELETE_OUTCOME.unknown ? DELETE_OUTCOME.deleted : outcome;
  }

  /**
   * Trims from the start and answers how many entries went. Approximate trimming removes nothing unless references
   * stay: Redis 8.2 looks at the entries one by one for the other two, which `~` rules out.
   */
  trim(trim: StreamTrim): number {
    let removed = 0;
    let at = 0;
    while (at < this.#nodes.length && !this.#isTrimmed(trim)) {
      const node = this.#nodes[at] as StreamNode;
      if (trim.limit > 0 && removed + node.live > trim.limit) break;
      const whole = this.#mayRemoveNode(node, trim);
      if (whole && trim.references === 'keepref') {
        removed += node.live;
        this.length -= node.live;
        this.#removeNode(at);
        continue;
      }
      if (trim.approximate) break;
      removed += this.#trimNode(node, trim);
      // A node whose last, deleted entry is beyond the end stays, though nothing is left in it.
      if (whole && node.live === 0) this.#removeNode(at);
      else at++;
    }
    if (removed > 0) this.#findFirstId();
    return removed;
  }

  // Groups

  get groupCount(): number {
    return this.#groups.size;
  }

  group(name: Bytes): StreamGroup | undefined {
    return this.#groups.get(name);
  }

  /** The groups by name, the order Redis lists them in. */
  groups(): StreamGroup[] {
    return sortedByName(this.#groups);
  }

  /** Adds a group; null when the name is taken. */
  createGroup(name: Bytes, lastDeliveredId: StreamId, entriesRead: Int64 | null): StreamGroup | null {
    if (this.#groups.has(name)) return null;
    const group = new StreamGroup(name, lastDeliveredId, null);
    this.positionGroup(group, lastDeliveredId, entriesRead);
    this.#groups.set(name, group);
    return group;
  }

  /** Sets how far a group has read (XGROUP SETID); it cannot have read more than was added. */
  positionGroup(group: StreamGroup, lastDeliveredId: StreamId, entriesRead: Int64 | null): void {
    group.lastDeliveredId = lastDeliveredId;
    group.entriesRead = entriesRead !== null && entriesRead > this.entriesAdded ? this.entriesAdded : entriesRead;
  }

  deleteGroup(name: Bytes): boolean {
    return this.#groups.delete(name);
  }

  /**
   * Whether a group has yet to read the ID, or has it pending. Redis 8.2.3 can go on counting a group after
   * XGROUP DESTROY, from a remembered position; this does not.
   */
  isReferenced(id: StreamId): boolean {
    for (const group of this.#groups.values()) {
      if (compareStreamIds(id, group.lastDeliveredId) > 0 || group.pending.get(id) !== undefined) return true;
    }
    return false;
  }

  /** Takes the ID off the pending lists of all groups. */
  dropReferences(id: StreamId): void {
    for (const group of this.#groups.values()) group.acknowledge(id);
  }

  /** How many entries the group has yet to read; null when that cannot be known. */
  lag(group: StreamGroup): Int64 | null {
    if (this.entriesAdded === 0 || this.length === 0) return 0;
    const last = group.lastDeliveredId;
    if (compareStreamIds(last, this.firstId) < 0 && compareStreamIds(this.maxDeletedId, this.firstId) < 0) {
      return this.length;
    }
    const read =
      group.entriesRead !== null && !this.#hasDeletedFrom(last) ? group.entriesRead : this.entriesReadAt(last);
    return read === null ? null : subtractInt64(this.entriesAdded, read);
  }

  /** Moves the group on to an entry that is being delivered to it, and its count of entries read with it. */
  advanceGroup(group: StreamGroup, id: StreamId): void {
    if (compareStreamIds(id, group.lastDeliveredId) <= 0) return;
    const last = group.lastDeliveredId;
    const counting = group.entriesRead !== null && compareStreamIds(last, this.firstId) >= 0;
    if (counting && !this.#hasDeletedFrom(last)) group.entriesRead = addInt64(group.entriesRead ?? 0, 1);
    else if (this.entriesAdded !== 0) group.entriesRead = this.entriesReadAt(id);
    group.lastDeliveredId = id;
  }

  // The whole

  /** The nodes in order, for saving and for `radix-tree-keys`. */
  nodes(): readonly StreamNode[] {
    return this.#nodes;
  }

  /** `radix-tree-nodes` of XINFO STREAM. */
  radixTreeNodes(): number {
    return radixTreeNodes(this.#nodes.map((node) => node.masterId));
  }

  clone(): Stream {
    const copy = new Stream();
    for (const node of this.#nodes) copy.appendNode(node.clone());
    for (const group of this.#groups.values()) copy.#groups.set(group.name, group.clone());
    copy.length = this.length;
    copy.lastId = this.lastId;
    copy.firstId = this.firstId;
    copy.maxDeletedId = this.maxDeletedId;
    copy.entriesAdded = this.entriesAdded;
    return copy;
  }

  /** A rough count of the bytes the value takes in memory: O(groups). */
  estimateBytes(): number {
    let bytes = STREAM_BYTES + this.#nodeBytes;
    for (const group of this.#groups.values()) bytes += group.estimateBytes();
    return bytes;
  }

  #removeNode(at: number): void {
    this.#nodeBytes -= (this.#nodes[at] as StreamNode).estimateBytes();
    this.#nodes.splice(at, 1);
  }

  /** The last node that starts at or before `id`, −1 when all start after it. */
  #nodeFor(id: StreamId): number {
    let low = 0;
    let high = this.#nodes.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compareStreamIds((this.#nodes[middle] as StreamNode).masterId, id) <= 0) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  #findFirstId(): void {
    this.firstId = MIN_STREAM_ID;
    for (const node of this.#nodes) {
      for (let place = 0; place < node.places; place++) {
        const entry = node.at(place);
        if (entry !== undefined) {
          this.firstId = entry.id;
          return;
        }
      }
    }
  }

  #isTrimmed({ until }: StreamTrim): boolean {
    return 'maxLength' in until && this.length <= until.maxLength;
  }

  /** Whether all entries of the node may go. */
  #mayRemoveNode(node: StreamNode, { until }: StreamTrim): boolean {
    if ('maxLength' in until) return this.length - node.live >= until.maxLength;
    return compareStreamIds(node.lastId, until.minId) < 0;
  }

  #trimNode(node: StreamNode, trim: StreamTrim): number {
    const { until } = trim;
    let removed = 0;
    for (let place = 0; place < node.places; place++) {
      const id = node.idAt(place);
      if (this.#isTrimmed(trim) || ('minId' in until && compareStreamIds(id, until.minId) >= 0)) break;
      if (node.at(place) === undefined) continue;
      if (trim.references === 'acked' && this.isReferenced(id)) continue;
      if (trim.references === 'delref') this.dropReferences(id);
      node.deleteAt(place);
      this.length--;
      removed++;
    }
    return removed;
  }

  /** Whether an entry was deleted by name at or after `id`. */
  #hasDeletedFrom(id: StreamId): boolean {
    if (this.length === 0 || isZeroId(this.maxDeletedId)) return false;
    return compareStreamIds(id, this.maxDeletedId) <= 0;
  }

  /** The number of entries ever added up to `id`, where the counters tell it; else null. */
  entriesReadAt(id: StreamId): Int64 | null {
    if (this.entriesAdded === 0) return 0;
    const fromLast = compareStreamIds(id, this.lastId);
    if (this.length === 0 && fromLast <= 0) return this.entriesAdded;
    if (!isZeroId(id) && compareStreamIds(id, this.maxDeletedId) < 0) return null;
    if (fromLast === 0) return this.entriesAdded;
    if (fromLast > 0) return null;
    if (compareStreamIds(this.maxDeletedId, this.firstId) >= 0 && !isZeroId(this.maxDeletedId)) return null;
    const fromFirst = compareStreamIds(id, this.firstId);
    if (fromFirst > 0) return null;
    const before = subtractInt64(this.entriesAdded, this.length);
    return fromFirst < 0 ? before : addInt64(before, 1);
  }
}

function isZeroId(id: StreamId): boolean {
  return id.ms === 0 && id.seq === 0;
}

const STREAM_BYTES = 128;
