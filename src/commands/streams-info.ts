/** XINFO: what a stream, its groups and their consumers are like. Fields and their order are those of Redis 8.2. */

import { Stream } from '../keyspace/values/stream.js';
import type { PendingEntry, StreamConsumer, StreamGroup } from '../keyspace/values/stream-group.js';
import { MAX_STREAM_ID, MIN_STREAM_ID } from '../keyspace/values/stream-id.js';
import type { StreamIdMap } from '../keyspace/values/stream-id-map.js';
import type { StreamEntry } from '../keyspace/values/stream-node.js';
import { NO_SUCH_KEY, wrongSubcommand } from '../protocol/errors.js';
import { type Bytes, MapReply, type Reply } from '../protocol/reply.js';
import type { Session } from '../server/session.js';
import { integerArg, isWord, readValue } from './args.js';
import { type CommandRow, key } from './definition.js';
import { helpHandler } from './help.js';
import { entryReply, noSuchGroupOfKey } from './stream-args.js';

export const streamInfoCommands: readonly CommandRow[] = [
  {
    name: 'xinfo',
    arity: -2,
    flags: [],
    group: 'stream',
    acl: [],
    since: '5.0.0',
    complexity: '',
    summary: 'Tells of streams, their groups and consumers.',
    syntax: '',
    subcommands: [
      {
        name: 'stream',
        arity: -3,
        flags: ['readonly'],
        group: 'stream',
        keys: [key('RO access', 2)],
        since: '5.0.0',
        complexity: 'O(1)',
        summary: 'Tells of a stream; with FULL, of its entries and groups too.',
        syntax: 'key [full-block:(FULL [COUNT count:integer])]',
        handler: stream,
      },
      {
        name: 'groups',
        arity: 3,
        flags: ['readonly'],
        group: 'stream',
        keys: [key('RO access', 2)],
        since: '5.0.0',
        complexity: 'O(1)',
        summary: 'Lists the consumer groups of a stream.',
        syntax: 'key',
        handler: groups,
      },
      {
        name: 'consumers',
        arity: 4,
        flags: ['readonly'],
        group: 'stream',
        keys: [key('RO access', 2)],
        since: '5.0.0',
        complexity: 'O(1)',
        summary: 'Lists the consumers of a group.',
        syntax: 'key group',
        tips: ['nondeterministic_output'],
        handler: consumers,
      },
      {
        name: 'help',
        arity: 2,
        flags: ['loading', 'stale'],
        group: 'stream',
        since: '5.0.0',
        complexity: 'O(1)',
        summary: 'Shows the subcommands.',
        syntax: '',
        handler: helpHandler('XINFO'),
      },
    ],
  },
];

/** How many entries, and pending entries of each group and consumer, FULL shows unless COUNT says otherwise. */
const DEFAULT_FULL_COUNT = 10;

function stream(ctx: Session, args: Bytes[]): Reply {
  const found = infoStream(ctx, args);
  if (args.length === 3) return summary(found);
  const isFull = isWord(args[3]!, 'FULL');
  if (!isFull || (args.length !== 4 && (args.length !== 6 || !isWord(args[4]!, 'COUNT')))) {
    throw wrongSubcommand('XINFO', args[1]!);
  }
  const count = args.length === 6 ? integerArg(args[5]!) : DEFAULT_FULL_COUNT;
  return fullReport(found, count === 0 ? Infinity : count < 0 ? DEFAULT_FULL_COUNT : count);
}

function summary(found: Stream): Reply {
  return new MapReply([
    ...countersOf(found),
    'groups',
    found.groupCount,
    'first-entry',
    entryOrNull(found.firstEntry()),
    'last-entry',
    entryOrNull(found.lastEntry()),
  ]);
}

function countersOf(found: Stream): Reply[] {
  return [
    'length',
    found.length,
    'radix-tree-keys',
    found.nodes().length,
    'radix-tree-nodes',
    found.radixTreeNodes(),
    'last-generated-id',
    found.lastId.toString(),
    'max-deleted-entry-id',
    found.maxDeletedId.toString(),
    'entries-added',
    found.entriesAdded,
    'recorded-first-entry-id',
    found.firstId.toString(),
  ];
}

function entryOrNull(entry: StreamEntry | undefined): Reply {
  return entry === undefined ? null : entryReply(entry);
}

function fullReport(found: Stream, count: number): Reply {
  return new MapReply([
    ...countersOf(found),
    'entries',
    found.range(MIN_STREAM_ID, MAX_STREAM_ID, count).map(entryReply),
    'groups',
    found.groups().map((group) => fullGroup(found, group, count)),
  ]);
}

function fullGroup(found: Stream, group: StreamGroup, count: number): Reply {
  return new MapReply([
    'name',
    group.name,
    'last-delivered-id',
    group.lastDeliveredId.toString(),
    'entries-read',
    group.entriesRead,
    'lag',
    found.lag(group),
    'pel-count',
    group.pending.size,
    'pending',
    firstPending(group.pending, count, ({ id, consumer, deliveryTime, deliveryCount }) => [
      id.toString(),
      consumer.name,
      deliveryTime,
      deliveryCount,
    ]),
    'consumers',
    group.consumers().map((consumer) => fullConsumer(consumer, count)),
  ]);
}

function fullConsumer({ name, seenTime, activeTime, pending }: StreamConsumer, count: number): Reply {
  return new MapReply([
    'name',
    name,
    'seen-time',
    seenTime,
    'active-time',
    activeTime,
    'pel-count',
    pending.size,
    'pending',
    firstPending(pending, count, ({ id, deliveryTime, deliveryCount }) => [id.toString(), deliveryTime, deliveryCount]),
  ]);
}

function firstPending(
  pending: StreamIdMap<PendingEntry>,
  count: number,
  replyOf: (entry: PendingEntry) => Reply,
): Reply[] {
  const shown: Reply[] = [];
  pending.visit(MIN_STREAM_ID, MAX_STREAM_ID, (entry) => {
    shown.push(replyOf(entry));
    return shown.length < count;
  });
  return shown;
}

function groups(ctx: Session, args: Bytes[]): Reply {
  const found = infoStream(ctx, args);
  return found
    .groups()
    .map(
      (group) =>
        new MapReply([
          'name',
          group.name,
          'consumers',
          group.consumerCount,
          'pending',
          group.pending.size,
          'last-delivered-id',
          group.lastDeliveredId.toString(),
          'entries-read',
          group.entriesRead,
          'lag',
          found.lag(group),
        ]),
    );
}

function consumers(ctx: Session, args: Bytes[]): Reply {
  const group = infoStream(ctx, args).group(args[3]!);
  if (group === undefined) throw noSuchGroupOfKey(args[2]!, args[3]!);
  return group
    .consumers()
    .map(
      ({ name, pending, seenTime, activeTime }) =>
        new MapReply([
          'name',
          name,
          'pending',
          pending.size,
          'idle',
          Math.max(ctx.now - seenTime, 0),
          'inactive',
          activeTime === -1 ? -1 : Math.max(ctx.now - activeTime, 0),
        ]),
    );
}

function infoStream(ctx: Session, args: Bytes[]): Stream {
  const found = readValue(ctx, args[2]!, Stream);
  if (found === undefined) throw NO_SUCH_KEY;
  return found;
}
