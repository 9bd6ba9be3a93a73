/**
 * One numbered database: keys, values, expiry times and access times.
 *
 * A key whose time has passed is gone for every reader: `read`, `peek` and the rest remove it when they meet it
 * (lazy expiry), and `expireDue` removes those that nobody asks for (active expiry). It is the same with the fields of
 * a hash that expire: a hash that a lookup hands out holds live fields only.
 */
import { normaliseInteger } from '../protocol/numbers.js';
import type { Bytes, Int64 } from '../protocol/reply.js';
import { type AccessState, AccessTimes } from './access.js';
import type { Clock } from './clock.js';
import { TagIndex } from './hotkv/tags.js';
import { KeyTable } from './key-table.js';
import { estimateEntry } from './memory-estimate.js';
import { NOTIFY } from './notifications.js';
import { SlotRecords } from './slot-records.js';
import { typeOf, type Value } from './value.js';
import { type Deadline, Deadlines } from './values/deadlines.js';
import { HashValue } from './values/hash.js';

/** What the world around the databases is told of; the server implements it. */
export interface KeyspaceObserver {
  /** The classes of events that anybody may hear of; others need not be told. */
  readonly notifyClasses: number;
  /** The key's value, expiry or existence changed: WATCH and client tracking hear of it. */
  keyTouched(db: Database, key: Bytes): void;
  /** A keyspace event, e.g. (NOTIFY.string, 'set'). */
  notify(db: Database, eventClass: number, event: string, key: Bytes): void;
  /** A key came into being or its value was replaced: clients that block on it may be served. */
  keyReady(db: Database, key: Bytes): void;
  /** A key went because its time had passed. */
  keyExpired(db: Database, key: Bytes): void;
  /** Fields of a hash went because their time had passed. */
  fieldsExpired(db: Database, key: Bytes, fields: Bytes[]): void;
  /** A lookup for reading found its key, or did not. */
  lookedUp(found: boolean): void;
}

/** A key's value and what hangs on it, on its way to another name or database. */
export interface DetachedKey {
  readonly value: Value;
  /** Unix ms and nanoseconds beyond, or undefined. */
  readonly expiry: number | undefined;
  readonly expiryNanos: number;
  /** Of `AccessTimes`; undefined: as for a new key. */
  readonly access: AccessState | undefined;
  readonly tags: readonly Bytes[];
}

/** Expiry times beyond 2^53 ms are doubles that are multiples of this, and the rest stands where the nanoseconds do. */
const COARSE_MS = 2048;

/** No expiry. Expiry times are unix ms above 0, so zero is free to mean this. */
const NONE = 0;

export class Database {
  table = new KeyTable<Value>();
  /** Of each slot: the bytes of the key, its last access and the number of accesses. */
  private readonly records = new SlotRecords();
  readonly access: AccessTimes;
  private expires = new Float64Array(0);
  /** Nanoseconds beyond the ms of `expires`, where a command set such an expiry. */
  private expireNanos: Int32Array | undefined;
  /** The slots that have an expiry, dense, in any order, and where each slot stands in it (−1: nowhere). */
  private volatile = new Int32Array(16);
  private volatileAt = new Int32Array(0);
  private volatileCount = 0;
  private cycleCursor = 0;
  /** Keys of hashes with fields that expire, each with the time at which the first of them does. */
  private fieldDeadlines = new Deadlines();
  /** Estimated bytes of all keys. */
  private totalBytes = 0;
  /** The tags of keys, made with the first one. */
  private tagIndex: TagIndex | undefined;
  /**
   * The key that was looked up last, and its slot (−1: there is none): a command asks for the same key several times,
   * to read, to write and to tell of the change. Undefined when slots have changed since.
   */
  private lastKey: Bytes | undefined;
  private lastSlot = -1;
  /** What the last `warm` has added up: without meaning, it only keeps the looks from being optimised away. */
  warmed = 0;
  /** While false, keys that are due are not removed, only gone for every reader (`CLIENT PAUSE`). */
  lazyExpiry = true;

  constructor(
    readonly index: number,
    readonly clock: Clock,
    readonly observer: KeyspaceObserver,
  ) {
    this.access = new AccessTimes(clock, this.records);
  }

  get size(): number {
    return this.table.size;
  }

  /** Estimated bytes of all keys with their values and tags. */
  get dataBytes(): number {
    return this.totalBytes + (this.tagIndex?.bytes ?? 0);
  }

