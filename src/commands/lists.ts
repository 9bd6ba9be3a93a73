/** The list family, with its blocking commands. */

import { NOTIFY } from '../keyspace/notifications.js';
import { ListValue } from '../keyspace/values/list.js';
import { INDEX_OUT_OF_RANGE, NO_SUCH_KEY, NOT_POSITIVE, SYNTAX, wrongArity } from '../protocol/errors.js';
import { type Bytes, ErrorReply, NULL_ARRAY, OK, type Reply } from '../protocol/reply.js';
import type { Session } from '../server/session.js';
import {
  deadlineOf,
  fetchValue,
  int64Arg,
  integerArg,
  isWord,
  OptionReader,
  rangedArg,
  readValue,
  signedCountArg,
  timeoutArg,
} from './args.js';
import { BlockRequest } from './block-request.js';
import { elementsRemoved } from './collections.js';
import { type CommandRow, key, keyRange, numberedKeys } from './definition.js';
import { type MultiPop, multiPopArgs } from './multi-pop.js';

export const listCommands: readonly CommandRow[] = [
  {
    name: 'lpush',
    arity: -3,
    flags: ['write', 'denyoom', 'fast'],
    group: 'list',
    keys: [key('RW insert')],
    since: '1.0.0',
    complexity: 'O(N), N being the number of elements added',
    summary: 'Adds elements before the first one, creating the list if needed.',
    syntax: 'key element...',
    handler: lpush,
  },
  {
    name: 'rpush',
    arity: -3,
    flags: ['write', 'denyoom', 'fast'],
    group: 'list',
    keys: [key('RW insert')],
    since: '1.0.0',
    complexity: 'O(N), N being the number of elements added',
    summary: 'Adds elements after the last one, creating the list if needed.',
    syntax: 'key element...',
    handler: rpush,
  },
  {
    name: 'lpushx',
    arity: -3,
    flags: ['write', 'denyoom', 'fast'],
    group: 'list',
    keys: [key('RW insert')],
    since: '2.2.0',
    complexity: 'O(N), N being the number of elements added',
    summary: 'Adds elements before the first one of a list that exists.',
    syntax: 'key element...',
    handler: lpushx,
  },
  {
    name: 'rpushx',
    arity: -3,
    flags: ['write', 'denyoom', 'fast'],
    group: 'list',
    keys: [key('RW insert')],
    since: '2.2.0',
    complexity: 'O(N), N being the number of elements added',
    summary: 'Adds elements after the last one of a list that exists.',
    syntax: 'key element...',
    handler: rpushx,
  },
  {
    name: 'lpop',
    arity: -2,
    flags: ['write', 'fast'],
    group: 'list',
    keys: [key('RW access delete')],
    since: '1.0.0',
    complexity: 'O(N), N being the number of elements removed',
    summary: 'Removes the first element, or the first ones, and answers with them.',
    syntax: 'key [count:integer]',
    handler: lpop,
  },
  {
    name: 'rpop',
    arity: -2,
    flags: ['write', 'fast'],
    group: 'list',
    keys: [key('RW access delete')],
    since: '1.0.0',
    complexity: 'O(N), N being the number of elements removed',
    summary: 'Removes the last element, or the last ones, and answers with them.',
    syntax: 'key [count:integer]',
    handler: rpop,
  },
  {
    name: 'llen',
    arity: 2,
    flags: ['readonly', 'fast'],
    group: 'list',
    keys: [key('RO')],
    since: '1.0.0',
    complexity: 'O(1)',
    summary: 'Counts the elements.',
    syntax: 'key',
    handler: llen,
  },
  {
    name: 'lindex',
    arity: 3,
    flags: ['readonly'],
    group: 'list',
    keys: [key('RO access')],
    since: '1.0.0',
    complexity: 'O(N), N being the number of nodes passed',
    summary: 'Tells the element at an index; negative indexes count from the end.',
    syntax: 'key index:integer',
    handler: lindex,
  },
  {
    name: 'lset',
    arity: 4,
    flags: ['write', 'denyoom'],
    group: 'list',
    keys: [key('RW update')],
    since: '1.0.0',
    complexity: 'O(N), N being the number of nodes passed',
    summary: 'Replaces the element at an index.',
    syntax: 'key index:integer element',
    handler: lset,
  },
  {
    name: 'linsert',
    arity: 5,
    flags: ['write', 'denyoom'],
    group: 'list',
    keys: [key('RW insert')],
    since: '2.2.0',
    complexity: 'O(N), N being the number of elements before the pivot',
    summary: 'Adds an element before or after the first one that equals the pivot.',
    syntax: 'key where:(BEFORE | AFTER) pivot element',
    handler: linsert,
  },
  {
    name: 'lrange',
    arity: 4,
    flags: ['readonly'],
    group: 'list',
    keys: [key('RO access')],
    since: '1.0.0',
    complexity: 'O(S+N), S being the nodes passed and N the elements answered',
    summary: 'Lists the elements from one index to another.',
    syntax: 'key start:integer stop:integer',
    handler: lrange,
  },
  {
    name: 'ltrim',
    arity: 4,
    flags: ['write'],
    group: 'list',
    keys: [key('RW delete')],
    since: '1.0.0',
    complexity: 'O(N), N being the number of elements removed',
    summary: 'Removes all elements outside a range of indexes.',
    syntax: 'key start:integer stop:integer',
    handler: ltrim,
  },
  {
    name: 'lrem',
    arity: 4,
    flags: ['write'],
    group: 'list',
    keys: [key('RW delete')],
    since: '1.0.0',
    complexity: 'O(N), N being the length of the list',
    summary: 'Removes elements that equal a value, from the head, from the tail, or all.',
    syntax: 'key count:integer element',
    handler: lrem,
  },
  {
    name: 'lpos',
    arity: -3,
    flags: ['readonly'],
    group: 'list',
    keys: [key('RO access')],
    since: '6.0.6',
    complexity: 'O(N), N being the number of elements looked at',
    summary: 'Finds where elements that equal a value stand.',
    syntax: 'key element [RANK rank:integer] [COUNT num-matches:integer] [MAXLEN len:integer]',
    handler: lpos,
  },
  {
    name: 'lmove',
    arity: 5,
    flags: ['write', 'denyoom'],
    group: 'list',
    keys: [key('RW access delete'), key('RW insert', 2)],
    since: '6.2.0',
    complexity: 'O(1)',
    summary: 'Moves an element from one end of a list to one end of another.',
    syntax: 'source:key destination:key wherefrom:(LEFT | RIGHT) whereto:(LEFT | RIGHT)',
    handler: lmove,
  },
  {
    name: 'rpoplpush',
    arity: 3,
    flags: ['write', 'denyoom'],
    group: 'list',
    keys: [key('RW access delete'), key('RW insert', 2)],
    since: '1.2.0',
    complexity: 'O(1)',
    summary: 'Moves the last element of a list to the head of another.',
    syntax: 'source:key destination:key',
    handler: rpoplpush,
  },
  {
    name: 'lmpop',
    arity: -4,
    flags: ['write', 'movablekeys'],
    group: 'list',
    keys: [numberedKeys('RW access delete', 1)],
    since: '7.0.0',
    complexity: 'O(N+M), N being the number of keys and M the elements removed',
    summary: 'Removes elements from the first list that has any.',
    syntax: 'numkeys:integer key... where:(LEFT | RIGHT) [COUNT count:integer]',
    handler: lmpop,
  },
  {
    name: 'blpop',
    arity: -3,
    flags: ['write', 'blocking'],
    group: 'list',
    keys: [keyRange('RW access delete', 1, -2)],
    since: '2.0.0',
    complexity: 'O(N), N being the number of keys',
    summary: 'Removes the first element of the first list that has any; waits for one if none has.',
    syntax: 'key... timeout:double',
    handler: blpop,
  },
  {
    name: 'brpop',
    arity: -3,
    flags: ['write', 'blocking'],
    group: 'list',
    keys: [keyRange('RW access delete', 1, -2)],
    since: '2.0.0',
    complexity: 'O(N), N being the number of keys',
    summary: 'Removes the last element of the first list that has any; waits for one if none has.',
    syntax: 'key... timeout:double',
    handler: brpop,
  },
  {
    name: 'blmove',
    arity: 6,
    flags: ['write', 'denyoom', 'blocking'],
    group: 'list',
    keys: [key('RW access delete'), key('RW insert', 2)],
    since: '6.2.0',
    complexity: 'O(1)',
    summary: 'Moves an element as LMOVE does; waits for one if there is none.',
    syntax: 'source:key destination:key wherefrom:(LEFT | RIGHT) whereto:(LEFT | RIGHT) timeout:double',
    handler: blmove,
  },
  {
    name: 'brpoplpush',
    arity: 4,
    flags: ['write', 'denyoom', 'blocking'],
    group: 'list',
    keys: [key('RW access delete'), key('RW insert', 2)],
    since: '2.2.0',
    complexity: 'O(1)',
    summary: 'Moves an element as RPOPLPUSH does; waits for one if there is none.',
    syntax: 'source:key destination:key timeout:double',
    handler: brpoplpush,
  },
  {
    name: 'blmpop',
    arity: -5,
    flags: ['write', 'blocking', 'movablekeys'],
    group: 'list',
    keys: [numberedKeys('RW access delete', 2)],
    since: '7.0.0',
    complexity: 'O(N+M), N being the number of keys and M the elements removed',
    summary: 'Removes elements as LMPOP does; waits for some if there are none.',
    syntax: 'timeout:double numkeys:integer key... where:(LEFT | RIGHT) [COUNT count:integer]',
    handler: blmpop,
  },
];

