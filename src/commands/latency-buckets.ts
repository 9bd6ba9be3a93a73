/** Calls of a command counted by duration, for LATENCY HISTOGRAM and INFO latencystats. */
import type { Command } from '../server/command-table.js';

/**
 * Buckets of the latency counts: four to each power of two of `LATENCY_UNIT`, from under one unit to over an hour. The
 * unit is that of Redis' histograms, so that the powers of two are the limits that LATENCY HISTOGRAM shows.
 */
export const LATENCY_BUCKETS = 128;
/** In µs. */
const LATENCY_UNIT = 1.024;

export function countLatency(command: Command, microseconds: number): void {
  command.latency ??= new Float64Array(LATENCY_BUCKETS);
  command.latency[bucketOf(microseconds / LATENCY_UNIT)]!++;
}

function bucketOf(units: number): number {
  const quarters = Math.trunc(units * 4);
  if (quarters < 4) return quarters;
  const exponent = 31 - Math.clz32(quarters);
  return Math.min((exponent - 1) * 4 + ((quarters >>> (exponent - 2)) & 3), LATENCY_BUCKETS - 1);
}

/** The greatest duration in µs that falls into a bucket. */
export function bucketLimit(bucket: number): number {
  if (bucket < 4) return ((bucket + 1) / 4) * LATENCY_UNIT;
  const exponent = (bucket >> 2) + 1;
  return ((4 + (bucket & 3) + 1) * 2 ** (exponent - 2) * LATENCY_UNIT) / 4;
}

/** A duration in µs that so many percent of the counted calls did not exceed. */
export function percentileOf(latency: Float64Array, percent: number): number {
  const calls = latency.reduce((sum, count) => sum + count, 0);
  const wanted = Math.max((calls * percent) / 100, 1);
  let seen = 0;
  for (let bucket = 0; bucket < latency.length; bucket++) {
    seen += latency[bucket]!;
    if (seen >= wanted) return bucketLimit(bucket);
  }
  return bucketLimit(latency.length - 1);
}
