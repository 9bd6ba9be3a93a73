/** Starts a server in this process and hands out what a test or a program needs of it. */
import { Clock } from '../keyspace/clock.js';
import { ErrorReply, type Reply } from '../protocol/reply.js';
import { Config } from './config.js';
import { type CallArgument, type CallResult, fromReply, toBytes } from './js-values.js';
import { Listeners } from './listeners.js';
import { Log, type LogLevel } from './log.js';
import { Server } from './server.js';
import { DISCARD_SINK, Session } from './session.js';

export interface ServerOptions {
  /** TCP port, 0 for any free one; −1 for none. Default 6379. */
  port?: number;
  /** Addresses to listen on. Default 127.0.0.1 and, where the machine has it, ::1. */
  bind?: readonly string[];
  /** Path of a Unix socket to listen on as well. */
  unixsocket?: string;
  /** Password of the default user. Default: none needed. */
  requirepass?: string;
  /** Further users, who may do everything, by name. */
  users?: Readonly<Record<string, string>>;
  /** `real` (default), `frozen` at the present time, or frozen at a unix time in ms. */
  clock?: 'real' | 'frozen' | number;
  /** Number of databases, default 16. */
  databases?: number;
  /** Greatest number of clients, default 10,000. */
  maxclients?: number;
  /** Bytes of data beyond which keys are evicted or writes refused; 0 (default): no limit. */
  maxmemory?: number | string;
  /** What is logged to standard error. Default `warning`. */
  loglevel?: LogLevel;
  logFormat?: 'text' | 'json';
  /** Where log lines go instead of standard error. */
  log?: (line: string) => void;
  /** Path of the file that `config` was read from: CONFIG REWRITE writes it. */
  configFile?: string;
  /** Whether the EMULATOR family is there. Default true. */
  emulatorCommands?: boolean;
  /**
   * Which of HotKV's licensed families are there: `full` (default), `none`, or names with commas between, such as
   * `core,ratelimit`. The others answer `NOLICENSE`.
   */
  license?: string;
  /** Whether alerts (`ALERTS`) are really sent to their webhook. Default false: they are only counted. */
  deliverAlerts?: boolean;
  /** Any configuration parameters of redis.conf, by name. */
  config?: Readonly<Record<string, string | number | boolean>>;
}

/** The clock of a running server. Times are unix ms. */
export interface ServerClock {
  now(): number;
  /** Moves a frozen clock on by ms (a fraction counts to the nanosecond). Due keys expire and due waits end before it returns. */
  advance(ms: number): void;
  /** Sets a frozen clock; it may go back. */
  set(ms: number): void;
  /** Stops the clock, at a given time or at the present one. */
  freeze(atMs?: number): void;
  /** Lets the clock run again, at real time. */
  resume(): void;
}

export interface RunningServer extends AsyncDisposable {
  /** `redis://127.0.0.1:PORT`, or `unix:PATH` when it listens on a Unix socket alone. */
  readonly url: string;
  readonly port: number;
  readonly clock: ServerClock;
  /**
   * Runs a command in this process, without a socket. Bulk strings come back as strings (latin1: one char a byte),
   * integers as numbers or bigints, arrays as arrays, maps as Maps; an error reply is thrown as a CommandError.
   */
  call(name: string, ...args: CallArgument[]): Promise<CallResult>;
  /** Removes all keys of all databases. */
  flush(): void;
  /** Ends: answers what is in flight, closes every socket, leaves no timer. Calling it again does nothing more. */
  close(): Promise<void>;
  /** Resolves when the server has ended, by `close()` or by a client's SHUTDOWN. */
  readonly closed: Promise<void>;
}

/** How long `close` waits for clients to read their last replies, in ms. */
const CLOSE_GRACE_MS = 1000;

/**
 * Starts a server.
 * @throws an error with `code` `EADDRINUSE` when the port is taken, `ConfigError` when an option has no legal value.
 */
