/** SCACHE.*: answers found again for questions that mean the same, by vectors (official client 1.0.0). */
import { SemanticCache } from '../../keyspace/hotkv/semantic-cache.js';
import type { VectorMetric } from '../../keyspace/hotkv/vector-metrics.js';
import { formatDouble, parseDouble } from '../../protocol/numbers.js';
import { type Bytes, ErrorReply, OK, type Reply } from '../../protocol/reply.js';
import type { Session } from '../../server/session.js';
import { OptionReader } from '../args.js';
import { type CommandRow, key } from '../definition.js';
import {
  addNamespace,
  countSavings,
  dropNamespace,
  entryOptions,
  LIMIT_READING,
  listNamespaces,
  NODE_READING,
  namespaceOf,
  SAVINGS_READING,
  savingsFields,
} from './cache-namespaces.js';
import { ttlArg } from './expiry-args.js';
import { unknownOption, wholeArg } from './names.js';
import { USAGE_SYNTAX } from './usage-args.js';
import { MAX_DIMENSIONS, metricArg, vectorArgs } from './vector-args.js';

/** The official client's own; it always sends it. */
const DEFAULT_THRESHOLD = 0.85;

const ACL = ['hotkv', 'scache'];
const caches = (ctx: Session) => ctx.server.engines.semanticCaches;

export const semanticCacheCommands: readonly CommandRow[] = [
  {
    name: 'scache.create',
    arity: -3,
    flags: ['write', 'denyoom', 'fast'],
    group: 'cache',
    acl: ACL,
    keys: [key('OW insert')],
    since: '0.3.0',
    complexity: 'O(1)',
    summary: 'Makes a namespace for answers that are found by vectors.',
    syntax:
      'namespace:key dims:integer [METRIC metric:(cosine | l2 | ip)] [THRESHOLD threshold:double] [TTL seconds:integer]',
    readings: [
      'similarity: cosine (default) is the cosine, 0 for a vector of zeros; l2 (or euclidean) is 1/(1 + distance); ip (or dot) is the inner product.',
      `THRESHOLD is ${DEFAULT_THRESHOLD} by default; dims is ${MAX_DIMENSIONS} at most.`,
      'TTL is for entries that are set without an expiry of their own.',
      LIMIT_READING,
      NODE_READING,
    ],
    handler: create,
  },
  {
    name: 'scache.set',
    arity: -5,
    flags: ['write', 'denyoom', 'fast'],
    group: 'cache',
    acl: ACL,
    keys: [key('RW update')],
    since: '0.3.0',
    complexity: 'O(N), N being the number of dimensions',
    summary: 'Keeps the answer to a question, to be found by the vector of the question.',
    syntax: `namespace:key query response component:double... [expiry:(TTL seconds:integer | PXAT unix-time-milliseconds:unix-time)] ${USAGE_SYNTAX}`,
    readings: ['an entry is known by the text of its query: set again, it replaces response and vector.'],
    handler: set,
  },
  {
    name: 'scache.get',
    arity: -3,
    flags: ['readonly'],
    group: 'cache',
    acl: ACL,
    keys: [key('RO access')],
    since: '0.3.0',
    complexity: 'O(N*M), N being the number of entries and M of dimensions',
    summary: 'Answers the response whose vector is nearest, and its similarity; null when it is below the threshold.',
    syntax: 'namespace:key component:double... [THRESHOLD threshold:double]',
    readings: [
      'a similarity that equals the threshold is a hit; of equal ones, the first query by its bytes is taken.',
      'a namespace that is not there has no answers, whatever the vector.',
    ],
    handler: get,
  },
  {
    name: 'scache.stats',
    arity: 2,
    flags: ['readonly'],
    group: 'cache',
    acl: ACL,
    keys: [key('RO access')],
    since: '0.3.0',
    complexity: 'O(1) on average',
    summary: 'Tells how often a namespace had an answer, how long it took, and what that saved.',
    syntax: 'namespace:key',
    readings: [
      'the fields are entries, hits, misses, hit_rate (0 to 1), p50_us (of the latest 256 lookups), and the six usage_saved fields.',
      SAVINGS_READING,
    ],
    handler: stats,
  },
  {
    name: 'scache.flush',
    arity: 2,
    flags: ['write'],
    group: 'cache',
    acl: ACL,
    keys: [key('RW delete')],
    since: '0.3.0',
    complexity: 'O(N), N being the number of entries',
    summary: 'Removes all entries of a namespace; 1 when the namespace is there.',
    syntax: 'namespace:key',
    readings: ['the counters of STATS stay.'],
    handler: flush,
  },
  {
    name: 'scache.drop',
    arity: 2,
    flags: ['write', 'fast'],
    group: 'cache',
    acl: ACL,
    keys: [key('RM delete')],
    since: '0.3.0',
    complexity: 'O(1)',
    summary: 'Removes a namespace with its entries; 1 when it was there.',
    syntax: 'namespace:key',
    handler: dropNamespace(caches),
  },
  {
    name: 'scache.list',
    arity: 1,
    flags: ['readonly'],
    group: 'cache',
    acl: ACL,
    since: '0.3.0',
    complexity: 'O(N), N being the number of namespaces',
    summary: 'Lists the names of the namespaces.',
    syntax: '',
    handler: listNamespaces(caches),
  },
  {
    name: 'scache.threshold',
    arity: 3,
    flags: ['write', 'fast'],
    group: 'cache',
    acl: ACL,
    keys: [key('RW update')],
    since: '0.3.0',
    complexity: 'O(1)',
    summary: 'Sets the least similarity of a hit in a namespace.',
    syntax: 'namespace:key threshold:double',
    handler: setThreshold,
  },
];

