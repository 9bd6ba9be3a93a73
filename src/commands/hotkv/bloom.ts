/** BF.*: Bloom filters, with the replies and errors that Redis documents for its module. */
import { NOTIFY } from '../../keyspace/notifications.js';
import { BloomFilter, type BloomOptions } from '../../keyspace/values/bloom-filter.js';
import { WRONG_TYPE, wrongArity } from '../../protocol/errors.js';
import { parseDouble, parseInteger } from '../../protocol/numbers.js';
import { type Bytes, ErrorReply, MapReply, OK, type Reply, SimpleString } from '../../protocol/reply.js';
import type { Session } from '../../server/session.js';
import { isWord } from '../args.js';
import { type CommandRow, key } from '../definition.js';

export const bloomCommands: readonly CommandRow[] = [
  {
    name: 'bf.reserve',
    arity: -4,
    flags: ['write', 'denyoom', 'fast'],
    group: 'bf',
    keys: [key('OW insert')],
    since: '1.0.0',
    complexity: 'O(1)',
    summary: 'Makes an empty filter with an error rate and a capacity.',
    syntax: 'key error-rate:double capacity:integer [EXPANSION expansion:integer] [NONSCALING]',
    readings: ['a part of a filter takes 512 MB at most.'],
    handler: reserve,
  },
  {
    name: 'bf.add',
    arity: 3,
    flags: ['write', 'denyoom', 'fast'],
    group: 'bf',
    keys: [key('RW insert')],
    since: '1.0.0',
    complexity: 'O(N), N being the number of places that an item takes in all parts',
    summary: 'Adds an item, to a new filter if there is none.',
    syntax: 'key item',
    handler: add,
  },
  {
    name: 'bf.madd',
    arity: -3,
    flags: ['write', 'denyoom'],
    group: 'bf',
    keys: [key('RW insert')],
    since: '1.0.0',
    complexity: 'O(N*M), N being the number of items and M that of the places of one',
    summary: 'Adds several items, to a new filter if there is none.',
    syntax: 'key item...',
    handler: addMany,
  },
  {
    name: 'bf.insert',
    arity: -4,
    flags: ['write', 'denyoom'],
    group: 'bf',
    keys: [key('RW insert')],
    since: '1.0.0',
    complexity: 'O(N*M), N being the number of items and M that of the places of one',
    summary: 'Adds several items, and says how the filter is to be made if there is none.',
    syntax:
      'key [CAPACITY capacity:integer] [ERROR error-rate:double] [EXPANSION expansion:integer] [NOCREATE] [NONSCALING] items:(ITEMS item...)',
    handler: insert,
  },
  {
    name: 'bf.exists',
    arity: 3,
    flags: ['readonly', 'fast'],
    group: 'bf',
    keys: [key('RO access')],
    since: '1.0.0',
    complexity: 'O(N), N being the number of places that an item takes in all parts',
    summary: 'Tells whether an item was added: surely not, or very likely.',
    syntax: 'key item',
    handler: exists,
  },
  {
    name: 'bf.mexists',
    arity: -3,
    flags: ['readonly'],
    group: 'bf',
    keys: [key('RO access')],
    since: '1.0.0',
    complexity: 'O(N*M), N being the number of items and M that of the places of one',
    summary: 'Tells of several items whether they were added.',
    syntax: 'key item...',
    handler: existMany,
  },
  {
    name: 'bf.card',
    arity: 2,
    flags: ['readonly', 'fast'],
    group: 'bf',
    keys: [key('RO access')],
    since: '2.4.4',
    complexity: 'O(1)',
    summary: 'Tells how many items were new when they were added.',
    syntax: 'key',
    handler: cardinality,
  },
  {
    name: 'bf.info',
    arity: -2,
    flags: ['readonly', 'fast'],
    group: 'bf',
    keys: [key('RO access')],
    since: '1.0.0',
    complexity: 'O(1)',
    summary: 'Tells the capacity, size, parts, items and expansion of a filter.',
    syntax: 'key [single-value:(CAPACITY | SIZE | FILTERS | ITEMS | EXPANSION)]',
    handler: info,
  },
  {
    name: 'bf.scandump',
    arity: 3,
    flags: ['readonly'],
    group: 'bf',
    keys: [key('RO access')],
    since: '1.0.0',
    complexity: 'O(N), N being the size of the filter',
    summary: 'Hands out a filter in pieces, for BF.LOADCHUNK.',
    syntax: 'key iterator:integer',
    readings: [
      "the pieces are this server's own: Redis' module cannot read them, nor this server those of the module.",
    ],
    handler: scanDump,
  },
  {
    name: 'bf.loadchunk',
    arity: 4,
    flags: ['write', 'denyoom'],
    group: 'bf',
    keys: [key('RW insert')],
    since: '1.0.0',
    complexity: 'O(N), N being the size of the filter',
    summary: 'Takes a piece of a filter that BF.SCANDUMP has handed out.',
    syntax: 'key iterator:integer data',
    readings: ['the filter comes as one piece, so that there never is a part of one.'],
    handler: loadChunk,
  },
];