  /** Estimated bytes of a key with its value and tags, undefined when there is none. */
  bytesOf(key: Bytes): number | undefined {
    const slot = this.liveSlot(key);
    if (slot < 0) return undefined;
    return this.records.sizeOf(slot) + (this.tagIndex?.bytesOf(key) ?? 0);
  }

  /** Number of keys that have an expiry time. */
  get volatileSize(): number {
    return this.volatileCount;
  }

  /** Number of hashes that have fields with an expiry time. */
  get expiringHashes(): number {
    return this.fieldDeadlines.size;
  }

  /** Fetches into the processor's cache what is kept of the keys of coming requests, their second words; at most WARMED requests. */
  warm(requests: readonly Bytes[][]): void {
    const { records, table } = this;
    let sum = table.warm(requests);
    for (let i = 0; i < requests.length; i++) {
      if (table.warmedSlots[i]! >= 0) sum += records.sizeOf(table.warmedSlots[i]!);
    }
    this.warmed = sum;
  }

  /** The value for a reading command: counts a hit or a miss, and is an access. */
  read(key: Bytes): Value | undefined {
    const slot = this.liveSlot(key);
    if (slot < 0) {
      this.observer.lookedUp(false);
      this.observer.notify(this, NOTIFY.keyMiss, 'keymiss', key);
      return undefined;
    }
    this.observer.lookedUp(true);
    this.access.use(slot);
    return this.table.valueAt(slot);
  }

  /** As `read`, but no access (`EXISTS`, `TYPE`, `TTL`). */
  inspect(key: Bytes): Value | undefined {
    const value = this.peek(key);
    this.observer.lookedUp(value !== undefined);
    if (value === undefined) this.observer.notify(this, NOTIFY.keyMiss, 'keymiss', key);
    return value;
  }

  /** The value for a writing command: an access, but neither hit nor miss. */
  fetch(key: Bytes): Value | undefined {
    const slot = this.liveSlot(key);
    if (slot < 0) return undefined;
    this.access.use(slot);
    return this.table.valueAt(slot);
  }

  /** The value without any trace of the look (scans, WATCH, the server itself). */
  peek(key: Bytes): Value | undefined {
    const slot = this.liveSlot(key);
    return slot < 0 ? undefined : this.table.valueAt(slot);
  }

  has(key: Bytes): boolean {
    return this.liveSlot(key) >= 0;
  }

  /** Whether a key is there and not due. One that is due stays for others to remove (`KEYS`). */
  isLive(key: Bytes): boolean {
    const slot = this.table.find(key);
    return slot >= 0 && !this.isDue(slot);
  }

  /** The slot of a live key, or −1; see `access` for what hangs on it. */
  slotOf(key: Bytes): number {
    return this.liveSlot(key);
  }

  /** Sets a value and keeps the expiry time that the key may have. */
  put(key: Bytes, value: Value): void {
    const slot = this.liveSlot(key);
    if (slot < 0) this.insert(key, value);
    else {
      this.table.setValue(slot, value);
      this.account(slot);
      this.access.touch(slot);
      this.observer.keyReady(this, key);
    }
  }

  /** Sets a whole new value, as SET does: the expiry time goes, unless it is to be kept. */
  replace(key: Bytes, value: Value, keepExpiry = false): void {
    const slot = this.liveSlot(key);
    if (slot < 0) {
      this.insert(key, value);
      return;
    }
    if (this.volatileCount > 0 && !keepExpiry) this.clearExpiry(slot);
    const old = this.table.valueAt(slot);
    this.table.setValue(slot, value);
    this.account(slot);
    this.access.replaced(slot);
    this.observer.keyReady(this, key);
    this.notifyOverwritten(key, old, value);
  }

  /** The events of a value that has taken the place of another one. */
  notifyOverwritten(key: Bytes, old: Value, value: Value): void {
    // A look at the old value's type would cost a SET among many keys a tenth of its time.
    if (this.observer.notifyClasses === 0) return;
    this.observer.notify(this, NOTIFY.overwritten, 'overwritten', key);
    const bothText = typeof old === 'string' && typeof value === 'string';
    if (!bothText && typeOf(old) !== typeOf(value)) {
      this.observer.notify(this, NOTIFY.typeChanged, 'type_changed', key);
    }
  }

