/**
 * Asks the store for admissions on behalf of the jobs that wait. Among jobs of one identity the order is strict. A job
 * that a rule of its own scope holds back lets jobs of other identities pass; once a rule without scope or the lease
 * holds one back, everybody waits, and the oldest job is asked for first.
 *
 * While all is admitted many requests are on their way at once; after a rejection one, then twice as many after each
 * admission.
 */
import type { Agenda, Appointment } from './agenda.js';
import { ValveError } from './errors.js';
import { type Demand, Lane, type WaitingJob } from './line.js';
import type { StoreErrorMode } from './options.js';
import type { Policy, Rule } from './policy.js';
import { type Admission, type Decision, type Gate, longestWait, type Rejection } from './store.js';

/** What the dispatcher tells its valve. */
export interface DispatcherEvents {
  admitted(demand: Demand, at: number, waited: number): void;
  delayed(demand: Demand, wait: number): void;
  storeError(error: unknown): void;
}

const MOST_IN_FLIGHT = 128;
/** Ms after `maxWait` in which a job that may start at its end still does. */
const GRACE = 1;
/** Ms between looks whether other workers have freed a lease: the first, then twice as long up to the last. */
const LEASE_POLL_FIRST = 5;
const LEASE_POLL_LAST = 100;
/** Ms before a store that has failed is asked again, likewise. */
const BACKOFF_FIRST = 50;
const BACKOFF_LAST = 2_000;

export class Dispatcher {
  private readonly lanes = new Map<string, Lane>();
  /** Lanes with jobs nobody has asked for and that do not sleep. */
  private readonly ready = new Set<Lane>();
  private waiting = 0;
  private inFlight = 0;
  private window = MOST_IN_FLIGHT;
  private paused: Appointment | undefined;
  /** Whether nothing but the lease is waited for. */
  private pausedForLease = false;
  private leasePoll = LEASE_POLL_FIRST;
  private backoff = BACKOFF_FIRST;
  private lastFailure: unknown;
  private pumping = false;
  private holders = 0;

  constructor(
    private readonly gate: Gate,
    private readonly policy: Policy,
    private readonly agenda: Agenda,
    private readonly onStoreError: StoreErrorMode,
    private readonly events: DispatcherEvents,
    /** What this worker's holders of leases begin with, unlike those of any other. */
    private readonly worker: string,
  ) {}

  /** How many jobs wait. */
  get length(): number {
    return this.waiting;
  }

  nextHolder(): string {
    return this.policy.lease === undefined ? this.worker : `${this.worker}-${++this.holders}`;
  }

  enqueue(job: WaitingJob, maxWait: number | undefined): void {
    const { lane: key } = job.demand;
    let lane = this.lanes.get(key);
    if (lane === undefined) {
      lane = new Lane(key);
      this.lanes.set(key, lane);
    }
    lane.append(job);
    this.waiting++;
    if (maxWait !== undefined) {
      job.startBy = job.since + maxWait;
      job.deadline = this.agenda.schedule(maxWait + GRACE, () => this.drop(job, this.tooLate()));
    }
    this.refresh(lane);
    this.pump();
  }

  /** Takes a waiting job out of the line and rejects it. Does nothing with one that no longer waits. */
  drop(job: WaitingJob, error: ValveError): void {
    const { lane } = job;
    if (lane === undefined) return;
    const wasFirst = lane.head === job;
    lane.remove(job);
    this.left(job);
    // The next one may cost less, so that its wait is shorter.
    if (wasFirst && lane.head !== undefined && lane.head.demand.cost !== job.demand.cost) this.wake(lane);
    this.refresh(lane);
    job.fail(error);
    this.pump();
  }

  /** Rejects all that wait. */
  dropAll(error: () => ValveError): void {
    this.pumping = true; // nobody is to be asked for in between
    for (const lane of [...this.lanes.values()]) {
      while (lane.head !== undefined) this.drop(lane.head, error());
    }
    this.pumping = false;
  }

  /** A job of this worker has freed its lease: if that is what the others wait for, they need not wait longer. */
  leaseFreed(): void {
    if (this.paused === undefined || !this.pausedForLease) return;
    this.unpause();
    this.pump();
  }

  private pump(): void {
    if (this.pumping) return; // a store in memory answers at once
    this.pumping = true;
    while (this.paused === undefined && this.inFlight < this.window) {
      const lane = this.nextLane();
      if (lane === undefined) break;
      this.ask(lane);
    }
    this.pumping = false;
  }

  /** Of the lanes that may ask, the one whose job came first. */
  private nextLane(): Lane | undefined {
    let first: Lane | undefined;
    for (const lane of this.ready) {
      if (lane.mayAsk && (first === undefined || lane.unasked!.sequence < first.unasked!.sequence)) first = lane;
    }
    return first;
  }

  private ask(lane: Lane): void {
    const demand = lane.ask();
    this.refresh(lane);
    this.inFlight++;
    const holder = this.nextHolder();
    const answer = this.gate.admit(demand.keys, demand.cost, holder);
    if (answer instanceof Promise) {
      answer.then(
        (decision) => this.decided(lane, demand, holder, decision),
        (error) => this.failed(lane, error),
      );
    } else {
      this.decided(lane, demand, holder, answer);
    }
  }

