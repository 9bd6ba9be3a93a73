/** The MEMORY family: estimates of what keys take, and where the memory of the process goes. */

import { SYNTAX } from '../protocol/errors.js';
import { type Bytes, DoubleReply, MapReply, OK, type Reply, VerbatimString } from '../protocol/reply.js';
import type { Session } from '../server/session.js';
import { integerArg, OptionReader } from './args.js';
import { type CommandRow, key } from './definition.js';
import { helpHandler } from './help.js';

export const memoryCommands: readonly CommandRow[] = [
  {
    name: 'memory',
    arity: -2,
    flags: [],
    group: 'server',
    since: '4.0.0',
    complexity: '',
    summary: 'Tells how much memory keys and server take.',
    syntax: '',
    subcommands: [
      {
        name: 'usage',
        arity: -3,
        flags: ['readonly'],
        group: 'server',
        keys: [key('RO', 2)],
        since: '4.0.0',
        complexity: 'O(N)',
        summary: 'Estimates the bytes of a key with its value.',
        syntax: 'key [SAMPLES count:integer]',
        handler: usage,
      },
      {
        name: 'stats',
        arity: 2,
        flags: [],
        group: 'server',
        since: '4.0.0',
        complexity: 'O(1)',
        summary: 'Lists where the memory goes.',
        syntax: '',
        tips: ['nondeterministic_output', 'request_policy:all_shards', 'response_policy:special'],
        handler: stats,
      },
      {
        name: 'malloc-stats',
        arity: 2,
        flags: [],
        group: 'server',
        since: '4.0.0',
        complexity: '',
        summary: 'Tells of the allocator.',
        syntax: '',
        tips: ['nondeterministic_output', 'request_policy:all_shards', 'response_policy:special'],
        handler: mallocStats,
      },
      {
        name: 'help',
        arity: 2,
        flags: ['loading', 'stale'],
        group: 'server',
        since: '4.0.0',
        complexity: 'O(1)',
        summary: 'Shows the subcommands.',
        syntax: '',
        handler: helpHandler('MEMORY'),
      },
      {
        name: 'purge',
        arity: 2,
        flags: [],
        group: 'server',
        since: '4.0.0',
        complexity: '',
        summary: 'Asks the allocator to give back what it can.',
        syntax: '',
        tips: ['request_policy:all_shards', 'response_policy:all_succeeded'],
        handler: purge,
      },
      {
        name: 'doctor',
        arity: 2,
        flags: [],
        group: 'server',
        since: '4.0.0',
        complexity: 'O(1)',
        summary: 'Says what is odd about the use of memory.',
        syntax: '',
        tips: ['nondeterministic_output', 'request_policy:all_shards', 'response_policy:special'],
        handler: doctor,
      },
    ],
  },
];

function usage(ctx: Session, args: Bytes[]): Reply {
  const words = new OptionReader(args, 3);
  // The estimate is kept up to date with the data, so it needs no samples; the option is checked all the same.
  while (words.more) {
    if (words.keyword() !== 'SAMPLES' || !words.more || integerArg(words.next()) < 0) return SYNTAX;
  }
  return ctx.db.bytesOf(args[2]!) ?? null;
}

function stats(ctx: Session): Reply {
  const { memory, databases, sampler } = ctx.server;
  const heap = process.memoryUsage();
  const { dataBytes, clientBytes, used } = memory;
  const keys = databases.reduce((sum, db) => sum + db.size, 0);
  const share = used > memory.startupBytes ? (dataBytes / (used - memory.startupBytes)) * 100 : 0;
  sampler.noteMemory();
  const perDatabase = databases
    .filter((db) => db.size > 0)
    .flatMap((db) => [
      `db.${db.index}`,
      new MapReply(['overhead.hashtable.main', db.size * 36, 'overhead.hashtable.expires', db.volatileSize * 16]),
    ]);
  return new MapReply([
    'peak.allocated',
    sampler.peakMemory,
    'total.allocated',
    used,
    'startup.allocated',
    memory.startupBytes,
    'replication.backlog',
    0,
    'clients.slaves',
    0,
    'clients.normal',
    clientBytes,
    'cluster.links',
    0,
    'aof.buffer',
    0,
    'lua.caches',
    0,
    'functions.caches',
    0,
    ...perDatabase,
    'overhead.total',
    used - dataBytes,
    'keys.count',
    keys,
    'keys.bytes-per-key',
    keys === 0 ? 0 : Math.trunc(dataBytes / keys),
    'dataset.bytes',
    dataBytes,
    'dataset.percentage',
    new DoubleReply(share),
    'peak.percentage',
    new DoubleReply((used / Math.max(sampler.peakMemory, 1)) * 100),
    'allocator.allocated',
    heap.heapUsed,
    'allocator.active',
    heap.heapTotal,
    'allocator.resident',
    heap.rss,
    'allocator-fragmentation.ratio',
    new DoubleReply(heap.heapTotal / heap.heapUsed),
    'allocator-fragmentation.bytes',
    heap.heapTotal - heap.heapUsed,
    'rss-overhead.ratio',
    new DoubleReply(heap.rss / heap.heapTotal),
    'rss-overhead.bytes',
    heap.rss - heap.heapTotal,
    'fragmentation',
    new DoubleReply(heap.rss / Math.max(used, 1)),
    'fragmentation.bytes',
    heap.rss - used,
  ]);
}

function mallocStats(): Reply {
  const heap = process.memoryUsage();
  return new VerbatimString(
    `V8 heap: ${heap.heapUsed} bytes used of ${heap.heapTotal}; buffers: ${heap.arrayBuffers}; resident: ${heap.rss}\n`,
  );
}

function purge(): Reply {
  // The collector of the runtime gives memory back by itself.
  return OK;
}

function doctor(ctx: Session): Reply {
  const { memory } = ctx.server;
  const remarks: string[] = [];
  if (memory.clientBytes > 100 * 1024 * 1024)
    remarks.push('Clients have over 100 MB of requests or replies under way.');
  if (memory.limited && memory.used > memory.limit) remarks.push('The data is over maxmemory.');
  if (remarks.length === 0) remarks.push('Nothing odd about the memory of this server.');
  return new VerbatimString(`${remarks.join('\n')}\n`);
}
