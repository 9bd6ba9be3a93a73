/**
 * A node of a stream: a run of consecutive entries, deleted ones included, as Redis keeps it in one listpack.
 *
 * Clients see nodes through `MAXLEN ~` and `MINID ~`, which remove whole nodes only, through their count in
 * XINFO STREAM and through `stream-node-max-bytes`, so the node counts the bytes its listpack would take.
 */

import type { Bytes } from '../../protocol/reply.js';
import { EMPTY_LISTPACK_BYTES, listpackEntryBytes, listpackIntegerBytes } from './listpack.js';
import { type StreamId, subtractInt64 } from './stream-id.js';
import { lowerIndex } from './stream-id-map.js';

/** An entry: its ID and its fields and values in turns. Never changed once made. */
export class StreamEntry {
  constructor(
    readonly id: StreamId,
    readonly fields: readonly Bytes[],
  ) {}
}

/** How large a node may grow; 0 is no limit. The defaults are Redis'. */
export interface StreamNodeLimits {
  /** `stream-node-max-entries`, deleted entries included. */
  readonly maxEntries: number;
  /** `stream-node-max-bytes`. */
  readonly maxBytes: number;
}

export const DEFAULT_NODE_LIMITS: StreamNodeLimits = { maxEntries: 100, maxBytes: 4096 };

/** How many entries an approximate trim without LIMIT removes at most. */
export function defaultTrimLimit(limits: StreamNodeLimits): number {
  return limits.maxEntries === 0 ? 10_000 : Math.min(limits.maxEntries * 100, 1_000_000);
}

/** No listpack of a stream grows beyond this, whatever the configuration says. */
const LISTPACK_MAX_BYTES = 2 ** 30;

/** The entry's object, its ID and its place in the node, beyond the bytes of its texts. */
const ENTRY_BYTES = 64;

/** What is left where an entry was deleted: its fields are gone, its place is kept. */
const NO_FIELDS: readonly Bytes[] = [];

export class StreamNode {
  /** The first entry's ID, deleted or not: the key of the node. */
  readonly masterId: StreamId;
  /** The first entry's field names, which equal field names of later entries refer to. */
  readonly masterFields: readonly Bytes[];
  /** Entries in order; a deleted one keeps its ID and its place. */
  readonly #slots: StreamEntry[] = [];
  #live = 0;
  /** The bytes of the listpack without its two counts, which change size as they grow. */
  #fixedBytes: number;

  constructor(masterId: StreamId, masterFields: readonly Bytes[]) {
    this.masterId = masterId;
    this.masterFields = masterFields;
    this.#fixedBytes = EMPTY_LISTPACK_BYTES + listpackIntegerBytes(masterFields.length) + listpackIntegerBytes(0);
    for (const field of masterFields) this.#fixedBytes += listpackEntryBytes(field);
  }

  /** A node for a first entry with these fields and values. */
  static startingWith(id: StreamId, fields: readonly Bytes[]): StreamNode {
    const names: Bytes[] = [];
    for (let i = 0; i < fields.length; i += 2) names.push(fields[i] as Bytes);
    return new StreamNode(id, names);
  }

  /** The entries that are not deleted. */
  get live(): number {
    return this.#live;
  }

  /** All places, deleted entries included. */
  get places(): number {
    return this.#slots.length;
  }

  /** The last place's ID, deleted or not. */
  get lastId(): StreamId {
    return (this.#slots[this.#slots.length - 1] as StreamEntry).id;
  }

  /** The bytes the listpack of this node would take. */
  get bytes(): number {
    return this.#fixedBytes + listpackIntegerBytes(this.#live) + listpackIntegerBytes(this.places - this.#live);
  }

  /** A rough count of the bytes the node takes in memory. Deleting an entry does not change it: its place is kept. */
  estimateBytes(): number {
    return this.#fixedBytes + this.places * ENTRY_BYTES;
  }

  /** Whether the entry goes into this node, or into a new one. */
  hasRoomFor(fields: readonly Bytes[], limits: StreamNodeLimits): boolean {
    let fieldBytes = 0;
    for (const text of fields) fieldBytes += text.length;
    const maxBytes = limits.maxBytes === 0 ? LISTPACK_MAX_BYTES : Math.min(limits.maxBytes, LISTPACK_MAX_BYTES);
    if (this.bytes + fieldBytes >= maxBytes) return false;
    return limits.maxEntries === 0 || this.places < limits.maxEntries;
  }

  append(entry: StreamEntry): void {
    this.#slots.push(entry);
    this.#live++;
    this.#fixedBytes += this.#bytesOf(entry);
  }

  /** The entry at a place, or undefined when it was deleted. */
  at(place: number): StreamEntry | undefined {
    const entry = this.#slots[place];
    return entry === undefined || entry.fields === NO_FIELDS ? undefined : entry;
  }

  /** The ID at a place, deleted or not. */
  idAt(place: number): StreamId {
    return (this.#slots[place] as StreamEntry).id;
  }

  /** The first place whose ID is not before `id`; the number of places if there is none. */
  placeOf(id: StreamId): number {
    return lowerIndex(this.#slots, id);
  }

  /** Deletes the entry at a place; the place stays. */
  deleteAt(place: number): void {
    this.#slots[place] = new StreamEntry(this.idAt(place), NO_FIELDS);
    this.#live--;
  }

  clone(): StreamNode {
    const copy = new StreamNode(this.masterId, this.masterFields);
    for (const entry of this.#slots) copy.#slots.push(entry);
    copy.#live = this.#live;
    copy.#fixedBytes = this.#fixedBytes;
    return copy;
  }

  /** Flags, the ID's distance from the first one, the field names unless they are the first entry's, values, length. */
  #bytesOf(entry: StreamEntry): number {
    const { id, fields } = entry;
    const pairs = fields.length / 2;
    const sameNames = this.#hasMasterFields(fields);
    let bytes = listpackIntegerBytes(0);
    bytes += listpackIntegerBytes(subtractInt64(id.ms, this.masterId.ms));
    bytes += listpackIntegerBytes(subtractInt64(id.seq, this.masterId.seq));
    if (!sameNames) bytes += listpackIntegerBytes(pairs);
    for (let i = 0; i < fields.length; i += 2) {
      if (!sameNames) bytes += listpackEntryBytes(fields[i] as Bytes);
      bytes += listpackEntryBytes(fields[i + 1] as Bytes);
    }
    return bytes + listpackIntegerBytes(sameNames ? pairs + 3 : pairs * 2 + 4);
  }

  #hasMasterFields(fields: readonly Bytes[]): boolean {
    const names = this.masterFields;
    if (fields.length !== names.length * 2) return false;
    for (let i = 0; i < names.length; i++) if (fields[i * 2] !== names[i]) return false;
    return true;
  }
}
