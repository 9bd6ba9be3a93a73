/** TOOL.CACHE.*, NCACHE.*, GUARD.* and RERANK.*: four families of caches by exact key, of one shape (official client 1.0.0). */
import type { KeyedCacheFamily } from '../../keyspace/hotkv/engines.js';
import { NamespaceCache } from '../../keyspace/hotkv/namespace-cache.js';
import type { Bytes } from '../../protocol/reply.js';
import { OptionReader } from '../args.js';
import { type CommandRow, key } from '../definition.js';
import {
  addNamespace,
  dropNamespace,
  LIMIT_READING,
  listNamespaces,
  type NamespacesOf,
  NODE_READING,
  namespaceOf,
  SAVINGS_READING,
  savingsFields,
} from './cache-namespaces.js';
import {
  CREATE_READINGS,
  countFields,
  ENTRY_SYNTAX,
  flushEntries,
  getEntry,
  maxEntriesArg,
  removeEntry,
  setEntry,
} from './exact-caches.js';
import { ttlArg } from './expiry-args.js';
import { unknownOption } from './names.js';

interface FamilyFacts {
  readonly family: KeyedCacheFamily;
  readonly category: string;
  /** What an entry is, with its article, and what all of them are. */
  readonly one: string;
  readonly many: string;
}

const FAMILIES: readonly FamilyFacts[] = [
  { family: 'tool.cache', category: 'toolcache', one: 'the result of a call of a tool', many: 'results of tools' },
  { family: 'ncache', category: 'ncache', one: 'a negative result', many: 'negative results' },
  { family: 'guard', category: 'guard', one: 'the verdict of a guardrail', many: 'verdicts of guardrails' },
  { family: 'rerank', category: 'rerank', one: 'the result of a reranker', many: 'results of rerankers' },
];

export const keyedCacheCommands: readonly CommandRow[] = FAMILIES.flatMap(familyRows);

function familyRows({ family, category, one, many }: FamilyFacts): CommandRow[] {
  const caches: NamespacesOf<NamespaceCache> = (ctx) => ctx.server.engines.keyedCaches[family];
  const common = { group: 'cache', acl: ['hotkv', category], since: '0.3.0' } as const;
  return [
    {
      ...common,
      name: `${family}.create`,
      arity: -2,
      flags: ['write', 'denyoom', 'fast'],
      keys: [key('OW insert')],
      complexity: 'O(1)',
      summary: `Makes a namespace for ${many}.`,
      syntax: 'namespace:key [MAX_ENTRIES count:integer] [TTL seconds:integer]',
      readings: [...CREATE_READINGS, LIMIT_READING, NODE_READING],
      handler: (ctx, args) => addNamespace(caches(ctx), args[1]!, newCache(args)),
    },
    {
      ...common,
      name: `${family}.set`,
      arity: -4,
      flags: ['write', 'denyoom', 'fast'],
      keys: [key('RW update')],
      complexity: 'O(1) on average',
      summary: `Keeps ${one} under a key, in place of what was kept.`,
      syntax: `namespace:key key:string value ${ENTRY_SYNTAX}`,
      readings: ['META is kept; no command of this family shows it.'],
      handler: setEntry(caches),
    },
    {
      ...common,
      name: `${family}.get`,
      arity: 3,
      flags: ['readonly', 'fast'],
      keys: [key('RO access')],
      complexity: 'O(1)',
      summary: `Answers ${one} that is kept under a key, null when none is.`,
      syntax: 'namespace:key key:string',
      readings: ['a namespace that is not there has no entries.'],
      handler: getEntry(caches),
    },
    {
      ...common,
      name: `${family}.del`,
      arity: 3,
      flags: ['write', 'fast'],
      keys: [key('RW delete')],
      complexity: 'O(1)',
      summary: `Removes ${one}; 1 when it was there.`,
      syntax: 'namespace:key key:string',
      handler: removeEntry(caches),
    },
    {
      ...common,
      name: `${family}.stats`,
      arity: 2,
      flags: ['readonly'],
      keys: [key('RO access')],
      complexity: 'O(1) on average',
      summary: 'Tells how often a namespace had an entry, and what that saved.',
      syntax: 'namespace:key',
      readings: [
        'the fields are entries, hits, misses, evictions, memory_bytes (estimated), and the six usage_saved fields.',
        SAVINGS_READING,
      ],
      handler: (ctx, args) => {
        const cache = namespaceOf(caches(ctx), args);
        return [...countFields(ctx, cache), 'memory_bytes', cache.bytes, ...savingsFields(cache)];
      },
    },
    {
      ...common,
      name: `${family}.flush`,
      arity: 2,
      flags: ['write'],
      keys: [key('RW delete')],
      complexity: 'O(N), N being the number of entries',
      summary: 'Removes all entries of a namespace and answers how many there were.',
      syntax: 'namespace:key',
      readings: ['the counters of STATS stay.'],
      handler: flushEntries(caches),
    },
    {
      ...common,
      name: `${family}.drop`,
      arity: 2,
      flags: ['write', 'fast'],
      keys: [key('RM delete')],
      complexity: 'O(1)',
      summary: 'Removes a namespace with its entries; 1 when it was there.',
      syntax: 'namespace:key',
      handler: dropNamespace(caches),
    },
    {
      ...common,
      name: `${family}.list`,
      arity: 1,
      flags: ['readonly'],
      complexity: 'O(N), N being the number of namespaces',
      summary: `Lists the names of the namespaces for ${many}.`,
      syntax: '',
      handler: listNamespaces(caches),
    },
  ];
}

function newCache(args: Bytes[]): NamespaceCache {
  let maxEntries = Number.POSITIVE_INFINITY;
  let ttlSeconds = Number.POSITIVE_INFINITY;
  for (const options = new OptionReader(args, 2); options.more; ) {
    const word = options.next();
    const option = word.toUpperCase();
    if (option === 'MAX_ENTRIES') maxEntries = maxEntriesArg(options.next());
    else if (option === 'TTL') ttlSeconds = ttlArg(options.next());
    else throw unknownOption(word, ['MAX_ENTRIES', 'TTL']);
  }
  return new NamespaceCache(maxEntries, ttlSeconds);
}
