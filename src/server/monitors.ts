/** MONITOR: clients that see every command that runs. */
import { quote } from '../protocol/quoting.js';
import { type Bytes, SimpleString } from '../protocol/reply.js';
import type { Command } from './command-table.js';
import { redacted } from './redaction.js';
import type { Server } from './server.js';
import type { Session } from './session.js';

export class Monitors {
  private readonly sessions = new Set<Session>();

  constructor(private readonly server: Server) {}

  get any(): boolean {
    return this.sessions.size > 0;
  }

  add(session: Session): void {
    session.monitoring = true;
    this.sessions.add(session);
    this.server.regate();
  }

  remove(session: Session): void {
    session.monitoring = false;
    if (this.sessions.delete(session)) this.server.regate();
  }

  /** A command is about to run: a script is shown now, before the commands that it calls. */
  beforeCall(session: Session, command: Command, args: Bytes[]): void {
    if (command.hasFlag('skip_monitor')) this.show(session, command, args);
  }

  /** A command has run and is shown, so that EXEC follows what it ran. */
  afterCall(session: Session, command: Command, args: Bytes[]): void {
    if (!command.hasFlag('skip_monitor') && !command.hasFlag('admin')) this.show(session, command, args);
  }

  private show(session: Session, command: Command, args: Bytes[]): void {
    const { clock } = this.server;
    const seconds = Math.trunc(clock.ms / 1000);
    const micros = String((clock.ms % 1000) * 1000 + clock.microsOfMs()).padStart(6, '0');
    const from = session.kind === 'script' ? 'lua' : session.address;
    const words = redacted(command, args).map((arg) => quote(arg));
    const line = new SimpleString(`${seconds}.${micros} [${session.db.index} ${from}] ${words.join(' ')}`);
    for (const monitor of this.sessions) if (monitor.replyMode === 'on') monitor.push(line);
  }
}
