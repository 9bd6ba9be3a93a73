/** SORT and SORT_RO: the elements of a collection in order, or what other keys hold for each of them. */

import { NOTIFY } from '../keyspace/notifications.js';
import { isString, textOf, type Value } from '../keyspace/value.js';
import { HashValue } from '../keyspace/values/hash.js';
import { ListValue } from '../keyspace/values/list.js';
import { SetValue } from '../keyspace/values/set.js';
import { SortedSet } from '../keyspace/values/sorted-set.js';
import { SYNTAX, WRONG_TYPE } from '../protocol/errors.js';
import { type Bytes, ErrorReply, type Reply } from '../protocol/reply.js';
import type { Session } from '../server/session.js';
import { OptionReader } from './args.js';
import { type CommandRow, key, unknownKeys } from './definition.js';
import { findSortKeys, findSortRoKeys } from './key-positions.js';
import { sortPart } from './partial-sort.js';

export const sortCommands: readonly CommandRow[] = [
  {
    name: 'sort',
    arity: -2,
    flags: ['write', 'denyoom', 'movablekeys'],
    group: 'generic',
    acl: ['set', 'sortedset', 'list', 'dangerous'],
    keys: [key('RO access'), unknownKeys('RO access'), unknownKeys('OW update')],
    findKeys: findSortKeys,
    since: '1.0.0',
    complexity: 'O(N+M*log(M)), N being the number of elements and M that of the elements in the result',
    summary: 'Sorts the elements of a list, set or sorted set; may store the result.',
    syntax:
      'key [BY by-pattern:pattern] [LIMIT limit:(offset:integer count:integer)] [GET get-pattern:pattern]... [order:(ASC | DESC)] [sorting=ALPHA] [STORE destination:key]',
    handler: sort,
  },
  {
    name: 'sort_ro',
    arity: -2,
    flags: ['readonly', 'movablekeys'],
    group: 'generic',
    acl: ['set', 'sortedset', 'list', 'dangerous'],
    keys: [key('RO access'), unknownKeys('RO access')],
    findKeys: findSortRoKeys,
    since: '7.0.0',
    complexity: 'O(N+M*log(M)), N being the number of elements and M that of the elements in the result',
    summary: 'Sorts the elements of a list, set or sorted set, and never stores.',
    syntax:
      'key [BY by-pattern:pattern] [LIMIT limit:(offset:integer count:integer)] [GET get-pattern:pattern]... [order:(ASC | DESC)] [sorting=ALPHA]',
    handler: sortRo,
  },
];

const NOT_A_DOUBLE = new ErrorReply("ERR One or more scores can't be converted into double");

interface SortOptions {
  readonly descending: boolean;
  readonly alphabetic: boolean;
  /** Where the weight of an element is found; undefined: it is the element itself. */
  readonly by: KeyPattern | undefined;
  /** BY with a pattern that is the same for every element: they stay in the order that they have. */
  readonly unsorted: boolean;
  readonly get: readonly KeyPattern[];
  readonly offset: number;
  /** Negative: no limit. */
  readonly count: number;
  readonly store: Bytes | undefined;
}

function sort(ctx: Session, args: Bytes[]): Reply {
  const options = sortOptions(ctx, args, true);
  const sorted = sortedElements(ctx, args[1]!, options);
  return options.store === undefined
    ? results(ctx, sorted, options)
    : storeResults(ctx, sorted, options.store, options);
}

function sortRo(ctx: Session, args: Bytes[]): Reply {
  const options = sortOptions(ctx, args, false);
  return results(ctx, sortedElements(ctx, args[1]!, options), options);
}

function sortOptions(ctx: Session, args: Bytes[], mayStore: boolean): SortOptions {
  let descending = false;
  let alphabetic = false;
  let by: KeyPattern | undefined;
  let unsorted = false;
  const get: KeyPattern[] = [];
  let offset = 0;
  let count = -1;
  let store: Bytes | undefined;
  for (const reader = new OptionReader(args, 2); reader.more; ) {
    const option = reader.keyword();
    if (option === 'ASC') descending = false;
    else if (option === 'DESC') descending = true;
    else if (option === 'ALPHA') alphabetic = true;
    else if (option === 'LIMIT' && reader.left >= 2) {
      offset = reader.integer();
      count = reader.integer();
    } else if (option === 'STORE' && mayStore && reader.more) store = reader.next();
    else if (option === 'BY' && reader.more) {
      by = new KeyPattern(reader.next());
      unsorted ||= by.isConstant;
      if (!by.isConstant) requireAllKeys(ctx, args, option);
    } else if (option === 'GET' && reader.more) {
      requireAllKeys(ctx, args, option);
      get.push(new KeyPattern(reader.next()));
    } else throw SYNTAX;
  }
  return { descending, alphabetic, by, unsorted, get, offset, count, store };
}

/** Patterns lead to keys that no rule can be held against: only a user who may read all keys has them. */
function requireAllKeys(ctx: Session, args: Bytes[], option: string): void {
  const command = ctx.server.commands.find(args[0]!)!;
  if (ctx.user.unrestricted || ctx.user.readsAnyKey(command, args)) return;
  throw new ErrorReply(`ERR ${option} option of SORT denied due to insufficient ACL permissions.`);
}

/** The elements that the reply is about, in order. */
function sortedElements(ctx: Session, name: Bytes, options: SortOptions): Bytes[] {
  const value = ctx.db.read(name);
  // Redis sorts a sorted set from its skiplist, and it stays one.
  if (value instanceof SortedSet) value.expectMembers(Infinity, ctx.server.encodingLimits);
  const { items, fromSet } = elementsOf(value);
  const first = Math.min(Math.max(options.offset, 0), items.length);
  const end = options.count < 0 ? items.length : Math.min(first + options.count, items.length);
  // The order of a set is of no meaning: what is stored or seen by a script shall not depend on it.
  const reproducible = options.store !== undefined || ctx.kind === 'script';
  if (!options.unsorted) return orderByWeight(ctx, items, options, first, end).slice(first, end);
  if (fromSet && reproducible) items.sort(options.descending ? (a, b) => compareBytes(b, a) : compareBytes);
  else if (options.descending && !fromSet) items.reverse();
  return items.slice(first, end);
}