export async function startServer(options: ServerOptions = {}): Promise<RunningServer> {
  const server = new Server({
    clock: clockOf(options.clock ?? 'real'),
    config: configOf(options),
    log: new Log(options.loglevel ?? 'warning', options.logFormat, options.log),
    emulatorCommands: options.emulatorCommands ?? true,
    deliverAlerts: options.deliverAlerts ?? false,
  });
  for (const [name, password] of Object.entries(options.users ?? {}))
    server.acl.addFullUser(toBytes(name), toBytes(password));
  server.setLicense(options.license ?? 'full');
  server.configFile = options.configFile;
  const listeners = new Listeners(server);
  server.listeners = listeners;
  try {
    const port = options.port ?? server.config.number('port');
    if (port >= 0) {
      const loopback = ['127.0.0.1', '::1'];
      await listeners.listenTcp(options.bind ?? loopback, port, options.bind === undefined ? ['::1'] : []);
    }
    if (options.unixsocket !== undefined) await listeners.listenUnix(options.unixsocket);
  } catch (problem) {
    await listeners.close(0);
    throw problem;
  }
  server.config.setAtStart('port', String(listeners.port));
  server.expiryCycle.start();
  server.sampler.start();
  server.clientCare.start();
  return new StartedServer(server, listeners, options.unixsocket);
}

class StartedServer implements RunningServer {
  readonly url: string;
  readonly clock: ServerClock;
  readonly closed: Promise<void>;
  private closing: Promise<void> | undefined;
  private ended: () => void = () => {};

  constructor(
    private readonly server: Server,
    private readonly listeners: Listeners,
    unixsocket: string | undefined,
  ) {
    this.url = listeners.port > 0 ? `redis://127.0.0.1:${listeners.port}` : `unix:${unixsocket}`;
    this.clock = {
      now: () => server.clock.now(),
      advance: (ms) => server.advanceClock(BigInt(Math.round(ms * 1e6))),
      set: (ms) => server.setClock(ms),
      freeze: (atMs) => server.freezeClock(atMs),
      resume: () => server.resumeClock(),
    };
    this.closed = new Promise((resolve) => {
      this.ended = resolve;
    });
    server.onShutdown = () => void this.close();
  }

  get port(): number {
    return this.listeners.port;
  }

  call(name: string, ...args: CallArgument[]): Promise<CallResult> {
    const { server } = this;
    const session = new Session(server, 'internal');
    session.resp = 3;
    return new Promise((resolve, reject) => {
      session.sink = {
        ...DISCARD_SINK,
        deliver(reply: Reply) {
          if (reply instanceof ErrorReply) reject(new CommandError(reply.text));
          else resolve(fromReply(reply));
        },
      };
      server.beginBatch();
      server.process(session, [toBytes(name), ...args.map(toBytes)]);
      server.flushAll();
    });
  }

  flush(): void {
    this.server.flushDatabases();
  }

  close(): Promise<void> {
    this.closing ??= this.stop();
    return this.closing;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  private async stop(): Promise<void> {
    this.server.expiryCycle.stop();
    this.server.sampler.stop();
    this.server.clientCare.stop();
    await this.listeners.close(CLOSE_GRACE_MS);
    this.server.clock.close();
    this.ended();
  }
}

/** An error reply, thrown by `call`. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  /** The first word of the reply: `ERR`, `WRONGTYPE`, … */
  readonly code: string;

  constructor(text: string) {
    super(text);
    this.code = text.split(' ', 1)[0]!;
  }
}

function clockOf(option: 'real' | 'frozen' | number): Clock {
  return typeof option === 'number' ? new Clock('frozen', option) : new Clock(option);
}

function configOf(options: ServerOptions): Config {
  const config = new Config();
  const set = (name: string, value: string | number | boolean | undefined) => {
    if (value === undefined) return;
    config.setAtStart(name, typeof value === 'boolean' ? (value ? 'yes' : 'no') : toBytes(String(value)));
  };
  for (const [name, value] of Object.entries(options.config ?? {})) set(name, value);
  set('databases', options.databases);
  set('maxclients', options.maxclients);
  set('maxmemory', options.maxmemory);
  set('requirepass', options.requirepass);
  set('unixsocket', options.unixsocket);
  set('bind', options.bind?.join(' '));
  return config;
}