type End = 'left' | 'right';

// Adding

function lpush(ctx: Session, args: Bytes[]): Reply {
  return push(ctx, args, 'left', true);
}

function rpush(ctx: Session, args: Bytes[]): Reply {
  return push(ctx, args, 'right', true);
}

function lpushx(ctx: Session, args: Bytes[]): Reply {
  return push(ctx, args, 'left', false);
}

function rpushx(ctx: Session, args: Bytes[]): Reply {
  return push(ctx, args, 'right', false);
}

function push(ctx: Session, args: Bytes[], end: End, create: boolean): Reply {
  const name = args[1]!;
  const found = fetchValue(ctx, name, ListValue);
  if (found === undefined && !create) return 0;
  const list = found ?? new ListValue();
  if (end === 'left') list.pushHead(args, ctx.server.encodingLimits, 2);
  else list.pushTail(args, ctx.server.encodingLimits, 2);
  if (found === undefined) ctx.db.put(name, list);
  ctx.db.changed(name, NOTIFY.list, end === 'left' ? 'lpush' : 'rpush');
  return list.size;
}

function linsert(ctx: Session, args: Bytes[]): Reply {
  const after = isWord(args[2]!, 'AFTER');
  if (!after && !isWord(args[2]!, 'BEFORE')) return SYNTAX;
  const list = fetchValue(ctx, args[1]!, ListValue);
  if (list === undefined) return 0;
  if (!list.insert(args[3]!, args[4]!, after, ctx.server.encodingLimits)) return -1;
  ctx.db.changed(args[1]!, NOTIFY.list, 'linsert');
  return list.size;
}

