/** Active expiry: the background work that removes due keys and fields which nobody asks for, in bounded steps. */
import type { Server } from './server.js';

/** Time between two ticks in ms, and while due keys abound. */
const TICK_MS = 100;
const BUSY_TICK_MS = 5;
/** Work of one tick in ms: short enough that no client notices. */
const TICK_BUDGET_MS = 4;
/** Keys, or fields, looked at between two looks at the time. */
const BATCH = 64;
/** Redis goes on with a database while more than a tenth of the keys looked at were due (`active-expire-effort` 1). */
const WORTHWHILE = 0.1;

export class ExpiryCycle {
  /** DEBUG SET-ACTIVE-EXPIRE. */
  enabled = true;
  /** DEBUG PAUSE-CRON. */
  paused = false;
  private timer: NodeJS.Timeout | undefined;
  private nextDatabase = 0;
  private running = false;

  constructor(private readonly server: Server) {}

  start(): void {
    this.running = true;
    this.plan(TICK_MS);
  }

  stop(): void {
    this.running = false;
    if (this.timer !== undefined) clearTimeout(this.timer);
    this.timer = undefined;
  }

  private plan(delay: number): void {
    if (!this.running) return;
    this.timer = setTimeout(() => this.plan(this.timedTick() ? BUSY_TICK_MS : TICK_MS), delay);
    this.timer.unref();
  }

  private timedTick(): boolean {
    const { clock, latency } = this.server;
    const started = clock.elapsed();
    const more = this.tick();
    const took = clock.elapsed() - started;
    if (took >= latency.thresholdMs) latency.add('expire-cycle', took, clock.ms);
    return more;
  }

  /** One bounded step over all databases, and over the caches beside them; true when there is clearly more to do. */
  tick(): boolean {
    const { clock, databases, engines, pause } = this.server;
    if (!this.enabled || this.paused || pause.mode !== 'off' || clock.mode === 'frozen') return false;
    clock.refresh();
    const end = clock.elapsed() + TICK_BUDGET_MS;
    for (let i = 0; i < databases.length; i++) {
      const db = databases[this.nextDatabase]!;
      for (let looked = 0; db.volatileSize > 0; ) {
        const removed = db.expireDue(BATCH);
        looked += BATCH;
        if (clock.elapsed() > end) return true;
        if (removed < BATCH * WORTHWHILE && looked >= Math.min(db.volatileSize, BATCH * 4)) break;
      }
      while (db.expireDueFields(BATCH) === BATCH) if (clock.elapsed() > end) return true;
      this.nextDatabase = (this.nextDatabase + 1) % databases.length;
    }
    while (engines.expireDue(clock.ms, BATCH) === BATCH) if (clock.elapsed() > end) return true;
    if (this.server.blocking.hasReady) this.server.blocking.serveReady();
    return false;
  }
}
