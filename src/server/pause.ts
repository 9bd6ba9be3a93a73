/** CLIENT PAUSE: holds back the commands of clients for a while. */
import { BlockRequest } from '../commands/block-request.js';
import type { ClockTimer } from '../keyspace/clock.js';
import { type Bytes, NO_REPLY } from '../protocol/reply.js';
import type { Command } from './command-table.js';
import type { Server } from './server.js';
import type { Session } from './session.js';

export class Pause {
  /** What is held back: nothing, commands that write, or all. */
  mode: 'off' | 'write' | 'all' = 'off';
  private until = 0;
  private timer: ClockTimer | undefined;

  constructor(private readonly server: Server) {}

  /** Pauses until unix ms `until`; a pause that is on is only ever made longer and stricter. */
  start(until: number, mode: 'write' | 'all'): void {
    this.mode = this.mode === 'all' ? 'all' : mode;
    this.keepDueKeys(true);
    if (this.until < until) this.until = until;
    if (this.timer !== undefined) this.server.clock.cancel(this.timer);
    this.timer = this.server.clock.schedule(this.until, () => this.stop());
    this.server.regate();
  }

  stop(): void {
    if (this.timer !== undefined) this.server.clock.cancel(this.timer);
    this.timer = undefined;
    this.until = 0;
    this.mode = 'off';
    this.keepDueKeys(false);
    this.server.regate();
    this.server.blocking.servePaused();
  }

  /** While a pause is on nothing changes: keys that are due are gone for readers, and yet are not removed. */
  private keepDueKeys(keep: boolean): void {
    for (const db of this.server.databases) db.lazyExpiry = !keep;
  }

  /** The wait for a command that is held back, or undefined when it may run. */
  waitFor(session: Session, command: Command, args: Bytes[]): BlockRequest | undefined {
    if (this.mode === 'off' || session.kind === 'script') return undefined;
    const held = this.mode === 'all' ? !EXEMPT.has(command.fullName) : this.mayChange(session, command, args);
    return held ? new BlockRequest('pause', [], Infinity, NO_REPLY) : undefined;
  }

  /** Whether a command may change data, or is sent to replicas for another reason. */
  mayChange(session: Session, command: Command, args: Bytes[]): boolean {
    if (command.isWrite) return true;
    if (command.fullName === 'exec') return session.transaction?.mayChange === true;
    if (!command.isReplicated) return false;
    return !saysReadOnly(this.server, command, args);
  }
}

const EXEMPT: ReadonlySet<string> = new Set(['client|unpause']);

/** Whether a script or function is flagged `no-writes`. */
function saysReadOnly({ scripts, functions }: Server, command: Command, args: Bytes[]): boolean {
  if (command.fullName === 'eval') return scripts.isReadOnlySource(args[1]!);
  if (command.fullName === 'evalsha') return scripts.isReadOnly(args[1]!);
  return command.fullName === 'fcall' && functions.find(args[1]!)?.flags.includes('no-writes') === true;
}
