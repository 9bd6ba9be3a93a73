/** A valve: lets jobs start as its rules allow, over all workers that share its name in the store. */
import { randomBytes } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { Agenda } from './agenda.js';
import { Dispatcher, mismatchError, unavailable } from './dispatcher.js';
import { show } from './duration.js';
import { invalidOptions, ValveError } from './errors.js';
import { checkJobOptions, type JobOptions, type RunOptions } from './job-options.js';
import { type JobContext, LeaseKeeper } from './lease-keeper.js';
import { type Demand, WaitingJob } from './line.js';
import { checkOptions, type ValveOptions } from './options.js';
import { type Policy, ruleLabel } from './policy.js';
import { type Decision, type Gate, longestWait, type Rejection } from './store.js';

export type Job<T> = (context: Pick<JobContext, 'signal'>) => T | PromiseLike<T>;

/** Whether a job ran at once, and its result, or after how many ms it could. */
export type TryResult<T> =
  | { readonly admitted: true; readonly value: T }
  | { readonly admitted: false; readonly wait: number };

export interface Outlook {
  /** Ms until a job could start as far as is known now; 0 if it could at once. */
  readonly wait: number;
  /** The rules (by name, or algorithm and interval) and the lease that hold it back, with the ms that each asks for. */
  readonly heldBy: readonly { readonly what: string; readonly wait: number }[];
}

export interface JobEvent {
  readonly cost: number;
  readonly scope: Readonly<Record<string, string>>;
}

export interface ValveEvents {
  /** A job starts; `at` is the store's unix ms of the decision, `waited` the ms since `run` was called. */
  admitted: [event: JobEvent & { readonly at: number; readonly waited: number }];
  /** A job has to wait: told once, with the ms that rules and lease ask for now. */
  delayed: [event: JobEvent & { readonly wait: number }];
  /** A job will not start. */
  rejected: [event: JobEvent & { readonly error: ValveError }];
  /** A call of the store has failed. */
  storeError: [error: unknown];
}

/**
 * Makes a valve. Throws `INVALID_OPTIONS`, naming all that is wrong with the options. The store is first asked when the
 * first job comes.
 */
export function createValve(options: ValveOptions): Valve {
  return new Valve(options);
}

const NO_OPTIONS: RunOptions = {};
/** The context of jobs without a lease, which cannot be lost. */
const NOTHING_TO_LOSE = { signal: new AbortController().signal };
const WORKER_BYTES = 9;

interface CheckedJob {
  readonly demand: Demand;
  readonly signal: AbortSignal | undefined;
  readonly maxWait: number | undefined;
}

export class Valve extends EventEmitter<ValveEvents> {
  readonly name: string;
  private readonly policy: Policy;
  private readonly gate: Gate;
  private readonly agenda: Agenda;
  private readonly dispatcher: Dispatcher;
  private readonly leases: LeaseKeeper | undefined;
  /** A job without options, if no rule needs an identity. */
  private readonly plain: CheckedJob | undefined;
  private sequence = 0;
  private running = 0;
  private closed = false;
  private drained: (() => void)[] = [];

  /** As `createValve`. */
  constructor(options: ValveOptions) {
    super();
    const { policy, store, onStoreError } = checkOptions(options);
    this.name = policy.name;
    this.policy = policy;
    this.gate = store.open(policy);
    this.agenda = new Agenda(store.clock);
    const storeError = (error: unknown): void => this.tell('storeError', error);
    const events = {
      admitted: (demand: Demand, at: number, waited: number) => this.tellAdmitted(demand, at, waited),
      delayed: ({ cost, scope }: Demand, wait: number) => this.tell('delayed', { cost, scope, wait }),
      storeError,
    };
    const worker = randomBytes(WORKER_BYTES).toString('base64url');
    this.dispatcher = new Dispatcher(this.gate, policy, this.agenda, onStoreError, events, worker);
    if (policy.lease !== undefined) {
      this.leases = new LeaseKeeper(this.gate, this.agenda, policy.lease.ttl, storeError);
    }
    if (policy.dimensions.length === 0) this.plain = this.checkJob(NO_OPTIONS);
  }

