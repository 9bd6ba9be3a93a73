/**
 * Sine, cosine and arc sine that are almost always the double nearest to the exact value, as those of the GNU C library
 * are; JavaScript's are now and then one step beside it, which shows in distances that Redis stores with all digits.
 *
 * Around each multiple of 1/256 both functions are known to more than the digits of a double; the small rest of the
 * angle adds a correction that a double holds exactly enough.
 */

/** Sine and cosine of an angle of the table, each as a double and what is missing from it. */
interface TableEntry {
  readonly sine: number;
  readonly sineRest: number;
  readonly cosine: number;
  readonly cosineRest: number;
}

const STEPS = 256;
/** Up to this angle the series itself is used. */
const SERIES_LIMIT = 0.125;
/** What is missing from `Math.PI / 2`. */
const HALF_PI_REST = 6.123233995736766e-17;
const table: TableEntry[] = [];

/** The sine of an angle of at most 4 radians either way. */
export function accurateSine(angle: number): number {
  if (angle < 0) return -accurateSine(-angle);
  if (angle <= SERIES_LIMIT) return angle + sineRest(angle);
  const entry = entryFor(angle);
  return entry.sine + sineCorrection(entry, restOf(angle));
}

/** The cosine of an angle of at most 4 radians either way. */
export function accurateCosine(angle: number): number {
  const complement = Math.PI / 2 - Math.abs(angle);
  if (Math.abs(complement) <= SERIES_LIMIT) return complement + (sineRest(complement) + HALF_PI_REST);
  const entry = entryFor(Math.abs(angle));
  const rest = restOf(Math.abs(angle));
  const { sine, cosine } = entry;
  const small = entry.cosineRest - entry.sineRest * rest - sine * sineRest(rest) + cosine * cosineRest(rest);
  return cosine + (small - sine * rest);
}

/** The arc sine of a number from 0 to 1: JavaScript's, and one step of Newton's method. */
export function accurateArcSine(value: number): number {
  const angle = Math.asin(value);
  const slope = Math.cos(angle);
  // The step is of no use where the sine hardly changes.
  if (slope < MIN_SLOPE) return angle;
  if (angle <= SERIES_LIMIT) return angle + (value - angle - sineRest(angle)) / slope;
  const entry = entryFor(angle);
  return angle + (value - entry.sine - sineCorrection(entry, restOf(angle))) / slope;
}

const MIN_SLOPE = 1e-4;

/** What is to be added to the sine in the table for `rest` more of the angle. */
function sineCorrection(
  { sine, sineRest: missing, cosine, cosineRest: missingCosine }: TableEntry,
  rest: number,
): number {
  return missing + missingCosine * rest + sine * cosineRest(rest) + cosine * sineRest(rest) + cosine * rest;
}

/** sin x − x, for x up to 1/8. */
function sineRest(x: number): number {
  const xx = x * x;
  const tail = xx * (1 / 362_880 + xx * (-1 / 39_916_800));
  return x * xx * (-1 / 6 + xx * (1 / 120 + xx * (-1 / 5040 + tail)));
}

/** cos x − 1, for x up to 1/512. */
function cosineRest(x: number): number {
  const xx = x * x;
  return xx * (-1 / 2 + xx * (1 / 24 + xx * (-1 / 720)));
}

/** The distance of an angle from the nearest one in the table: at most 1/512, and exact. */
function restOf(angle: number): number {
  return angle - Math.round(angle * STEPS) / STEPS;
}

function entryFor(angle: number): TableEntry {
  const step = Math.round(angle * STEPS);
  table[step] ??= computeEntry(step);
  return table[step];
}

/** Binary digits behind the point of the integers that the table is computed with. */
const PRECISION = 160;
const ONE = 1n << BigInt(PRECISION);

function computeEntry(step: number): TableEntry {
  const angle = (BigInt(step) * ONE) / BigInt(STEPS);
  let sine = 0n;
  let cosine = 0n;
  // The terms angle^n / n!, which belong to cosine and sine in turns, two of each sign.
  for (let n = 0, term = ONE; term !== 0n; n++, term = (term * angle) / ONE / BigInt(n)) {
    const signed = n % 4 < 2 ? term : -term;
    if (n % 2 === 0) cosine += signed;
    else sine += signed;
  }
  const [sineHigh, sineLow] = splitFixed(sine);
  const [cosineHigh, cosineLow] = splitFixed(cosine);
  return { sine: sineHigh, sineRest: sineLow, cosine: cosineHigh, cosineRest: cosineLow };
}

/** The nearest double, and the double nearest to the rest. */
function splitFixed(value: bigint): [number, number] {
  const scale = 2 ** PRECISION;
  const high = Number(value);
  return [high / scale, Number(value - BigInt(high)) / scale];
}