  private decided(lane: Lane, demand: Demand, holder: string, decision: Decision): void {
    this.inFlight--;
    this.lastFailure = undefined;
    this.backoff = BACKOFF_FIRST;
    const job = lane.answered(decision.outcome === 'admitted');
    if (decision.outcome === 'admitted') this.admitted(job, demand, holder, decision);
    else if (decision.outcome === 'rejected') this.rejected(lane, job, decision);
    else if (job !== undefined) this.drop(job, mismatchError(this.policy, decision.stored));
    this.refresh(lane);
    this.pump();
  }

  private admitted(job: WaitingJob | undefined, demand: Demand, holder: string, admission: Admission): void {
    this.leasePoll = LEASE_POLL_FIRST;
    this.window = Math.min(2 * this.window, MOST_IN_FLIGHT);
    if (job === undefined) {
      this.refund(demand, holder, admission);
      return;
    }
    this.left(job);
    this.events.admitted(job.demand, admission.at, this.agenda.now() - job.since);
    job.start(holder);
  }

  private rejected(lane: Lane, job: WaitingJob | undefined, rejection: Rejection): void {
    this.window = 1;
    const ruleWait = Math.max(...rejection.ruleWaits);
    if (job === undefined) return; // those that are left cost something else, and are asked for next
    if (this.agenda.now() + ruleWait > job.startBy) {
      this.drop(job, tooLong(ruleWait));
      return;
    }
    if (!job.delayed) {
      job.delayed = true;
      this.events.delayed(job.demand, longestWait(rejection));
    }
    const sharedWait = this.longestOf(rejection, (rule) => rule.scope.length === 0);
    const ownWait = this.longestOf(rejection, (rule) => rule.scope.length > 0);
    const everybodys = Math.max(sharedWait, this.leaseDelay(rejection.leaseWait));
    if (everybodys > 0) this.pause(everybodys, sharedWait === 0);
    if (ownWait > everybodys) this.sleep(lane, ownWait);
  }

  /** The longest wait that those rules ask for. */
  private longestOf({ ruleWaits }: Rejection, which: (rule: Rule) => boolean): number {
    return Math.max(0, ...ruleWaits.filter((_wait, i) => which(this.policy.rules[i]!)));
  }

  private leaseDelay(leaseWait: number): number {
    if (leaseWait === 0) return 0;
    const delay = Math.min(leaseWait, this.leasePoll);
    this.leasePoll = Math.min(2 * this.leasePoll, LEASE_POLL_LAST);
    return delay;
  }

  private failed(lane: Lane, error: unknown): void {
    this.inFlight--;
    this.window = 1;
    this.lastFailure = error;
    const job = lane.answered(false);
    this.events.storeError(error);
    if (this.onStoreError === 'reject') {
      if (job !== undefined) this.drop(job, unavailable(error));
    } else if (this.paused === undefined) {
      this.pause(this.backoff, false);
      this.backoff = Math.min(2 * this.backoff, BACKOFF_LAST);
    }
    this.refresh(lane);
    this.pump();
  }

  private refund(demand: Demand, holder: string, admission: Admission): void {
    const done = this.gate.refund(demand.keys, demand.cost, holder, admission);
    if (done instanceof Promise) done.catch((error) => this.events.storeError(error));
  }

  private left(job: WaitingJob): void {
    this.waiting--;
    this.agenda.cancel(job.deadline);
  }

  private pause(ms: number, forLease: boolean): void {
    if (this.paused !== undefined) return;
    this.pausedForLease = forLease;
    this.paused = this.agenda.schedule(ms, () => {
      this.paused = undefined;
      this.pump();
    });
  }

  private unpause(): void {
    this.agenda.cancel(this.paused);
    this.paused = undefined;
  }

  private sleep(lane: Lane, ms: number): void {
    lane.asleep ??= this.agenda.schedule(ms, () => {
      lane.asleep = undefined;
      this.refresh(lane);
      this.pump();
    });
  }

  private wake(lane: Lane): void {
    this.agenda.cancel(lane.asleep);
    lane.asleep = undefined;
    if (this.lastFailure === undefined) this.unpause();
  }

  /** Puts a lane where it belongs after a change of it. */
  private refresh(lane: Lane): void {
    if (lane.unasked !== undefined && lane.asleep === undefined) this.ready.add(lane);
    else this.ready.delete(lane);
    if (!lane.idle) return;
    this.agenda.cancel(lane.asleep);
    if (this.lanes.get(lane.key) === lane) this.lanes.delete(lane.key);
    if (this.waiting === 0) this.unpause();
  }

  private tooLate(): ValveError {
    return this.lastFailure === undefined ? tooLong(undefined) : unavailable(this.lastFailure);
  }
}

export function mismatchError(policy: Policy, stored: string): ValveError {
  const problems = policy.differencesFrom(stored);
  const why = `the store holds another policy for valve '${policy.name}'`;
  return new ValveError('INVALID_OPTIONS', `${why}: ${problems.join('; ')}`, { problems });
}

export function unavailable(cause: unknown): ValveError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new ValveError('STORE_UNAVAILABLE', `the store failed: ${why}`, { cause });
}

function tooLong(wait: number | undefined): ValveError {
  const known = wait === undefined ? '' : `: the rules ask for ${wait} ms more`;
  return new ValveError('WAIT_TOO_LONG', `the job cannot start within maxWait${known}`, { wait });
}
