/**
 * Where the keys stand among the arguments of a request, and what the command does to each: for ACL, client tracking
 * and COMMAND GETKEYS. Key specifications of the row say it; where they cannot, `findKeys` of the row does.
 */
import type { Bytes } from '../protocol/reply.js';
import type { Command } from '../server/command-table.js';
import type { CommandRow, KeyPosition, KeySpec } from './definition.js';

/** The keys of a request in the order in which Redis finds them; none when the arguments do not fit the command. */
export function keysOf(command: Command, args: readonly Bytes[]): readonly KeyPosition[] {
  const { keys, findKeys } = command.row;
  if (keys === undefined) return findKeys?.(args) ?? NO_KEYS;
  const found = findKeys === undefined || !keys.some(needsFinder) ? bySpecs(keys, args) : undefined;
  return found ?? findKeys?.(args) ?? byLooserReading(keys, args);
}

/** Whether a command can have keys at all; channels are described by key specs too, but are none. */
export function hasKeys(row: CommandRow): boolean {
  return row.findKeys !== undefined || row.keys?.some(isKey) === true;
}

/** `first`, `last` and `step` of COMMAND INFO: what one range of arguments can say of the keys. Zeros: nothing. */
export interface KeyRange {
  readonly first: number;
  /** Negative: counted from the end. */
  readonly last: number;
  readonly step: number;
}

/**
 * The range that Redis gives for a command: of a single specification its own, of several the span of those that
 * follow each other one by one.
 */
export function keyRangeOf(specs: readonly KeySpec[]): KeyRange {
  const [only] = specs;
  if (specs.length === 1 && only !== undefined) return plainRange(only) ?? NO_RANGE;
  let first = 0;
  let last = 0;
  for (const spec of specs) {
    const range = plainRange(spec);
    if (range === undefined || range.step !== 1 || (last !== 0 && range.first !== last + 1)) continue;
    if (first === 0) first = range.first;
    last = range.last;
  }
  return first === 0 ? NO_RANGE : { first, last, step: 1 };
}

const NO_KEYS: readonly KeyPosition[] = [];
const NO_RANGE: KeyRange = { first: 0, last: 0, step: 0 };

function isKey(spec: KeySpec): boolean {
  return !spec.flags.includes('not_key');
}

/** Whether a specification leaves open where keys are, or what is done to them. */
function needsFinder({ flags, begin, find }: KeySpec): boolean {
  return begin === 'unknown' || find === 'unknown' || flags.includes('incomplete') || flags.includes('variable_flags');
}

function plainRange({ begin, find }: KeySpec): KeyRange | undefined {
  if (begin === 'unknown' || find === 'unknown' || !('index' in begin) || !('last' in find)) return undefined;
  const last = find.last < 0 ? find.last : begin.index + find.last;
  return { first: begin.index, last, step: find.step };
}

/** The keys that the specifications describe, undefined when the arguments contradict them. */
function bySpecs(specs: readonly KeySpec[], args: readonly Bytes[]): KeyPosition[] | undefined {
  const found: KeyPosition[] = [];
  for (const spec of specs) {
    if (!isKey(spec)) continue;
    const begin = beginOf(spec, args);
    if (begin === 0) continue;
    const range = rangeOf(spec, begin, args);
    if (range === undefined || range.last >= args.length || range.last < range.first) return undefined;
    for (let index = range.first; index <= range.last; index += range.step) found.push({ index, flags: spec.flags });
  }
  return found;
}

/** Where the search for keys begins, 0 when the keyword of the specification is not there. */
function beginOf({ begin }: KeySpec, args: readonly Bytes[]): number {
  if (begin === 'unknown') return 0;
  if ('index' in begin) return begin.index;
  const { keyword, from } = begin;
  const step = from > 0 ? 1 : -1;
  for (let i = from > 0 ? from : args.length + from; i > 0 && i < args.length; i += step) {
    if (args[i]!.toUpperCase() === keyword) return i + 1;
  }
  return 0;
}

function rangeOf({ find }: KeySpec, begin: number, args: readonly Bytes[]): KeyRange | undefined {
  if (find === 'unknown') return undefined;
  if ('last' in find) {
    const { last, step, limit } = find;
    if (last >= 0) return { first: begin, last: begin + last, step };
    if (limit === 0) return { first: begin, last: args.length + last, step };
    return { first: begin, last: begin + Math.trunc((args.length - begin) / limit) + last, step };
  }
  const count = args[begin + find.numkeysAt];
  if (count === undefined || !/^(?:0|[1-9]\d{0,14})$/.test(count)) return undefined;
  const first = begin + find.first;
  return { first, last: first + (Number(count) - 1) * find.step, step: find.step };
}

