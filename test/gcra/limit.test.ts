import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GcraResult, gcraLimit } from '../../src/gcra/limit.js';
import { GcraState } from '../../src/gcra/state.js';
import type { Int64 } from '../../src/protocol/reply.js';

const INT64_MAX = 2n ** 63n - 1n;
const T0 = 1_700_000_000_000;

type Five = [Int64, Int64, Int64, Int64, Int64];

function call(state: GcraState, now: number, period: number, burst: Int64, count: Int64 = 1): Five {
  const result = new GcraResult();
  gcraLimit(state, now, period, burst, count, result);
  if (result.denied === 0) expect(BigInt(result.expireAt)).toBe(BigInt(now) + BigInt(result.reset));
  return [result.denied, result.limit, result.remaining, result.retry, result.reset];
}

/** The rules written once more, with fractions of bigints and nothing shared with the source. */
class Reference {
  private constructor(
    private top: bigint,
    private bottom: bigint,
  ) {}

  static full() {
    return new Reference(0n, 1n);
  }

  static of(top: bigint, bottom: bigint) {
    return new Reference(top, bottom);
  }

  call(now: bigint, period: bigint, burst: bigint, count: bigint): bigint[] {
    let tat = Fraction.of(ceil(this.top * burst, this.bottom), burst);
    if (tat.less(Fraction.of(now, 1n))) tat = Fraction.of(now, 1n);
    const next = tat.plus(Fraction.of(period * count, burst));
    const latest = Fraction.of(now + period, 1n);
    if (latest.less(next)) {
      return [1n, burst, 0n, capped(next.minus(latest).up()), capped(tat.minus(Fraction.of(now, 1n)).up())];
    }
    this.top = next.top;
    this.bottom = next.bottom;
    const left = latest.minus(next);
    return [0n, burst, (left.top * burst) / (left.bottom * period), -1n, next.minus(Fraction.of(now, 1n)).up()];
  }
}

class Fraction {
  private constructor(
    readonly top: bigint,
    readonly bottom: bigint,
  ) {}

  static of(top: bigint, bottom: bigint): Fraction {
    let [a, b] = [top < 0n ? -top : top, bottom];
    while (b !== 0n) [a, b] = [b, a % b];
    return a === 0n ? new Fraction(0n, 1n) : new Fraction(top / a, bottom / a);
  }

  plus(o: Fraction) {
    return Fraction.of(this.top * o.bottom + o.top * this.bottom, this.bottom * o.bottom);
  }

  minus(o: Fraction) {
    return this.plus(new Fraction(-o.top, o.bottom));
  }

  less(o: Fraction) {
    return this.top * o.bottom < o.top * this.bottom;
  }

  up() {
    return ceil(this.top, this.bottom);
  }
}

function ceil(top: bigint, bottom: bigint): bigint {
  const quotient = top / bottom;
  return top > 0n && top % bottom !== 0n ? quotient + 1n : quotient;
}

function capped(n: bigint): bigint {
  return n > INT64_MAX ? INT64_MAX : n;
}

const int64 = fc.oneof(
  { weight: 6, arbitrary: fc.bigInt(1n, 12n) },
  { weight: 3, arbitrary: fc.bigInt(1n, 100_000n) },
  { weight: 1, arbitrary: fc.bigInt(1n, 2n ** 53n) },
  { weight: 1, arbitrary: fc.bigInt(INT64_MAX - 3n, INT64_MAX) },
  { weight: 1, arbitrary: fc.bigInt(1n, INT64_MAX) },
);
const period = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 20 }) },
  { weight: 4, arbitrary: fc.constantFrom(1000, 60_000, 3_600_000, 86_400_000, 999_983) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 1e12 }) },
  { weight: 1, arbitrary: fc.constant(1e12) },
);
const elapsed = fc.oneof(
  { weight: 5, arbitrary: fc.constant(0) },
  { weight: 5, arbitrary: fc.integer({ min: 1, max: 30 }) },
  { weight: 2, arbitrary: fc.integer({ min: -50, max: 100_000 }) },
  { weight: 1, arbitrary: fc.integer({ min: -1e9, max: 1e12 }) },
);
/** Parameters stay for some steps, as they do in use; otherwise hardly any state would carry a fraction on. */
const phase = fc.record({
  period,
  burst: int64,
  steps: fc.array(fc.record({ elapsed, count: fc.oneof({ weight: 4, arbitrary: fc.constant(1n) }, int64) }), {
    minLength: 1,
    maxLength: 12,
  }),
});

function asInt64(n: bigint): Int64 {
  return n <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(n) : n;
}

