/** A map whose entries may end at a time. What has ended is removed before anything is looked up, so nobody sees it. */
import type { Bytes } from '../../protocol/reply.js';
import { Deadlines } from '../values/deadlines.js';

export interface Expiring {
  /** Unix ms from which on it is gone; Infinity: never. */
  readonly expiresAt: number;
}

export class ExpiringMap<V extends Expiring> {
  private readonly entries = new Map<Bytes, V>();
  private deadlines = new Deadlines();

  /** `removed` is told of every entry that goes, for whatever reason but `clear`. */
  constructor(private readonly removed: (key: Bytes, value: V) => void = () => {}) {}

  /** How many entries there are, with those that have ended and were not yet removed. */
  get size(): number {
    return this.entries.size;
  }

  get(key: Bytes, now: number): V | undefined {
    this.removeDue(now);
    return this.entries.get(key);
  }

  /** Sets an entry; the one that it replaces is removed. */
  set(key: Bytes, value: V, now: number): void {
    this.delete(key, now);
    this.entries.set(key, value);
    if (value.expiresAt < Number.POSITIVE_INFINITY) this.deadlines.set(key, value.expiresAt);
  }

  /** Removes an entry; false when there is none. */
  delete(key: Bytes, now: number): boolean {
    this.removeDue(now);
    return this.remove(key);
  }

  /** The entries, in the order in which they were set. */
  live(now: number): ReadonlyMap<Bytes, V> {
    this.removeDue(now);
    return this.entries;
  }

  /** All values, those too that have ended and still take memory. */
  values(): IterableIterator<V> {
    return this.entries.values();
  }

  /** Removes up to `limit` entries that have ended, earliest first. Returns how many. */
  removeDue(now: number, limit = Number.POSITIVE_INFINITY): number {
    let count = 0;
    for (; count < limit; count++) {
      const key = this.deadlines.firstDue(now);
      if (key === undefined) break;
      this.remove(key);
    }
    return count;
  }

  clear(): void {
    this.entries.clear();
    this.deadlines = new Deadlines();
  }

  private remove(key: Bytes): boolean {
    const value = this.entries.get(key);
    if (value === undefined) return false;
    this.entries.delete(key);
    this.deadlines.remove(key);
    this.removed(key, value);
    return true;
  }
}
