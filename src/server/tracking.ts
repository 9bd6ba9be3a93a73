/** Client-side caching (CLIENT TRACKING): which clients may hold which keys, and telling them of changes. */
import type { BlockRequest } from '../commands/block-request.js';
import type { Bytes, Reply } from '../protocol/reply.js';
import type { Command } from './command-table.js';
import type { Server } from './server.js';
import type { Session } from './session.js';

export interface TrackingState {
  readonly broadcast: boolean;
}

export class Tracking {
  private readonly clients = new Set<Session>();

  constructor(readonly server: Server) {}

  get any(): boolean {
    return this.clients.size > 0;
  }

  afterCall(_session: Session, _command: Command, _args: Bytes[], _reply: Reply | BlockRequest): void {}

  keyTouched(_key: Bytes): void {}

  flushed(): void {}

  forget(session: Session): void {
    this.clients.delete(session);
  }
}
