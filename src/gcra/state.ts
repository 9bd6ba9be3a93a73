/**
 * The state of one rate limit: TAT ("theoretical arrival time"), the unix time in ms at which the limit is full again.
 * It is an exact rational, whole + numerator / denominator with 0 ≤ numerator < denominator. After a call with burst B
 * the denominator is B, so that P·C/B can be added for ever without rounding.
 */

import { LongDouble } from '../protocol/numbers.js';
import { parseFloatText } from '../protocol/numbers-float-text.js';
import type { Bytes } from '../protocol/reply.js';

/** Bounds of the numbers that may be added up as doubles: two of them, or one and a period, stay below 2^53. */
export const NARROW_LIMIT = 2 ** 52;

/** How many decimals tell every fraction of an int64 denominator apart: 2^63 < 10^19. */
const INT64_DECIMALS = 19;
/** With denominators up to this, a numerator scaled by SHORT_SCALE is exact as a double. */
const SHORT_DENOMINATOR = 1e9;
const SHORT_DECIMALS = 6;
const SHORT_SCALE = 10 ** SHORT_DECIMALS;

/** Decimal numbers between 10^-4900 and 10^4900 are in the range of INCRBYFLOAT, whatever their digits. */
const SAFE_EXPONENT = 4900;

/** The same three numbers where they do not fit doubles. */
export interface WideTat {
  readonly whole: bigint;
  readonly numerator: bigint;
  readonly denominator: bigint;
}

export class GcraState {
  /** Set where whole, numerator and denominator do not fit the three fields below, which then mean nothing. */
  wide: WideTat | null = null;

  /** Without arguments: a limit that has been full for ever, as for a key that does not exist. */
  constructor(
    public whole: number = Number.MIN_SAFE_INTEGER,
    public numerator: number = 0,
    public denominator: number = 1,
  ) {}

  /**
   * The state a text stands for: any finite number that INCRBYFLOAT takes, at its exact value, not at that of the
   * nearest long double. Undefined if it is no such number.
   */
  static parse(text: Bytes): GcraState | undefined {
    const parts = parseFloatText(text);
    if (parts === undefined) return undefined;
    const { negative, digits, base, exponent } = parts;
    const surelyInRange = base === 10 && exponent >= -SAFE_EXPONENT && exponent + text.length <= SAFE_EXPONENT;
    if (!surelyInRange && LongDouble.parse(text) === undefined) return undefined;
    if (digits === 0n) return new GcraState(0);
    const signed = negative ? -digits : digits;
    const power = BigInt(base) ** BigInt(Math.abs(exponent));
    const state = new GcraState();
    if (exponent < 0) state.setUnits(signed, power);
    else state.setUnits(signed * power, 1n);
    return state;
  }

  clone(): GcraState {
    const copy = new GcraState(this.whole, this.numerator, this.denominator);
    copy.wide = this.wide;
    return copy;
  }

  /** Takes the value units / denominator. */
  setUnits(units: bigint, denominator: bigint): void {
    const whole = floorDivide(units, denominator);
    const numerator = units - whole * denominator;
    if (isNarrow(whole) && isNarrow(denominator)) {
      this.wide = null;
      this.whole = Number(whole);
      this.numerator = Number(numerator);
      this.denominator = Number(denominator);
    } else {
      this.wide = { whole, numerator, denominator };
    }
  }

  /** The value in units of 1/burst, rounded up where burst cannot express it. */
  unitsOf(burst: bigint): bigint {
    const { whole, numerator, denominator } = this.toWide();
    return whole * burst - floorDivide(-numerator * burst, denominator);
  }

  /**
   * The value as a decimal number, cut off (rounded down) after as many decimals as exactness needs: fewer would do to
   * find the numerator again by rounding up to the same denominator; with these, rounding up gives the same for every
   * other burst as well. Two different multiples of 1/denominator and 1/burst are at least 1/(denominator · 2^63)
   * apart, and the text is less than that below the value. So a state read from its text never behaves differently.
   */
  toText(): Bytes {
    if (this.wide === null) {
      if (this.numerator === 0) return String(this.whole);
      const short = this.shortText();
      if (short !== undefined) return short;
    }
    const { whole, numerator, denominator } = this.toWide();
    const decimals = denominator.toString().length + INT64_DECIMALS;
    const scale = 10n ** BigInt(decimals);
    const scaled = whole * scale + (numerator * scale) / denominator;
    const digits = (scaled < 0n ? -scaled : scaled).toString().padStart(decimals + 1, '0');
    return (scaled < 0n ? '-' : '') + joinDecimals(digits.slice(0, -decimals), digits.slice(-decimals));
  }

  /** The text where the fraction has at most six decimals, found without bigints. */
  private shortText(): Bytes | undefined {
    if (this.denominator > SHORT_DENOMINATOR || this.whole < 0) return undefined;
    const scaled = this.numerator * SHORT_SCALE;
    if (scaled % this.denominator !== 0) return undefined;
    return joinDecimals(String(this.whole), String(scaled / this.denominator).padStart(SHORT_DECIMALS, '0'));
  }

  private toWide(): WideTat {
    return (
      this.wide ?? {
        whole: BigInt(this.whole),
        numerator: BigInt(this.numerator),
        denominator: BigInt(this.denominator),
      }
    );
  }
}

/** floor(a / b) for b > 0. */
export function floorDivide(a: bigint, b: bigint): bigint {
  const quotient = a / b;
  return a < 0n && quotient * b !== a ? quotient - 1n : quotient;
}

function isNarrow(n: bigint): boolean {
  return n < NARROW_LIMIT && n > -NARROW_LIMIT;
}

/** A number of these digits without the zeros at its end. */
function joinDecimals(whole: string, decimals: string): string {
  let end = decimals.length;
  while (end > 0 && decimals.charCodeAt(end - 1) === 48) end--;
  return end === 0 ? whole : `${whole}.${decimals.slice(0, end)}`;
}