  /**
   * Waits for the job's turn, runs it, and returns what it returns. Rejects with what the job throws, or with a
   * `ValveError` if it does not start.
   */
  run<T>(job: Job<T>, options: RunOptions = NO_OPTIONS): Promise<T> {
    let checked: CheckedJob;
    try {
      checked = this.check(job, options);
    } catch (error) {
      return Promise.reject(error);
    }
    const { demand } = checked;
    if (this.gate.immediate && this.dispatcher.length === 0) {
      const holder = this.dispatcher.nextHolder();
      const decision = this.gate.admit(demand.keys, demand.cost, holder) as Decision;
      if (decision.outcome === 'admitted') {
        this.tellAdmitted(demand, decision.at, 0);
        return this.execute(job, holder);
      }
    }
    return this.waitAndRun(job, checked);
  }

  /**
   * Runs the job if it can start now and no other is before it, or says how long to wait. Rejects as `run`, also with
   * `STORE_UNAVAILABLE` whatever `onStoreError` says.
   */
  async tryRun<T>(job: Job<T>, options: JobOptions = NO_OPTIONS): Promise<TryResult<T>> {
    const { demand } = this.check(job, options);
    if (this.dispatcher.length > 0) {
      const { wait } = this.outlook(await this.asked(this.gate.peek(demand.keys, demand.cost)));
      return { admitted: false, wait: Math.max(wait, 1) };
    }
    const holder = this.dispatcher.nextHolder();
    this.running++; // what waits for `drain` waits for the answer too
    try {
      const decision = await this.asked(this.gate.admit(demand.keys, demand.cost, holder));
      if (decision.outcome !== 'admitted') return { admitted: false, wait: this.outlook(decision).wait };
      this.tellAdmitted(demand, decision.at, 0);
      return { admitted: true, value: await this.execute(job, holder) };
    } finally {
      this.finished();
    }
  }

  /** When a job could start, as far as the rules and the lease are concerned. Spends nothing. */
  async peek(options: JobOptions = NO_OPTIONS): Promise<Outlook> {
    const { demand } = this.checkJob(options);
    const error = this.costError(demand.cost);
    if (error !== undefined) throw error;
    return this.outlook(await this.asked(this.gate.peek(demand.keys, demand.cost)));
  }

  /** Resolves once no job waits or runs here. It does not keep new ones from coming. */
  async drain(): Promise<void> {
    if (this.idle) return;
    await new Promise<void>((resolve) => this.drained.push(resolve));
  }

  /** Takes no more jobs, rejects those that wait with `CLOSED`, and resolves once those that run have ended. */
  async close(): Promise<void> {
    this.closed = true;
    this.dispatcher.dropAll(closedError);
    await this.drain();
  }

  /**
   * Makes the store forget which policy is in force, so that the next admission of any worker sets its own. What has
   * been spent stays spent.
   */
  async resetFingerprint(): Promise<void> {
    await this.asked(this.gate.resetFingerprint());
  }

