/**
 * Client-side caching (CLIENT TRACKING): which clients may hold copies of which keys, and telling them when a key
 * changes. In the default mode a table remembers what each client has read; in broadcast mode a client hears of every
 * key that begins with one of its prefixes.
 */
import { keysOf } from '../commands/key-positions.js';
import { type Bytes, PushReply } from '../protocol/reply.js';
import type { Command } from './command-table.js';
import type { Server } from './server.js';
import type { Session } from './session.js';

export interface TrackingState {
  readonly broadcast: boolean;
  readonly optIn: boolean;
  readonly optOut: boolean;
  readonly noLoop: boolean;
  /** The client that gets the invalidations, 0: this one. */
  readonly redirect: number;
  readonly prefixes: readonly Bytes[];
  /** CLIENT CACHING was said for the next command (or transaction). */
  caching: boolean;
  /** The client that the messages go to was found to be gone. */
  brokenRedirect: boolean;
}

/** The channel on which a RESP2 client hears of invalidations that are redirected to it. */
const INVALIDATION_CHANNEL = '__redis__:invalidate';

export class Tracking {
  /** `tracking-table-max-keys`; 0: no limit. */
  maxKeys = 1_000_000;
  private readonly clients = new Set<Session>();
  private readonly readers = new Map<Bytes, Set<Session>>();
  /** Clients by prefix, and the keys that changed since the last broadcast with the client that changed them. */
  private readonly prefixes = new Map<Bytes, { clients: Set<Session>; changed: Map<Bytes, Session | null> }>();
  private broadcastPending = false;
  /** Keys that the client whose command runs is to drop, `null`: all; it is told after the reply. */
  private pending: (Bytes | null)[] = [];

  constructor(private readonly server: Server) {}

  /** Whether any client tracks keys. */
  get any(): boolean {
    return this.clients.size > 0;
  }

  /** Whether a change of a key concerns anyone. The table outlives the clients' tracking. */
  get watching(): boolean {
    return this.clients.size > 0 || this.readers.size > 0;
  }

  get hasPending(): boolean {
    return this.pending.length > 0;
  }

  get clientCount(): number {
    return this.clients.size;
  }

  /** Keys that clients may hold (`tracking_total_keys`). */
  get keyCount(): number {
    return this.readers.size;
  }

  /** Pairs of key and client (`tracking_total_items`). */
  get itemCount(): number {
    let items = 0;
    for (const readers of this.readers.values()) items += readers.size;
    return items;
  }

  get prefixCount(): number {
    return this.prefixes.size;
  }

  start(session: Session, state: TrackingState): void {
    session.tracking = state;
    this.clients.add(session);
    for (const prefix of state.prefixes) {
      const entry = this.prefixes.get(prefix);
      if (entry === undefined) this.prefixes.set(prefix, { clients: new Set([session]), changed: new Map() });
      else entry.clients.add(session);
    }
    this.server.regate();
  }

  /** Ends the tracking of a client; what it has read stays in the table until it changes. */
  forget(session: Session): void {
    if (session.tracking === null) return;
    for (const prefix of session.tracking.prefixes) {
      const entry = this.prefixes.get(prefix);
      entry?.clients.delete(session);
      if (entry?.clients.size === 0) this.prefixes.delete(prefix);
    }
    session.tracking = null;
    this.clients.delete(session);
    this.server.regate();
  }

  /** Remembers the keys that a client has read, itself or through a script. */
  afterCall(command: Command, args: Bytes[]): void {
    const reader = this.server.currentSession;
    const state = reader?.tracking;
    if (reader === null || state === null || state === undefined) return;
    if (command.isReadonly && !state.broadcast && remembers(state) && !UNTRACKED.has(command.fullName)) {
      this.remember(reader, command, args);
    }
    const outermost = this.server.callDepth === 0 && reader.transaction === null;
    if (outermost && !command.fullName.startsWith('client|')) state.caching = false;
  }

