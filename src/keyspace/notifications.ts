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
/** What `A` stands for: all but key misses and new keys. */
const ALL = LETTERS.reduce((mask, [, bit]) => mask | bit, 0);
const SPECIAL: readonly (readonly [string, number])[] = [
  ['K', NOTIFY.keyspace],
  ['E', NOTIFY.keyevent],
  ['m', NOTIFY.keyMiss],
  ['n', NOTIFY.newKey],
];

/** The mask that a string of class letters names, or undefined when a letter is unknown. */
export function parseNotifyClasses(letters: Bytes): number | undefined {
  let mask = 0;
  for (const letter of letters) {
    const found = letter === 'A' ? ALL : [...LETTERS, ...SPECIAL].find(([name]) => name === letter)?.[1];
    if (found === undefined) return undefined;
    mask |= found;
  }
  return mask;
}

/** The letters of a mask in the order in which Redis prints them. */
export function formatNotifyClasses(mask: number): Bytes {
  const classes =
    (mask & ALL) === ALL
      ? 'A'
      : LETTERS.filter(([, bit]) => mask & bit)
          .map(([name]) => name)
          .join('');
  return (
    classes +
    SPECIAL.filter(([, bit]) => mask & bit)
      .map(([name]) => name)
      .join('')
  );
}
