/** One server: its databases, clients and everything they share. Many servers of one process share nothing. */
import { commandRows } from '../commands/all.js';
import { BlockRequest } from '../commands/block-request.js';
import type { Clock } from '../keyspace/clock.js';
import { Database, type KeyspaceObserver } from '../keyspace/database.js';
import { Engines } from '../keyspace/hotkv/engines.js';
import { NOTIFY } from '../keyspace/notifications.js';
import { defaultEncodingLimits } from '../keyspace/values/encoding-limits.js';
import { RandomSource } from '../lua/index.js';
import { NameCache } from '../protocol/name-cache.js';
import { type Bytes, ErrorReply, Messages, type Reply } from '../protocol/reply.js';
import type { ProtocolLimits } from '../protocol/request-parser.js';
import { Acl } from './acl/acl.js';
import { Alerts } from './alerts.js';
import { Blocking } from './blocking.js';
import { ClientCare } from './client-care.js';
import { type Command, CommandTable } from './command-table.js';
import type { Config } from './config.js';
import { connectConfig } from './config-effects.js';
import { rewrittenConfig } from './config-rewrite.js';
import { call, execute } from './dispatch.js';
import { ExpiryCycle } from './expiry-cycle.js';
import { LatencyMonitor } from './latency-monitor.js';
import { License } from './license.js';
import type { Listeners } from './listeners.js';
import type { Log } from './log.js';
import { Memory } from './memory.js';
import { Monitors } from './monitors.js';
import { OutputLimits } from './output-limits.js';
import { Pause } from './pause.js';
import { PubSub } from './pubsub.js';
import { Sampler } from './sampler.js';
import { Functions } from './scripts/functions.js';
import { Scripts } from './scripts/scripts.js';
import type { BlockedState, Session } from './session.js';
import { Slowlog } from './slowlog.js';
import { Stats } from './stats.js';
import { Tracking } from './tracking.js';
import { Watches } from './watches.js';

/** Bytes of an inline command. */
const MAX_INLINE_LENGTH = 64 * 1024;
/** How old, in ms, the time that a command sees may be. */
const FRESH_MS = 0.5;

export interface ServerSettings {
  readonly clock: Clock;
  readonly config: Config;
  readonly log: Log;
  readonly emulatorCommands: boolean;
  readonly deliverAlerts: boolean;
}

export class Server implements KeyspaceObserver {
  readonly clock: Clock;
  readonly config: Config;
  readonly log: Log;
  readonly commands: CommandTable;
  readonly databases: Database[] = [];
  /** HotKV's own named objects, which are in no database. */
  readonly engines = new Engines();
  readonly protocolLimits: ProtocolLimits = { maxBulkLength: 0, maxInlineLength: MAX_INLINE_LENGTH };
  readonly names = new NameCache();
  readonly encodingLimits = defaultEncodingLimits();
  readonly acl: Acl;
  readonly stats = new Stats();
  readonly slowlog = new Slowlog();
  readonly latency = new LatencyMonitor();
  readonly license = new License();
  readonly alerts: Alerts;
  readonly pubsub = new PubSub();
  readonly monitors: Monitors;
  readonly tracking: Tracking;
  readonly watches = new Watches();
  readonly scripts = new Scripts(this);
  readonly functions = new Functions(this);
  /** Goes on from script to script, as Redis' does. */
  readonly scriptRandom = new RandomSource();
  readonly pause: Pause;
  readonly memory: Memory;
  readonly blocking: Blocking;
  readonly expiryCycle: ExpiryCycle;
  readonly outputLimits: OutputLimits;
  readonly sampler: Sampler;
  readonly clientCare: ClientCare;
  listeners: Listeners | null = null;
  /** Path of the configuration file, where there is one (`CONFIG REWRITE`). */
  configFile: string | undefined;
  /** `client-query-buffer-limit`: bytes of requests that a client may have under way. */
  queryBufferLimit = 0;
  /** Clients that are connected, by id. */
  readonly sessions = new Map<number, Session>();
  /** 40 hexadecimal digits, new at every start (`INFO server`). */
  readonly runId = randomHex(40);
  readonly startedAt: number;
  notifyClasses = 0;
  /** Number of changes to the data (`rdb_changes_since_last_save`). */
  changes = 0;

