/** The hash: fields with values, each field perhaps with a time at which it expires. */

import type { Bytes } from '../../protocol/reply.js';
import { Deadlines } from './deadlines.js';
import { DenseMap } from './dense-map.js';
import type { EncodingLimits } from './encoding-limits.js';

export type HashEncoding = 'listpack' | 'listpackex' | 'hashtable';

/** What one field costs beside its bytes, by measurement of the heap: two string headers, slots and index entry. */
const FIELD_OVERHEAD_BYTES = 88;
const EXPIRY_BYTES = 72;
const OBJECT_BYTES = 360;

/**
 * A hash in one of Redis' encodings. A listpack lists its fields in order of insertion; a listpackex, which it becomes
 * when a field is first asked to expire, in order of their expiry times, those without one at the end; a hash table in
 * any order. Conversions go that way and never back.
 *
 * Fields whose time has come stay until `expireDue` removes them; every other method treats them as ordinary fields.
 */
export class HashValue {
  readonly type = 'hash';
  private kind: HashEncoding = 'listpack';
  private fields = new DenseMap<Bytes>();
  private expiry: Deadlines | undefined = undefined;
  private contentBytes = 0;

  get encoding(): HashEncoding {
    return this.kind;
  }

  get size(): number {
    return this.fields.size;
  }

  has(field: Bytes): boolean {
    return this.fields.has(field);
  }

  get(field: Bytes): Bytes | undefined {
    return this.fields.get(field);
  }

  /** The field at a position; `index` must be below `size`. */
  fieldAt(index: number): Bytes {
    return this.fields.keyAt(index);
  }

  /** The value at a position; `index` must be below `size`. */
  valueAt(index: number): Bytes {
    return this.fields.valueAt(index);
  }

  /** Converts a compact hash that is about to be given more fields than it may hold, new or not (`HSET`). */
  expectFields(sizeHint: number, limits: EncodingLimits): void {
    if (sizeHint > limits.hashMaxListpackEntries) this.kind = 'hashtable';
  }

  /** Sets a field and takes its expiry time, unless `keepTtl`. Returns whether the field is new. */
  set(field: Bytes, value: Bytes, limits: EncodingLimits, keepTtl = false): boolean {
    if (field.length > limits.hashMaxListpackValue || value.length > limits.hashMaxListpackValue) {
      this.kind = 'hashtable';
    }
    const slot = this.fields.indexOf(field);
    if (slot >= 0) {
      this.contentBytes += value.length - this.fields.valueAt(slot).length;
      this.fields.setAt(slot, value);
      if (!keepTtl) this.persist(field);
    } else {
      this.fields.set(field, value);
      this.contentBytes += field.length + value.length;
    }
    if (this.fields.size > limits.hashMaxListpackEntries) this.kind = 'hashtable';
    return slot < 0;
  }

  /** Removes a field. Returns whether it was there. */
  delete(field: Bytes): boolean {
    const slot = this.fields.indexOf(field);
    if (slot < 0) return false;
    this.contentBytes -= field.length + this.fields.valueAt(slot).length;
    this.expiry?.remove(field);
    this.removeSlot(slot);
    return true;
  }

  /** Readies the encoding for expiry times; `HEXPIRE` and its kin do so even if they then set none. */
  prepareExpiry(): void {
    if (this.kind === 'listpack') this.kind = 'listpackex';
  }

  /** The time `field` expires at, in unix ms, or undefined if it has none. */
  expireAt(field: Bytes): number | undefined {
    return this.expiry?.get(field);
  }

  /** Lets a field that is there expire at `expireAt`, unix ms. */
  setExpireAt(field: Bytes, expireAt: number): void {
    this.prepareExpiry();
    this.expiry ??= new Deadlines();
    if (this.kind === 'listpackex') this.moveByExpiry(field, expireAt);
    this.expiry.set(field, expireAt);
  }

  /** Takes the expiry time from a field. Returns whether it had one. */
  persist(field: Bytes): boolean {
    if (this.expiry === undefined || !this.expiry.remove(field)) return false;
    if (this.kind === 'listpackex') this.moveByExpiry(field, Number.POSITIVE_INFINITY);
    return true;
  }

  /** How many fields have an expiry time. */
  get expiringFields(): number {
    return this.expiry === undefined ? 0 : this.expiry.size;
  }

  /** The earliest expiry time of any field, in unix ms, or undefined. */
  nextExpiry(): number | undefined {
    return this.expiry?.earliest();
  }

  /** Removes up to `limit` fields whose time is at most `now`, the earliest first, and returns them. */
  expireDue(now: number, limit = Number.POSITIVE_INFINITY): Bytes[] {
    const removed: Bytes[] = [];
    if (this.expiry === undefined) return removed;
    while (removed.length < limit) {
      const field = this.expiry.firstDue(now);
      if (field === undefined) break;
      this.delete(field);
      removed.push(field);
    }
    return removed;
  }

  /** A position picked uniformly; the hash must not be empty. */
  randomIndex(random: () => number): number {
    return this.fields.randomSlot(random);
  }

  /** One step of `HSCAN`; a compact hash is returned whole. `visit` must not change the hash. */
  scan(cursor: number, count: number, visit: (field: Bytes, index: number) => void): number {
    if (this.kind === 'hashtable') return this.fields.scan(cursor, count, visit);
    for (let index = 0; index < this.fields.size; index++) visit(this.fields.keyAt(index), index);
    return 0;
  }

  /** About how many bytes of memory the hash takes. */
  estimateBytes(): number {
    return OBJECT_BYTES + this.contentBytes + this.size * FIELD_OVERHEAD_BYTES + this.expiringFields * EXPIRY_BYTES;
  }

  clone(): HashValue {
    const copy = new HashValue();
    copy.kind = this.kind;
    copy.fields = this.fields.clone();
    copy.expiry = this.expiry?.clone();
    copy.contentBytes = this.contentBytes;
    return copy;
  }

  private removeSlot(slot: number): void {
    if (this.kind === 'hashtable') this.fields.deleteAt(slot);
    else this.fields.deleteAtInOrder(slot);
  }

  /** Moves a field before the first one that expires no earlier than `expireAt`: among equals the newest comes first. */
  private moveByExpiry(field: Bytes, expireAt: number): void {
    const from = this.fields.indexOf(field);
    const value = this.fields.valueAt(from);
    this.fields.deleteAtInOrder(from);
    let to = 0;
    while (to < this.fields.size) {
      const other = this.expiry!.get(this.fields.keyAt(to));
      if (other === undefined ? expireAt !== Number.POSITIVE_INFINITY : other >= expireAt) break;
      to++;
    }
    this.fields.insertAt(to, field, value);
  }
}