  /** Removes a key; false when there is none. */
  remove(key: Bytes): boolean {
    const slot = this.liveSlot(key);
    if (slot < 0) return false;
    this.removeSlot(slot);
    this.observer.keyReady(this, key);
    return true;
  }

  /** Removes a key and hands out what it was; undefined when there is none. */
  detach(key: Bytes): DetachedKey | undefined {
    const slot = this.liveSlot(key);
    if (slot < 0) return undefined;
    const detached = {
      value: this.table.valueAt(slot),
      expiry: this.expiryOf(key),
      expiryNanos: this.expiryNanosOf(key),
      access: this.access.stateOf(slot),
      tags: this.tagsOf(key),
    };
    this.remove(key);
    return detached;
  }

  /** Adds a key that is not there, with what `detach` has taken from another one. */
  attach(key: Bytes, detached: DetachedKey): void {
    this.insert(key, detached.value);
    if (detached.expiry !== undefined) this.setExpiry(key, detached.expiry, detached.expiryNanos);
    if (detached.access !== undefined) this.access.restore(this.table.find(key), detached.access);
    if (detached.tags.length > 0) this.addTags(key, detached.tags);
  }

  /** Adds tags to a key, which must exist. Returns how many are new to it. */
  addTags(key: Bytes, tags: readonly Bytes[]): number {
    this.tagIndex ??= new TagIndex();
    return this.tagIndex.add(key, tags);
  }

  /** Takes tags from a key. Returns how many it had. */
  removeTags(key: Bytes, tags: readonly Bytes[]): number {
    return this.tagIndex?.remove(key, tags) ?? 0;
  }

  /** The tags of a key that is there, in the order in which they came. */
  tagsOf(key: Bytes): readonly Bytes[] {
    return this.tagIndex?.tagsOf(key) ?? [];
  }

  hasTag(key: Bytes, tag: Bytes): boolean {
    return this.tagIndex?.has(key, tag) ?? false;
  }

  /** The live keys that have all of these tags. */
  keysWithTags(tags: readonly Bytes[]): Bytes[] {
    const keys = this.tagIndex?.keysWithAll(tags) ?? [];
    return keys.filter((key) => this.has(key));
  }

  /** Numbers of tags in use and of keys that have any. */
  tagCounts(): { tags: number; keys: number } {
    return { tags: this.tagIndex?.tagCount ?? 0, keys: this.tagIndex?.keyCount ?? 0 };
  }

  /** The `count` fitting keys that were used most since they came or `forgetAccesses`, each with how often. */
  mostUsed(count: number, fits: (key: Bytes) => boolean): { key: Bytes; accesses: number }[] {
    const slots = this.access.mostUsed(this.size, count, (slot) => !this.isDue(slot) && fits(this.table.keyAt(slot)));
    return slots.map((slot) => ({ key: this.table.keyAt(slot), accesses: this.access.countOf(slot) }));
  }

  /** Counts accesses from zero again. */
  forgetAccesses(): void {
    this.access.forgetCounts(this.size);
  }

  /** A key's value, existence or expiry was changed by a command: tells WATCH and tracking, and sends the event. */
  changed(key: Bytes, eventClass: number, event: string): void {
    this.accountKey(key);
    this.observer.keyTouched(this, key);
    this.observer.notify(this, eventClass, event, key);
  }

  /** As `changed`, without an event. */
  touch(key: Bytes): void {
    this.accountKey(key);
    this.observer.keyTouched(this, key);
  }

  /** Sends an event and nothing else. */
  notify(eventClass: number, event: string, key: Bytes): void {
    this.observer.notify(this, eventClass, event, key);
  }

  /** Something that a client may wait for came to a key that was there before (a stream entry). */
  ready(key: Bytes): void {
    this.observer.keyReady(this, key);
  }

  /** Removes a key whose collection has lost its last element, with the event. */
  removeEmptied(key: Bytes): void {
    this.remove(key);
    this.observer.notify(this, NOTIFY.generic, 'del', key);
  }

  /** Unix ms at which the key goes, or undefined when it has no expiry (or does not exist). */
  expiryOf(key: Bytes): number | undefined {
    const slot = this.liveSlot(key);
    if (slot < 0 || slot >= this.expires.length) return undefined;
    const at = this.expires[slot]!;
    return at === NONE ? undefined : at;
  }

