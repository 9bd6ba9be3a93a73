/**
 * What is seen to between the requests of clients: those that have been idle for too long are closed (`timeout`), those
 * that read too slowly are cut, the largest go when all together take more than `maxmemory-clients`, and the table of
 * client-side caching is kept within its limit.
 */
import { sessionBytes } from '../commands/client-list.js';
import type { Server } from './server.js';
import type { Session } from './session.js';

const PERIOD_MS = 100;

export class ClientCare {
  /** `maxmemory-clients` in bytes; 0: no limit. */
  memoryLimit = 0;
  /** `timeout` in ms; 0: none. */
  idleLimitMs = 0;
  /** Bytes that the evictable clients take, as last noted. */
  private total = 0;
  private readonly noted = new Map<Session, number>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly server: Server) {}

  start(): void {
    this.timer = setInterval(() => this.tick(), PERIOD_MS);
    this.timer.unref();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  /** What a client takes may have changed. */
  note(session: Session): void {
    if (this.memoryLimit === 0 || session.closed) return;
    const bytes = session.noEvict ? 0 : sessionBytes(session);
    this.total += bytes - (this.noted.get(session) ?? 0);
    this.noted.set(session, bytes);
  }

  forget(session: Session): void {
    this.total -= this.noted.get(session) ?? 0;
    this.noted.delete(session);
  }

  /** Closes the largest clients while all together take too much. Not to be called while a command runs. */
  evict(): void {
    if (this.memoryLimit === 0 || this.total <= this.memoryLimit) return;
    this.recount();
    const bySize = [...this.noted].sort(([, a], [, b]) => b - a);
    for (const [session, bytes] of bySize) {
      if (this.total <= this.memoryLimit) return;
      this.server.log.debug(`client ${session.address} takes ${bytes} bytes and is closed: maxmemory-clients`);
      this.server.stats.evictedClients++;
      session.sink.close(true);
    }
  }

  /** Looks at every client anew: also after a change of the limit. */
  recount(): void {
    this.total = 0;
    this.noted.clear();
    for (const session of this.server.sessions.values()) this.note(session);
  }

  private tick(): void {
    const { server } = this;
    if (server.expiryCycle.paused) return;
    const now = server.clock.now();
    for (const session of [...server.sessions.values()]) {
      if (this.isIdle(session, now)) {
        server.log.debug(`client ${session.address} is idle and is closed`);
        session.sink.close(true);
      } else session.sink.checkOutput();
    }
    server.tracking.trim();
    this.recount();
    this.evict();
  }

  /** Clients that listen or wait have a reason to be quiet (redis.conf, `timeout`). */
  private isIdle(session: Session, now: number): boolean {
    if (this.idleLimitMs === 0 || session.blocked !== null || session.subscriptionCount > 0) return false;
    return now - session.lastActiveAt > this.idleLimitMs;
  }
}