  private waitAndRun<T>(job: Job<T>, { demand, signal, maxWait }: CheckedJob): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const settled = (): void => signal?.removeEventListener('abort', aborted);
      const start = (holder: string): void => {
        settled();
        resolve(this.execute(job, holder));
      };
      const fail = (error: ValveError): void => {
        settled();
        this.tellRejected(demand, error);
        reject(error);
        this.tellIfDrained();
      };
      const waiting = new WaitingJob(++this.sequence, demand, this.agenda.now(), start, fail);
      const aborted = (): void => this.dispatcher.drop(waiting, abortedError(signal));
      signal?.addEventListener('abort', aborted);
      this.dispatcher.enqueue(waiting, maxWait);
    });
  }

  private async execute<T>(job: Job<T>, holder: string): Promise<T> {
    this.running++;
    const context = this.leases?.hold(holder) ?? NOTHING_TO_LOSE;
    try {
      return await job(context);
    } finally {
      this.leases?.free(holder, () => this.dispatcher.leaseFreed());
      this.finished();
    }
  }

  private finished(): void {
    this.running--;
    this.tellIfDrained();
  }

  private get idle(): boolean {
    return this.running === 0 && this.dispatcher.length === 0;
  }

  private tellIfDrained(): void {
    if (this.drained.length === 0 || !this.idle) return;
    for (const resolve of this.drained.splice(0)) resolve();
  }

  /** What a job demands, after checking all that is known without asking the store. */
  private check(job: unknown, options: RunOptions): CheckedJob {
    if (typeof job !== 'function') throw invalidOptions([`the job must be a function, not ${show(job)}`]);
    const checked = options === NO_OPTIONS && this.plain !== undefined ? this.plain : this.checkJob(options);
    const { demand, signal } = checked;
    let error: ValveError | undefined;
    if (this.closed) error = closedError();
    else if (signal?.aborted) error = abortedError(signal);
    else error = this.costError(demand.cost);
    if (error === undefined) return checked;
    this.tellRejected(demand, error);
    throw error;
  }

  private checkJob(options: RunOptions): CheckedJob {
    const { cost, scope, signal, maxWait } = checkJobOptions(options, this.policy.dimensions);
    return { demand: this.demandOf(cost, scope), signal, maxWait };
  }

  private demandOf(cost: number, scope: Readonly<Record<string, string>>): Demand {
    if (this.plain !== undefined) return { ...this.plain.demand, cost, scope };
    const keys = this.policy.stateKeys(scope);
    return { cost, scope, keys, lane: keys.join(' ') };
  }

  private costError(cost: number): ValveError | undefined {
    const most = this.policy.greatestCost;
    if (cost <= most) return undefined;
    return new ValveError(
      'COST_EXCEEDS_LIMIT',
      `a cost of ${cost} can never start: the rules admit at most ${most} at once`,
    );
  }

  /** The store's answer, failures and other policies turned into what a valve rejects with. */
  private async asked<T>(answer: T | Promise<T>): Promise<T> {
    try {
      return await answer;
    } catch (error) {
      this.tell('storeError', error);
      throw unavailable(error);
    }
  }

  private outlook(decision: Decision): Outlook {
    switch (decision.outcome) {
      case 'admitted':
        return { wait: 0, heldBy: [] };
      case 'rejected':
        return { wait: longestWait(decision), heldBy: this.heldBy(decision) };
      case 'mismatch':
        throw mismatchError(this.policy, decision.stored);
    }
  }

  private heldBy({ ruleWaits, leaseWait }: Rejection): Outlook['heldBy'] {
    const rules = this.policy.rules.map((rule, i) => ({ what: ruleLabel(rule), wait: ruleWaits[i]! }));
    return [...rules, { what: 'lease', wait: leaseWait }].filter(({ wait }) => wait > 0);
  }

  /** Emits an event. A listener that throws ends up where uncaught errors do, not amid the valve's work. */
  private tell<E extends keyof ValveEvents>(event: E, ...details: ValveEvents[E]): void {
    try {
      (this as EventEmitter).emit(event, ...details);
    } catch (error) {
      queueMicrotask(() => {
        throw error;
      });
    }
  }

  private tellAdmitted({ cost, scope }: Demand, at: number, waited: number): void {
    if (this.listenerCount('admitted') > 0) this.tell('admitted', { cost, scope, at, waited });
  }

  private tellRejected({ cost, scope }: Demand, error: ValveError): void {
    this.tell('rejected', { cost, scope, error });
  }
}

function closedError(): ValveError {
  return new ValveError('CLOSED', 'the valve is closed');
}

function abortedError(signal: AbortSignal | undefined): ValveError {
  return new ValveError('ABORTED', 'the job was aborted before it started', { cause: signal?.reason });
}