  /** The client whose command is running, and the one whose script is. */
  currentSession: Session | null = null;
  scriptCaller: Session | null = null;
  /** DEBUG SET-DISABLE-DENY-SCRIPTS: scripts may run commands that are flagged `noscript`. */
  scriptsRunAll = false;
  /** How deep commands are nested: EXEC and scripts call commands. */
  callDepth = 0;
  /** When the command before this one ended, on `clock.elapsed()`: the start of this one. */
  mark = 0;
  /** When the clock was last read for a command, on `clock.elapsed()`. */
  private refreshedAt = 0;
  /** `min-replicas-to-write` asks for replicas, of which there are none: nothing may be written. */
  writesRefused = false;
  /** Whether dispatch has to look closer at every command. */
  gated = false;
  /** Whether somebody wants to see every command that runs: MONITOR, client tracking. */
  observingCalls = false;
  /** Stops the process' or the program's server (SHUTDOWN); set by whoever started it. */
  onShutdown: () => void = () => {};

  private lastSessionId = 0;
  /** Connections that have something to send. */
  private readonly unsent: { flush(): void }[] = [];
  /** Connections whose client has waited and may have sent more meanwhile. */
  private readonly resumed: { run(): void }[] = [];
  private flushScheduled = false;
  /** Messages to the client whose command is running: they follow its reply. */
  private delayedPushes: { session: Session; message: Reply }[] = [];

  constructor({ clock, config, log, emulatorCommands, deliverAlerts }: ServerSettings) {
    this.clock = clock;
    this.config = config;
    this.log = log;
    this.startedAt = clock.now();
    this.commands = new CommandTable(
      emulatorCommands ? commandRows : commandRows.filter((row) => row.group !== 'emulator'),
    );
    for (let i = 0; i < config.number('databases'); i++) this.databases.push(new Database(i, clock, this));
    this.alerts = new Alerts(clock, log, deliverAlerts);
    this.acl = new Acl(this);
    this.memory = new Memory(this);
    this.monitors = new Monitors(this);
    this.tracking = new Tracking(this);
    this.pause = new Pause(this);
    this.blocking = new Blocking(this);
    this.expiryCycle = new ExpiryCycle(this);
    this.outputLimits = new OutputLimits(this);
    this.sampler = new Sampler(this);
    this.clientCare = new ClientCare(this);
    connectConfig(this);
  }

  nextSessionId(): number {
    return ++this.lastSessionId;
  }

  /** Time is read anew before the requests that one read of a socket brought. */
  beginBatch(): void {
    this.clock.refresh();
    this.mark = this.clock.elapsed();
    this.refreshedAt = this.mark;
  }

  /** A command of a client has ended at `elapsed`: the next one starts here, and sees a time that is not stale. */
  commandEnded(elapsed: number): void {
    this.mark = elapsed;
    if (elapsed - this.refreshedAt < FRESH_MS) return;
    this.refreshedAt = elapsed;
    this.clock.refresh();
  }

  /** Runs a request of a client and delivers its reply, or lets the client wait. */
  process(session: Session, args: Bytes[]): void {
    const before = this.currentSession;
    this.currentSession = session;
    const reply = execute(session, args);
    this.currentSession = before;
    if (reply instanceof BlockRequest) this.wait(session, args, reply);
    else this.deliver(session, reply);
    if (before === null) this.sendDelayed(session);
    if (this.blocking.hasReady) this.blocking.serveReady();
  }

  /** Runs the command of a waiting client once more. */
  runAgain(session: Session, { command, args }: BlockedState): Reply | BlockRequest {
    const before = this.currentSession;
    this.currentSession = session;
    const reply = call(session, command, args);
    this.currentSession = before;
    return reply;
  }

  /** Runs a command from inside another one (EXEC, a script): it may not wait, and gets its time-out reply at once. */
  callNested(session: Session, command: Command, args: Bytes[]): Reply {
    const reply = call(session, command, args);
    return reply instanceof BlockRequest ? reply.refusedReply : reply;
  }

  /** Runs a command that EXEC has taken from its queue. What the client's user may do can have changed meanwhile. */
  callQueued(session: Session, command: Command, args: Bytes[]): Reply {
    const denial = session.user.unrestricted ? undefined : this.acl.check(session, command, args);
    return denial ?? this.callNested(session, command, args);
  }

  deliver(session: Session, reply: Reply): void {
    if (session.replyMode === 'on') session.sink.deliver(reply);
    else this.deliverMuted(session, reply);
    if (session.closing) session.sink.close();
  }

  /** Replies are off for this client, or this one is left out. */
  private deliverMuted(session: Session, reply: Reply): void {
    if (session.replyMode === 'skip next' || reply instanceof Messages) session.sink.deliver(reply);
    if (session.replyMode === 'skip next') session.replyMode = 'skip';
    else if (session.replyMode === 'skip') session.replyMode = 'on';
  }

