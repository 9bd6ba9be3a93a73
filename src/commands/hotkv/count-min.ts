/** CMS.*: count-min sketches, with the replies and errors that Redis documents for its module. */
import { NOTIFY } from '../../keyspace/notifications.js';
import { CountMin } from '../../keyspace/values/count-min.js';
import { WRONG_TYPE, wrongArity } from '../../protocol/errors.js';
import { parseDouble, parseInteger } from '../../protocol/numbers.js';
import { type Bytes, ErrorReply, MapReply, OK, type Reply, SimpleString } from '../../protocol/reply.js';
import type { Session } from '../../server/session.js';
import { isWord } from '../args.js';
import { type CommandRow, key, numberedKeys } from '../definition.js';

export const countMinCommands: readonly CommandRow[] = [
  {
    name: 'cms.initbydim',
    arity: 4,
    flags: ['write', 'denyoom', 'fast'],
    group: 'cms',
    keys: [key('OW insert')],
    since: '2.0.0',
    complexity: 'O(N), N being the number of counters',
    summary: 'Makes an empty sketch with so many counters in a row and so many rows.',
    syntax: 'key width:integer depth:integer',
    readings: ['a sketch has 134,217,728 counters (512 MB) at most.'],
    handler: initByDimensions,
  },
  {
    name: 'cms.initbyprob',
    arity: 4,
    flags: ['write', 'denyoom', 'fast'],
    group: 'cms',
    keys: [key('OW insert')],
    since: '2.0.0',
    complexity: 'O(N), N being the number of counters',
    summary: 'Makes an empty sketch as large as an error and the chance of a larger one ask for.',
    syntax: 'key error:double probability:double',
    handler: initByProbability,
  },
  {
    name: 'cms.incrby',
    arity: -4,
    flags: ['write', 'denyoom'],
    group: 'cms',
    keys: [key('RW update')],
    since: '2.0.0',
    complexity: 'O(N), N being the number of items',
    summary: 'Adds to the counts of items and answers what they are then.',
    syntax: 'key items:(item increment:integer)...',
    handler: incrBy,
  },
  {
    name: 'cms.query',
    arity: -3,
    flags: ['readonly'],
    group: 'cms',
    keys: [key('RO access')],
    since: '2.0.0',
    complexity: 'O(N), N being the number of items',
    summary: 'Tells the counts of items: never too small, and rarely much too large.',
    syntax: 'key item...',
    handler: query,
  },
  {
    name: 'cms.merge',
    arity: -4,
    flags: ['write', 'denyoom'],
    group: 'cms',
    keys: [key('RW update'), numberedKeys('RO access', 2)],
    since: '2.0.0',
    complexity: 'O(N), N being the number of counters of all sources',
    summary: 'Makes a sketch the sum of others of its size, each with a weight.',
    syntax: 'destination:key numkeys:integer source:key... [WEIGHTS weight:integer...]',
    handler: merge,
  },
  {
    name: 'cms.info',
    arity: 2,
    flags: ['readonly', 'fast'],
    group: 'cms',
    keys: [key('RO access')],
    since: '2.0.0',
    complexity: 'O(1)',
    summary: 'Tells the width and depth of a sketch, and how much was added in all.',
    syntax: 'key',
    handler: info,
  },
];

const TOO_LARGE = new ErrorReply('ERR CMS: Insufficient memory to create the key');
const OVERFLOW = new ErrorReply('CMS: INCRBY overflow');

function initByDimensions(ctx: Session, args: Bytes[]): Reply {
  expectNone(ctx, args[1]!);
  const width = dimension(args[2]!, 'width');
  const depth = dimension(args[3]!, 'depth');
  return create(ctx, args, width, depth);
}

