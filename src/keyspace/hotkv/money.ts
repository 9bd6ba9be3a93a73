/**
 * Money in whole micro-dollars, as bigints: amounts are never held in a double. Prices are micro-dollars for 1,000,000
 * tokens; what a call costs is exact until it is rounded once, to the nearest micro-dollar.
 */
import { parseFloatText } from '../../protocol/numbers-float-text.js';
import type { Bytes } from '../../protocol/reply.js';

const MICROS = 1_000_000n;
const DECIMALS = 6;
/** The client: as whole micro-dollars an amount fits 64 unsigned bits. */
const GREATEST = 2n ** 64n - 1n;
/** Digits beyond which a cost is out of range or zero, whatever they are. */
const FAR = 1000;

/** A price or a limit: an unsigned decimal with at most six places and no exponent. Undefined for anything else. */
export function parseAmount(text: Bytes): bigint | undefined {
  const parts = /^(\d{1,20})(?:\.(\d{1,6}))?$/.exec(text);
  if (parts === null) return undefined;
  const micros = BigInt(parts[1]!) * MICROS + BigInt((parts[2] ?? '').padEnd(DECIMALS, '0'));
  return micros <= GREATEST ? micros : undefined;
}

/** A cost: any finite decimal of at least 0, an exponent too, rounded to the nearest micro-dollar (halves up). */
export function parseCost(text: Bytes): bigint | undefined {
  const parts = parseFloatText(text);
  if (parts === undefined || parts.base !== 10 || (parts.negative && parts.digits !== 0n)) return undefined;
  const exponent = parts.exponent + DECIMALS;
  if (parts.digits === 0n || exponent < -FAR) return 0n;
  if (exponent > FAR) return undefined;
  const micros = exponent >= 0 ? parts.digits * 10n ** BigInt(exponent) : divideRounded(parts.digits, -exponent);
  return micros <= GREATEST ? micros : undefined;
}

/** digits / 10^places, rounded. */
function divideRounded(digits: bigint, places: number): bigint {
  const divisor = 10n ** BigInt(places);
  return (digits * 2n + divisor) / (divisor * 2n);
}

/** Dollars as a decimal without zeros at its end: `0`, `1.5`, `0.000015`. */
export function formatDollars(micros: bigint): Bytes {
  const fraction = (micros % MICROS).toString().padStart(DECIMALS, '0').replace(/0+$/, '');
  return fraction === '' ? String(micros / MICROS) : `${micros / MICROS}.${fraction}`;
}

/** The part of an amount that `share` is of `whole`, rounded. */
export function proportion(micros: bigint, share: number, whole: number): bigint {
  return (micros * BigInt(share) * 2n + BigInt(whole)) / (BigInt(whole) * 2n);
}
