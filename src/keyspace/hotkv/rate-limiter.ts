/** A named rate limiter: its algorithm, and a meter for each key that has used some of its limit. */
import type { Bytes } from '../../protocol/reply.js';
import { Bucket, FixedWindow, type LimitConfig, type Meter, SlidingLog } from './rate-meters.js';

export const RATE_ALGORITHMS = ['sliding_window', 'fixed_window', 'token_bucket', 'leaky_bucket'] as const;
export type RateAlgorithm = (typeof RATE_ALGORITHMS)[number];

/** Keys that are unused are looked for when there are more than this, and then whenever their number has doubled. */
const FIRST_SWEEP = 1024;
/** Estimated bytes of a meter with its entry in the map. */
const METER_BYTES = 200;
/** What `retry` says of a cost that never fits. */
const NEVER = -1;

/** The answer of a check; one object serves all. */
export class RateVerdict {
  allowed = false;
  /** Units in use, the granted ones included. */
  current = 0;
  /** Ms until the cost would fit, 0 when it does, −1 when it never will. */
  retry = 0;
}

export class RateLimiter implements LimitConfig {
  allowed = 0;
  denied = 0;
  private readonly meters = new Map<Bytes, Meter>();
  private sweepAt = FIRST_SWEEP;

  constructor(
    readonly algorithm: RateAlgorithm,
    readonly limit: number,
    readonly windowMs: number,
    readonly ratePerMs: number,
  ) {}

  /** Estimated bytes. */
  get bytes(): number {
    return this.meters.size * METER_BYTES;
  }

  /** Number of keys that use some of the limit. */
  keyCount(now: number): number {
    this.sweep(now);
    return this.meters.size;
  }

  /** Takes `cost` for a key, if it fits. */
  check(key: Bytes, cost: number, now: number, verdict: RateVerdict): void {
    let meter = this.meters.get(key);
    if (meter === undefined && cost <= this.limit) meter = this.add(key, now);
    this.judge(meter, cost, now, verdict);
    if (verdict.allowed) {
      this.allowed++;
      meter!.take(now, cost);
      verdict.current += cost;
    } else this.denied++;
  }

  /** What a check of `cost` would find; `current` is without the cost. */
  peek(key: Bytes, cost: number, now: number, verdict: RateVerdict): void {
    this.judge(this.meters.get(key), cost, now, verdict);
  }

  reset(key: Bytes): void {
    this.meters.delete(key);
  }

  private judge(meter: Meter | undefined, cost: number, now: number, verdict: RateVerdict): void {
    const used = meter === undefined ? 0 : meter.used(now);
    const room = this.limit - cost;
    verdict.current = used;
    verdict.allowed = used <= room;
    if (verdict.allowed) verdict.retry = 0;
    else verdict.retry = room < 0 ? NEVER : meter!.waitFor(now, room);
  }

  private add(key: Bytes, now: number): Meter {
    if (this.meters.size >= this.sweepAt) {
      this.sweep(now);
      this.sweepAt = Math.max(this.meters.size * 2, FIRST_SWEEP);
    }
    const meter = this.newMeter();
    this.meters.set(key, meter);
    return meter;
  }

  private newMeter(): Meter {
    if (this.algorithm === 'sliding_window') return new SlidingLog(this);
    return this.algorithm === 'fixed_window' ? new FixedWindow(this) : new Bucket(this);
  }

  private sweep(now: number): void {
    for (const [key, meter] of this.meters) if (meter.used(now) === 0) this.meters.delete(key);
  }
}
