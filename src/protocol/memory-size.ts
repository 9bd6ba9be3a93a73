/** Amounts of memory as people write them: `100mb`, `1g`. */
import { normaliseInteger } from './numbers.js';
import type { Bytes, Int64 } from './reply.js';

const MEMORY_UNITS: ReadonlyMap<string, number> = new Map([
  ['', 1],
  ['b', 1],
  ['k', 1000],
  ['kb', 1024],
  ['m', 1_000_000],
  ['mb', 1024 ** 2],
  ['g', 1_000_000_000],
  ['gb', 1024 ** 3],
]);

/** Bytes from a number with an optional unit (`100mb`, `1g`), or undefined. Beyond 2^53 not exact. */
export function parseMemory(text: Bytes): number | undefined {
  const value = memoryValue(text);
  return value === undefined ? undefined : Number(value);
}

/** No digits at all count as zero, as Redis has it. */
export function memoryValue(text: Bytes): Int64 | undefined {
  const parts = /^(\d*)([a-z]*)$/i.exec(text);
  const unit = MEMORY_UNITS.get(parts?.[2]?.toLowerCase() ?? 'x');
  return parts === null || unit === undefined ? undefined : normaliseInteger(BigInt(parts[1]!) * BigInt(unit));
}
