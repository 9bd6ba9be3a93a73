/** Durations as options give them: a whole number of ms, or hours, minutes, seconds and ms in this order, like `1h30m`. */

const PARTS = /^(?:(\d+)h)?(?:(\d+)m(?!s))?(?:(\d+)s)?(?:(\d+)ms)?$/;
const CALENDAR = /^\s*\d*\s*(?:d|days?|w|weeks?|mo|mon|months?|y|years?|daily|weekly|monthly|yearly)\s*$/i;
const HOUR = 3_600_000;
const MINUTE = 60_000;
const SECOND = 1_000;

/** About 31 years: what `src/gcra` takes as a period. */
export const LONGEST_DURATION = 1e12;

export type Duration = string | number;

/** The duration in ms, or a sentence about what is wrong with it. */
export function parseDuration(value: unknown, least = 1): number | string {
  const ms = typeof value === 'string' ? parseText(value) : value;
  if (typeof ms !== 'number') {
    if (typeof value === 'string' && CALENDAR.test(value)) {
      return `is ${show(value)}: days, weeks, months and years are matters of a calendar, which a valve does not keep; write hours, such as '24h'`;
    }
    return `must be a duration such as '250ms', '1s', '1h30m' or a number of milliseconds, not ${show(value)}`;
  }
  if (!Number.isInteger(ms) || ms < least || ms > LONGEST_DURATION) {
    return `must be a whole number of milliseconds from ${least} to ${LONGEST_DURATION}, not ${show(value)}`;
  }
  return ms;
}

function parseText(text: string): number | undefined {
  const parts = PARTS.exec(text);
  if (parts === null || text === '') return undefined;
  const [hours, minutes, seconds, ms] = parts.slice(1).map((digits) => Number(digits ?? 0));
  return hours! * HOUR + minutes! * MINUTE + seconds! * SECOND + ms!;
}

/** A value as it may stand in a message. */
export function show(value: unknown): string {
  if (typeof value === 'string') return `'${value}'`;
  if (typeof value === 'function' || typeof value === 'symbol') return `a ${typeof value}`;
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'an array' : 'an object';
  return String(value);
}
