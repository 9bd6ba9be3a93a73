/** What the families of caches have in common: their namespaces, the options of SET, what a hit counts, and fields of STATS. */

import { formatDollars } from '../../keyspace/hotkv/money.js';
import type { CachedAnswer, NamespaceCache } from '../../keyspace/hotkv/namespace-cache.js';
import { normaliseInteger } from '../../protocol/numbers.js';
import { type Bytes, ErrorReply, OK, type Reply } from '../../protocol/reply.js';
import type { Session } from '../../server/session.js';
import { OptionReader } from '../args.js';
import type { Handler } from '../definition.js';
import { ExpiryOptions } from './expiry-args.js';
import { existing, unknownOption } from './names.js';
import { UsageOptions } from './usage-args.js';

/** Namespaces that a family may have. */
export const MAX_NAMESPACES = 1000;

export const NODE_READING =
  'namespaces belong to the node, not to a database: FLUSHALL removes them, FLUSHDB does not.';
export const LIMIT_READING = `a family has ${MAX_NAMESPACES} namespaces at most.`;
export const SAVINGS_READING =
  'the usage_saved fields count the hits of entries that were set with MODEL, at the prices at the time of the hit; usage_saved_cache_write_tokens are those of both lifetimes.';

/** The namespaces of a family, by name. */
export type NamespacesOf<C extends NamespaceCache> = (ctx: Session) => Map<Bytes, C>;

/** The namespace that argument 1 names. */
export function namespaceOf<C extends NamespaceCache>(namespaces: ReadonlyMap<Bytes, C>, args: Bytes[]): C {
  return existing(namespaces, args[1]!, 'cache namespace');
}

/** Adds a namespace. One text says that it is there already or that there are too many (official client 1.0.0). */
export function addNamespace<C extends NamespaceCache>(namespaces: Map<Bytes, C>, name: Bytes, cache: C): Reply {
  if (namespaces.has(name) || namespaces.size >= MAX_NAMESPACES) {
    return new ErrorReply(`ERR cache namespace '${name}' already exists or limit reached`);
  }
  namespaces.set(name, cache);
  return OK;
}

/** The handler of a DROP: 1 when the namespace was there. */
export function dropNamespace<C extends NamespaceCache>(of: NamespacesOf<C>): Handler {
  return (ctx, args) => (of(ctx).delete(args[1]!) ? 1 : 0);
}

/** The handler of a LIST. */
export function listNamespaces<C extends NamespaceCache>(of: NamespacesOf<C>): Handler {
  return (ctx) => [...of(ctx).keys()];
}

export interface EntryOptions {
  /** Unix ms, Infinity: never. */
  readonly expiresAt: number;
  readonly metadata: Bytes;
  readonly usage: CachedAnswer['usage'];
}

/** The options of a SET from argument `from` on; META where the family has it. */
export function entryOptions(
  ctx: Session,
  cache: NamespaceCache,
  args: Bytes[],
  from: number,
  meta: boolean,
): EntryOptions {
  const expiry = new ExpiryOptions(ctx.now);
  const usage = new UsageOptions();
  let metadata = '';
  for (const options = new OptionReader(args, from); options.more; ) {
    const word = options.next();
    const option = word.toUpperCase();
    if (meta && option === 'META') metadata = options.next();
    else if (!expiry.take(option, options) && !usage.take(option, options)) {
      throw unknownOption(word, [...ExpiryOptions.words, ...(meta ? ['META'] : []), ...UsageOptions.words]);
    }
  }
  return { expiresAt: expiry.expiresAt(cache.ttlSeconds), metadata, usage: usage.usage() };
}

/** Counts what a hit saved. */
export function countSavings(ctx: Session, cache: NamespaceCache, { usage }: CachedAnswer): void {
  if (usage !== undefined) cache.savings.add(usage, ctx.server.engines.prices);
}

/** The six fields at the end of every STATS. */
export function savingsFields({ savings }: NamespaceCache): Reply[] {
  return [
    'usage_saved_requests',
    savings.requests,
    'usage_saved_input_tokens',
    normaliseInteger(savings.inputTokens),
    'usage_saved_output_tokens',
    normaliseInteger(savings.outputTokens),
    'usage_saved_cache_read_tokens',
    normaliseInteger(savings.cacheReadTokens),
    'usage_saved_cache_write_tokens',
    normaliseInteger(savings.cacheWriteTokens),
    'usage_saved_cost_usd',
    formatDollars(savings.cost),
  ];
}