/**
 * The keys where arguments contradict the specifications. Redis then asks functions of its own: those of commands with a
 * number of keys read it as C does (`2x` is 2), put the destination last and know of no flags; those of options leave
 * out an option that lacks its key.
 */
function byLooserReading(specs: readonly KeySpec[], args: readonly Bytes[]): readonly KeyPosition[] {
  for (const spec of specs) {
    if (spec.find === 'unknown' || !('numkeysAt' in spec.find)) continue;
    const { find } = spec;
    const begin = beginOf(spec, args);
    const count = leadingInteger(args[begin + find.numkeysAt] ?? '');
    const first = begin + find.first;
    if (count < 1 || first + count > args.length) return NO_KEYS;
    const keys: KeyPosition[] = Array.from({ length: count }, (_, i) => ({ index: first + i, flags: NO_FLAGS }));
    for (const other of specs) if (other !== spec) keys.push({ index: beginOf(other, args), flags: NO_FLAGS });
    return keys;
  }
  const usable = specs.filter((spec) => !isOption(spec) || beginOf(spec, args) < args.length);
  return usable.length === specs.length ? NO_KEYS : (bySpecs(usable, args) ?? NO_KEYS);
}

/** Whether the keys of a specification follow a word that stands somewhere among the arguments. */
function isOption({ begin }: KeySpec): boolean {
  return begin !== 'unknown' && 'keyword' in begin;
}

/** What C's `atoi` makes of a text: the number at its start, cut to 32 bits; 0 when there is none. */
function leadingInteger(text: Bytes): number {
  const digits = /^[ \t\n\v\f\r]*([+-]?\d+)/.exec(text)?.[1];
  if (digits === undefined) return 0;
  const value = BigInt(digits.replace('+', ''));
  const clamped = value > MOST ? MOST : value < -MOST ? -MOST - 1n : value;
  return Number(BigInt.asIntN(32, clamped));
}

const MOST = 2n ** 63n - 1n;
const NO_FLAGS: readonly never[] = [];

// Finders for the rows whose specifications are not enough.

const READ = ['RO', 'access'] as const;
const OVERWRITE = ['OW', 'update'] as const;
const CHANGE = ['RW', 'access', 'update'] as const;
const TAKE = ['RW', 'access', 'delete'] as const;

const READING_OPTIONS: ReadonlySet<string> = new Set(['GET', 'IFEQ', 'IFNE', 'IFDEQ', 'IFDNE']);

/** SET reads its key only with GET and with conditions on its value. */
export function findSetKeys(args: readonly Bytes[]): KeyPosition[] {
  const reads = args.some((arg, i) => i > 2 && READING_OPTIONS.has(arg.toUpperCase()));
  return [{ index: 1, flags: reads ? CHANGE : OVERWRITE }];
}

/** BITFIELD that only gets changes nothing. */
export function findBitfieldKeys(args: readonly Bytes[]): KeyPosition[] {
  let i = 2;
  for (; i < args.length; i++) {
    const operation = args[i]!.toUpperCase();
    if (operation === 'GET' && i + 2 < args.length) i += 2;
    else if (operation === 'OVERFLOW' && i + 1 < args.length) i++;
    else break;
  }
  return [{ index: 1, flags: i < args.length ? CHANGE : READ }];
}

/** Number of words that follow an option of SORT. */
const SORT_OPTIONS: ReadonlyMap<string, number> = new Map([
  ['LIMIT', 2],
  ['BY', 1],
  ['GET', 1],
]);

/** SORT: its key, and that of the last STORE. */
export function findSortKeys(args: readonly Bytes[]): KeyPosition[] {
  let store = 0;
  for (let i = 2; i < args.length; i++) {
    const option = args[i]!.toUpperCase();
    if (option === 'STORE' && i + 1 < args.length) store = i + 1;
    i += SORT_OPTIONS.get(option) ?? 0;
  }
  return store === 0 ? findSortRoKeys() : [...findSortRoKeys(), { index: store, flags: OVERWRITE }];
}

/** SORT_RO: the keys that BY and GET lead to are known only by running it. */
export function findSortRoKeys(): KeyPosition[] {
  return [{ index: 1, flags: READ }];
}

/** MIGRATE: one key at its place, or those behind KEYS when that one is empty. */
export function findMigrateKeys(args: readonly Bytes[]): KeyPosition[] {
  for (let i = 6; i < args.length; i++) {
    const option = args[i]!.toUpperCase();
    if (option === 'AUTH') i++;
    else if (option === 'AUTH2') i += 2;
    else if (option === 'KEYS' && i + 1 < args.length) {
      if (args[3] !== '') return [];
      const first = i + 1;
      return args.slice(first).map((_, j) => ({ index: first + j, flags: TAKE }));
    }
  }
  return [{ index: 3, flags: TAKE }];
}
