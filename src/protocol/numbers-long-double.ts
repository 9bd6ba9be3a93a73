/**
 * The x87 80-bit floats of INCRBYFLOAT and HINCRBYFLOAT: a 64-bit mantissa and a 15-bit exponent. Redis reads, adds
 * and prints with C's `long double` on x86-64, so `1000.1` plus 0 is `1000.09999999999999998`. Here each step is done
 * with exact integers and rounded as the processor rounds it.
 */
import {
  type BinaryFloat,
  type BinaryFormat,
  divideHalfEven,
  MAX_FLOAT_TEXT,
  parseFloatText,
  parseInfinity,
  roundFloatText,
  roundRatio,
} from './numbers-float-text.js';
import type { Bytes } from './reply.js';

const EXTENDED: BinaryFormat = { precision: 64, minExponent: -16445, maxExponent: 16383 - 63 };
const PRINTED_DECIMALS = 17;
const DECIMAL_SCALE = 10n ** BigInt(PRINTED_DECIMALS);
/** Integers of so many characters, and their sums, are exact as doubles and as long doubles. */
const EXACT_INTEGER_TEXT = 15;

/** A long double that is not nan. */
export class LongDouble {
  /** The value is mantissa · 2^exponent; where `infinite` is not 0 it is that infinity instead. */
  private constructor(
    private readonly mantissa: bigint,
    private readonly exponent: number,
    private readonly infinite: -1 | 0 | 1,
  ) {}

  /**
   * What Redis takes as a float here (`string2ld`): C's `strtold` on the whole text of at most 5119 bytes, decimal,
   * hexadecimal or infinite; no nan, no space, nothing that overflows or underflows to zero. Undefined otherwise.
   */
  static parse(s: Bytes): LongDouble | undefined {
    if (s.length > MAX_FLOAT_TEXT) return undefined;
    const text = parseFloatText(s);
    if (text !== undefined) {
      const rounded = roundFloatText(text, EXTENDED);
      return rounded && new LongDouble(rounded.mantissa, rounded.exponent, 0);
    }
    const infinity = parseInfinity(s);
    return infinity === undefined ? undefined : new LongDouble(0n, 0, infinity < 0 ? -1 : 1);
  }

  isFinite(): boolean {
    return this.infinite === 0;
  }

  /** The rounded sum; undefined where it is infinite or nan. */
  plus(other: LongDouble): LongDouble | undefined {
    if (!this.isFinite() || !other.isFinite()) return undefined;
    const exponent = Math.min(this.exponent, other.exponent);
    const sum =
      (this.mantissa << BigInt(this.exponent - exponent)) + (other.mantissa << BigInt(other.exponent - exponent));
    if (sum === 0n) return new LongDouble(0n, 0, 0);
    const rounded = roundMagnitude(sum < 0n ? -sum : sum, exponent);
    return rounded && new LongDouble(sum < 0n ? -rounded.mantissa : rounded.mantissa, rounded.exponent, 0);
  }

  /** The text INCRBYFLOAT stores and answers: 17 decimals, trailing zeros and a bare minus zero taken away. */
  toText(): Bytes {
    if (this.infinite !== 0) return this.infinite < 0 ? '-inf' : 'inf';
    const magnitude = this.mantissa < 0n ? -this.mantissa : this.mantissa;
    const sign = this.mantissa < 0n ? '-' : '';
    if (this.exponent >= 0) return sign + (magnitude << BigInt(this.exponent)).toString();
    const scaled = divideHalfEven(magnitude * DECIMAL_SCALE, 1n, -this.exponent);
    if (scaled === 0n) return '0';
    const digits = scaled.toString().padStart(PRINTED_DECIMALS + 1, '0');
    const whole = digits.slice(0, -PRINTED_DECIMALS);
    const decimals = digits.slice(-PRINTED_DECIMALS).replace(/0+$/, '');
    return sign + (decimals === '' ? whole : `${whole}.${decimals}`);
  }
}

/**
 * a + b as INCRBYFLOAT has it. Where it fails, the reason: `not a float` if either text is none, `not finite` if the
 * sum is nan or infinite.
 */
export function incrByFloat(a: Bytes, b: Bytes): { sum: Bytes } | { failure: 'not a float' | 'not finite' } {
  if (isShortInteger(a) && isShortInteger(b)) return { sum: String(Number(a) + Number(b)) };
  const left = LongDouble.parse(a);
  const right = LongDouble.parse(b);
  if (left === undefined || right === undefined) return { failure: 'not a float' };
  const sum = left.plus(right);
  return sum === undefined ? { failure: 'not finite' } : { sum: sum.toText() };
}

/** Digits after at most one minus sign, short enough to add as numbers. */
function isShortInteger(s: Bytes): boolean {
  if (s.length > EXACT_INTEGER_TEXT) return false;
  const start = s.charCodeAt(0) === 45 ? 1 : 0;
  for (let i = start; i < s.length; i++) {
    const code = s.charCodeAt(i);
    if (code < 48 || code > 57) return false;
  }
  return s.length > start;
}

function roundMagnitude(magnitude: bigint, exponent: number): BinaryFloat | undefined {
  return exponent < 0
    ? roundRatio(magnitude, 1n << BigInt(-exponent), EXTENDED)
    : roundRatio(magnitude << BigInt(exponent), 1n, EXTENDED);
}
