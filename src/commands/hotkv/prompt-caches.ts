/** PCACHE.*: answers of language models by the exact text of the prompt (official client 1.0.0). */
import { formatDollars, parseCost } from '../../keyspace/hotkv/money.js';
import { PromptCache } from '../../keyspace/hotkv/prompt-cache.js';
import { formatDouble } from '../../protocol/numbers.js';
import { type Bytes, ErrorReply, OK, type Reply } from '../../protocol/reply.js';
import type { Session } from '../../server/session.js';
import { isWord, OptionReader } from '../args.js';
import { type CommandRow, key } from '../definition.js';
import {
  addNamespace,
  dropNamespace,
  LIMIT_READING,
  listNamespaces,
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
  lookEntry,
  maxEntriesArg,
  removeEntry,
  setEntry,
} from './exact-caches.js';
import { ttlArg } from './expiry-args.js';
import { choiceArg, unknownOption } from './names.js';

const ACL = ['hotkv', 'pcache'];
const caches = (ctx: Session) => ctx.server.engines.promptCaches;

export const promptCacheCommands: readonly CommandRow[] = [
  {
    name: 'pcache.create',
    arity: -2,
    flags: ['write', 'denyoom', 'fast'],
    group: 'cache',
    acl: ACL,
    keys: [key('OW insert')],
    since: '0.3.0',
    complexity: 'O(1)',
    summary: 'Makes a namespace for answers by the text of the prompt.',
    syntax: 'namespace:key [MAX_ENTRIES count:integer] [TTL seconds:integer] [COST_PER_HIT dollars:double]',
    readings: [...CREATE_READINGS, 'COST_PER_HIT is rounded to whole micro-dollars.', LIMIT_READING, NODE_READING],
    handler: create,
  },
  {
    name: 'pcache.set',
    arity: -4,
    flags: ['write', 'denyoom', 'fast'],
    group: 'cache',
    acl: ACL,
    keys: [key('RW update')],
    since: '0.3.0',
    complexity: 'O(1) on average',
    summary: 'Keeps the answer to a prompt, in place of what was kept.',
    syntax: `namespace:key prompt response ${ENTRY_SYNTAX}`,
    handler: setEntry(caches),
  },
  {
    name: 'pcache.get',
    arity: 3,
    flags: ['readonly', 'fast'],
    group: 'cache',
    acl: ACL,
    keys: [key('RO access')],
    since: '0.3.0',
    complexity: 'O(1)',
    summary: 'Answers what is kept for a prompt, null when nothing is.',
    syntax: 'namespace:key prompt',
    readings: ['a namespace that is not there has no answers.'],
    handler: getEntry(caches),
  },
  {
    name: 'pcache.getex',
    arity: 3,
    flags: ['readonly', 'fast'],
    group: 'cache',
    acl: ACL,
    keys: [key('RO access')],
    since: '0.3.0',
    complexity: 'O(1)',
    summary: 'Answers what is kept for a prompt, its metadata, and how often it was found; null when nothing is kept.',
    syntax: 'namespace:key prompt',
    readings: ['metadata that was not given is empty.', 'the count includes this hit; PCACHE.SET begins it anew.'],
    handler: getWithMetadata,
  },
  {
    name: 'pcache.del',
    arity: 3,
    flags: ['write', 'fast'],
    group: 'cache',
    acl: ACL,
    keys: [key('RW delete')],
    since: '0.3.0',
    complexity: 'O(1)',
    summary: 'Removes the answer to a prompt; 1 when there was one.',
    syntax: 'namespace:key prompt',
    handler: removeEntry(caches),
  },
  {
    name: 'pcache.stats',
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
      'the fields are entries, hits, misses, evictions, hit_rate (0 to 1), p50_us (of the latest 256 lookups), cost_saved_usd (hits times COST_PER_HIT), and the six usage_saved fields.',
      SAVINGS_READING,
    ],
    handler: stats,
  },
  {
    name: 'pcache.flush',
    arity: 2,
    flags: ['write'],
    group: 'cache',
    acl: ACL,
    keys: [key('RW delete')],
    since: '0.3.0',
    complexity: 'O(N), N being the number of entries',
    summary: 'Removes all entries of a namespace and answers how many there were.',
    syntax: 'namespace:key',
    readings: ['the counters of STATS stay.'],
    handler: flushEntries(caches),
  },
  {
    name: 'pcache.drop',
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
    name: 'pcache.list',
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
    name: 'pcache.config',
    arity: 5,
    flags: ['write'],
    group: 'cache',
    acl: ACL,
    keys: [key('RW update')],
    since: '0.3.0',
    complexity: 'O(1), and O(N) where N entries are too many for a new MAX_ENTRIES',
    summary: 'Changes a parameter of a namespace.',
    syntax: 'namespace:key SET parameter:(MAX_ENTRIES | TTL | COST_PER_HIT) value',
    readings: [
      'a MAX_ENTRIES or TTL of 0 takes the limit away.',
      'a new TTL is for entries that are set from then on, a new COST_PER_HIT for all hits so far too.',
    ],
    handler: config,
  },
];

