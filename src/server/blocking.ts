/**
 * Clients that wait: for a key to become ready, for a time to pass, or for the end of a pause.
 *
 * A waiting client is served by running its command again. Keys that became ready are looked at after each command of
 * a client (after EXEC as a whole, after a script), in the order in which they became ready, and the clients of a key
 * in the order in which they began to wait.
 */
import { type BlockKind, BlockRequest } from '../commands/block-request.js';
import type { Database } from '../keyspace/database.js';
import type { Value } from '../keyspace/value.js';
import { typeOf } from '../keyspace/value.js';
import { type Bytes, ErrorReply, type Reply } from '../protocol/reply.js';
import type { Command } from './command-table.js';
import { noteDuration } from './dispatch.js';
import type { Server } from './server.js';
import type { BlockedState, Session } from './session.js';

export class Blocking {
  /** By database and key, the clients in order of waiting. */
  private readonly waiting: Map<Bytes, Set<Session>>[];
  private ready = new Set<Bytes>();
  private readyOrder: { db: Database; key: Bytes }[] = [];
  private readonly sessions = new Set<Session>();

  constructor(private readonly server: Server) {
    this.waiting = server.databases.map(() => new Map<Bytes, Set<Session>>());
  }

  /** Number of clients that wait for anything (`blocked_clients`). */
  get count(): number {
    return this.sessions.size;
  }

  /** Number of keys that clients wait for (`total_blocking_keys`). */
  get keyCount(): number {
    return this.waiting.reduce((sum, keys) => sum + keys.size, 0);
  }

  /** Number of keys that clients wait for who are also told of deletion (`total_blocking_keys_on_nokey`). */
  get deleteKeyCount(): number {
    let count = 0;
    for (const keys of this.waiting) {
      for (const waiters of keys.values()) {
        for (const session of waiters) {
          if (session.blocked!.request.wakeOnDelete) {
            count++;
            break;
          }
        }
      }
    }
    return count;
  }

  get hasReady(): boolean {
    return this.readyOrder.length > 0;
  }

  block(session: Session, command: Command, args: Bytes[], request: BlockRequest): void {
    const { clock } = this.server;
    const timer =
      request.deadline === Infinity
        ? undefined
        : clock.schedule(request.deadline, () => this.finish(session, request.timeoutReply));
    session.blocked = { request, command, args, timer, since: clock.ms };
    this.sessions.add(session);
    const keys = this.waiting[session.db.index]!;
    for (const key of request.keys) {
      const waiters = keys.get(key);
      if (waiters === undefined) keys.set(key, new Set([session]));
      else waiters.add(session);
    }
  }

  /** A key came into being, was replaced, or vanished: those who wait for it are looked at soon. */
  keyReady(db: Database, key: Bytes): void {
    if (this.sessions.size === 0 || !this.waiting[db.index]!.has(key)) return;
    const name = `${db.index} ${key}`;
    if (this.ready.has(name)) return;
    this.ready.add(name);
    this.readyOrder.push({ db, key });
  }

  /** After SWAPDB every key that somebody waits for may have appeared. */
  databaseReplaced(db: Database): void {
    for (const key of this.waiting[db.index]!.keys()) this.keyReady(db, key);
  }

  /** Serves those whose keys are ready, until no key is ready any more. */
  serveReady(): void {
    while (this.readyOrder.length > 0) {
      const round = this.readyOrder;
      this.readyOrder = [];
      this.ready = new Set();
      for (const { db, key } of round) this.serveKey(db, key);
    }
  }

  /** Runs the commands that CLIENT PAUSE held back. */
  servePaused(): void {
    for (const session of [...this.sessions]) {
      if (session.blocked?.request.kind !== 'pause') continue;
      const { args } = session.blocked;
      this.release(session);
      this.server.process(session, args);
      if (session.blocked === null) session.sink.resume();
    }
  }

  /** Ends a client's wait with a reply (time-out, CLIENT UNBLOCK). */
  finish(session: Session, reply: Reply): void {
    const { blocked } = session;
    if (blocked === null) return;
    if (reply instanceof ErrorReply) this.server.stats.countFailure(blocked.command, reply);
    this.end(session, blocked, reply);
  }

  private end(session: Session, blocked: BlockedState, reply: Reply): void {
    this.release(session);
    const { busySince } = blocked.request;
    if (busySince !== undefined) {
      const waited = this.server.clock.ms - busySince;
      this.server.stats.countBusyWait(blocked.command, waited);
      noteDuration(session, blocked.command, blocked.args, waited);
    }
    this.server.deliver(session, reply);
    session.sink.resume();
  }

  /** Forgets that a client waits; it gets no reply. */
  release(session: Session): void {
    const { blocked } = session;
    if (blocked === null) return;
    session.blocked = null;
    this.sessions.delete(session);
    if (blocked.timer !== undefined) this.server.clock.cancel(blocked.timer);
    const keys = this.waiting[session.db.index]!;
    for (const key of blocked.request.keys) {
      const waiters = keys.get(key);
      waiters?.delete(session);
      if (waiters?.size === 0) keys.delete(key);
    }
  }

  private serveKey(db: Database, key: Bytes): void {
    const waiters = this.waiting[db.index]!.get(key);
    if (waiters === undefined) return;
    for (const session of [...waiters]) {
      const { blocked } = session;
      if (blocked === null || !waiters.has(session)) continue;
      const value = db.peek(key);
      if (value === undefined ? !blocked.request.wakeOnDelete : !serves(blocked.request, value)) continue;
      this.server.clock.refresh();
      const reply = this.server.runAgain(session, blocked);
      if (!(reply instanceof BlockRequest)) this.end(session, blocked, reply);
      this.server.sendDelayed(session);
    }
  }
}

/** Whether a value of this type can end the wait. A waiter for a stream is also told that the key is none any more. */
function serves(request: BlockRequest, value: Value): boolean {
  const kind: BlockKind = request.kind;
  return request.wakeOnDelete || typeOf(value) === kind;
}