function create(ctx: Session, args: Bytes[]): Reply {
  const dims = wholeArg(args[2]!, 'dims', 1, MAX_DIMENSIONS);
  let metric: VectorMetric = 'cosine';
  let threshold = DEFAULT_THRESHOLD;
  let ttlSeconds = Number.POSITIVE_INFINITY;
  for (const options = new OptionReader(args, 3); options.more; ) {
    const word = options.next();
    const option = word.toUpperCase();
    if (option === 'METRIC') metric = metricArg(options.next());
    else if (option === 'THRESHOLD') threshold = thresholdArg(options.next());
    else if (option === 'TTL') ttlSeconds = ttlArg(options.next());
    else throw unknownOption(word, ['METRIC', 'THRESHOLD', 'TTL']);
  }
  return addNamespace(caches(ctx), args[1]!, new SemanticCache(dims, metric, threshold, ttlSeconds));
}

/** Any finite number: inner products have no bounds. */
function thresholdArg(text: Bytes): number {
  const value = parseDouble(text);
  if (value === undefined || !Number.isFinite(value)) {
    throw new ErrorReply('ERR invalid THRESHOLD: must be a finite number');
  }
  return value;
}

function set(ctx: Session, args: Bytes[]): Reply {
  const cache = namespaceOf(caches(ctx), args);
  const vector = vectorArgs(args, 4, cache.dims);
  const { expiresAt, metadata, usage } = entryOptions(ctx, cache, args, 4 + cache.dims, false);
  cache.setSimilar(args[2]!, vector, { response: args[3]!, metadata, usage, hits: 0 }, expiresAt, ctx.now);
  return OK;
}

function get(ctx: Session, args: Bytes[]): Reply {
  const cache = caches(ctx).get(args[1]!);
  if (cache === undefined) return null;
  const { clock } = ctx.server;
  const started = clock.elapsed();
  const vector = vectorArgs(args, 2, cache.dims);
  let { threshold } = cache;
  for (const options = new OptionReader(args, 2 + cache.dims); options.more; ) {
    const word = options.next();
    if (word.toUpperCase() !== 'THRESHOLD') throw unknownOption(word, ['THRESHOLD']);
    threshold = thresholdArg(options.next());
  }
  const found = cache.nearest(vector, threshold, ctx.now);
  cache.lookups.add(clock.elapsed() - started);
  if (found === undefined) return null;
  countSavings(ctx, cache, found.answer);
  return [found.answer.response, formatDouble(found.similarity)];
}

function stats(ctx: Session, args: Bytes[]): Reply {
  const cache = namespaceOf(caches(ctx), args);
  const { hits, misses, hitRate, lookups } = cache;
  const fields: Reply[] = ['entries', cache.size(ctx.now), 'hits', hits, 'misses', misses];
  fields.push('hit_rate', formatDouble(hitRate), 'p50_us', lookups.median);
  return fields.concat(savingsFields(cache));
}

function flush(ctx: Session, args: Bytes[]): Reply {
  const cache = caches(ctx).get(args[1]!);
  cache?.flush(ctx.now);
  return cache === undefined ? 0 : 1;
}

function setThreshold(ctx: Session, args: Bytes[]): Reply {
  const threshold = thresholdArg(args[2]!);
  namespaceOf(caches(ctx), args).threshold = threshold;
  return OK;
}
