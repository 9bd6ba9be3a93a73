/** A map whose entries may end at a time. What has ended is as good as gone; it is removed when it is met, or as the map grows. */

export interface Expiring {
  /** Unix ms from which on it is gone; Infinity: never. */
  readonly expiresAt: number;
}

/** Entries from which on the map looks for ended ones when it grows. */
const FIRST_SWEEP = 64;

export class ExpiringMap<K, V extends Expiring> {
  private readonly entries = new Map<K, V>();
  private sweepAt = FIRST_SWEEP;

  /** `removed` is told of every entry that goes, for whatever reason but `clear`. */
  constructor(private readonly removed: (key: K, value: V) => void = () => {}) {}

  get(key: K, now: number): V | undefined {
    const value = this.entries.get(key);
    if (value === undefined || value.expiresAt > now) return value;
    this.remove(key, value);
    return undefined;
  }

  /** Whether an entry is there; changes nothing. */
  has(key: K, now: number): boolean {
    const value = this.entries.get(key);
    return value !== undefined && value.expiresAt > now;
  }

  /** Sets an entry; the one that it replaces is removed. */
  set(key: K, value: V, now: number): void {
    const old = this.entries.get(key);
    if (old !== undefined) this.remove(key, old);
    if (this.entries.size >= this.sweepAt) this.sweep(now);
    this.entries.set(key, value);
  }

  /** Removes an entry; false when there is none. */
  delete(key: K, now: number): boolean {
    const value = this.get(key, now);
    if (value === undefined) return false;
    this.remove(key, value);
    return true;
  }

  /** The entries that are there, in the order in which they were set. */
  *live(now: number): Generator<[key: K, value: V]> {
    for (const entry of this.entries) if (entry[1].expiresAt > now) yield entry;
  }

  /** All values, those too that have ended and still take memory. */
  values(): IterableIterator<V> {
    return this.entries.values();
  }

  clear(): void {
    this.entries.clear();
    this.sweepAt = FIRST_SWEEP;
  }

  private remove(key: K, value: V): void {
    this.entries.delete(key);
    this.removed(key, value);
  }

  /** Removes all that has ended; the next time is when as many entries were added as are left. */
  private sweep(now: number): void {
    for (const [key, value] of this.entries) if (value.expiresAt <= now) this.remove(key, value);
    this.sweepAt = Math.max(this.entries.size * 2, FIRST_SWEEP);
  }
}