// Reading

function llen(ctx: Session, args: Bytes[]): Reply {
  return readValue(ctx, args[1]!, ListValue)?.size ?? 0;
}

function lindex(ctx: Session, args: Bytes[]): Reply {
  const list = readValue(ctx, args[1]!, ListValue);
  if (list === undefined) return null;
  const index = integerArg(args[2]!);
  return list.at(index < 0 ? index + list.size : index) ?? null;
}

function lrange(ctx: Session, args: Bytes[]): Reply {
  const start = integerArg(args[2]!);
  const stop = integerArg(args[3]!);
  const list = readValue(ctx, args[1]!, ListValue);
  if (list === undefined) return [];
  const range = clampRange(start, stop, list.size);
  return list.range(range.start, range.end - 1);
}

const RANK_ZERO = new ErrorReply(
  "ERR RANK can't be zero: use 1 to start from the first match, 2 from the second ... or use negative to start from the end of the list",
);

const NEGATIVE_COUNT = new ErrorReply("ERR COUNT can't be negative");
const NEGATIVE_MAXLEN = new ErrorReply("ERR MAXLEN can't be negative");

function lpos(ctx: Session, args: Bytes[]): Reply {
  let rank = 1;
  let count: number | undefined;
  let maxLength = 0;
  const words = new OptionReader(args, 3);
  while (words.more) {
    const option = words.keyword();
    if (!words.more) return SYNTAX;
    if (option === 'RANK') {
      rank = Number(signedCountArg(words.next()));
      if (rank === 0) return RANK_ZERO;
    } else if (option === 'COUNT') {
      count = rangedArg(words.next(), 0, Infinity, NEGATIVE_COUNT, NEGATIVE_COUNT);
    } else if (option === 'MAXLEN') {
      maxLength = rangedArg(words.next(), 0, Infinity, NEGATIVE_MAXLEN, NEGATIVE_MAXLEN);
    } else return SYNTAX;
  }
  const list = readValue(ctx, args[1]!, ListValue);
  if (list === undefined) return count === undefined ? null : [];
  const found = list.positions(args[2]!, rank, count ?? 1, maxLength);
  return count === undefined ? (found[0] ?? null) : found;
}