function initByProbability(ctx: Session, args: Bytes[]): Reply {
  expectNone(ctx, args[1]!);
  const error = parseDouble(args[2]!) ?? 0;
  if (!(error > 0 && error < 1)) return new ErrorReply('CMS: invalid overestimation value');
  const probability = parseDouble(args[3]!) ?? 0;
  if (!(probability > 0 && probability < 1)) return new ErrorReply('CMS: invalid prob value');
  return create(ctx, args, Math.ceil(2 / error), Math.ceil(Math.log10(probability) / Math.log10(0.5)));
}

function expectNone(ctx: Session, name: Bytes): void {
  if (ctx.db.fetch(name) !== undefined) throw new ErrorReply('CMS: key already exists');
}

function dimension(text: Bytes, what: string): number {
  const value = parseInteger(text);
  if (value === undefined || value < 1) throw new ErrorReply(`CMS: invalid ${what}`);
  return Number(value);
}

function create(ctx: Session, args: Bytes[], width: number, depth: number): Reply {
  const sketch = CountMin.create(width, depth);
  if (sketch === undefined) return TOO_LARGE;
  ctx.db.put(args[1]!, sketch);
  ctx.db.changed(args[1]!, NOTIFY.module, args[0]!.toLowerCase());
  return OK;
}

function incrBy(ctx: Session, args: Bytes[]): Reply {
  if (args.length % 2 === 1) return wrongArity('cms.incrby');
  const sketch = sketchOf(ctx.db.fetch(args[1]!));
  const increments: number[] = [];
  for (let i = 3; i < args.length; i += 2) increments.push(increment(args[i]!));
  const replies = increments.map((by, i) => sketch.add(args[2 + i * 2]!, by) ?? OVERFLOW);
  ctx.db.changed(args[1]!, NOTIFY.module, 'cms.incrby');
  return replies;
}

function increment(text: Bytes): number {
  const value = parseInteger(text);
  if (value === undefined) throw new ErrorReply('CMS: Cannot parse number');
  if (value < 0) throw new ErrorReply('CMS: Number cannot be negative');
  return Number(value);
}

function query(ctx: Session, args: Bytes[]): Reply {
  const sketch = sketchOf(ctx.db.read(args[1]!));
  return args.slice(2).map((item) => sketch.count(item));
}

function merge(ctx: Session, args: Bytes[]): Reply {
  const destination = sketchOf(ctx.db.fetch(args[1]!));
  const count = parseInteger(args[2]!);
  if (count === undefined) return new ErrorReply('CMS: invalid numkeys');
  if (count <= 0) return new ErrorReply('CMS: Number of keys must be positive');
  const words = args.slice(3);
  const at = words.findIndex((word) => isWord(word, 'WEIGHTS'));
  if (at < 0 && words.length !== count) return new ErrorReply('CMS: wrong number of keys');
  if (at >= 0 && (at !== count || words.length !== 1 + at * 2)) {
    return new ErrorReply('CMS: wrong number of keys/weights');
  }
  const sources: CountMin[] = [];
  const weights: number[] = [];
  for (let i = 0; i < count; i++) {
    const weight = at < 0 ? 1 : parseInteger(words[at + 1 + i]!);
    if (weight === undefined) return new ErrorReply('CMS: invalid weight value');
    const source = sketchOf(ctx.db.read(words[i]!));
    if (source.width !== destination.width || source.depth !== destination.depth) {
      return new ErrorReply('CMS: width/depth is not equal');
    }
    sources.push(source);
    weights.push(Number(weight));
  }
  if (!destination.merge(sources, weights)) return new ErrorReply('CMS: MERGE overflow');
  ctx.db.changed(args[1]!, NOTIFY.module, 'cms.merge');
  return OK;
}

function info(ctx: Session, args: Bytes[]): Reply {
  const { width, depth, total } = sketchOf(ctx.db.read(args[1]!));
  return new MapReply([
    new SimpleString('width'),
    width,
    new SimpleString('depth'),
    depth,
    new SimpleString('count'),
    total,
  ]);
}

function sketchOf(value: unknown): CountMin {
  if (value === undefined) throw new ErrorReply('CMS: key does not exist');
  if (value instanceof CountMin) return value;
  throw WRONG_TYPE;
}
