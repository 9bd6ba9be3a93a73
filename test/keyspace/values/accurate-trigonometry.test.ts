import fc from 'fast-check';
import { expect, it } from 'vitest';
import { accurateArcSine, accurateCosine, accurateSine } from '../../../src/keyspace/values/accurate-trigonometry.js';

const ONE = 1n << 200n;

/** A double as a fixed-point number, exactly. */
function fixed(value: number): bigint {
  let scaled = value;
  let shift = 200;
  while (!Number.isInteger(scaled)) {
    scaled *= 2;
    shift--;
  }
  return shift >= 0 ? BigInt(scaled) << BigInt(shift) : BigInt(scaled) >> BigInt(-shift);
}

/** Sine and cosine by their series. */
function exact(angle: bigint): { sine: bigint; cosine: bigint } {
  const sums = [0n, 0n, 0n, 0n];
  for (let n = 0, term = ONE; term !== 0n; n++, term = (term * angle) / ONE / BigInt(n)) sums[n % 4]! += term;
  return { sine: sums[1]! - sums[3]!, cosine: sums[0]! - sums[2]! };
}

/** How far a double is from a fixed-point number, in units of its last place. */
function ulps(value: number, reference: bigint): number {
  const unit = 2 ** (Math.floor(Math.log2(Math.abs(value))) - 52);
  return Math.abs(Number(fixed(value) - reference) / Number(ONE)) / unit;
}

const angle = fc.double({ min: 2 ** -30, max: 3.14, noNaN: true });

it('sine and cosine are the nearest doubles, or nearly so', () => {
  fc.assert(
    fc.property(angle, (x) => {
      const { sine, cosine } = exact(fixed(x));
      expect(ulps(accurateSine(x), sine)).toBeLessThan(x < 3 ? 0.55 : 1);
      expect(accurateSine(-x)).toBe(-accurateSine(x));
      // Latitudes end at 85.05 degrees.
      if (Math.abs(x - Math.PI / 2) > 0.08) expect(ulps(accurateCosine(x), cosine)).toBeLessThan(0.55);
    }),
    { numRuns: 2000 },
  );
});

it('the arc sine is the nearest double, or nearly so', () => {
  fc.assert(
    fc.property(fc.double({ min: 2 ** -30, max: 0.999, noNaN: true }), (value) => {
      const found = accurateArcSine(value);
      // One step of Newton's method from the result gives what is missing from it.
      const { sine, cosine } = exact(fixed(found));
      const missing = ((fixed(value) - sine) * ONE) / cosine;
      expect(ulps(found, fixed(found) + missing)).toBeLessThan(0.55);
    }),
    { numRuns: 2000 },
  );
});

it('knows the simple values', () => {
  expect([accurateSine(0), accurateCosine(0), accurateArcSine(0)]).toEqual([0, 1, 0]);
  expect(accurateArcSine(1)).toBe(Math.PI / 2);
});