// Changing

function lset(ctx: Session, args: Bytes[]): Reply {
  const list = fetchValue(ctx, args[1]!, ListValue);
  if (list === undefined) return NO_SUCH_KEY;
  // Redis 8.2 keeps only the lowest 32 bits of the index.
  const given = Number(BigInt.asIntN(32, BigInt(int64Arg(args[2]!))));
  const index = given < 0 ? given + list.size : given;
  if (index < 0 || !list.set(index, args[3]!, ctx.server.encodingLimits)) return INDEX_OUT_OF_RANGE;
  ctx.db.changed(args[1]!, NOTIFY.list, 'lset');
  return OK;
}

function ltrim(ctx: Session, args: Bytes[]): Reply {
  const start = integerArg(args[2]!);
  const stop = integerArg(args[3]!);
  const list = fetchValue(ctx, args[1]!, ListValue);
  if (list === undefined) return OK;
  const range = clampRange(start, stop, list.size);
  list.trim(range.start, range.end - 1, ctx.server.encodingLimits);
  elementsRemoved(ctx, args[1]!, list, NOTIFY.list, 'ltrim');
  return OK;
}

function lrem(ctx: Session, args: Bytes[]): Reply {
  const count = Number(signedCountArg(args[2]!));
  const list = fetchValue(ctx, args[1]!, ListValue);
  if (list === undefined) return 0;
  const removed = list.remove(count, args[3]!, ctx.server.encodingLimits);
  if (removed > 0) elementsRemoved(ctx, args[1]!, list, NOTIFY.list, 'lrem');
  return removed;
}

// Removing from the ends

function lpop(ctx: Session, args: Bytes[]): Reply {
  return pop(ctx, args, 'left');
}

function rpop(ctx: Session, args: Bytes[]): Reply {
  return pop(ctx, args, 'right');
}

function pop(ctx: Session, args: Bytes[], end: End): Reply {
  if (args.length > 3) return wrongArity(end === 'left' ? 'lpop' : 'rpop');
  const count = args.length === 3 ? rangedArg(args[2]!, 0, Infinity, NOT_POSITIVE, NOT_POSITIVE) : undefined;
  const list = fetchValue(ctx, args[1]!, ListValue);
  if (list === undefined) return count === undefined ? null : NULL_ARRAY;
  if (count === 0) return [];
  const elements = take(ctx, args[1]!, list, end, count ?? 1);
  return count === undefined ? elements[0]! : elements;
}

function blpop(ctx: Session, args: Bytes[]): Reply | BlockRequest {
  return blockingPop(ctx, args, 'left');
}

function brpop(ctx: Session, args: Bytes[]): Reply | BlockRequest {
  return blockingPop(ctx, args, 'right');
}

function blockingPop(ctx: Session, args: Bytes[], end: End): Reply | BlockRequest {
  const deadline = deadlineOf(ctx, timeoutArg(args[args.length - 1]!));
  const keys = args.slice(1, -1);
  for (const name of keys) {
    const list = fetchValue(ctx, name, ListValue);
    if (list !== undefined) return [name, take(ctx, name, list, end, 1)[0]!];
  }
  return new BlockRequest('list', keys, deadline, NULL_ARRAY);
}

