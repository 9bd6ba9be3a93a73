/**
 * The one source of time of a server: real, or frozen and moved by hand. `Date.now()` and the monotonic
 * clock of the process are read here and nowhere else.
 */

import { performance } from 'node:perf_hooks';

export type ClockMode = 'real' | 'frozen';

/** A moment to be called at, as kept in the timer heap. */
export interface ClockTimer {
  /** Unix time in ms; may have a fraction. */
  readonly at: number;
  readonly run: () => void;
  /** Position in the heap, −1 when it has run or was cancelled. */
  position: number;
}

/** Node's timers take at most a signed 32-bit number of ms. */
const LONGEST_SLEEP = 0x7fff_ffff;
/** The greatest time in unix ms that a clock may show: the year 10889, far inside what doubles hold exactly. */
export const LATEST_TIME = 2 ** 48;

export class Clock {
  mode: ClockMode;
  /** Unix time in ms of the command that runs now (or of the last `refresh`), a whole number. */
  ms: number;
  /** Nanoseconds beyond `ms`, 0 to 999,999; only a frozen clock that was advanced by less than a ms has any. */
  extraNanos = 0;
  private readonly timers: ClockTimer[] = [];
  private sleep: NodeJS.Timeout | undefined;

  constructor(mode: ClockMode = 'real', startMs = Date.now()) {
    this.mode = mode;
    this.ms = Math.trunc(startMs);
  }

  /** Reads the time anew: once before each command and each background task, so that a command sees one time. */
  refresh(): number {
    if (this.mode === 'real') this.ms = Date.now();
    return this.ms;
  }

  /** The time now in unix ms. */
  now(): number {
    return this.mode === 'real' ? Date.now() : this.ms;
  }

  /** Unix time in nanoseconds of the running command; exact under a frozen clock. */
  nanos(): bigint {
    return BigInt(this.ms) * 1_000_000n + BigInt(this.extraNanos);
  }

  /** Microseconds beyond `ms`, 0–999: what `TIME` shows of the part of a second under a millisecond. */
  microsOfMs(): number {
    if (this.mode === 'frozen') return Math.trunc(this.extraNanos / 1000);
    return Math.trunc((performance.now() % 1) * 1000);
  }

  /** A steadily growing count of ms with a fraction, to measure how long something took; frozen time stands still. */
  elapsed(): number {
    return this.mode === 'real' ? performance.now() : this.ms + this.extraNanos / 1e6;
  }

  /** Ms of the process' own steady clock, frozen or not: for limits on work, which takes real time. */
  steady(): number {
    return performance.now();
  }

  freeze(atMs = this.now()): void {
    this.mode = 'frozen';
    this.ms = checkedTime(atMs);
    this.extraNanos = 0;
    this.arm();
  }

  resume(): void {
    this.mode = 'real';
    this.extraNanos = 0;
    this.refresh();
    this.arm();
  }

  /** Moves a frozen clock by whole nanoseconds. Due timers are run by `runDue`, which the server calls after its own work. */
  advanceNanos(nanos: bigint): void {
    const total = this.nanos() + nanos;
    this.ms = checkedTime(Number(total / 1_000_000n));
    this.extraNanos = Number(total % 1_000_000n);
  }

  set(ms: number): void {
    this.ms = checkedTime(ms);
    this.extraNanos = 0;
  }

  /** Calls `run` once when the clock reaches `at`. */
  schedule(at: number, run: () => void): ClockTimer {
    const timer: ClockTimer = { at, run, position: this.timers.length };
    this.timers.push(timer);
    this.siftUp(timer.position);
    if (timer.position === 0) this.arm();
    return timer;
  }

  cancel(timer: ClockTimer): void {
    if (timer.position < 0) return;
    this.removeAt(timer.position);
    if (this.timers.length === 0) this.arm();
  }

  /** Runs every timer that is due, earliest first. */
  runDue(): void {
    this.refresh();
    while (this.timers.length > 0 && this.timers[0]!.at <= this.ms) {
      const timer = this.timers[0]!;
      this.removeAt(0);
      timer.run();
    }
    this.arm();
  }

  /** Forgets all timers; nothing is left that keeps the process alive. */
  close(): void {
    for (const timer of this.timers) timer.position = -1;
    this.timers.length = 0;
    this.arm();
  }

  /** Sleeps until the earliest timer; a frozen clock never sleeps. */
  private arm(): void {
    if (this.sleep !== undefined) {
      clearTimeout(this.sleep);
      this.sleep = undefined;
    }
    if (this.mode === 'frozen' || this.timers.length === 0) return;
    const wait = Math.min(Math.max(Math.ceil(this.timers[0]!.at - Date.now()), 0), LONGEST_SLEEP);
    this.sleep = setTimeout(() => this.runDue(), wait);
    this.sleep.unref();
  }

  private removeAt(position: number): void {
    const timers = this.timers;
    timers[position]!.position = -1;
    const last = timers.pop()!;
    if (position === timers.length) return;
    timers[position] = last;
    last.position = position;
    this.siftDown(position);
    this.siftUp(last.position);
  }

  private siftUp(position: number): void {
    const timers = this.timers;
    const timer = timers[position]!;
    while (position > 0) {
      const parent = (position - 1) >> 1;
      if (timers[parent]!.at <= timer.at) break;
      timers[position] = timers[parent]!;
      timers[position]!.position = position;
      position = parent;
    }
    timers[position] = timer;
    timer.position = position;
  }

  private siftDown(position: number): void {
    const timers = this.timers;
    const timer = timers[position]!;
    for (;;) {
      let child = position * 2 + 1;
      if (child >= timers.length) break;
      if (child + 1 < timers.length && timers[child + 1]!.at < timers[child]!.at) child++;
      if (timers[child]!.at >= timer.at) break;
      timers[position] = timers[child]!;
      timers[position]!.position = position;
      position = child;
    }
    timers[position] = timer;
    timer.position = position;
  }
}

function checkedTime(ms: number): number {
  if (!Number.isSafeInteger(ms) || ms < 0 || ms > LATEST_TIME) {
    throw new RangeError(`clock time out of range: ${ms} (0 to ${LATEST_TIME} ms since 1970)`);
  }
  return ms;
}
