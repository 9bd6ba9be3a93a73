/** VSIM.*: indexes of vectors with an exact search for the nearest, and snapshots (official client 1.0.0, LangGraph store). */
import { USUAL_GRAPH, VectorIndex } from '../../keyspace/hotkv/vector-index.js';
import type { VectorMetric } from '../../keyspace/hotkv/vector-metrics.js';
import { SYNTAX } from '../../protocol/errors.js';
import { formatDouble } from '../../protocol/numbers.js';
import { type Bytes, OK, type Reply } from '../../protocol/reply.js';
import type { Session } from '../../server/session.js';
import { OptionReader } from '../args.js';
import { type CommandRow, key } from '../definition.js';
import { existing, expectNew, unknownOption, wholeArg } from './names.js';
import { formatComponent, MAX_DIMENSIONS, metricArg, vectorArgs, wholeVectorArgs } from './vector-args.js';

const KIND = 'vector index';
const MAX_GRAPH_PARAMETER = 1_000_000;
/** The most neighbours that one search may ask for. */
const MAX_NEIGHBOURS = 1_000_000;

export const vectorCommands: readonly CommandRow[] = [
  {
    name: 'vsim.createindex',
    arity: -3,
    flags: ['write', 'denyoom', 'fast'],
    group: 'vector',
    keys: [key('OW insert')],
    since: '0.3.0',
    complexity: 'O(1)',
    summary: 'Makes an index for vectors of a length.',
    syntax:
      'index:key dims:integer [METRIC metric:(cosine | l2 | ip)] [M m:integer] [EF_CONSTRUCTION ef-construction:integer] [EF_SEARCH ef-search:integer]',
    readings: [
      'distances: cosine (default) is 1 minus the cosine, 1 for a vector of zeros; l2 (or euclidean) is the Euclidean distance; ip (or dot) is 1 minus the inner product. The smaller, the nearer.',
      'the search is exact; M, EF_CONSTRUCTION and EF_SEARCH are kept and reported.',
      `dims is ${MAX_DIMENSIONS} at most.`,
      'indexes belong to the node, not to a database: FLUSHALL removes them, FLUSHDB does not.',
    ],
    handler: createIndex,
  },
  {
    name: 'vsim.dropindex',
    arity: 2,
    flags: ['write', 'fast'],
    group: 'vector',
    keys: [key('RM delete')],
    since: '0.3.0',
    complexity: 'O(1)',
    summary: 'Removes an index with its vectors.',
    syntax: 'index:key',
    readings: ['an index that is not there is the error "not found", here and in the other commands.'],
    handler: dropIndex,
  },
  {
    name: 'vsim.set',
    arity: -4,
    flags: ['write', 'denyoom', 'fast'],
    group: 'vector',
    keys: [key('RW update')],
    since: '0.3.0',
    complexity: 'O(N), N being the number of dimensions',
    summary: 'Sets the vector of a key in an index; 1 when the key is new there, 0 when its vector was replaced.',
    syntax: 'index:key key:string component:double...',
    readings: ['the key is a name inside the index; there need not be a key of the database by that name.'],
    handler: set,
  },
  {
    name: 'vsim.get',
    arity: 3,
    flags: ['readonly', 'fast'],
    group: 'vector',
    keys: [key('RO access')],
    since: '0.3.0',
    complexity: 'O(N), N being the number of dimensions',
    summary: 'Lists the components of a vector, as 32-bit floats keep them; null when there is none.',
    syntax: 'index:key key:string',
    handler: get,
  },
  {
    name: 'vsim.del',
    arity: 3,
    flags: ['write', 'fast'],
    group: 'vector',
    keys: [key('RW update')],
    since: '0.3.0',
    complexity: 'O(N), N being the number of dimensions',
    summary: 'Removes a vector; 1 when it was there.',
    syntax: 'index:key key:string',
    handler: del,
  },
  {
    name: 'vsim.search',
    arity: -4,
    flags: ['readonly'],
    group: 'vector',
    keys: [key('RO access')],
    since: '0.3.0',
    complexity: 'O(N*M), N being the number of vectors and M of dimensions',
    summary: 'Finds the nearest vectors, nearest first, each key followed by its distance.',
    syntax: 'index:key k:integer component:double... [FILTER tag...] [EF ef:integer]',
    readings: [
      'FILTER keeps the vectors whose key has all of these tags (TAG.SET) in the selected database; a tag that is written EF cannot be filtered by.',
      'equal distances are ordered by key.',
      'EF is checked and has no effect: the search is exact.',
    ],
    handler: search,
  },
  {
    name: 'vsim.info',
    arity: -1,
    flags: ['readonly', 'fast'],
    group: 'vector',
    keys: [key('RO access')],
    since: '0.3.0',
    complexity: 'O(1) with an index; O(N) without, N being the number of indexes',
    summary: 'Tells about an index, or lists the names of all.',
    syntax: '[index:key]',
    readings: ['the fields are name, metric, dims, count, m, ef_construction, ef_search, memory_bytes.'],
    handler: info,
  },
  {
    name: 'vsim.save',
    arity: 3,
    flags: ['write', 'denyoom', 'fast'],
    group: 'vector',
    keys: [key('OW update')],
    since: '0.3.0',
    complexity: 'O(1)',
    summary: 'Keeps bytes that the client gives, under a name.',
    syntax: 'snapshot:key blob',
    readings: ['the reply is the number of bytes; a snapshot of that name is replaced.'],
    handler: save,
  },
  {
    name: 'vsim.load',
    arity: 2,
    flags: ['readonly', 'fast'],
    group: 'vector',
    keys: [key('RO access')],
    since: '0.3.0',
    complexity: 'O(1)',
    summary: 'Answers the bytes of a snapshot, null when there is none.',
    syntax: 'snapshot:key',
    handler: load,
  },
  {
    name: 'vsim.list',
    arity: 1,
    flags: ['readonly'],
    group: 'vector',
    since: '0.3.0',
    complexity: 'O(N), N being the number of snapshots',
    summary: 'Lists the names of the snapshots.',
    syntax: '',
    handler: list,
  },
  {
    name: 'vsim.drop',
    arity: 2,
    flags: ['write', 'fast'],
    group: 'vector',
    keys: [key('RM delete')],
    since: '0.3.0',
    complexity: 'O(1)',
    summary: 'Removes a snapshot; 1 when it was there.',
    syntax: 'snapshot:key',
    handler: drop,
  },
];

