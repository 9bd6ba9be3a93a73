/**
 * GCRA.LIMIT's arithmetic (HotKV documentation of GCRA.LIMIT). With TAT the state, P the period in ms, B the burst and
 * C the count:
 *
 *     start = max(TAT, now)
 *     next  = start + P·C/B
 *     allowed if next − P ≤ now; then TAT becomes next
 *
 * All of it is exact. Doubles are used only while every product stays below 2^52, bigints elsewhere.
 */
import { INT64_MAX, normaliseInteger } from '../protocol/numbers.js';
import type { Int64 } from '../protocol/reply.js';
import { floorDivide, type GcraState, NARROW_LIMIT } from './state.js';

/** The largest period in milliseconds. */
export const MAX_PERIOD = 1e12;

/** The five numbers of the reply, and when the key expires. One object may serve every call. */
export class GcraResult {
  /** 1 if denied: then nothing has changed. */
  denied: 0 | 1 = 0;
  /** The burst. */
  limit: Int64 = 0;
  /** How many more tokens would be allowed at once. */
  remaining: Int64 = 0;
  /** Milliseconds until the same call is allowed if it is the next one (and its count ≤ burst); −1 where allowed. */
  retry: Int64 = -1;
  /** Milliseconds until the limit is full again. */
  reset: Int64 = 0;
  /**
   * Unix ms at which the key expires, ceil(next); only meaningful where allowed. Since then next ≤ now + P, it is at
   * most now + 10^12 and never needs clamping.
   */
  expireAt = 0;
}

/**
 * Decides one call and writes the answer to `result`; where it is allowed the state moves on, else it stays as it is.
 *
 * @param now unix ms, an integer within ±2^51
 * @param period ms, an integer in 1 … MAX_PERIOD
 * @param burst an integer in 1 … 2^63 − 1
 * @param count an integer in 1 … 2^63 − 1
 */
export function gcraLimit(
  state: GcraState,
  now: number,
  period: number,
  burst: Int64,
  count: Int64,
  result: GcraResult,
): void {
  if (
    typeof burst === 'number' &&
    typeof count === 'number' &&
    count <= burst &&
    period * burst < NARROW_LIMIT &&
    state.wide === null &&
    (state.denominator === burst || state.numerator * burst < NARROW_LIMIT)
  ) {
    limitNarrow(state, now, period, burst, count, result);
  } else {
    limitWide(state, BigInt(now), BigInt(period), BigInt(burst), BigInt(count), result);
  }
}

/** The case where period · burst, and the old numerator · burst if the burst has changed, are below 2^52. */
function limitNarrow(
  state: GcraState,
  now: number,
  period: number,
  burst: number,
  count: number,
  result: GcraResult,
): void {
  // start = whole + part / burst
  let whole = now;
  let part = 0;
  if (state.whole >= now) {
    whole = state.whole;
    part = state.numerator;
    if (state.denominator !== burst) {
      part = divideUp(part * burst, state.denominator);
      if (part === burst) {
        part = 0;
        whole++;
      }
    }
  }
  // next, in the same form
  const cost = period * count;
  const wholeCost = divideDown(cost, burst);
  let nextWhole = whole + wholeCost;
  let nextPart = part + (cost - wholeCost * burst);
  if (nextPart >= burst) {
    nextPart -= burst;
    nextWhole++;
  }

  const nextUp = nextPart === 0 ? nextWhole : nextWhole + 1;
  const latest = now + period;
  result.limit = burst;
  if (nextUp > latest) {
    result.denied = 1;
    result.remaining = 0;
    result.retry = nextUp - latest;
    result.reset = (part === 0 ? whole : whole + 1) - now;
    return;
  }
  result.denied = 0;
  result.remaining = divideDown((latest - nextWhole) * burst - nextPart, period);
  result.retry = -1;
  result.reset = nextUp - now;
  result.expireAt = nextUp;
  state.whole = nextWhole;
  state.numerator = nextPart;
  state.denominator = burst;
}

/** The same for all values, counted in units of 1/burst ms. */
function limitWide(
  state: GcraState,
  now: bigint,
  period: bigint,
  burst: bigint,
  count: bigint,
  result: GcraResult,
): void {
  const nowUnits = now * burst;
  let start = state.unitsOf(burst);
  if (start < nowUnits) start = nowUnits;
  const next = start + period * count;
  const room = nowUnits + period * burst - next;
  result.limit = normaliseInteger(burst);
  if (room < 0n) {
    result.denied = 1;
    result.remaining = 0;
    result.retry = clamp(divideUpWide(-room, burst));
    result.reset = clamp(divideUpWide(start - nowUnits, burst));
    return;
  }
  result.denied = 0;
  result.remaining = normaliseInteger(room / period);
  result.retry = -1;
  result.reset = clamp(divideUpWide(next - nowUnits, burst));
  result.expireAt = Number(divideUpWide(next, burst));
  state.setUnits(next, burst);
}

/** floor(a / b) for integers 0 ≤ a < 2^52, b > 0: the quotient of doubles is off by less than one, upwards only. */
function divideDown(a: number, b: number): number {
  const quotient = Math.floor(a / b);
  return quotient * b > a ? quotient - 1 : quotient;
}

/** ceil(a / b) for the same range. */
function divideUp(a: number, b: number): number {
  const quotient = divideDown(a, b);
  return quotient * b === a ? quotient : quotient + 1;
}

function divideUpWide(a: bigint, b: bigint): bigint {
  return -floorDivide(-a, b);
}

function clamp(n: bigint): Int64 {
  return n > INT64_MAX ? INT64_MAX : normaliseInteger(n);
}
