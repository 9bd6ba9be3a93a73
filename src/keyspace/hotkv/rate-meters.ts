/**
 * How much of a limit one key of a rate limiter has used: a meter for each algorithm. Times are unix ms, amounts units;
 * a meter starts empty.
 */

/** What the meters of one limiter share. */
export interface LimitConfig {
  readonly limit: number;
  readonly windowMs: number;
  /** Units that a bucket gains back in a ms. */
  readonly ratePerMs: number;
}

export interface Meter {
  /** Units in use now. */
  used(now: number): number;
  /** Uses units, right after a look at `used`. */
  take(now: number, units: number): void;
  /** Ms until no more than `units` are in use. Asked only while there are more. */
  waitFor(now: number, units: number): number;
}

/** The most entries that a log keeps; beyond, neighbours become one. */
const MAX_ENTRIES = 4096;

/** Every use counts for exactly one window from its own moment on. */
export class SlidingLog implements Meter {
  private times = new Float64Array(4);
  private units = new Float64Array(4);
  private start = 0;
  private end = 0;
  private total = 0;

  constructor(private readonly config: LimitConfig) {}

  used(now: number): number {
    const gone = now - this.config.windowMs;
    while (this.start < this.end && this.times[this.start]! <= gone) this.total -= this.units[this.start++]!;
    return this.total;
  }

  take(now: number, units: number): void {
    this.total += units;
    if (this.start < this.end && this.times[this.end - 1] === now) {
      this.units[this.end - 1]! += units;
      return;
    }
    if (this.end === this.times.length) this.makeRoom();
    this.times[this.end] = now;
    this.units[this.end++] = units;
  }

  waitFor(now: number, units: number): number {
    let left = this.total;
    let i = this.start;
    for (; i < this.end && left > units; i++) left -= this.units[i]!;
    return this.times[i - 1]! + this.config.windowMs - now;
  }

  private makeRoom(): void {
    const count = this.end - this.start;
    if (count > MAX_ENTRIES / 2 && this.times.length >= MAX_ENTRIES) this.halve();
    else {
      const length = count > this.times.length / 2 ? this.times.length * 2 : this.times.length;
      this.times = moved(this.times, this.start, this.end, length);
      this.units = moved(this.units, this.start, this.end, length);
      this.end = count;
    }
    this.start = 0;
  }

  /** Makes one entry of two, at the time of the later one: nothing is let through early. */
  private halve(): void {
    let to = 0;
    for (let i = this.start; i < this.end; i += 2) {
      const last = Math.min(i + 1, this.end - 1);
      const sum = last === i ? this.units[i]! : this.units[i]! + this.units[last]!;
      this.times[to] = this.times[last]!;
      this.units[to++] = sum;
    }
    this.end = to;
  }
}

function moved(from: Float64Array, start: number, end: number, length: number): Float64Array<ArrayBuffer> {
  const to = new Float64Array(length);
  to.set(from.subarray(start, end));
  return to;
}

/** Uses count until the window ends that the first of them began. */
export class FixedWindow implements Meter {
  private startedAt = 0;
  private count = 0;

  constructor(private readonly config: LimitConfig) {}

  used(now: number): number {
    if (now >= this.startedAt + this.config.windowMs) this.count = 0;
    return this.count;
  }

  take(now: number, units: number): void {
    if (this.count === 0) this.startedAt = now;
    this.count += units;
  }

  waitFor(now: number): number {
    return this.startedAt + this.config.windowMs - now;
  }
}

/** A part of a unit that is given away, so that a wait which was told is long enough in spite of rounding. */
const GRACE = 1e-6;

/** Used units leave at a steady rate: a token bucket that is refilled, or a leaky bucket that drains. */
export class Bucket implements Meter {
  private level = 0;
  private at = 0;

  constructor(private readonly config: LimitConfig) {}

  used(now: number): number {
    if (now > this.at) {
      this.level = Math.max(this.level - (now - this.at) * this.config.ratePerMs, 0);
      this.at = now;
    }
    return Math.ceil(this.level - GRACE);
  }

  take(_now: number, units: number): void {
    this.level += units;
  }

  waitFor(now: number, units: number): number {
    return Math.ceil((this.level - GRACE - units) / this.config.ratePerMs) + this.at - now;
  }
}
