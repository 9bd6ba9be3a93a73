/**
 * The text of a float as C's `strtod` and `strtold` take it, read exactly: what `parseDouble`, INCRBYFLOAT and the
 * state of a rate limiter have in common. Redis asks for the whole text: no spaces, nothing after the number, no nan.
 */
import type { Bytes } from './reply.js';

/** The longest text Redis reads as a long double is one less than its buffer of 5 · 1024 bytes. */
export const MAX_FLOAT_TEXT = 5 * 1024 - 1;

/** A finite number: ±digits · base^exponent. The exponent may be infinite where its own digits overflow a double. */
export interface FloatText {
  readonly negative: boolean;
  readonly digits: bigint;
  readonly base: 2 | 10;
  readonly exponent: number;
}

const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const DECIMAL_PARTS = /^([+-]?)(\d*)\.?(\d*)(?:[eE]([+-]?\d+))?$/;
const HEXADECIMAL_PARTS = /^([+-]?)0[xX](?=\.?[\da-fA-F])([\da-fA-F]*)\.?([\da-fA-F]*)(?:[pP]([+-]?\d+))?$/;
const INFINITE = /^[+-]?inf(?:inity)?$/i;

/** Whether the text is a finite decimal number, such as `12`, `-.5`, `5.` or `+1e-3`. */
export function isDecimalFloat(s: Bytes): boolean {
  return DECIMAL.test(s);
}

/** Infinity or −Infinity for `inf` and `infinity` in any case, with or without a sign; else undefined. */
export function parseInfinity(s: Bytes): number | undefined {
  if (!INFINITE.test(s)) return undefined;
  return s.startsWith('-') ? -Infinity : Infinity;
}

/** The exact value of a finite decimal or hexadecimal (`0x1.8p3`) text; undefined where it is neither. */
export function parseFloatText(s: Bytes): FloatText | undefined {
  if (isDecimalFloat(s)) {
    const [, sign, whole, fraction, exponent] = DECIMAL_PARTS.exec(s)!;
    const digits = BigInt(whole! + fraction!);
    return { negative: sign === '-', digits, base: 10, exponent: Number(exponent ?? 0) - fraction!.length };
  }
  const hexadecimal = HEXADECIMAL_PARTS.exec(s);
  if (hexadecimal === null) return undefined;
  const [, sign, whole, fraction, exponent] = hexadecimal;
  const digits = BigInt(`0x${whole}${fraction}`);
  return { negative: sign === '-', digits, base: 2, exponent: Number(exponent ?? 0) - 4 * fraction!.length };
}

/** A binary floating-point format: bits of the mantissa, and the exponents of its unit in the last place. */
export interface BinaryFormat {
  readonly precision: number;
  readonly minExponent: number;
  readonly maxExponent: number;
}

/** ±mantissa · 2^exponent. */
export interface BinaryFloat {
  readonly mantissa: bigint;
  readonly exponent: number;
}

/**
 * The value rounded half-to-even to a binary format, as strtod and strtold round it. Undefined where they report a
 * range error that Redis refuses: a value too large, or one that is not zero and rounds to zero.
 */
export function roundFloatText(text: FloatText, format: BinaryFormat): BinaryFloat | undefined {
  const { digits, base, exponent, negative } = text;
  if (digits === 0n) return { mantissa: 0n, exponent: 0 };
  const magnitude = (digits.toString(base).length + exponent) * Math.log2(base);
  const { precision, minExponent, maxExponent } = format;
  // A digit or two of slack: only values far out of range are cut off here, the rest is decided exactly.
  if (magnitude > maxExponent + precision + 8 || magnitude < minExponent - 8) return undefined;
  const power = BigInt(base) ** BigInt(Math.abs(exponent));
  const rounded = exponent < 0 ? roundRatio(digits, power, format) : roundRatio(digits * power, 1n, format);
  if (rounded === undefined || rounded.mantissa === 0n) return undefined;
  return negative ? { mantissa: -rounded.mantissa, exponent: rounded.exponent } : rounded;
}

/** A positive numerator/denominator rounded half-to-even to the format; undefined where it overflows. */
export function roundRatio(numerator: bigint, denominator: bigint, format: BinaryFormat): BinaryFloat | undefined {
  const { precision, minExponent, maxExponent } = format;
  // The quotient has this many bits or one less, so the first try may be one bit too coarse.
  const estimate = bitLength(numerator) - bitLength(denominator) + 1;
  let exponent = Math.max(estimate - precision, minExponent);
  let mantissa = divideHalfEven(numerator, denominator, exponent);
  if (exponent > minExponent && bitLength(mantissa) < precision) {
    exponent -= 1;
    mantissa = divideHalfEven(numerator, denominator, exponent);
  }
  if (bitLength(mantissa) > precision) {
    exponent += 1;
    mantissa >>= 1n;
  }
  return exponent > maxExponent ? undefined : { mantissa, exponent };
}

/** numerator / (denominator · 2^exponent), rounded half to even. */
export function divideHalfEven(numerator: bigint, denominator: bigint, exponent: number): bigint {
  const top = exponent < 0 ? numerator << BigInt(-exponent) : numerator;
  const bottom = exponent > 0 ? denominator << BigInt(exponent) : denominator;
  const quotient = top / bottom;
  const twiceRest = (top - quotient * bottom) * 2n;
  const up = twiceRest > bottom || (twiceRest === bottom && (quotient & 1n) === 1n);
  return up ? quotient + 1n : quotient;
}

function bitLength(n: bigint): number {
  if (n === 0n) return 0;
  const hexadecimal = n.toString(16);
  return hexadecimal.length * 4 - (Math.clz32(Number.parseInt(hexadecimal[0]!, 16)) - 28);
}
