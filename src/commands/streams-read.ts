/** XREAD and XREADGROUP: reading of several streams from an ID on, and waiting for what comes. Rules of Redis 8.2. */

import { Stream } from '../keyspace/values/stream.js';
import { deliverNew, redeliver } from '../keyspace/values/stream-delivery.js';
import type { StreamGroup } from '../keyspace/values/stream-group.js';
import {
  compareStreamIds,
  MAX_STREAM_ID,
  MIN_STREAM_ID,
  nextStreamId,
  previousStreamId,
  type StreamId,
} from '../keyspace/values/stream-id.js';
import type { StreamEntry } from '../keyspace/values/stream-node.js';
import { SYNTAX } from '../protocol/errors.js';
import { type Bytes, ErrorReply, MapReply, NULL_ARRAY, type Reply } from '../protocol/reply.js';
import type { Session } from '../server/session.js';
import { deadlineOf, OptionReader, readValue, timeoutMsArg } from './args.js';
import { BlockRequest } from './block-request.js';
import { type CommandRow, keywordKeys } from './definition.js';
import { askingConsumer, countArg, entryReply, idArg, noSuchGroup } from './stream-args.js';

export const streamReadCommands: readonly CommandRow[] = [
  {
    name: 'xread',
    arity: -4,
    flags: ['readonly', 'blocking', 'movablekeys'],
    group: 'stream',
    keys: [keywordKeys('RO access', 'STREAMS', 1, -1, 2)],
    since: '5.0.0',
    complexity: '',
    summary: 'Reads the entries after an ID of each stream, and may wait for one.',
    syntax: '[COUNT count:integer] [BLOCK milliseconds:integer] STREAMS streams:(key... id...)',
    handler: xread,
  },
  {
    name: 'xreadgroup',
    arity: -7,
    flags: ['write', 'blocking', 'movablekeys'],
    group: 'stream',
    keys: [keywordKeys('RO access', 'STREAMS', 4, -1, 2)],
    since: '5.0.0',
    complexity: '',
    summary: 'Reads entries for a consumer of a group: new ones, or those that it has not acknowledged; may wait.',
    syntax:
      'GROUP group-block:(group consumer) [COUNT count:integer] [BLOCK milliseconds:integer] [NOACK] STREAMS streams:(key... id...)',
    handler: xreadgroup,
  },
];

function xread(ctx: Session, args: Bytes[]): Reply | BlockRequest {
  const request = readRequest(ctx, args, 'xread');
  const after = request.keys.map((key, i) => idToReadAfter(ctx, args, request.firstId + i, key));
  const found: Reply[] = [];
  request.keys.forEach((key, i) => {
    const stream = readValue(ctx, key, Stream);
    const entries = stream === undefined ? [] : entriesAfter(stream, after[i]!, request.count);
    if (entries.length > 0) found.push(key, entries.map(entryReply));
  });
  if (found.length > 0) return streamsReply(ctx, found);
  if (request.timeout === undefined) return NULL_ARRAY;
  // `$` and `+` mean what they meant when the wait began.
  after.forEach((id, i) => {
    args[request.firstId + i] = id.toString();
  });
  return waitFor(ctx, request, request.timeout);
}

function xreadgroup(ctx: Session, args: Bytes[]): Reply | BlockRequest {
  const request = readRequest(ctx, args, 'xreadgroup');
  const { reader } = request;
  if (reader === undefined) throw NO_GROUP_OPTION;
  const sources = request.keys.map((key, i) => groupSource(ctx, key, reader.group, args[request.firstId + i]!));
  const found: Reply[] = [];
  request.keys.forEach((key, i) => {
    const stream = readValue(ctx, key, Stream)!;
    const entries = readForConsumer(ctx, key, stream, sources[i]!, reader.consumer, request);
    if (entries !== undefined) found.push(key, entries);
  });
  if (found.length > 0) return streamsReply(ctx, found);
  return request.timeout === undefined ? NULL_ARRAY : waitFor(ctx, request, request.timeout);
}

type ReadCommand = 'xread' | 'xreadgroup';

interface ReadRequest {
  readonly keys: Bytes[];
  /** Where the ID of the first key stands among the arguments. */
  readonly firstId: number;
  /** Undefined: all. */
  readonly count: number | undefined;
  /** BLOCK, in ms; 0: for ever. */
  readonly timeout: number | undefined;
  readonly reader: { readonly group: Bytes; readonly consumer: Bytes } | undefined;
  readonly noAck: boolean;
}

const NO_GROUP_OPTION = new ErrorReply('ERR Missing GROUP option for XREADGROUP');

