/**
 * One namespace of a cache: answers by key with an expiry each, the least recently used of which makes room for a new one,
 * and the counters that STATS tells. What is due is never found; it is removed in bounded steps, when something is set
 * and by the background work of the server.
 */
import type { Bytes } from '../../protocol/reply.js';
import { Deadlines } from '../values/deadlines.js';
import { RecentDurations } from './recent-durations.js';
import type { TokenUsage } from './token-usage.js';
import { UsageSavings } from './usage-savings.js';

/** Due entries that are removed at most when one is set. */
const REMOVED_BY_SET = 16;
/** Estimated bytes of a namespace without entries, of an entry beside its texts, and of an expiry beside the key. */
const NAMESPACE_BYTES = 3000;
const ENTRY_BYTES = 180;
const EXPIRY_BYTES = 80;

/** What a cache keeps under a key. */
export interface CachedAnswer {
  readonly response: Bytes;
  /** What the writer noted about it; empty when nothing. */
  readonly metadata: Bytes;
  /** What the call took that made it; each hit saves that. */
  readonly usage: TokenUsage | undefined;
  /** How often it was found. */
  hits: number;
}

export class NamespaceCache {
  hits = 0;
  misses = 0;
  evictions = 0;
  readonly savings = new UsageSavings();
  readonly lookups = new RecentDurations();
  /** By key, the least recently used first. */
  private readonly entries = new Map<Bytes, CachedAnswer>();
  private readonly deadlines = new Deadlines();
  private textBytes = 0;

  constructor(
    /** Entries at most; Infinity: any number. */
    private maxEntries: number,
    /** Seconds that an entry lasts if nothing else is said; Infinity: for ever. */
    public ttlSeconds: number,
  ) {}

  /** Estimated bytes. */
  get bytes(): number {
    return NAMESPACE_BYTES + this.entries.size * ENTRY_BYTES + this.deadlines.size * EXPIRY_BYTES + this.textBytes;
  }

  /** The part of the lookups that found something; 0 before the first. */
  get hitRate(): number {
    const lookups = this.hits + this.misses;
    return lookups === 0 ? 0 : this.hits / lookups;
  }

  /** Number of live entries. */
  size(now: number): number {
    this.removeDue(now, Number.POSITIVE_INFINITY);
    return this.entries.size;
  }

  /** Sets the answer of a key until a time in unix ms (Infinity: for ever). When that has passed, nothing is left under the key. */
  set(key: Bytes, answer: CachedAnswer, expiresAt: number, now: number): void {
    this.delete(key);
    if (expiresAt <= now) return;
    this.removeDue(now, REMOVED_BY_SET);
    this.entries.set(key, answer);
    this.textBytes += textBytesOf(key, answer);
    if (expiresAt < Number.POSITIVE_INFINITY) this.deadlines.set(key, expiresAt);
    this.evict();
  }

  /** The answer of a key, which becomes the most recently used; counted as a hit or a miss. */
  look(key: Bytes, now: number): CachedAnswer | undefined {
    if (this.has(key) && this.isLive(key, now)) return this.use(key);
    this.misses++;
    return undefined;
  }

  /** Removes the entry of a key; false when there is none. */
  remove(key: Bytes, now: number): boolean {
    const live = this.isLive(key, now);
    return this.delete(key) && live;
  }

  /** Removes all entries and gives how many were live; the counters stay. */
  flush(now: number): number {
    const live = this.size(now);
    for (const key of this.entries.keys()) this.delete(key);
    return live;
  }

  /** Takes another number of entries at most (Infinity: any number), and removes what is too many. */
  limit(maxEntries: number, now: number): void {
    this.maxEntries = maxEntries;
    this.removeDue(now, Number.POSITIVE_INFINITY);
    this.evict();
  }

  /** Removes up to `limit` entries that are due, earliest first. Returns how many. */
  removeDue(now: number, limit: number): number {
    let removed = 0;
    for (; removed < limit; removed++) {
      const key = this.deadlines.firstDue(now);
      if (key === undefined) break;
      this.delete(key);
    }
    return removed;
  }

  /** Whether there is an entry, due or not. */
  protected has(key: Bytes): boolean {
    return this.entries.has(key);
  }

  protected isLive(key: Bytes, now: number): boolean {
    const at = this.deadlines.get(key);
    return at === undefined || at > now;
  }

  /** Counts a hit of an entry, and makes it the most recently used. */
  protected use(key: Bytes): CachedAnswer {
    const answer = this.entries.get(key)!;
    this.hits++;
    answer.hits++;
    this.entries.delete(key);
    this.entries.set(key, answer);
    return answer;
  }

  /** Takes an entry out of all that knows it, due or not. */
  protected delete(key: Bytes): boolean {
    const answer = this.entries.get(key);
    if (answer === undefined) return false;
    this.entries.delete(key);
    this.deadlines.remove(key);
    this.textBytes -= textBytesOf(key, answer);
    return true;
  }

  private evict(): void {
    for (const key of this.entries.keys()) {
      if (this.entries.size <= this.maxEntries) return;
      this.delete(key);
      this.evictions++;
    }
  }
}

function textBytesOf(key: Bytes, { response, metadata }: CachedAnswer): number {
  return key.length + response.length + metadata.length;
}