  /** Nanoseconds beyond `expiryOf`, 0–999,999. */
  expiryNanosOf(key: Bytes): number {
    const slot = this.table.find(key);
    return slot < 0 || this.expireNanos === undefined ? 0 : (this.expireNanos[slot] ?? 0);
  }

  /** Sets when a key goes, in unix ms (above 0) and nanoseconds beyond. The key must exist. */
  setExpiry(key: Bytes, atMs: number, nanos = 0): void {
    const slot = this.find(key);
    if (slot < 0) throw new Error('setExpiry: no such key');
    this.reserveExpiry();
    if (this.expires[slot] === NONE) this.linkVolatile(slot);
    this.expires[slot] = atMs;
    if (nanos !== 0 && this.expireNanos === undefined) this.expireNanos = new Int32Array(this.table.capacity);
    if (this.expireNanos !== undefined) this.expireNanos[slot] = nanos;
  }

  /** As `setExpiry`, for any time of the 64-bit range above 0, which is kept exactly. */
  setExpiryTime(key: Bytes, atMs: Int64): void {
    if (typeof atMs === 'number') this.setExpiry(key, atMs);
    else this.setExpiry(key, Number(atMs - (atMs % BigInt(COARSE_MS))), Number(atMs % BigInt(COARSE_MS)));
  }

  /** As `expiryOf`, exact over the 64-bit range. */
  expiryTimeOf(key: Bytes): Int64 | undefined {
    const at = this.expiryOf(key);
    if (at === undefined || at <= Number.MAX_SAFE_INTEGER) return at;
    return normaliseInteger(BigInt(at) + BigInt(this.expiryNanosOf(key)));
  }

  /** Takes the expiry from a key; false when it had none. */
  removeExpiry(key: Bytes): boolean {
    const slot = this.liveSlot(key);
    return slot >= 0 && this.clearExpiry(slot);
  }

  /** Removes every key without a word to anyone. */
  clear(): void {
    this.table.clear();
    this.expires = new Float64Array(0);
    this.expireNanos = undefined;
    this.volatile = new Int32Array(16);
    this.volatileAt = new Int32Array(0);
    this.volatileCount = 0;
    this.cycleCursor = 0;
    this.fieldDeadlines = new Deadlines();
    this.totalBytes = 0;
    this.lastKey = undefined;
    this.tagIndex = undefined;
    this.records.clear();
  }

  /** Exchanges all keys with another database (SWAPDB). Nobody is told. */
  swapWith(other: Database): void {
    const { table, expires, expireNanos, volatile, volatileAt, volatileCount } = this;
    this.table = other.table;
    this.expires = other.expires;
    this.expireNanos = other.expireNanos;
    this.volatile = other.volatile;
    this.volatileAt = other.volatileAt;
    this.volatileCount = other.volatileCount;
    other.table = table;
    other.expires = expires;
    other.expireNanos = expireNanos;
    other.volatile = volatile;
    other.volatileAt = volatileAt;
    other.volatileCount = volatileCount;
    const { fieldDeadlines, totalBytes, tagIndex } = this;
    this.fieldDeadlines = other.fieldDeadlines;
    other.fieldDeadlines = fieldDeadlines;
    this.totalBytes = other.totalBytes;
    this.tagIndex = other.tagIndex;
    this.lastKey = undefined;
    other.totalBytes = totalBytes;
    other.tagIndex = tagIndex;
    other.lastKey = undefined;
    this.records.swapWith(other.records);
  }

  /** A key chosen evenly from all that live, or undefined when there are none. */
  randomKey(random: () => number = Math.random): Bytes | undefined {
    while (this.size > 0) {
      const key = this.table.keyAt(Math.floor(random() * this.size));
      if (this.liveSlot(key) >= 0) return key;
    }
    return undefined;
  }

  /**
   * One step of a scan: visits about `count` keys from the cursor and returns the next cursor, 0 at the end.
   * Slots are walked from the highest down, the only direction in which moves between calls lose nothing.
   */
  scan(cursor: number, count: number, visit: (key: Bytes, value: Value) => void): number {
    let slot = cursor === 0 || cursor > this.size ? this.size : cursor;
    for (let seen = 0; slot > 0 && seen < count; seen++) {
      slot--;
      if (slot >= this.size) slot = this.size - 1;
      if (slot < 0) return 0;
      if (this.settle(slot)) visit(this.table.keyAt(slot), this.table.valueAt(slot));
    }
    return slot;
  }

