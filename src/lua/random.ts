/** The largest number `next` gives, and what `math.random` divides by. */
export const RANDOM_MAX = 0x7fffffff;
/** What the generator of Redis begins with at each start of the server. */
const UNSEEDED = 0x1234abcd;

/**
 * The generator Redis gives `math.random`, so that a script sees the same numbers everywhere: POSIX `lrand48`, a
 * linear congruence of 48 bits of which the upper 31 are taken. Two halves of 24 bits keep it exact in doubles.
 */
export class RandomSource {
  private low = 0;
  private high = 0;

  constructor() {
    this.seed(UNSEEDED);
  }

  /** `srand48`: the seed's 32 bits above a fixed low part. */
  seed(seed: number): void {
    const bits = seed >>> 0;
    this.low = ((bits & 0xff) << 16) | 0x330e;
    this.high = bits >>> 8;
  }

  /** The next number, 0 to `RANDOM_MAX`. */
  next(): number {
    // x · 0x5DEECE66D + 0xB modulo 2^48
    const multiplierLow = 0xece66d;
    const multiplierHigh = 0x5de;
    const low = this.low * multiplierLow + 0xb;
    const carry = Math.floor(low / 0x1000000);
    const high = this.low * multiplierHigh + this.high * multiplierLow + carry;
    this.low = low % 0x1000000;
    this.high = high % 0x1000000;
    return this.high * 128 + (this.low >>> 17);
  }
}
