/** Keys under WATCH, and whose transaction a change of them breaks. */
import type { Database } from '../keyspace/database.js';
import type { Bytes } from '../protocol/reply.js';
import type { Session } from './session.js';

export class Watches {
  private readonly byDatabase = new Map<Database, Map<Bytes, Set<Session>>>();
  /** Number of watched keys over all clients. */
  count = 0;

  get any(): boolean {
    return this.count > 0;
  }

  /** Number of clients that watch at least one key. */
  get clientCount(): number {
    const sessions = new Set<Session>();
    for (const keys of this.byDatabase.values()) {
      for (const watchers of keys.values()) for (const session of watchers) sessions.add(session);
    }
    return sessions.size;
  }

  /** Number of keys that somebody watches. */
  get keyCount(): number {
    let count = 0;
    for (const keys of this.byDatabase.values()) count += keys.size;
    return count;
  }

  add(session: Session, db: Database, key: Bytes): void {
    if (session.watched.some((watched) => watched.db === db && watched.key === key)) return;
    session.watched.push({ db, key });
    this.count++;
    let keys = this.byDatabase.get(db);
    if (keys === undefined) {
      keys = new Map();
      this.byDatabase.set(db, keys);
    }
    const watchers = keys.get(key);
    if (watchers === undefined) keys.set(key, new Set([session]));
    else watchers.add(session);
  }

  clear(session: Session): void {
    for (const { db, key } of session.watched) {
      const keys = this.byDatabase.get(db)!;
      const watchers = keys.get(key)!;
      watchers.delete(session);
      if (watchers.size === 0) keys.delete(key);
      this.count--;
    }
    session.watched.length = 0;
    session.watchBroken = false;
  }

  /** A key was changed: every transaction that relies on it is broken. */
  touched(db: Database, key: Bytes): void {
    const watchers = this.byDatabase.get(db)?.get(key);
    if (watchers === undefined) return;
    for (const session of watchers) session.watchBroken = true;
  }

  /** A whole database was flushed or swapped; `existed` tells whether a key is, or was, there. */
  databaseChanged(db: Database, existed: (key: Bytes) => boolean): void {
    for (const [key, watchers] of this.byDatabase.get(db) ?? []) {
      if (existed(key)) for (const session of watchers) session.watchBroken = true;
    }
  }
}
