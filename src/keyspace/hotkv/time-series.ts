/**
 * One series of samples in order of time, 16 bytes a sample, with the rules that keep coarser series up to date. Times
 * are unix ms.
 */
import type { Bytes } from '../../protocol/reply.js';

export const AGGREGATIONS = ['avg', 'min', 'max', 'sum', 'count'] as const;
export type Aggregation = (typeof AGGREGATIONS)[number];

/** A live rule: every bucket of the source is one sample of the destination. */
export class DownsampleRule {
  private start = Number.NaN;
  private count = 0;
  private sum = 0;
  private least = 0;
  private greatest = 0;

  constructor(
    readonly destination: Bytes,
    readonly aggregation: Aggregation,
    readonly bucketMs: number,
  ) {}

  /** The value of the bucket that begins at `start`, into which the source has just got a sample. */
  valueAfter(source: TimeSeries, start: number, value: number, isNewest: boolean): number {
    if (isNewest && start === this.start) this.include(value);
    else {
      this.start = start;
      this.count = 0;
      source.forEach(start, start + this.bucketMs - 1, Number.POSITIVE_INFINITY, (_time, each) => this.include(each));
    }
    if (this.aggregation === 'count') return this.count;
    if (this.aggregation === 'min') return this.least;
    if (this.aggregation === 'max') return this.greatest;
    return this.aggregation === 'sum' ? this.sum : this.sum / this.count;
  }

  private include(value: number): void {
    const isFirst = this.count++ === 0;
    this.sum = isFirst ? value : this.sum + value;
    if (isFirst || value < this.least) this.least = value;
    if (isFirst || value > this.greatest) this.greatest = value;
  }
}

/** Estimated bytes of a series without its samples. */
const SERIES_BYTES = 400;
const SMALLEST = 16;

export class TimeSeries {
  readonly rules: DownsampleRule[] = [];
  private times = new Float64Array(SMALLEST);
  private values = new Float64Array(SMALLEST);
  /** Samples stand from `start` to `end`; those before have been dropped. */
  private start = 0;
  private end = 0;

  constructor(
    readonly labels: readonly (readonly [name: Bytes, value: Bytes])[],
    /** How far behind the newest sample others may be, in ms; 0: any. */
    public retentionMs: number,
  ) {}

  get size(): number {
    return this.end - this.start;
  }

  get firstTime(): number {
    return this.size === 0 ? 0 : this.times[this.start]!;
  }

  get lastTime(): number {
    return this.size === 0 ? 0 : this.times[this.end - 1]!;
  }

  get lastValue(): number | undefined {
    return this.size === 0 ? undefined : this.values[this.end - 1];
  }

  /** Estimated bytes. */
  get bytes(): number {
    return SERIES_BYTES + this.times.length * 16;
  }

  /** Whether a sample at this time would be dropped at once. */
  isTooOld(time: number): boolean {
    return this.retentionMs > 0 && this.size > 0 && time <= this.lastTime - this.retentionMs;
  }

  /** Adds a sample; one of the same time is replaced. Returns whether it is later than all before. */
  add(time: number, value: number): boolean {
    const isNewest = this.size === 0 || time > this.lastTime;
    const at = isNewest ? this.end : this.lowerBound(time);
    if (!isNewest && this.times[at] === time) this.values[at] = value;
    else this.insert(at, time, value);
    if (isNewest) this.dropOld();
    return isNewest;
  }

  /** Sets the retention and drops what is too old for it. */
  retain(retentionMs: number): void {
    this.retentionMs = retentionMs;
    this.dropOld();
  }

  /** Visits up to `count` samples from one time to another, both included. */
  forEach(from: number, to: number, count: number, visit: (time: number, value: number) => void): void {
    const { times, values } = this;
    let left = count;
    for (let i = this.lowerBound(from); i < this.end && times[i]! <= to && left > 0; i++, left--) {
      visit(times[i]!, values[i]!);
    }
  }

  /** Buckets of the samples from one time to another; they begin at multiples of `bucketMs`, empty ones are left out. */
  aggregate(from: number, to: number, bucketMs: number, aggregation: Aggregation): { time: number; value: number }[] {
    const buckets: { time: number; value: number }[] = [];
    const { times } = this;
    for (let i = this.lowerBound(from); i < this.end && times[i]! <= to; ) {
      const time = Math.floor(times[i]! / bucketMs) * bucketMs;
      const end = this.endOfBucket(i, Math.min(time + bucketMs, to + 1));
      buckets.push({ time, value: this.summary(i, end, aggregation) });
      i = end;
    }
    return buckets;
  }

  /** The first position from `i` on whose time is not below `limit`. Buckets are short: looked for step by step. */
  private endOfBucket(i: number, limit: number): number {
    let end = i;
    while (end < this.end && this.times[end]! < limit) end++;
    return end;
  }

  private summary(from: number, to: number, aggregation: Aggregation): number {
    const { values } = this;
    if (aggregation === 'count') return to - from;
    if (aggregation === 'min' || aggregation === 'max') {
      let extreme = values[from]!;
      for (let i = from + 1; i < to; i++) {
        if (aggregation === 'min' ? values[i]! < extreme : values[i]! > extreme) extreme = values[i]!;
      }
      return extreme;
    }
    let sum = 0;
    for (let i = from; i < to; i++) sum += values[i]!;
    return aggregation === 'sum' ? sum : sum / (to - from);
  }

  private insert(at: number, time: number, value: number): void {
    let place = at;
    if (this.end === this.times.length) {
      place -= this.start;
      this.makeRoom();
    }
    if (place < this.end) {
      this.times.copyWithin(place + 1, place, this.end);
      this.values.copyWithin(place + 1, place, this.end);
    }
    this.times[place] = time;
    this.values[place] = value;
    this.end++;
  }

  /** Moves the samples to the front, and into larger arrays where they need them. */
  private makeRoom(): void {
    const { size } = this;
    const capacity = size > this.times.length / 2 ? Math.ceil(this.times.length * 1.5) : this.times.length;
    this.times = resized(this.times, this.start, this.end, capacity);
    this.values = resized(this.values, this.start, this.end, capacity);
    this.start = 0;
    this.end = size;
  }

  private dropOld(): void {
    if (this.retentionMs === 0 || this.size === 0) return;
    const oldest = this.lastTime - this.retentionMs;
    while (this.times[this.start]! <= oldest) this.start++;
  }

  /** The first position whose time is not below `time`. */
  private lowerBound(time: number): number {
    let low = this.start;
    let high = this.end;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.times[middle]! < time) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function resized(from: Float64Array, start: number, end: number, capacity: number): Float64Array<ArrayBuffer> {
  const to = new Float64Array(capacity);
  to.set(from.subarray(start, end));
  return to;
}
