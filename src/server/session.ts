/**
 * One client of the server: what it selected, who it is, and what it is in the middle of. A handler's context.
 * A session belongs to a connection, to a script, or to the in-process `server.call()`; it does not know which.
 */
import type { BlockRequest } from '../commands/block-request.js';
import type { ClockTimer } from '../keyspace/clock.js';
import type { Database } from '../keyspace/database.js';
import type { Bytes, Reply } from '../protocol/reply.js';
import type { User } from './acl/user.js';
import type { Command } from './command-table.js';
import type { SubscriptionKind } from './pubsub.js';
import type { Server } from './server.js';
import type { TrackingState } from './tracking.js';

/** Where the replies of a session go. */
export interface ReplySink {
  /** Sends the reply of a command. */
  deliver(reply: Reply): void;
  /** Sends what no command asked for: a message, an invalidation. */
  push(message: Reply): void;
  /** Ends the session once what was delivered is sent; `now`: without that. */
  close(now?: boolean): void;
  /** Runs the requests that arrived while the session was blocked. */
  resume(): void;
  /** Ends the session when its output, with a reply of `coming` bytes if there is one, is over the limits. */
  checkOutput(coming?: number): void;
  /** Bytes that the client has not read yet. */
  readonly outputBytes: number;
  /** Bytes that have arrived and are no whole request yet. */
  readonly queryBytes: number;
  /** Bytes that a long argument has announced and that have not arrived: they count as taken, as on Redis. */
  readonly expectedBytes: number;
  /** Bytes of the arguments that have arrived of a request that is not whole yet. */
  readonly argumentBytes: number;
  readonly bytesReceived: number;
  readonly bytesSent: number;
}

/** Commands that wait for EXEC. */
export interface Transaction {
  readonly queue: { command: Command; args: Bytes[] }[];
  /** A command could not be queued: EXEC will refuse all. */
  aborted: boolean;
  /** A queued command may change data: CLIENT PAUSE WRITE holds EXEC back. */
  mayChange: boolean;
  /** A queued command writes. */
  hasWrite: boolean;
  /** A queued command needs memory: EXEC is refused when there is none. */
  needsMemory: boolean;
}

export interface BlockedState {
  readonly request: BlockRequest;
  readonly command: Command;
  readonly args: Bytes[];
  readonly timer: ClockTimer | undefined;
  readonly since: number;
}

export type SessionKind = 'normal' | 'script' | 'internal';

export class Session {
  readonly id: number;
  db: Database;
  /** Protocol version of the replies. */
  resp: 2 | 3 = 2;
  user: User;
  authenticated: boolean;
  name: Bytes = '';
  libraryName: Bytes = '';
  libraryVersion: Bytes = '';
  readonly createdAt: number;
  lastActiveAt: number;
  /** The command that ran last, as CLIENT LIST shows it (`client|list`). */
  lastCommand: Bytes = 'NULL';
  commandsDone = 0;

  transaction: Transaction | null = null;
  /** Keys under WATCH, and whether one of them has changed. */
  readonly watched: WatchedKey[] = [];
  watchBroken = false;

  readonly channels = new Set<Bytes>();
  readonly patterns = new Set<Bytes>();
  readonly shardChannels = new Set<Bytes>();

  /** Lists of field names by the name that HIMPORT PREPARE gave them. */
  readonly fieldsets = new Map<Bytes, readonly Bytes[]>();

  tracking: TrackingState | null = null;
  blocked: BlockedState | null = null;
  monitoring = false;
  noEvict = false;
  noTouch = false;
  /** CLIENT REPLY. After SKIP the mode is `skip next` for the rest of that command, then `skip` for the next one. */
  replyMode: 'on' | 'off' | 'skip next' | 'skip' = 'on';
  /** Ends after the reply (QUIT, CLIENT KILL of oneself). */
  closing = false;
  closed = false;
  /** Set by the connection: address texts of both ends and the socket's number. */
  address: Bytes = '';
  localAddress: Bytes = '';
  descriptor = -1;
  sink: ReplySink = DISCARD_SINK;

  /** Any state in which dispatch has to look closer before it runs a command. */
  gated = false;

  constructor(
    readonly server: Server,
    readonly kind: SessionKind = 'normal',
  ) {
    this.id = kind === 'script' ? 0 : server.nextSessionId();
    this.db = server.databases[0]!;
    this.user = server.acl.defaultUser;
    this.authenticated = kind !== 'normal' || server.acl.open;
    this.createdAt = server.clock.now();
    this.lastActiveAt = this.createdAt;
    this.regate();
  }

  /** Unix ms of the running command. */
  get now(): number {
    return this.server.clock.ms;
  }

  /** Is on this machine: what `local` asks for in `enable-debug-command` and its like. */
  get isLocal(): boolean {
    return this.kind !== 'normal' || /^127\.|^\[::1\]|^\[::ffff:127\.|:0$/.test(this.address);
  }

  get subscriptionCount(): number {
    return this.channels.size + this.patterns.size + this.shardChannels.size;
  }

  /** What the client listens to. */
  namesOf(kind: SubscriptionKind): Set<Bytes> {
    if (kind === 'channel') return this.channels;
    return kind === 'pattern' ? this.patterns : this.shardChannels;
  }

  /** To be called after any change of what `gated` sums up. */
  regate(): void {
    this.gated =
      this.transaction !== null ||
      !this.authenticated ||
      !this.user.unrestricted ||
      (this.resp === 2 && this.subscriptionCount > 0);
  }

  /** Sends a message that is no reply: to the client whose command is running, after its reply. */
  push(message: Reply): void {
    this.server.push(this, message);
  }

  select(index: number): void {
    this.db = this.server.databases[index]!;
  }
}

export interface WatchedKey {
  readonly db: Database;
  readonly key: Bytes;
}

/** A sink that throws everything away: of sessions without a client. */
export const DISCARD_SINK: ReplySink = {
  deliver() {},
  push() {},
  close() {},
  resume() {},
  checkOutput() {},
  outputBytes: 0,
  queryBytes: 0,
  expectedBytes: 0,
  argumentBytes: 0,
  bytesReceived: 0,
  bytesSent: 0,
};