  /** All keys that are not due; those that are stay for others to remove (`KEYS`). `visit` must not change the database. */
  forEachLive(visit: (key: Bytes, value: Value) => void): void {
    for (let slot = this.size - 1; slot >= 0; slot--) {
      if (!this.isDue(slot)) visit(this.table.keyAt(slot), this.table.valueAt(slot));
    }
  }

  /** All live keys; those that are due go. */
  forEach(visit: (key: Bytes, value: Value) => void): void {
    for (let slot = this.size - 1; slot >= 0; slot--) {
      if (this.settle(slot)) visit(this.table.keyAt(slot), this.table.valueAt(slot));
    }
  }

  /**
   * Active expiry: looks at up to `limit` keys that have an expiry time, going on where the last call stopped, and
   * removes those that are due. Returns how many it removed.
   */
  expireDue(limit: number): number {
    let removed = 0;
    for (let looked = 0; looked < limit && this.volatileCount > 0; looked++) {
      if (this.cycleCursor >= this.volatileCount) this.cycleCursor = 0;
      const slot = this.volatile[this.cycleCursor]!;
      if (this.isDue(slot)) {
        this.expireSlot(slot);
        removed++;
      } else this.cycleCursor++;
    }
    return removed;
  }

  /** Active expiry of fields: removes up to `limit` that are due, the earliest first. Returns how many. */
  expireDueFields(limit: number): number {
    let removed = 0;
    while (removed < limit) {
      const key = this.fieldDeadlines.firstDue(this.clock.ms);
      if (key === undefined) break;
      removed += this.expireFields(this.table.find(key), limit - removed);
    }
    return removed;
  }

  /** Removes all keys and fields that are due, in the order of their times: what a moved clock asks for. */
  expireAllDue(): void {
    const due: Deadline[] = this.fieldDeadlines.allDue(this.clock.ms);
    for (let i = 0; i < this.volatileCount; i++) {
      const slot = this.volatile[i]!;
      if (this.isDue(slot)) due.push({ name: this.table.keyAt(slot), time: this.expires[slot]! });
    }
    due.sort((a, b) => a.time - b.time);
    for (const { name } of due) this.liveSlot(name);
  }

  /** A volatile key chosen evenly (for eviction), or undefined. */
  randomVolatileKey(random: () => number = Math.random): Bytes | undefined {
    if (this.volatileCount === 0) return undefined;
    return this.table.keyAt(this.volatile[Math.floor(random() * this.volatileCount)]!);
  }

  /** Mean time to live in ms of a sample of the volatile keys, for `INFO keyspace`. */
  averageTtl(): number {
    const sample = Math.min(this.volatileCount, 100);
    let sum = 0;
    for (let i = 0; i < sample; i++) sum += Math.max(this.expires[this.volatile[i]!]! - this.clock.ms, 0);
    return sample === 0 ? 0 : Math.round(sum / sample);
  }

  private find(key: Bytes): number {
    if (key !== this.lastKey) {
      this.lastSlot = this.table.find(key);
      this.lastKey = key;
    }
    return this.lastSlot;
  }

  private liveSlot(key: Bytes): number {
    const slot = this.find(key);
    if (slot < 0) return slot;
    if (!this.lazyExpiry) return this.volatileCount > 0 && this.isDue(slot) ? -1 : slot;
    return this.settle(slot) ? slot : -1;
  }

  /** Removes a key, or fields of its hash, if they are due. Returns whether the key is still there. */
  private settle(slot: number): boolean {
    if (this.volatileCount > 0 && this.isDue(slot)) {
      this.expireSlot(slot);
      return false;
    }
    if (this.fieldDeadlines.size === 0) return true;
    const fieldsDueAt = this.fieldDeadlines.get(this.table.keyAt(slot));
    if (fieldsDueAt === undefined || fieldsDueAt > this.clock.ms) return true;
    const hash = this.table.valueAt(slot) as HashValue;
    this.expireFields(slot, Number.POSITIVE_INFINITY);
    return hash.size > 0;
  }

  /** Removes up to `limit` fields that are due, and the hash with its last field. Returns how many. */
  private expireFields(slot: number, limit: number): number {
    const key = this.table.keyAt(slot);
    const hash = this.table.valueAt(slot) as HashValue;
    const fields = hash.expireDue(this.clock.ms, limit);
    this.account(slot);
    this.observer.fieldsExpired(this, key, fields);
    if (hash.size === 0) this.removeEmptied(key);
    return fields.length;
  }