  /** Sends a message that is no reply. To the client whose command runs it goes after the reply. */
  push(session: Session, message: Reply): void {
    if (session === this.currentSession && this.callDepth > 0) this.delayedPushes.push({ session, message });
    else session.sink.push(message);
  }

  /** A connection has output: it is sent at the end of this turn of the event loop at the latest. */
  flushLater(connection: { flush(): void }): void {
    this.unsent.push(connection);
    this.flushSoon();
  }

  /** The requests that a client sent while it waited run soon; all replies to them leave together, as without the wait. */
  resumeLater(connection: { run(): void }): void {
    this.resumed.push(connection);
    this.flushSoon();
  }

  /**
   * What waits to be sent, invalidations of prefixes too, leaves when all sockets that had something to read were read,
   * as on Redis. A write after each read wakes a waiting client each time: with 50 clients that took twice the CPU time.
   */
  flushSoon(): void {
    if (this.flushScheduled) return;
    this.flushScheduled = true;
    setImmediate(this.flushAll);
  }

  readonly flushAll = (): void => {
    this.flushScheduled = false;
    const { resumed, unsent } = this;
    for (let i = 0; i < resumed.length; i++) resumed[i]!.run();
    resumed.length = 0;
    this.tracking.broadcast();
    // A flush may give others something to send (a client that is closed is told): they join the end.
    for (let i = 0; i < unsent.length; i++) unsent[i]!.flush();
    unsent.length = 0;
    if (this.callDepth === 0) this.clientCare.evict();
  };

  /** A session has ended: nobody knows it any more. */
  forget(session: Session): void {
    session.closed = true;
    this.blocking.release(session);
    this.discardTransaction(session);
    this.pubsub.leave(session);
    this.tracking.forget(session);
    this.monitors.remove(session);
    this.clientCare.forget(session);
    this.sessions.delete(session.id);
    if (session.noTouch) this.regate();
  }

  /** Ends an open transaction and the WATCH with it. */
  discardTransaction(session: Session): void {
    session.transaction = null;
    this.watches.clear(session);
    session.regate();
  }

  /** To be called after any change of what `gated` and `observingCalls` sum up. */
  regate(): void {
    this.gated = this.memory.limited || this.writesRefused || this.pause.mode !== 'off' || this.license.restricted;
    this.observingCalls = this.monitors.any || this.tracking.any || this.anyNoTouch();
  }

  /** Changes what is licensed; see `License.set`. */
  setLicense(text: string): void {
    this.license.set(text);
    this.regate();
  }

  private anyNoTouch(): boolean {
    for (const session of this.sessions.values()) if (session.noTouch) return true;
    return false;
  }

  /** To be called after a change of users: what they may do is summed up in their sessions. */
  regateSessions(): void {
    for (const session of this.sessions.values()) session.regate();
  }

  /** Closes the connections that fit: the one that asks after its reply, the others at once. */
  closeSessions(fits: (session: Session) => boolean): void {
    for (const session of [...this.sessions.values()]) {
      if (!fits(session)) continue;
      if (session === this.currentSession) session.closing = true;
      else session.sink.close(true);
    }
  }

  beforeCall(session: Session, command: Command, args: Bytes[]): void {
    if (this.monitors.any) this.monitors.beforeCall(session, command, args);
    if (this.currentSession?.noTouch) session.db.access.paused = command.fullName !== 'touch';
  }

  afterCall(session: Session, command: Command, args: Bytes[], again: boolean): void {
    if (this.monitors.any && !again) this.monitors.afterCall(session, command, args);
    if (this.tracking.any) this.tracking.afterCall(command, args);
    if (this.currentSession?.noTouch) for (const db of this.databases) db.access.paused = false;
  }

  /** A handler failed in a way that no handler should: the client gets an error, the log the cause. */
  internalError(problem: unknown, command: Command): ErrorReply {
    const cause = problem instanceof Error ? (problem.stack ?? problem.message) : String(problem);
    this.log.warning(`internal error in '${command.fullName}': ${cause}`);
    if (problem instanceof RangeError) return new ErrorReply('ERR the reply or value is too large for this server');
    return new ErrorReply(`ERR internal error in '${command.fullName}'`);
  }

  /** The text of a configuration file with the present values in it (CONFIG REWRITE). */
  rewrittenConfig(text: Bytes): Bytes {
    return rewrittenConfig(text, this.config);
  }

  // The clock, moved by hand

  freezeClock(atMs?: number): void {
    this.clock.freeze(atMs);
    this.timeMoved();
  }