const NOT_FOUND = new ErrorReply('ERR not found');
const FULL = new ErrorReply('ERR non scaling filter is full');
const TOO_LARGE = new ErrorReply('ERR Insufficient memory to create filter');
const BAD_PIECE = new ErrorReply('ERR received bad data');

/** What a filter is made with where nothing else is said (Redis doc, BF.ADD). */
const DEFAULTS: BloomOptions = { capacity: 100, errorRate: 0.01, expansion: 2 };

function reserve(ctx: Session, args: Bytes[]): Reply {
  if (args.length > 7) return wrongArity('bf.reserve');
  const errorRate = parseDouble(args[2]!);
  if (errorRate === undefined) return new ErrorReply('ERR bad error rate');
  if (errorRate <= 0 || errorRate >= 1) return new ErrorReply('ERR (0 < error rate range < 1)');
  const capacity = parseInteger(args[3]!);
  if (capacity === undefined) return new ErrorReply('ERR bad capacity');
  if (capacity <= 0) return new ErrorReply('ERR (capacity should be larger than 0)');
  const fixed = args.findIndex((arg, i) => i > 3 && isWord(arg, 'NONSCALING')) > 0;
  const word = args.findIndex((arg, i) => i > 3 && isWord(arg, 'EXPANSION'));
  let expansion = fixed ? 0 : DEFAULTS.expansion;
  if (word > 0) {
    if (word + 1 === args.length) return new ErrorReply('ERR no expansion');
    if (fixed) return new ErrorReply('Nonscaling filters cannot expand');
    const given = parseInteger(args[word + 1]!);
    if (given === undefined) return new ErrorReply('ERR bad expansion');
    if (given < 1) return new ErrorReply('ERR expansion should be greater or equal to 1');
    expansion = Number(given);
  }
  if (ctx.db.fetch(args[1]!) !== undefined) {
    filterOf(ctx, args[1]!);
    return new ErrorReply('ERR item exists');
  }
  create(ctx, args[1]!, { errorRate, capacity: Number(capacity), expansion });
  ctx.db.changed(args[1]!, NOTIFY.module, 'bf.reserve');
  return OK;
}

/** Puts a new filter under a key that is not there. Throws when it would be too large. */
function create(ctx: Session, name: Bytes, options: BloomOptions): BloomFilter {
  const filter = BloomFilter.create(options);
  if (filter === undefined) throw TOO_LARGE;
  ctx.db.put(name, filter);
  return filter;
}

function add(ctx: Session, args: Bytes[]): Reply {
  const [reply] = insertItems(ctx, args, 2, DEFAULTS);
  return reply!;
}

function addMany(ctx: Session, args: Bytes[]): Reply {
  return insertItems(ctx, args, 2, DEFAULTS);
}

/** Adds the items from argument `from` on; without `options` the filter must be there. Ends with an error when it is full. */
function insertItems(ctx: Session, args: Bytes[], from: number, options: BloomOptions | undefined): Reply[] {
  const name = args[1]!;
  let filter = filterOf(ctx, name);
  if (filter === undefined) {
    if (options === undefined) throw NOT_FOUND;
    filter = create(ctx, name, options);
  }
  const replies: Reply[] = [];
  for (let i = from; i < args.length; i++) {
    const added = filter.add(args[i]!);
    replies.push(added === 'full' ? FULL : added);
    if (added === 'full') break;
  }
  ctx.db.changed(name, NOTIFY.module, args[0]!.toLowerCase());
  return replies;
}