  private isDue(slot: number): boolean {
    if (slot >= this.expires.length) return false;
    const at = this.expires[slot]!;
    if (at === NONE || at > this.clock.ms) return false;
    const nanos = this.expireNanos?.[slot] ?? 0;
    return at < this.clock.ms || nanos <= this.clock.extraNanos;
  }

  private insert(key: Bytes, value: Value): void {
    const slot = this.table.add(key, value);
    this.records.create(slot);
    this.account(slot);
    this.lastKey = key;
    this.lastSlot = slot;
    this.access.replaced(slot);
    this.observer.keyReady(this, key);
    this.observer.notify(this, NOTIFY.newKey, 'new', key);
  }

  private expireSlot(slot: number): void {
    const key = this.table.keyAt(slot);
    this.removeSlot(slot);
    this.observer.keyExpired(this, key);
  }

  private removeSlot(slot: number): void {
    if (this.volatileCount > 0) this.clearExpiry(slot);
    if (this.fieldDeadlines.size > 0) this.fieldDeadlines.remove(this.table.keyAt(slot));
    if (this.tagIndex !== undefined) this.tagIndex.forget(this.table.keyAt(slot));
    this.totalBytes -= this.records.sizeOf(slot);
    const last = this.table.removeAt(slot);
    this.lastKey = undefined;
    this.records.move(last, slot);
    if (last === slot || last >= this.expires.length) return;
    this.expires[slot] = this.expires[last]!;
    this.expires[last] = NONE;
    if (this.expireNanos !== undefined) this.expireNanos[slot] = this.expireNanos[last]!;
    const at = this.volatileAt[last]!;
    this.volatileAt[slot] = at;
    this.volatileAt[last] = -1;
    if (at >= 0) this.volatile[at] = slot;
  }

  /** Notes what the key in a slot takes now, and when its fields are due. */
  private account(slot: number): void {
    const key = this.table.keyAt(slot);
    const value = this.table.valueAt(slot);
    const bytes = estimateEntry(key, value);
    this.totalBytes += bytes - this.records.sizeOf(slot);
    this.records.setSize(slot, bytes);
    if (this.fieldDeadlines.size > 0 || value instanceof HashValue) this.noteFieldDeadline(key, value);
  }

  private noteFieldDeadline(key: Bytes, value: Value): void {
    const next = value instanceof HashValue ? value.nextExpiry() : undefined;
    if (next === undefined) this.fieldDeadlines.remove(key);
    else if (this.fieldDeadlines.get(key) !== next) this.fieldDeadlines.set(key, next);
  }

  private accountKey(key: Bytes): void {
    const slot = this.find(key);
    // Text and numbers do not change in place: they were counted when they were put there.
    if (slot >= 0 && typeof this.table.valueAt(slot) === 'object') this.account(slot);
  }

  private clearExpiry(slot: number): boolean {
    if (slot >= this.expires.length || this.expires[slot] === NONE) return false;
    this.expires[slot] = NONE;
    if (this.expireNanos !== undefined) this.expireNanos[slot] = 0;
    const at = this.volatileAt[slot]!;
    const moved = this.volatile[--this.volatileCount]!;
    this.volatile[at] = moved;
    this.volatileAt[moved] = at;
    this.volatileAt[slot] = -1;
    return true;
  }

  private linkVolatile(slot: number): void {
    if (this.volatileCount === this.volatile.length) this.volatile = grown(this.volatile, this.volatile.length * 2);
    this.volatile[this.volatileCount] = slot;
    this.volatileAt[slot] = this.volatileCount++;
  }

  /** The expiry arrays exist only once a key has an expiry, and then cover every slot of the table. */
  private reserveExpiry(): void {
    const capacity = this.table.capacity;
    if (this.expires.length >= capacity) return;
    const expires = new Float64Array(capacity);
    expires.set(this.expires);
    this.expires = expires;
    const covered = this.volatileAt.length;
    this.volatileAt = grown(this.volatileAt, capacity).fill(-1, covered);
    if (this.expireNanos !== undefined) this.expireNanos = grown(this.expireNanos, capacity);
  }
}

function grown(array: Int32Array, length: number): Int32Array<ArrayBuffer> {
  const copy = new Int32Array(length);
  copy.set(array);
  return copy;
}