function create(ctx: Session, args: Bytes[]): Reply {
  let maxEntries = Number.POSITIVE_INFINITY;
  let ttlSeconds = Number.POSITIVE_INFINITY;
  let costPerHit = 0n;
  for (const options = new OptionReader(args, 2); options.more; ) {
    const word = options.next();
    const option = word.toUpperCase();
    if (option === 'MAX_ENTRIES') maxEntries = maxEntriesArg(options.next());
    else if (option === 'TTL') ttlSeconds = ttlArg(options.next());
    else if (option === 'COST_PER_HIT') costPerHit = costArg(options.next());
    else throw unknownOption(word, ['MAX_ENTRIES', 'TTL', 'COST_PER_HIT']);
  }
  return addNamespace(caches(ctx), args[1]!, new PromptCache(maxEntries, ttlSeconds, costPerHit));
}

function costArg(text: Bytes): bigint {
  const cost = parseCost(text);
  if (cost === undefined) throw new ErrorReply('ERR invalid COST_PER_HIT: must be a decimal of dollars, 0 or more');
  return cost;
}

function getWithMetadata(ctx: Session, args: Bytes[]): Reply {
  const answer = lookEntry(ctx, caches(ctx).get(args[1]!), args);
  return answer === undefined ? null : [answer.response, answer.metadata, answer.hits];
}

function stats(ctx: Session, args: Bytes[]): Reply {
  const cache = namespaceOf(caches(ctx), args);
  const fields = countFields(ctx, cache);
  fields.push('hit_rate', formatDouble(cache.hitRate), 'p50_us', cache.lookups.median);
  fields.push('cost_saved_usd', formatDollars(cache.costSaved));
  return fields.concat(savingsFields(cache));
}

const PARAMETERS = ['max_entries', 'ttl', 'cost_per_hit'] as const;

function config(ctx: Session, args: Bytes[]): Reply {
  if (!isWord(args[2]!, 'SET')) throw unknownOption(args[2]!, ['SET']);
  const parameter = choiceArg(args[3]!, 'parameter', PARAMETERS);
  const text = args[4]!;
  const cache = namespaceOf(caches(ctx), args);
  if (parameter === 'max_entries') cache.limit(orUnlimited(text, maxEntriesArg), ctx.now);
  else if (parameter === 'ttl') cache.ttlSeconds = orUnlimited(text, ttlArg);
  else cache.costPerHit = costArg(text);
  return OK;
}

/** What the argument says; 0 says that there is no limit. */
function orUnlimited(text: Bytes, read: (text: Bytes) => number): number {
  return text === '0' ? Number.POSITIVE_INFINITY : read(text);
}
