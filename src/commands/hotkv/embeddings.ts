/** EMBED.DEDUP.*: embeddings that are kept once for all who use them, by the hash of their content (official client 1.0.0). */
import { EmbeddingStore } from '../../keyspace/hotkv/embedding-store.js';
import type { Bytes, Reply } from '../../protocol/reply.js';
import type { Session } from '../../server/session.js';
import { type CommandRow, key } from '../definition.js';
import { existing } from './names.js';

const KIND = 'embedding namespace';

export const embeddingCommands: readonly CommandRow[] = [
  {
    name: 'embed.dedup.put',
    arity: 5,
    flags: ['write', 'denyoom', 'fast'],
    group: 'embedding',
    keys: [key('RW insert')],
    since: '0.3.0',
    complexity: 'O(1)',
    summary: 'Stores an embedding under a hash, or adds a reference to what is there; 1 when it is new.',
    syntax: 'namespace:key hash model embedding',
    readings: [
      'the namespace is made if need be. Of a known hash, model and embedding stay as they were stored first.',
      'namespaces belong to the node, not to a database: FLUSHALL removes them, FLUSHDB does not.',
    ],
    handler: put,
  },
  {
    name: 'embed.dedup.get',
    arity: 3,
    flags: ['readonly', 'fast'],
    group: 'embedding',
    keys: [key('RO access')],
    since: '0.3.0',
    complexity: 'O(1)',
    summary: 'Answers the embedding of a hash as it was given, null when there is none.',
    syntax: 'namespace:key hash',
    handler: get,
  },
  {
    name: 'embed.dedup.release',
    arity: 3,
    flags: ['write', 'fast'],
    group: 'embedding',
    keys: [key('RW delete')],
    since: '0.3.0',
    complexity: 'O(1)',
    summary: 'Takes back a reference, the last of which frees the embedding; 1 when it was there.',
    syntax: 'namespace:key hash',
    handler: release,
  },
  {
    name: 'embed.dedup.stats',
    arity: 2,
    flags: ['readonly', 'fast'],
    group: 'embedding',
    keys: [key('RO access')],
    since: '0.3.0',
    complexity: 'O(1)',
    summary:
      'Tells how many reads of a namespace found an embedding and how many did not, its entries, references and memory.',
    syntax: 'namespace:key',
    readings: [
      'the fields are hits, misses, entries, references, memory_bytes; hits and misses are those of EMBED.DEDUP.GET.',
      'a namespace that is not there is the error "not found"; the other commands answer null or 0.',
    ],
    handler: stats,
  },
  {
    name: 'embed.dedup.drop',
    arity: 2,
    flags: ['write', 'fast'],
    group: 'embedding',
    keys: [key('RM delete')],
    since: '0.3.0',
    complexity: 'O(1)',
    summary: 'Removes a namespace with its embeddings; 1 when it was there.',
    syntax: 'namespace:key',
    handler: drop,
  },
  {
    name: 'embed.dedup.purge',
    arity: 2,
    flags: ['write', 'fast'],
    group: 'embedding',
    keys: [key('RW delete')],
    since: '0.3.0',
    complexity: 'O(1)',
    summary: 'Removes what nobody refers to; 1 when the namespace is there.',
    syntax: 'namespace:key',
    readings: ['there is nothing to remove: the last EMBED.DEDUP.RELEASE frees an entry, and no entry has an expiry.'],
    handler: purge,
  },
  {
    name: 'embed.dedup.list',
    arity: 1,
    flags: ['readonly'],
    group: 'embedding',
    since: '0.3.0',
    complexity: 'O(N), N being the number of namespaces',
    summary: 'Lists the names of all namespaces.',
    syntax: '',
    handler: list,
  },
];

function put(ctx: Session, args: Bytes[]): Reply {
  const { embeddingStores } = ctx.server.engines;
  const store = embeddingStores.get(args[1]!) ?? new EmbeddingStore();
  embeddingStores.set(args[1]!, store);
  return store.put(args[2]!, args[3]!, args[4]!) ? 1 : 0;
}

function get(ctx: Session, args: Bytes[]): Reply {
  return storeOf(ctx, args)?.read(args[2]!) ?? null;
}

function release(ctx: Session, args: Bytes[]): Reply {
  return storeOf(ctx, args)?.release(args[2]!) ? 1 : 0;
}

function stats(ctx: Session, args: Bytes[]): Reply {
  const { hits, misses, size, references, bytes } = existing(ctx.server.engines.embeddingStores, args[1]!, KIND);
  return ['hits', hits, 'misses', misses, 'entries', size, 'references', references, 'memory_bytes', bytes];
}

function drop(ctx: Session, args: Bytes[]): Reply {
  return ctx.server.engines.embeddingStores.delete(args[1]!) ? 1 : 0;
}

function purge(ctx: Session, args: Bytes[]): Reply {
  return storeOf(ctx, args) === undefined ? 0 : 1;
}

function list(ctx: Session): Reply {
  return [...ctx.server.engines.embeddingStores.keys()];
}

function storeOf(ctx: Session, args: Bytes[]): EmbeddingStore | undefined {
  return ctx.server.engines.embeddingStores.get(args[1]!);
}
