/** Keyspace notification classes and the letters that `notify-keyspace-events` names them by (Redis doc). */
import type { Bytes } from '../protocol/reply.js';

export const NOTIFY = {
  keyspace: 1 << 0,
  keyevent: 1 << 1,
  generic: 1 << 2,
  string: 1 << 3,
  list: 1 << 4,
  set: 1 << 5,
  hash: 1 << 6,
  sortedSet: 1 << 7,
  expired: 1 << 8,
  evicted: 1 << 9,
  stream: 1 << 10,
  keyMiss: 1 << 11,
  module: 1 << 12,
  newKey: 1 << 13,
  /** A key's value was replaced as a whole, and by one of another type (Redis 8.2). */
  overwritten: 1 << 14,
  typeChanged: 1 << 15,
} as const;

const LETTERS: readonly (readonly [string, number])[] = [
  ['g', NOTIFY.generic],
  ['$', NOTIFY.string],
  ['l', NOTIFY.list],
  ['s', NOTIFY.set],
  ['h', NOTIFY.hash],
  ['z', NOTIFY.sortedSet],
  ['x', NOTIFY.expired],
  ['e', NOTIFY.evicted],
  ['t', NOTIFY.stream],
  ['d', NOTIFY.module],
];
/** Classes that `A` does not stand for and beside which they are not printed. */
const NOT_IN_ALL: readonly (readonly [string, number])[] = [
  ['n', NOTIFY.newKey],
  ['o', NOTIFY.overwritten],
  ['c', NOTIFY.typeChanged],
];
const SPECIAL: readonly (readonly [string, number])[] = [
  ['K', NOTIFY.keyspace],
  ['E', NOTIFY.keyevent],
  ['m', NOTIFY.keyMiss],
];
/** What `A` stands for. */
const ALL = LETTERS.reduce((mask, [, bit]) => mask | bit, 0);
const EVERY_LETTER = [...LETTERS, ...NOT_IN_ALL, ...SPECIAL];

/** The mask that a string of class letters names, or undefined when a letter is unknown. */
export function parseNotifyClasses(letters: Bytes): number | undefined {
  let mask = 0;
  for (const letter of letters) {
    const found = letter === 'A' ? ALL : EVERY_LETTER.find(([name]) => name === letter)?.[1];
    if (found === undefined) return undefined;
    mask |= found;
  }
  return mask;
}

/** The letters of a mask as Redis prints them: with `A`, new keys and overwritten ones do not show although they are on. */
export function formatNotifyClasses(mask: number): Bytes {
  const classes = (mask & ALL) === ALL ? 'A' : lettersOf(mask, LETTERS) + lettersOf(mask, NOT_IN_ALL);
  return classes + lettersOf(mask, SPECIAL);
}

function lettersOf(mask: number, letters: readonly (readonly [string, number])[]): Bytes {
  let text = '';
  for (const [letter, bit] of letters) if (mask & bit) text += letter;
  return text;
}