  resumeClock(): void {
    this.clock.resume();
    this.timeMoved();
  }

  /** Moves a frozen clock on (a running one is frozen first). */
  advanceClock(nanos: bigint): void {
    if (this.clock.mode === 'real') this.clock.freeze();
    this.clock.advanceNanos(nanos);
    this.timeMoved();
  }

  setClock(ms: number): void {
    if (this.clock.mode === 'real') this.clock.freeze();
    this.clock.set(ms);
    this.timeMoved();
  }

  /** Removes all keys of all databases, and what HotKV keeps beside them; `beforeReply`: the client that asks for it hears of it first, then its reply. */
  flushDatabases(beforeReply = false): void {
    for (const db of this.databases) this.empty(db);
    this.engines.clear();
    if (this.tracking.watching) this.tracking.flushed(beforeReply);
  }

  /** Removes all keys of a database and tells everyone who relies on one. Returns how many there were. */
  flushDatabase(db: Database, beforeReply = false): number {
    const { size } = db;
    this.empty(db);
    if (this.tracking.watching) this.tracking.flushed(beforeReply);
    return size;
  }

  private empty(db: Database): void {
    this.watches.databaseChanged(db, (key) => db.has(key));
    this.changes += db.size;
    this.stats.lazyFreedObjects += db.size;
    db.clear();
    this.blocking.databaseReplaced(db);
  }

  /** Exchanges the keys of two databases; the clients stay where they are. */
  swapDatabases(a: Database, b: Database): void {
    const existed = (key: Bytes) => a.has(key) || b.has(key);
    this.watches.databaseChanged(a, existed);
    this.watches.databaseChanged(b, existed);
    a.swapWith(b);
    this.blocking.databaseReplaced(a);
    this.blocking.databaseReplaced(b);
    this.changes++;
  }

  /** What the new time makes due is done at once: keys expire with their events, waits end. */
  private timeMoved(): void {
    for (const db of this.databases) db.expireAllDue();
    this.clock.runDue();
    if (this.callDepth === 0 && this.blocking.hasReady) this.blocking.serveReady();
  }

  // What the databases tell

  keyTouched(db: Database, key: Bytes): void {
    this.changes++;
    if (this.watches.any) this.watches.touched(db, key);
    if (this.tracking.watching) this.tracking.keyTouched(key, this.currentSession);
  }

  /** A key went, or changed, by no command: it expired or was evicted. */
  touchedByNobody(db: Database, key: Bytes): void {
    if (this.watches.any) this.watches.touched(db, key);
    if (this.tracking.watching) this.tracking.keyTouched(key, null);
  }

  notify(db: Database, eventClass: number, event: string, key: Bytes): void {
    const classes = this.notifyClasses;
    if ((classes & eventClass) === 0 || this.pubsub.idle) return;
    if (classes & NOTIFY.keyspace) this.pubsub.publish(`__keyspace@${db.index}__:${key}`, event);
    if (classes & NOTIFY.keyevent) this.pubsub.publish(`__keyevent@${db.index}__:${event}`, key);
  }

  keyReady(db: Database, key: Bytes): void {
    if (this.blocking.count > 0) this.blocking.keyReady(db, key);
  }

  keyExpired(db: Database, key: Bytes): void {
    this.stats.expiredKeys++;
    this.touchedByNobody(db, key);
    this.notify(db, NOTIFY.expired, 'expired', key);
    this.keyReady(db, key);
  }

  fieldsExpired(db: Database, key: Bytes, fields: Bytes[]): void {
    this.stats.expiredFields += fields.length;
    this.touchedByNobody(db, key);
    this.notify(db, NOTIFY.hash, 'hexpired', key);
  }

  lookedUp(found: boolean): void {
    if (found) this.stats.keyspaceHits++;
    else this.stats.keyspaceMisses++;
  }

  private wait(session: Session, args: Bytes[], request: BlockRequest): void {
    const command = this.commands.findFull(session.lastCommand)!;
    this.blocking.block(session, command, args, request);
  }

  /** Sends what follows the reply of a client's command: messages, then the keys that it is to drop. */
  sendDelayed(client: Session): void {
    if (this.delayedPushes.length > 0) {
      const pushes = this.delayedPushes;
      this.delayedPushes = [];
      for (const { session, message } of pushes) session.sink.push(message);
    }
    if (this.tracking.hasPending) this.tracking.sendPending(client);
  }
}

function randomHex(digits: number): string {
  let text = '';
  while (text.length < digits) text += Math.floor(Math.random() * 16).toString(16);
  return text;
}
