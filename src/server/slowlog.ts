/** The slow log: the last commands that took longer than `slowlog-log-slower-than` microseconds of the clock. */
import type { Bytes } from '../protocol/reply.js';
import type { Command } from './command-table.js';
import { redacted } from './redaction.js';
import type { Session } from './session.js';

export interface SlowlogEntry {
  readonly id: number;
  /** Unix seconds. */
  readonly at: number;
  readonly microseconds: number;
  readonly args: Bytes[];
  readonly address: Bytes;
  readonly name: Bytes;
}

/** Longer commands are shortened as Redis does: 32 arguments of 128 bytes. */
const MAX_ARGUMENTS = 32;
const MAX_ARGUMENT_LENGTH = 128;

export class Slowlog {
  /** Commands that take at least this long are logged; Infinity: none. */
  thresholdMs = 10;
  maxLength = 128;
  /** Newest first. */
  entries: SlowlogEntry[] = [];
  private nextId = 0;

  add(session: Session, command: Command, args: Bytes[], durationMs: number): void {
    if (command.hasFlag('skip_slowlog') || this.maxLength === 0 || session.kind === 'script') return;
    this.entries.unshift({
      id: this.nextId++,
      at: Math.trunc(session.now / 1000),
      microseconds: Math.round(durationMs * 1000),
      args: shortened(redacted(command, args)),
      address: session.address,
      name: session.name,
    });
    this.trim();
  }

  trim(): void {
    if (this.entries.length > this.maxLength) this.entries.length = this.maxLength;
  }
}

function shortened(args: Bytes[]): Bytes[] {
  const shown = args.slice(0, args.length > MAX_ARGUMENTS ? MAX_ARGUMENTS - 1 : MAX_ARGUMENTS).map((arg) => {
    if (arg.length <= MAX_ARGUMENT_LENGTH) return arg;
    return `${arg.slice(0, MAX_ARGUMENT_LENGTH)}... (${arg.length - MAX_ARGUMENT_LENGTH} more bytes)`;
  });
  if (args.length > MAX_ARGUMENTS) shown.push(`... (${args.length - MAX_ARGUMENTS + 1} more arguments)`);
  return shown;
}
