/** TOPK.*: lists of the most frequent items, with the replies and errors that Redis documents for its module. */
import { NOTIFY } from '../../keyspace/notifications.js';
import { TopK } from '../../keyspace/values/top-k.js';
import { WRONG_TYPE, wrongArity } from '../../protocol/errors.js';
import { parseDouble, parseInteger } from '../../protocol/numbers.js';
import { type Bytes, DoubleReply, ErrorReply, MapReply, OK, type Reply, SimpleString } from '../../protocol/reply.js';
import type { Session } from '../../server/session.js';
import { isWord } from '../args.js';
import { type CommandRow, key } from '../definition.js';

export const topKCommands: readonly CommandRow[] = [
  {
    name: 'topk.reserve',
    arity: -3,
    flags: ['write', 'denyoom', 'fast'],
    group: 'topk',
    keys: [key('OW insert')],
    since: '2.0.0',
    complexity: 'O(N), N being the number of counters',
    summary: 'Makes an empty list of so many places.',
    syntax: 'key topk:integer [params:(width:integer depth:integer decay:double)]',
    handler: reserve,
  },
  {
    name: 'topk.add',
    arity: -3,
    flags: ['write', 'denyoom'],
    group: 'topk',
    keys: [key('RW update')],
    since: '2.0.0',
    complexity: 'O(N*(K+D)), N being the number of items, K that of the places and D that of the rows',
    summary: 'Counts items, and answers for each the item that it drove out of the list.',
    syntax: 'key items...',
    readings: ['what happens by chance follows from the calls: the same calls give the same list every time.'],
    handler: add,
  },
  {
    name: 'topk.incrby',
    arity: -4,
    flags: ['write', 'denyoom'],
    group: 'topk',
    keys: [key('RW update')],
    since: '2.0.0',
    complexity:
      'O(N*(K+D*I)), N being the number of items, K that of the places, D that of the rows and I the increment',
    summary: 'Adds to the counts of items, and answers for each the item that it drove out of the list.',
    syntax: 'key items:(item increment:integer)...',
    handler: incrBy,
  },
  {
    name: 'topk.query',
    arity: -3,
    flags: ['readonly'],
    group: 'topk',
    keys: [key('RO access')],
    since: '2.0.0',
    complexity: 'O(N), N being the number of items',
    summary: 'Tells of items whether they are in the list.',
    syntax: 'key item...',
    handler: query,
  },
  {
    name: 'topk.count',
    arity: -3,
    flags: ['readonly'],
    group: 'topk',
    keys: [key('RO access')],
    since: '2.0.0',
    complexity: 'O(N*D), N being the number of items and D that of the rows',
    summary: 'Tells what was counted of items, which may be less than came.',
    syntax: 'key item...',
    handler: count,
  },
  {
    name: 'topk.list',
    arity: -2,
    flags: ['readonly'],
    group: 'topk',
    keys: [key('RO access')],
    since: '2.0.0',
    complexity: 'O(K*log(K)), K being the number of places',
    summary: 'Lists the most frequent items, the first one first.',
    syntax: 'key [WITHCOUNT]',
    readings: ['equal counts are listed by the bytes of the items.'],
    handler: list,
  },
  {
    name: 'topk.info',
    arity: 2,
    flags: ['readonly', 'fast'],
    group: 'topk',
    keys: [key('RO access')],
    since: '2.0.0',
    complexity: 'O(1)',
    summary: 'Tells the places, width, depth and decay of a list.',
    syntax: 'key',
    handler: info,
  },
];

/** Of a list that is made without them (Redis doc, TOPK.RESERVE). */
const DEFAULT_WIDTH = 8;
const DEFAULT_DEPTH = 7;
const DEFAULT_DECAY = 0.9;
const MAX_INCREMENT = 100_000;
/** The spaces are those of Redis' module. */
const BAD_INCREMENT = new ErrorReply(
  `TopK: increment must be an integer greater or equal to 0${' '.repeat(28)}and smaller or equal to 100,000`,
);

function reserve(ctx: Session, args: Bytes[]): Reply {
  if (args.length !== 3 && args.length !== 6) return wrongArity('topk.reserve');
  if (ctx.db.fetch(args[1]!) !== undefined) return new ErrorReply('TopK: key already exists');
  const k = dimension(args[2]!, 'k');
  const width = args.length === 3 ? DEFAULT_WIDTH : dimension(args[3]!, 'width');
  const depth = args.length === 3 ? DEFAULT_DEPTH : dimension(args[4]!, 'depth');
  const decay = args.length === 3 ? DEFAULT_DECAY : (parseDouble(args[5]!) ?? 0);
  if (!(decay > 0 && decay <= 1)) return new ErrorReply("TopK: invalid decay value. must be '<= 1' & '> 0'");
  const created = TopK.create(k, width, depth, decay);
  if (created === undefined) return new ErrorReply('ERR Insufficient memory to create topk data structure');
  ctx.db.put(args[1]!, created);
  ctx.db.changed(args[1]!, NOTIFY.module, 'topk.reserve');
  return OK;
}

function dimension(text: Bytes, what: string): number {
  const value = parseInteger(text);
  if (value === undefined || value < 1) throw new ErrorReply(`TopK: invalid ${what}`);
  return Number(value);
}

function add(ctx: Session, args: Bytes[]): Reply {
  const listed = topKOf(ctx.db.fetch(args[1]!));
  const driven = args.slice(2).map((item) => listed.add(item, 1) ?? null);
  ctx.db.changed(args[1]!, NOTIFY.module, 'topk.add');
  return driven;
}

function incrBy(ctx: Session, args: Bytes[]): Reply {
  if (args.length % 2 === 1) return wrongArity('topk.incrby');
  const listed = topKOf(ctx.db.fetch(args[1]!));
  const increments: number[] = [];
  for (let i = 3; i < args.length; i += 2) {
    const by = parseInteger(args[i]!);
    if (by === undefined || by < 0 || by > MAX_INCREMENT) return BAD_INCREMENT;
    increments.push(Number(by));
  }
  const driven = increments.map((by, i) => listed.add(args[2 + i * 2]!, by) ?? null);
  ctx.db.changed(args[1]!, NOTIFY.module, 'topk.incrby');
  return driven;
}

function query(ctx: Session, args: Bytes[]): Reply {
  const listed = topKOf(ctx.db.read(args[1]!));
  return args.slice(2).map((item) => listed.has(item));
}

function count(ctx: Session, args: Bytes[]): Reply {
  const listed = topKOf(ctx.db.read(args[1]!));
  return args.slice(2).map((item) => listed.count(item));
}

function list(ctx: Session, args: Bytes[]): Reply {
  if (args.length > 3) return wrongArity('topk.list');
  const items = topKOf(ctx.db.read(args[1]!)).list();
  if (args.length === 2) return items.map(({ item }) => item);
  if (!isWord(args[2]!, 'WITHCOUNT')) return new ErrorReply('WITHCOUNT keyword expected');
  return items.flatMap((entry) => [entry.item, entry.count]);
}

function info(ctx: Session, args: Bytes[]): Reply {
  const { k, width, depth, decay } = topKOf(ctx.db.read(args[1]!));
  return new MapReply([
    new SimpleString('k'),
    k,
    new SimpleString('width'),
    width,
    new SimpleString('depth'),
    depth,
    new SimpleString('decay'),
    new DoubleReply(decay),
  ]);
}

function topKOf(value: unknown): TopK {
  if (value === undefined) throw new ErrorReply('TopK: key does not exist');
  if (value instanceof TopK) return value;
  throw WRONG_TYPE;
}
