/** Jobs that wait, first come first served. */
import type { Appointment } from './agenda.js';
import type { ValveError } from './errors.js';

/** What the rules see of a job: which states it spends from, and how much. */
export interface Demand {
  readonly cost: number;
  readonly scope: Readonly<Record<string, string>>;
  /** The keys of the rules' states for this identity. */
  readonly keys: readonly string[];
  /** Jobs of one lane have the same keys. */
  readonly lane: string;
}

export class WaitingJob {
  lane: Lane | undefined;
  previous: WaitingJob | undefined;
  next: WaitingJob | undefined;
  /** The latest moment for its start, by the agenda. */
  startBy = Number.POSITIVE_INFINITY;
  /** The appointment that ends its waiting. */
  deadline: Appointment | undefined;
  /** Whether the `delayed` event has told of it. */
  delayed = false;

  constructor(
    /** Its place among all jobs of the valve. */
    readonly sequence: number,
    readonly demand: Demand,
    /** The agenda's time when it came. */
    readonly since: number,
    readonly start: (holder: string) => void,
    readonly fail: (error: ValveError) => void,
  ) {}
}

/**
 * Jobs of one identity in their order. Requests for admission are sent for the first so many of them; since an admission
 * is worth the same to all jobs of equal cost here, it goes to the first one, whichever it was asked for.
 */
export class Lane {
  head: WaitingJob | undefined;
  /** The first job for which no request is on its way. */
  unasked: WaitingJob | undefined;
  /** Requests on their way, all of `askedCost`. */
  inFlight = 0;
  askedCost = 0;
  /** Set while its own rules make the lane wait. */
  asleep: Appointment | undefined;
  private tail: WaitingJob | undefined;
  /** How many of the first jobs are asked for; fewer than are in flight if asked-for jobs have left. */
  private askedJobs = 0;

  constructor(readonly key: string) {}

  append(job: WaitingJob): void {
    job.lane = this;
    job.previous = this.tail;
    if (this.tail === undefined) this.head = job;
    else this.tail.next = job;
    this.tail = job;
    this.unasked ??= job;
  }

  remove(job: WaitingJob): void {
    if (this.unasked === undefined || job.sequence < this.unasked.sequence) this.askedJobs--;
    else if (this.unasked === job) this.unasked = job.next;
    if (job.previous === undefined) this.head = job.next;
    else job.previous.next = job.next;
    if (job.next === undefined) this.tail = job.previous;
    else job.next.previous = job.previous;
    job.lane = undefined;
    job.previous = undefined;
    job.next = undefined;
  }

  /** Whether a further request may be sent: not one of another cost beside those on their way, or it might overtake. */
  get mayAsk(): boolean {
    if (this.unasked === undefined || this.asleep !== undefined) return false;
    return this.inFlight === 0 || this.unasked.demand.cost === this.askedCost;
  }

  /** Counts a request for the first unasked job, and returns what it demands. */
  ask(): Demand {
    const job = this.unasked!;
    this.unasked = job.next;
    this.askedJobs++;
    this.inFlight++;
    this.askedCost = job.demand.cost;
    return job.demand;
  }

  /** A request has come back. What it brought is for the job that is returned, the first, if that one can use it. */
  answered(admitted: boolean): WaitingJob | undefined {
    this.inFlight--;
    const { head } = this;
    const taker = head?.demand.cost === this.askedCost ? head : undefined;
    if (admitted) {
      if (taker !== undefined) this.remove(taker);
    } else if (this.askedJobs > this.inFlight) {
      this.askedJobs--;
      this.unasked = this.unasked === undefined ? this.tail : this.unasked.previous;
    }
    return taker;
  }

  get idle(): boolean {
    return this.head === undefined && this.inFlight === 0;
  }
}