  /** A key changed: those who may hold it hear of it. `cause` is the client that changed it; null: time, or eviction. */
  keyTouched(key: Bytes, cause: Session | null): void {
    if (this.prefixes.size > 0) this.noteForBroadcast(key, cause);
    this.invalidate(key);
  }

  /** Databases were emptied: every client drops all that it holds. */
  flushed(beforeReply: boolean): void {
    for (const client of this.clients) {
      if (client === this.server.currentSession && !beforeReply) this.pending.push(null);
      else this.send(client, client.tracking!, null, beforeReply);
    }
    this.readers.clear();
  }

  /** Tells the client whose command has run of what it changed itself. */
  sendPending(session: Session): void {
    const keys = this.pending;
    this.pending = [];
    if (session.tracking === null) return;
    for (const key of keys) this.send(session, session.tracking, key === null ? null : [key]);
  }

  /** Sends what has gathered for the prefixes; called before the replies of a turn leave. */
  broadcast(): void {
    if (!this.broadcastPending) return;
    this.broadcastPending = false;
    for (const { clients, changed } of this.prefixes.values()) {
      if (changed.size === 0) continue;
      for (const client of clients) {
        const state = client.tracking!;
        const keys = [...changed].filter(([, cause]) => !state.noLoop || cause !== client).map(([key]) => key);
        if (keys.length > 0) this.send(client, state, keys);
      }
      changed.clear();
    }
  }

  /** Forgets keys beyond the table's limit, before each command; their readers are told as if they had changed. */
  trim(): void {
    if (this.maxKeys === 0) return;
    for (const key of this.readers.keys()) {
      if (this.readers.size <= this.maxKeys) return;
      this.invalidate(key);
    }
  }

  private invalidate(key: Bytes): void {
    const readers = this.readers.get(key);
    if (readers === undefined) return;
    this.readers.delete(key);
    const { callDepth, currentSession } = this.server;
    for (const reader of readers) {
      const state = reader.tracking;
      if (state === null || state.broadcast || (state.noLoop && reader === currentSession)) continue;
      // An eviction before the command is told of before the reply.
      if (reader === currentSession && callDepth > 0) this.pending.push(key);
      else this.send(reader, state, [key]);
    }
  }

  private remember(reader: Session, command: Command, args: Bytes[]): void {
    for (const { index } of keysOf(command, args)) {
      const key = args[index]!;
      const readers = this.readers.get(key);
      if (readers === undefined) this.readers.set(key, new Set([reader]));
      else readers.add(reader);
    }
  }

  private noteForBroadcast(key: Bytes, cause: Session | null): void {
    for (const [prefix, { changed }] of this.prefixes) {
      if (!key.startsWith(prefix)) continue;
      changed.set(key, cause);
      this.broadcastPending = true;
    }
    if (this.broadcastPending) this.server.flushSoon();
  }

  /** Tells a client, or the one that it named, to drop keys; `null`: all of them. */
  private send(client: Session, state: TrackingState, keys: Bytes[] | null, atOnce = false): void {
    let target: Session | undefined = client;
    if (state.redirect !== 0) {
      target = this.server.sessions.get(state.redirect);
      if (target === undefined) {
        if (client.resp === 3) client.push(new PushReply(['tracking-redir-broken', state.redirect]));
        state.brokenRedirect = true;
        return;
      }
    }
    let message: PushReply;
    if (target.resp === 3) message = new PushReply(['invalidate', keys]);
    else if (state.redirect !== 0 && target.subscriptionCount > 0) {
      message = new PushReply(['message', INVALIDATION_CHANNEL, keys]);
    } else return;
    if (atOnce) target.sink.push(message);
    else target.push(message);
  }
}

/** Reading commands that read no keys themselves: of a script the commands count that it runs. */
const UNTRACKED: ReadonlySet<string> = new Set(['eval_ro', 'evalsha_ro', 'fcall_ro']);

function remembers(state: TrackingState): boolean {
  if (state.optIn) return state.caching;
  return !(state.optOut && state.caching);
}
