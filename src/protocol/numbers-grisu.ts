/**
 * Grisu2 (Florian Loitsch, "Printing Floating-Point Numbers Quickly and Accurately with Integers", 2010): decimal
 * digits of a double that read back as the same double, nearly always the fewest. Redis prints with it, and in about
 * one of 500 doubles it has other digits than the shortest, so the same steps with the same 64-bit roundings are
 * needed to print the same text.
 */

/** A 64-bit significand and its binary exponent. */
interface Fp {
  readonly significand: bigint;
  readonly exponent: number;
}

const HIDDEN_BIT = 1n << 52n;
const U64_HALF = 1n << 63n;

/** Cached powers are 10^-348, 10^-340, … 10^340. */
const FIRST_POWER = -348;
const POWER_STEP = 8;
const POWER_COUNT = 87;
/** The scaled number's exponent lies in this range, so that its whole part fits 32 bits. */
const MIN_EXPONENT = -60;
const MAX_EXPONENT = -32;
const LOG10_2 = 0.30102999566398114;

const powers: (Fp | undefined)[] = new Array(POWER_COUNT);

/** The digits of a positive finite double: it is digits · 10^exponent. */
export function shortDigits(value: number): { digits: string; exponent: number } {
  const { fraction, exponent: binaryExponent } = decompose(value);
  // The borders of the interval that reads back as value, and value itself, with a common exponent.
  const shift = 63 - (fraction * 2n + 1n).toString(2).length + 1;
  const exponent = binaryExponent - 1 - shift;
  const upper = (fraction * 2n + 1n) << BigInt(shift);
  const lower =
    fraction === HIDDEN_BIT ? (fraction * 4n - 1n) << BigInt(shift - 1) : (fraction * 2n - 1n) << BigInt(shift);
  const middle = (fraction * 2n) << BigInt(shift);

  const index = powerIndex(exponent);
  const power = cachedPower(index);
  const high = multiply(upper, power.significand) - 1n;
  const low = multiply(lower, power.significand) + 1n;
  const scaled = multiply(middle, power.significand);
  const scaledExponent = exponent + power.exponent + 64;
  return generate(high, low, scaled, -scaledExponent, -(FIRST_POWER + index * POWER_STEP));
}

/** Digits of `high` until what is left lies within high − low, then the last one moved towards `scaled`. */
function generate(high: bigint, low: bigint, scaled: bigint, fractionBits: number, decimalExponent: number) {
  const one = 1n << BigInt(fractionBits);
  let delta = high - low;
  let distance = high - scaled;
  let whole = Number(high >> BigInt(fractionBits));
  let rest = high & (one - 1n);
  let digits = 0n;
  let kappa = 10;
  for (let divisor = 1e9; kappa > 0; divisor /= 10) {
    const digit = Math.floor(whole / divisor);
    digits = digits * 10n + BigInt(digit);
    whole -= digit * divisor;
    kappa--;
    const remainder = (BigInt(whole) << BigInt(fractionBits)) + rest;
    if (remainder <= delta) {
      digits -= stepsTowards(distance, delta, remainder, BigInt(divisor) << BigInt(fractionBits));
      return { digits: digits.toString(), exponent: decimalExponent + kappa };
    }
  }
  for (;;) {
    rest *= 10n;
    delta *= 10n;
    distance *= 10n;
    kappa--;
    digits = digits * 10n + (rest >> BigInt(fractionBits));
    rest &= one - 1n;
    if (rest < delta) {
      digits -= stepsTowards(distance, delta, rest, one);
      return { digits: digits.toString(), exponent: decimalExponent + kappa };
    }
  }
}

/** By how much the last digit is lowered so that it comes closest to the number, and stays inside the interval. */
function stepsTowards(distance: bigint, delta: bigint, remainder: bigint, unit: bigint): bigint {
  let rest = remainder;
  let steps = 0n;
  while (
    rest < distance &&
    delta - rest >= unit &&
    (rest + unit < distance || distance - rest > rest + unit - distance)
  ) {
    steps += 1n;
    rest += unit;
  }
  return steps;
}

const bitsView = new DataView(new ArrayBuffer(8));

/** A positive double as fraction · 2^exponent, the fraction an integer of at most 53 bits. */
function decompose(value: number): { fraction: bigint; exponent: number } {
  bitsView.setFloat64(0, value);
  const bits = bitsView.getBigUint64(0);
  const biased = Number(bits >> 52n);
  const stored = bits & (HIDDEN_BIT - 1n);
  return biased === 0
    ? { fraction: stored, exponent: -1074 }
    : { fraction: stored | HIDDEN_BIT, exponent: biased - 1075 };
}

/** The upper 64 bits of a product of 64-bit numbers, rounded half up. */
function multiply(a: bigint, b: bigint): bigint {
  return (a * b + U64_HALF) >> 64n;
}

/** Which cached power brings a number of this exponent into the range; the search starts as Redis' does. */
function powerIndex(exponent: number): number {
  const approximate = Math.trunc(-(exponent + POWER_COUNT) * LOG10_2);
  let index = Math.trunc((approximate - FIRST_POWER) / POWER_STEP);
  for (;;) {
    const scaledExponent = exponent + cachedPower(index).exponent + 64;
    if (scaledExponent < MIN_EXPONENT) index++;
    else if (scaledExponent > MAX_EXPONENT) index--;
    else return index;
  }
}

/** 10^(−348 + 8 · index), rounded to a 64-bit significand. */
function cachedPower(index: number): Fp {
  powers[index] ??= computePower(FIRST_POWER + index * POWER_STEP);
  return powers[index];
}

function computePower(decimalExponent: number): Fp {
  const power = 10n ** BigInt(Math.abs(decimalExponent));
  const bits = power.toString(2).length;
  if (decimalExponent >= 0) {
    const shift = bits - 64;
    return { significand: shift <= 0 ? power << BigInt(-shift) : roundShift(power, shift), exponent: shift };
  }
  // 1/power with 64 bits: 2^(bits + 63) / power lies in [2^63, 2^64].
  const shift = bits + 63;
  const significand = ((1n << BigInt(shift + 1)) / power + 1n) >> 1n;
  return { significand, exponent: -shift };
}

function roundShift(value: bigint, shift: number): bigint {
  return (value + (1n << BigInt(shift - 1))) >> BigInt(shift);
}
