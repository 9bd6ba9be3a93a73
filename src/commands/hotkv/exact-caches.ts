/** What the caches by exact key have in common: PCACHE.* and the families of `keyed-caches.ts`. */
import type { CachedAnswer, NamespaceCache } from '../../keyspace/hotkv/namespace-cache.js';
import { type Bytes, OK, type Reply } from '../../protocol/reply.js';
import type { Session } from '../../server/session.js';
import type { Handler } from '../definition.js';
import { countSavings, entryOptions, type NamespacesOf, namespaceOf } from './cache-namespaces.js';
import { wholeArg } from './names.js';
import { USAGE_SYNTAX } from './usage-args.js';

/** The options of SET in the notation of `syntax.ts`. */
export const ENTRY_SYNTAX = `[expiry:(TTL seconds:integer | PXAT unix-time-milliseconds:unix-time)] [META metadata] ${USAGE_SYNTAX}`;
export const CREATE_READINGS: readonly string[] = [
  'without MAX_ENTRIES any number of entries is kept; else the entry that was set or found the longest time ago makes room.',
  'TTL is for entries that are set without an expiry of their own.',
];

const MAX_ENTRIES = 1e12;

/** A number of entries at most. */
export function maxEntriesArg(text: Bytes): number {
  return wholeArg(text, 'MAX_ENTRIES', 1, MAX_ENTRIES);
}

/** The handler of a SET. */
export function setEntry<C extends NamespaceCache>(of: NamespacesOf<C>): Handler {
  return (ctx, args) => {
    const cache = namespaceOf(of(ctx), args);
    const { expiresAt, metadata, usage } = entryOptions(ctx, cache, args, 4, true);
    cache.set(args[2]!, { response: args[3]!, metadata, usage, hits: 0 }, expiresAt, ctx.now);
    return OK;
  };
}

/** Looks an entry up and counts that. A namespace that is not there has none. */
export function lookEntry(ctx: Session, cache: NamespaceCache | undefined, args: Bytes[]): CachedAnswer | undefined {
  if (cache === undefined) return undefined;
  const { clock } = ctx.server;
  const started = clock.elapsed();
  const answer = cache.look(args[2]!, ctx.now);
  cache.lookups.add(clock.elapsed() - started);
  if (answer !== undefined) countSavings(ctx, cache, answer);
  return answer;
}

/** The handler of a GET. */
export function getEntry<C extends NamespaceCache>(of: NamespacesOf<C>): Handler {
  return (ctx, args) => lookEntry(ctx, of(ctx).get(args[1]!), args)?.response ?? null;
}

/** The handler of a DEL: 1 when there was an entry. */
export function removeEntry<C extends NamespaceCache>(of: NamespacesOf<C>): Handler {
  return (ctx, args) => (of(ctx).get(args[1]!)?.remove(args[2]!, ctx.now) ? 1 : 0);
}

/** The handler of a FLUSH: how many entries there were. */
export function flushEntries<C extends NamespaceCache>(of: NamespacesOf<C>): Handler {
  return (ctx, args) => of(ctx).get(args[1]!)?.flush(ctx.now) ?? 0;
}

/** The fields that every STATS begins with. */
export function countFields(ctx: Session, cache: NamespaceCache): Reply[] {
  const { hits, misses, evictions } = cache;
  return ['entries', cache.size(ctx.now), 'hits', hits, 'misses', misses, 'evictions', evictions];
}