function readRequest(ctx: Session, args: Bytes[], command: ReadCommand): ReadRequest {
  let count: number | undefined;
  let timeout: number | undefined;
  let reader: ReadRequest['reader'];
  let noAck = false;
  const options = new OptionReader(args, 1);
  while (options.more) {
    const word = options.keyword();
    if (word === 'BLOCK') timeout = timeoutMsArg(ctx, options.next());
    else if (word === 'COUNT') count = countArg(options.next());
    else if (word === 'GROUP' && options.left >= 2) {
      if (command === 'xread') throw onlyOfGroups(word);
      reader = { group: options.next(), consumer: options.next() };
    } else if (word === 'NOACK') {
      if (command === 'xread') throw onlyOfGroups(word);
      noAck = true;
    } else if (word === 'STREAMS' && options.more) {
      const { left } = options;
      if (left % 2 !== 0) throw unbalanced(command);
      const keys = options.rest().slice(0, left / 2);
      return { keys, firstId: args.length - left / 2, count: count === 0 ? undefined : count, timeout, reader, noAck };
    } else throw SYNTAX;
  }
  throw SYNTAX;
}

function onlyOfGroups(option: string): ErrorReply {
  return new ErrorReply(`ERR The ${option} option is only supported by XREADGROUP. You called XREAD instead.`);
}

function unbalanced(command: ReadCommand): ErrorReply {
  const ids = command === 'xread' ? "an ID, '+', or '$'" : "an ID or '>'";
  return new ErrorReply(`ERR Unbalanced '${command}' list of streams: for each stream key ${ids} must be specified.`);
}

const NEW_WITHOUT_GROUP = new ErrorReply(
  'ERR The > ID can be specified only when calling XREADGROUP using the GROUP <group> <consumer> option.',
);

/** The ID after which XREAD reads: `$` stands for the last one ever, `+` for the one before the last entry. */
function idToReadAfter(ctx: Session, args: Bytes[], at: number, key: Bytes): StreamId {
  const stream = readValue(ctx, key, Stream);
  const text = args[at]!;
  if (text === '>') throw NEW_WITHOUT_GROUP;
  if (text !== '$' && text !== '+') return idArg(text);
  if (stream === undefined) return MIN_STREAM_ID;
  const last = text === '+' ? stream.lastEntry() : undefined;
  return last === undefined ? stream.lastId : previousStreamId(last.id)!;
}

function entriesAfter(stream: Stream, id: StreamId, count: number | undefined): StreamEntry[] {
  const start = nextStreamId(id);
  return start === null ? [] : stream.range(start, MAX_STREAM_ID, count);
}

/** What a consumer reads of one stream. */
interface GroupSource {
  readonly group: StreamGroup;
  /** The consumer's own pending entries after this ID; undefined: entries that are new to the group. */
  readonly pendingAfter: StreamId | undefined;
}

function groupSource(ctx: Session, key: Bytes, groupName: Bytes, text: Bytes): GroupSource {
  const group = readValue(ctx, key, Stream)?.group(groupName);
  if (group === undefined) throw noSuchGroup(key, groupName, ' in XREADGROUP with GROUP option');
  if (text === '$' || text === '+') throw meaningless(text);
  if (text === '>') return { group, pendingAfter: undefined };
  const id = idArg(text);
  // Redis keeps `>` as the greatest ID, so that one means the same.
  return { group, pendingAfter: compareStreamIds(id, MAX_STREAM_ID) === 0 ? undefined : id };
}

function meaningless(id: string): ErrorReply {
  return new ErrorReply(
    `ERR The ${id} ID is meaningless in the context of XREADGROUP: you want to read the history of this consumer by specifying a proper ID, or use the > ID to get new messages. The ${id} ID would just return an empty result set.`,
  );
}

/** The entries of one stream, undefined when it has nothing new. The consumer counts as seen in any case. */
function readForConsumer(
  ctx: Session,
  key: Bytes,
  stream: Stream,
  { group, pendingAfter }: GroupSource,
  name: Bytes,
  { count, noAck }: ReadRequest,
): Reply | undefined {
  const consumer = askingConsumer(ctx, key, group, name);
  const { now } = ctx;
  if (pendingAfter !== undefined) {
    return redeliver(stream, consumer, pendingAfter, { count, now }).map(({ id, entry }) =>
      entry === undefined ? [id.toString(), NULL_ARRAY] : entryReply(entry),
    );
  }
  const entries = deliverNew(stream, group, consumer, { count, noAck, now });
  if (entries.length === 0) return undefined;
  ctx.server.changes++;
  return entries.map(entryReply);
}

/** Keys and their entries in turns: a map in RESP3, pairs in RESP2. */
function streamsReply(ctx: Session, found: Reply[]): Reply {
  if (ctx.resp === 3) return new MapReply(found);
  const pairs: Reply[] = [];
  for (let i = 0; i < found.length; i += 2) pairs.push([found[i]!, found[i + 1]!]);
  return pairs;
}

/** A consumer is also told when the key or the group goes: it gets the error for that. */
function waitFor(ctx: Session, request: ReadRequest, timeout: number): BlockRequest {
  return new BlockRequest('stream', request.keys, deadlineOf(ctx, timeout), NULL_ARRAY, request.reader !== undefined);
}
