/** Keeps the leases of the jobs that run: renews them all in one call three times within their ttl. */
import type { Agenda, Appointment } from './agenda.js';
import type { Gate } from './store.js';

const RENEWALS_PER_TTL = 3;

/** What a running job is told. */
export class JobContext {
  private readonly controller = new AbortController();

  /** Aborted when the job's lease is lost: the store has given its place away, since it was not renewed within the ttl. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Tells the job that its place is gone. */
  lose(): void {
    this.controller.abort(new Error('the lease was not renewed within its ttl and is lost'));
  }
}

export class LeaseKeeper {
  private readonly held = new Map<string, JobContext>();
  private renewal: Appointment | undefined;

  constructor(
    private readonly gate: Gate,
    private readonly agenda: Agenda,
    private readonly ttl: number,
    private readonly storeError: (error: unknown) => void,
  ) {}

  /** Begins to renew a lease that has been taken. */
  hold(holder: string): JobContext {
    const context = new JobContext();
    this.held.set(holder, context);
    this.scheduleRenewal();
    return context;
  }

  /** Gives a lease back and then calls `freed`. If the store fails, the lease lapses by itself. */
  free(holder: string, freed: () => void): void {
    this.held.delete(holder);
    if (this.held.size === 0) {
      this.agenda.cancel(this.renewal);
      this.renewal = undefined;
    }
    const released = this.gate.release(holder);
    if (released instanceof Promise) released.then(freed, this.storeError);
    else freed();
  }

  private scheduleRenewal(): void {
    this.renewal ??= this.agenda.schedule(this.ttl / RENEWALS_PER_TTL, () => {
      this.renewal = undefined;
      void this.renew();
    });
  }

  private async renew(): Promise<void> {
    this.scheduleRenewal();
    try {
      for (const holder of await this.gate.renew([...this.held.keys()])) {
        this.held.get(holder)?.lose();
        this.held.delete(holder);
      }
    } catch (error) {
      this.storeError(error);
    }
  }
}