function createIndex(ctx: Session, args: Bytes[]): Reply {
  const { vectorIndexes } = ctx.server.engines;
  const name = args[1]!;
  const dims = wholeArg(args[2]!, 'dims', 1, MAX_DIMENSIONS);
  const graph = { ...USUAL_GRAPH };
  let metric: VectorMetric = 'cosine';
  for (const options = new OptionReader(args, 3); options.more; ) {
    const word = options.next();
    const option = word.toUpperCase();
    if (option === 'METRIC') metric = metricArg(options.next());
    else if (option === 'M') graph.m = graphArg(options.next(), 'M');
    else if (option === 'EF_CONSTRUCTION') graph.efConstruction = graphArg(options.next(), option);
    else if (option === 'EF_SEARCH') graph.efSearch = graphArg(options.next(), option);
    else throw unknownOption(word, ['METRIC', 'M', 'EF_CONSTRUCTION', 'EF_SEARCH']);
  }
  expectNew(vectorIndexes, name, KIND);
  vectorIndexes.set(name, new VectorIndex(dims, metric, graph));
  return OK;
}

function graphArg(text: Bytes, what: string): number {
  return wholeArg(text, what, 1, MAX_GRAPH_PARAMETER);
}

function dropIndex(ctx: Session, args: Bytes[]): Reply {
  indexOf(ctx, args);
  ctx.server.engines.vectorIndexes.delete(args[1]!);
  return OK;
}

function set(ctx: Session, args: Bytes[]): Reply {
  const index = indexOf(ctx, args);
  return index.set(args[2]!, wholeVectorArgs(args, 3, index.dims)) ? 1 : 0;
}

function get(ctx: Session, args: Bytes[]): Reply {
  const vector = indexOf(ctx, args).get(args[2]!);
  return vector === undefined ? null : Array.from(vector, formatComponent);
}

function del(ctx: Session, args: Bytes[]): Reply {
  return indexOf(ctx, args).delete(args[2]!) ? 1 : 0;
}

function search(ctx: Session, args: Bytes[]): Reply {
  const index = indexOf(ctx, args);
  const k = wholeArg(args[2]!, 'k', 1, MAX_NEIGHBOURS);
  const query = vectorArgs(args, 3, index.dims);
  const tags = searchOptions(args, 3 + index.dims);
  const { db } = ctx;
  const fits = (name: Bytes) => db.has(name) && tags.every((tag) => db.hasTag(name, tag));
  const reply: Reply[] = [];
  for (const { key, distance } of index.search(query, k, tags.length > 0 ? fits : undefined)) {
    reply.push(key, formatDouble(distance));
  }
  return reply;
}

/** The tags behind FILTER; EF is checked. */
function searchOptions(args: Bytes[], from: number): Bytes[] {
  const tags: Bytes[] = [];
  for (const options = new OptionReader(args, from); options.more; ) {
    const word = options.next();
    const option = word.toUpperCase();
    if (option === 'EF') graphArg(options.next(), 'EF');
    else if (option === 'FILTER') readTags(options, tags);
    else throw unknownOption(word, ['FILTER', 'EF']);
  }
  return tags;
}

function readTags(options: OptionReader, tags: Bytes[]): void {
  do tags.push(options.next());
  while (options.more && !options.sees('EF'));
}

function info(ctx: Session, args: Bytes[]): Reply {
  if (args.length === 1) return [...ctx.server.engines.vectorIndexes.keys()];
  if (args.length > 2) return SYNTAX;
  const index = indexOf(ctx, args);
  const { metric, dims, size, graph, bytes } = index;
  const fields: Reply[] = ['name', args[1]!, 'metric', metric, 'dims', dims, 'count', size, 'm', graph.m];
  fields.push('ef_construction', graph.efConstruction, 'ef_search', graph.efSearch, 'memory_bytes', bytes);
  return fields;
}

function indexOf(ctx: Session, args: Bytes[]): VectorIndex {
  return existing(ctx.server.engines.vectorIndexes, args[1]!, KIND);
}

function save(ctx: Session, args: Bytes[]): Reply {
  ctx.server.engines.snapshots.set(args[1]!, args[2]!);
  return args[2]!.length;
}

function load(ctx: Session, args: Bytes[]): Reply {
  return ctx.server.engines.snapshots.get(args[1]!) ?? null;
}

function list(ctx: Session): Reply {
  return [...ctx.server.engines.snapshots.keys()];
}

function drop(ctx: Session, args: Bytes[]): Reply {
  return ctx.server.engines.snapshots.delete(args[1]!) ? 1 : 0;
}