function elementsOf(value: Value | undefined): { readonly items: Bytes[]; readonly fromSet: boolean } {
  if (value === undefined) return { items: [], fromSet: false };
  if (value instanceof ListValue) return { items: value.range(0, value.size - 1), fromSet: false };
  if (value instanceof SetValue) return { items: value.members(), fromSet: true };
  if (value instanceof SortedSet) return { items: value.range(0, value.size - 1).members, fromSet: false };
  throw WRONG_TYPE;
}

/** The elements in order, but for those outside the part that is asked for. */
function orderByWeight(ctx: Session, elements: Bytes[], options: SortOptions, first: number, end: number): Bytes[] {
  const { by, descending } = options;
  const weightTexts = elements.map((element) => (by === undefined ? element : by.lookUp(ctx, element)));
  const ascending = options.alphabetic ? textOrder(weightTexts, options) : numberOrder(weightTexts, elements);
  const compare: IndexOrder = descending ? (a, b) => ascending(b, a) : ascending;
  const order = elements.map((_, i) => i);
  if (by !== undefined && (first > 0 || end < elements.length)) sortPart(order, first, end, compare);
  else order.sort(compare);
  return order.map((i) => elements[i]!);
}

type IndexOrder = (a: number, b: number) => number;

/** By number; elements of the same weight by their bytes. One without weight weighs 0. */
function numberOrder(weightTexts: (Bytes | null)[], elements: Bytes[]): IndexOrder {
  const weights = Float64Array.from(weightTexts, (text) => (text === null ? 0 : weightOf(text)));
  return (a, b) => {
    const left = weights[a]!;
    const right = weights[b]!;
    if (left !== right) return left < right ? -1 : 1;
    return compareBytes(elements[a]!, elements[b]!);
  };
}

const NUMBER = /^[+-]?(?:(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?|inf(?:inity)?)$/i;

/** Redis reads a weight as a C string: what follows a NUL byte is not seen. The empty text weighs 0. */
function weightOf(text: Bytes): number {
  const visible = untilNul(text);
  if (visible === '') return 0;
  if (!NUMBER.test(visible)) throw NOT_A_DOUBLE;
  return /i/i.test(visible) ? (visible.startsWith('-') ? -Infinity : Infinity) : Number(visible);
}

/**
 * By bytes; an element without weight comes first. Without STORE Redis compares as the locale's C strings, which end at
 * a NUL byte.
 */
function textOrder(weightTexts: (Bytes | null)[], { store }: SortOptions): IndexOrder {
  const texts = store === undefined ? weightTexts.map((text) => (text === null ? null : untilNul(text))) : weightTexts;
  return (a, b) => {
    const left = texts[a]!;
    const right = texts[b]!;
    if (left === null || right === null) return (left === null ? 0 : 1) - (right === null ? 0 : 1);
    return compareBytes(left, right);
  };
}

function untilNul(text: Bytes): Bytes {
  const end = text.indexOf('\0');
  return end < 0 ? text : text.slice(0, end);
}

function compareBytes(a: Bytes, b: Bytes): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** The elements themselves, or for each what every GET finds. */
function results(ctx: Session, elements: Bytes[], { get }: SortOptions): (Bytes | null)[] {
  if (get.length === 0) return elements;
  const found: (Bytes | null)[] = [];
  for (const element of elements) for (const pattern of get) found.push(pattern.lookUp(ctx, element));
  return found;
}

function storeResults(ctx: Session, elements: Bytes[], destination: Bytes, options: SortOptions): number {
  const { db } = ctx;
  const found = results(ctx, elements, options).map((text) => text ?? '');
  if (found.length > 0) {
    const list = new ListValue();
    list.pushTail(found, ctx.server.encodingLimits);
    db.replace(destination, list);
    db.changed(destination, NOTIFY.list, 'sortstore');
  } else if (db.remove(destination)) db.changed(destination, NOTIFY.generic, 'del');
  return found.length;
}

/** A pattern of BY or GET: `*` stands for the element, `->field` at the end for a field of a hash, `#` for the element itself. */
class KeyPattern {
  private readonly prefix: Bytes;
  private readonly suffix: Bytes;
  private readonly field: Bytes | undefined;
  private readonly isElement: boolean;
  /** Without a `*` the pattern finds the same for every element: nothing. */
  readonly isConstant: boolean;

  constructor(pattern: Bytes) {
    const star = pattern.indexOf('*');
    const arrow = pattern.indexOf('->', star + 1);
    const hasField = star >= 0 && arrow >= 0 && arrow + 2 < pattern.length;
    this.isElement = pattern === '#';
    this.isConstant = star < 0;
    this.prefix = pattern.slice(0, Math.max(star, 0));
    this.suffix = pattern.slice(star + 1, hasField ? arrow : undefined);
    this.field = hasField ? pattern.slice(arrow + 2) : undefined;
  }

  lookUp(ctx: Session, element: Bytes): Bytes | null {
    if (this.isElement) return element;
    if (this.isConstant) return null;
    const value = ctx.db.read(this.prefix + element + this.suffix);
    if (value === undefined) return null;
    if (this.field === undefined) return isString(value) ? textOf(value) : null;
    return value instanceof HashValue ? (value.get(this.field) ?? null) : null;
  }
}