function insert(ctx: Session, args: Bytes[]): Reply {
  let { capacity, errorRate, expansion } = DEFAULTS;
  let makes = true;
  let fixed = false;
  let at = 2;
  while (at < args.length && !isWord(args[at]!, 'ITEMS')) {
    const word = args[at++]!.toUpperCase();
    if (word === 'NOCREATE') makes = false;
    else if (word === 'NONSCALING') fixed = true;
    else if (word !== 'CAPACITY' && word !== 'ERROR' && word !== 'EXPANSION') {
      return new ErrorReply('ERR Unknown argument received');
    } else {
      if (at === args.length) return wrongArity('bf.insert');
      const value = word === 'ERROR' ? parseDouble(args[at++]!) : parseInteger(args[at++]!);
      if (value === undefined) return new ErrorReply(`ERR Bad ${word === 'ERROR' ? 'error rate' : word.toLowerCase()}`);
      if (word === 'ERROR') errorRate = Number(value);
      else if (word === 'CAPACITY') capacity = Number(value);
      else expansion = Number(value);
    }
  }
  if (at + 1 >= args.length) return wrongArity('bf.insert');
  if (!(errorRate > 0 && errorRate < 1) || capacity < 1 || expansion < 1) {
    return new ErrorReply('ERR Bad argument received');
  }
  return insertItems(ctx, args, at + 1, makes ? { capacity, errorRate, expansion: fixed ? 0 : expansion } : undefined);
}

function exists(ctx: Session, args: Bytes[]): Reply {
  return filterToRead(ctx, args[1]!)?.has(args[2]!) ?? false;
}

function existMany(ctx: Session, args: Bytes[]): Reply {
  const filter = filterToRead(ctx, args[1]!);
  return args.slice(2).map((item) => filter?.has(item) ?? false);
}

function cardinality(ctx: Session, args: Bytes[]): Reply {
  return filterToRead(ctx, args[1]!)?.size ?? 0;
}

function info(ctx: Session, args: Bytes[]): Reply {
  if (args.length > 3) return wrongArity('bf.info');
  const filter = filterToRead(ctx, args[1]!);
  if (filter === undefined) return NOT_FOUND;
  const facts: readonly (readonly [word: string, title: string, value: Reply])[] = [
    ['CAPACITY', 'Capacity', filter.capacity],
    ['SIZE', 'Size', filter.estimateBytes()],
    ['FILTERS', 'Number of filters', filter.partCount],
    ['ITEMS', 'Number of items inserted', filter.size],
    ['EXPANSION', 'Expansion rate', filter.expansion === 0 ? null : filter.expansion],
  ];
  if (args.length === 2) return new MapReply(facts.flatMap(([, title, value]) => [new SimpleString(title), value]));
  const found = facts.find(([word]) => isWord(args[2]!, word));
  return found === undefined ? new ErrorReply('ERR Invalid information value') : [found[2]];
}

/** Iterators of BF.SCANDUMP: before the first piece, and of that. */
const START = 0;
const FIRST = 1;

function scanDump(ctx: Session, args: Bytes[]): Reply {
  const filter = filterToRead(ctx, args[1]!);
  if (filter === undefined) return NOT_FOUND;
  const iterator = parseInteger(args[2]!);
  if (iterator === undefined) return new ErrorReply('ERR Second argument must be numeric');
  return iterator === START ? [FIRST, filter.save().latin1Slice()] : [START, ''];
}

function loadChunk(ctx: Session, args: Bytes[]): Reply {
  const name = args[1]!;
  const iterator = parseInteger(args[2]!);
  if (iterator === undefined) return new ErrorReply('ERR Second argument must be numeric');
  if (filterOf(ctx, name) !== undefined) return iterator === FIRST ? new ErrorReply('ERR item exists') : BAD_PIECE;
  if (iterator !== FIRST) return NOT_FOUND;
  const filter = BloomFilter.load(Buffer.from(args[3]!, 'latin1'));
  if (filter === undefined) return BAD_PIECE;
  ctx.db.put(name, filter);
  ctx.db.changed(name, NOTIFY.module, 'bf.loadchunk');
  return OK;
}

function filterOf(ctx: Session, name: Bytes): BloomFilter | undefined {
  return checked(ctx.db.fetch(name));
}

function filterToRead(ctx: Session, name: Bytes): BloomFilter | undefined {
  return checked(ctx.db.read(name));
}

function checked(value: unknown): BloomFilter | undefined {
  if (value === undefined || value instanceof BloomFilter) return value;
  throw WRONG_TYPE;
}