describe('gcraLimit', () => {
  it('gives the answers of the vendor page', () => {
    const state = new GcraState();
    expect(call(state, T0, 60_000, 10)).toEqual([0, 10, 9, -1, 6000]);
    expect(call(state, T0, 60_000, 10)).toEqual([0, 10, 8, -1, 12_000]);
    expect(call(state, T0, 60_000, 10, 10)).toEqual([1, 10, 0, 12_000, 12_000]);
    expect(call(state, T0, 60_000, 10, 10)).toEqual([1, 10, 0, 12_000, 12_000]);
    expect(call(state, T0 + 12_000, 60_000, 10, 10)).toEqual([0, 10, 0, -1, 60_000]);
  });

  it.each([
    [1000, 3],
    [1000, 7],
    [1, 3],
    [7, 1000],
    [1000, 1009],
    [1, 1],
    [999_999_999_989, 9973],
  ])('lets %i ms with burst %i through exactly burst times at once', (periodMs, burst) => {
    const state = new GcraState();
    for (let left = burst - 1; left >= 0; left--) {
      const [denied, limit, remaining, retry] = call(state, T0, periodMs, burst);
      expect([denied, limit, remaining, retry]).toEqual([0, burst, left, -1]);
    }
    expect(state.whole).toBe(T0 + periodMs);
    expect(state.numerator).toBe(0);
    expect(call(state, T0, periodMs, burst)[0]).toBe(1);
  });

  it('takes a burst near 2^63 in parts without losing a token', () => {
    const state = new GcraState();
    expect(call(state, T0, 1000, INT64_MAX, INT64_MAX - 2n)).toEqual([0, INT64_MAX, 2, -1, 1000]);
    expect(call(state, T0, 1000, INT64_MAX, 1)).toEqual([0, INT64_MAX, 1, -1, 1000]);
    expect(call(state, T0, 1000, INT64_MAX, 1)).toEqual([0, INT64_MAX, 0, -1, 1000]);
    expect(call(state, T0, 1000, INT64_MAX, 1)).toEqual([1, INT64_MAX, 0, 1, 1000]);
  });

  it('clamps a retry beyond int64', () => {
    expect(call(new GcraState(), T0, 1e12, 1, INT64_MAX)).toEqual([1, 1, 0, INT64_MAX, 0]);
    const far = GcraState.parse('1e300')!;
    expect(call(far, T0, 1000, 3)).toEqual([1, 3, 0, INT64_MAX, INT64_MAX]);
  });

  it('denies a count above the burst for ever, and leaves the state', () => {
    const state = new GcraState();
    expect(call(state, T0, 1000, 4, 5)).toEqual([1, 4, 0, 250, 0]);
    expect(state).toEqual(new GcraState());
  });

  it('agrees with exact fractions at every step, kept in memory or read back from its text each time', () => {
    let steps = 0;
    fc.assert(
      fc.property(fc.array(phase, { minLength: 1, maxLength: 6 }), (phases) => {
        const reference = Reference.full();
        const kept = new GcraState();
        let reread = new GcraState();
        let now = T0;
        for (const { period, burst, steps: calls } of phases) {
          for (const { elapsed, count } of calls) {
            now += elapsed;
            const wanted = reference.call(BigInt(now), BigInt(period), burst, count);
            const fromKept = call(kept, now, period, asInt64(burst), asInt64(count));
            const fromReread = call(reread, now, period, asInt64(burst), asInt64(count));
            if (fromKept.map(BigInt).join() !== wanted.join()) expect(fromKept.map(BigInt)).toEqual(wanted);
            if (fromReread.join() !== fromKept.join()) expect(fromReread).toEqual(fromKept);
            const text = reread.toText();
            if (text !== kept.toText()) expect(text).toBe(kept.toText());
            reread = GcraState.parse(text)!;
            steps++;
          }
        }
      }),
      { numRuns: 6000, seed: 20_260_101 },
    );
    expect(steps).toBeGreaterThan(100_000);
  });

  it('allows after exactly the retry time, and not one millisecond before', () => {
    fc.assert(
      fc.property(period, int64, fc.array(int64, { maxLength: 8 }), int64, (periodMs, burst, before, wanted) => {
        const state = new GcraState();
        for (const count of before) call(state, T0, periodMs, asInt64(burst), asInt64(count % burst || 1n));
        const count = asInt64(wanted % burst || 1n);
        const [denied, , , retry] = call(state, T0, periodMs, asInt64(burst), count);
        if (denied === 0) return;
        const later = T0 + Number(retry);
        expect(call(state, later - 1, periodMs, asInt64(burst), count)[0]).toBe(1);
        expect(call(state, later, periodMs, asInt64(burst), count)[0]).toBe(0);
      }),
      { numRuns: 3000, seed: 7 },
    );
  });

  it('takes any number a user has set, at its exact value', () => {
    const decimal = fc.tuple(
      fc.bigInt(-20_000n, 20_000n),
      fc.integer({ min: 0, max: 25 }),
      fc.integer({ min: -2, max: 2 }),
    );
    fc.assert(
      fc.property(decimal, period, int64, int64, ([offset, places, shift], periodMs, burst, count) => {
        const bottom = 10n ** BigInt(places);
        const top = BigInt(T0) * bottom + offset * 10n ** BigInt(Math.max(0, places + shift));
        const text = `${top}e-${places}`;
        const state = GcraState.parse(text)!;
        const wanted = Reference.of(top, bottom).call(BigInt(T0), BigInt(periodMs), burst, count);
        expect(call(state, T0, periodMs, asInt64(burst), asInt64(count)).map(BigInt)).toEqual(wanted);
      }),
      { numRuns: 3000, seed: 8 },
    );
  });
});