function lmpop(ctx: Session, args: Bytes[]): Reply {
  return popFromFirst(ctx, multiPopArgs(args, 1, 'LEFT', 'RIGHT')) ?? NULL_ARRAY;
}

function blmpop(ctx: Session, args: Bytes[]): Reply | BlockRequest {
  const request = multiPopArgs(args, 2, 'LEFT', 'RIGHT');
  const deadline = deadlineOf(ctx, timeoutArg(args[1]!));
  return popFromFirst(ctx, request) ?? new BlockRequest('list', request.keys, deadline, NULL_ARRAY);
}

/** Pops from the first of the lists that is there; undefined when none is. */
function popFromFirst(ctx: Session, { keys, front, count }: MultiPop): Reply | undefined {
  for (const name of keys) {
    const list = fetchValue(ctx, name, ListValue);
    if (list !== undefined) return [name, take(ctx, name, list, front ? 'left' : 'right', count)];
  }
  return undefined;
}

// Moving

function lmove(ctx: Session, args: Bytes[]): Reply {
  return move(ctx, args[1]!, args[2]!, endOf(args[3]!), endOf(args[4]!)) ?? null;
}

function rpoplpush(ctx: Session, args: Bytes[]): Reply {
  return move(ctx, args[1]!, args[2]!, 'right', 'left') ?? null;
}

function blmove(ctx: Session, args: Bytes[]): Reply | BlockRequest {
  return blockingMove(ctx, args[1]!, args[2]!, endOf(args[3]!), endOf(args[4]!), args[5]!);
}

function brpoplpush(ctx: Session, args: Bytes[]): Reply | BlockRequest {
  return blockingMove(ctx, args[1]!, args[2]!, 'right', 'left', args[3]!);
}

function blockingMove(
  ctx: Session,
  source: Bytes,
  target: Bytes,
  from: End,
  to: End,
  timeout: Bytes,
): Reply | BlockRequest {
  const deadline = deadlineOf(ctx, timeoutArg(timeout));
  return (
    move(ctx, source, target, from, to) ??
    new BlockRequest('list', [source], deadline, NULL_ARRAY, false, undefined, null)
  );
}

/** Moves one element; undefined when the source is empty. */
function move(ctx: Session, source: Bytes, target: Bytes, from: End, to: End): Bytes | undefined {
  const list = fetchValue(ctx, source, ListValue);
  if (list === undefined) return undefined;
  // A target of another type is an error before anything moves.
  const found = fetchValue(ctx, target, ListValue);
  const limits = ctx.server.encodingLimits;
  const element = (from === 'left' ? list.popHead(limits) : list.popTail(limits))!;
  const receiver = found ?? new ListValue();
  if (to === 'left') receiver.pushHead([element], limits);
  else receiver.pushTail([element], limits);
  if (found === undefined) ctx.db.put(target, receiver);
  ctx.db.changed(target, NOTIFY.list, to === 'left' ? 'lpush' : 'rpush');
  elementsRemoved(ctx, source, list, NOTIFY.list, from === 'left' ? 'lpop' : 'rpop');
  return element;
}

// Helpers

function endOf(word: Bytes): End {
  if (isWord(word, 'LEFT')) return 'left';
  if (isWord(word, 'RIGHT')) return 'right';
  throw SYNTAX;
}

/** Removes up to `count` elements from an end of a list that has some. */
function take(ctx: Session, name: Bytes, list: ListValue, end: End, count: number): Bytes[] {
  const limits = ctx.server.encodingLimits;
  const elements: Bytes[] = [];
  while (elements.length < count && list.size > 0) {
    elements.push((end === 'left' ? list.popHead(limits) : list.popTail(limits))!);
  }
  elementsRemoved(ctx, name, list, NOTIFY.list, end === 'left' ? 'lpop' : 'rpop');
  return elements;
}

/** Redis' ranges: negative indexes count from the end, both ends belong to it; `end` is exclusive here. */
function clampRange(start: number, stop: number, size: number): { start: number; end: number } {
  const from = Math.max(start < 0 ? start + size : start, 0);
  const end = Math.min((stop < 0 ? stop + size : stop) + 1, size);
  return { start: Math.min(from, size), end: Math.max(end, Math.min(from, size)) };
}
