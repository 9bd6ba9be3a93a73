/** How much memory the data takes, and the making of room by eviction when `maxmemory` is reached. */

import { sessionBytes } from '../commands/client-list.js';
import type { Database } from '../keyspace/database.js';
import { NOTIFY } from '../keyspace/notifications.js';
import type { Bytes } from '../protocol/reply.js';
import type { Server } from './server.js';

/** What an empty server counts as using, in bytes: about what Redis reports when it starts. */
const STARTUP_BYTES = 1_000_000;
/** Candidates that are kept from one eviction to the next, as Redis does: samples alone would miss the oldest keys. */
const POOL_SIZE = 16;
/** Longest time in ms that one command waits for room; the rest is evicted in the background. */
const PATIENCE_MS = 5;

interface Candidate {
  readonly db: Database;
  readonly key: Bytes;
  /** The greater, the sooner it goes. */
  readonly score: number;
}

export class Memory {
  readonly startupBytes = STARTUP_BYTES;
  /** `maxmemory` in bytes, 0: no limit. */
  limit = 0;
  policy = 'noeviction';
  samples = 5;
  private pool: Candidate[] = [];
  private continuing = false;
  private nextDatabase = 0;

  constructor(private readonly server: Server) {}

  get limited(): boolean {
    return this.limit > 0;
  }

  /** Estimated bytes of all keys and values. */
  get dataBytes(): number {
    let bytes = 0;
    for (const db of this.server.databases) bytes += db.dataBytes;
    return bytes;
  }

  /** Bytes of requests and replies under way. */
  get clientBytes(): number {
    let bytes = 0;
    for (const session of this.server.sessions.values()) bytes += sessionBytes(session);
    return bytes;
  }

  /** `used_memory`: an estimate that follows the data, not what the process takes (`used_memory_rss`). */
  get used(): number {
    return STARTUP_BYTES + this.dataBytes + this.server.engines.bytes + this.clientBytes;
  }

  /** Evicts keys until the data fits; false when it does not and nothing more can go. */
  makeRoom(): boolean {
    if (this.limit === 0) return true;
    const { clock, stats } = this.server;
    const counted = STARTUP_BYTES + this.server.engines.bytes + this.clientBytes;
    const patience = clock.elapsed() + PATIENCE_MS;
    for (let evicted = 1; counted + this.dataBytes > this.limit; evicted++) {
      if (this.policy === 'noeviction') return false;
      const victim = this.chooseVictim();
      if (victim === undefined) return false;
      const { db, key } = victim;
      db.remove(key);
      stats.evictedKeys++;
      this.server.touchedByNobody(db, key);
      db.notify(NOTIFY.evicted, 'evicted', key);
      if ((evicted & 15) === 0 && clock.elapsed() > patience) {
        this.continueLater();
        return true;
      }
    }
    return true;
  }

  private continueLater(): void {
    if (this.continuing) return;
    this.continuing = true;
    setImmediate(() => {
      this.continuing = false;
      this.server.clock.refresh();
      this.makeRoom();
    });
  }

  private chooseVictim(): { db: Database; key: Bytes } | undefined {
    const volatileOnly = this.policy.startsWith('volatile');
    if (this.policy.endsWith('random')) return this.randomVictim(volatileOnly);
    for (const db of this.server.databases) this.fillPool(db, volatileOnly);
    while (this.pool.length > 0) {
      const candidate = this.pool.pop()!;
      // What the pool remembers may have gone, or lost its expiry, since.
      if (!candidate.db.has(candidate.key)) continue;
      if (volatileOnly && candidate.db.expiryOf(candidate.key) === undefined) continue;
      return candidate;
    }
    return undefined;
  }

  private randomVictim(volatileOnly: boolean): { db: Database; key: Bytes } | undefined {
    const { databases } = this.server;
    for (let i = 0; i < databases.length; i++) {
      const db = databases[this.nextDatabase]!;
      this.nextDatabase = (this.nextDatabase + 1) % databases.length;
      const key = volatileOnly ? db.randomVolatileKey() : db.randomKey();
      if (key !== undefined) return { db, key };
    }
    return undefined;
  }

  /** Adds a sample of a database to the pool; the best candidates stay, the very best last. */
  private fillPool(db: Database, volatileOnly: boolean): void {
    if (db.size === 0) return;
    for (let i = 0; i < this.samples; i++) {
      const key = volatileOnly ? db.randomVolatileKey() : db.randomKey();
      if (key === undefined) return;
      if (this.pool.some((known) => known.db === db && known.key === key)) continue;
      const slot = db.slotOf(key);
      if (slot >= 0) this.pool.push({ db, key, score: this.scoreOf(db, key, slot) });
    }
    this.pool.sort((a, b) => a.score - b.score);
    if (this.pool.length > POOL_SIZE) this.pool.splice(0, this.pool.length - POOL_SIZE);
  }

  private scoreOf(db: Database, key: Bytes, slot: number): number {
    if (this.policy.endsWith('lru')) return db.access.idleSeconds(slot);
    if (this.policy.endsWith('lfu')) return 255 - db.access.frequency(slot);
    return -(db.expiryOf(key) ?? 0);
  }
}
