/** What the stream commands share: reading of IDs and ranges, lookup of groups and consumers, entries as replies. */

import { NOTIFY } from '../keyspace/notifications.js';
import { Stream, type StreamReferences } from '../keyspace/values/stream.js';
import type { StreamConsumer, StreamGroup } from '../keyspace/values/stream-group.js';
import {
  nextStreamId,
  parseStreamId,
  parseStreamLowerBound,
  parseStreamUpperBound,
  previousStreamId,
  type StreamId,
} from '../keyspace/values/stream-id.js';
import type { StreamEntry } from '../keyspace/values/stream-node.js';
import { SYNTAX, untilNul } from '../protocol/errors.js';
import { parseInteger } from '../protocol/numbers.js';
import { type Bytes, ErrorReply, type Reply } from '../protocol/reply.js';
import type { Session } from '../server/session.js';
import { integerArg, OptionReader, readValue } from './args.js';

export const INVALID_ID = new ErrorReply('ERR Invalid stream ID specified as stream command argument');
const INVALID_START = new ErrorReply('ERR invalid start ID for the interval');
const INVALID_END = new ErrorReply('ERR invalid end ID for the interval');

/** `ms` or `ms-seq`. */
export function idArg(text: Bytes): StreamId {
  const id = parseStreamId(text);
  if (id === null) throw INVALID_ID;
  return id;
}

/** The IDs from argument `from` up to `end`. */
export function idArgs(args: Bytes[], from: number, end = args.length): StreamId[] {
  const ids: StreamId[] = [];
  for (let i = from; i < end; i++) ids.push(idArg(args[i]!));
  return ids;
}

/** The first ID of a range whose lower end is written so. */
export function rangeStartArg(text: Bytes): StreamId {
  const bound = parseStreamLowerBound(text);
  if (bound === null) throw INVALID_ID;
  const id = bound.exclusive ? nextStreamId(bound.id) : bound.id;
  if (id === null) throw INVALID_START;
  return id;
}

/** The last ID of a range whose upper end is written so. */
export function rangeEndArg(text: Bytes): StreamId {
  const bound = parseStreamUpperBound(text);
  if (bound === null) throw INVALID_ID;
  const id = bound.exclusive ? previousStreamId(bound.id) : bound.id;
  if (id === null) throw INVALID_END;
  return id;
}

/** A COUNT; what is below 0 counts as 0. */
export function countArg(text: Bytes): number {
  return Math.max(integerArg(text), 0);
}

/** What becomes of the groups' references, if the word says so. */
export function referencesOf(word: string): StreamReferences | undefined {
  switch (word) {
    case 'KEEPREF':
      return 'keepref';
    case 'DELREF':
      return 'delref';
    case 'ACKED':
      return 'acked';
    default:
      return undefined;
  }
}

const BAD_ID_COUNT = new ErrorReply('ERR Number of IDs must be a positive integer');
const ID_COUNT_MISMATCH = new ErrorReply('ERR The `numids` parameter must match the number of arguments');

/** `[KEEPREF | DELREF | ACKED] IDS numids id …` of XDELEX and XACKDEL, in any order. */
export interface IdsToDelete {
  readonly references: StreamReferences;
  /** Not looked at yet: without a stream or group they may be anything. */
  readonly ids: Bytes[];
}

export function idsToDelete(args: Bytes[], from: number): IdsToDelete {
  const options = new OptionReader(args, from);
  let references: StreamReferences | undefined;
  let ids: Bytes[] = [];
  while (options.more) {
    const word = options.keyword();
    const found = referencesOf(word);
    if (found !== undefined && references === undefined) references = found;
    else if (word === 'IDS' && options.more) ids = numberedIds(options);
    else throw SYNTAX;
  }
  if (ids.length === 0) throw SYNTAX;
  return { references: references ?? 'keepref', ids };
}

function numberedIds(options: OptionReader): Bytes[] {
  const count = parseInteger(options.next()) ?? 0;
  if (count <= 0) throw BAD_ID_COUNT;
  if (count > options.left) throw ID_COUNT_MISMATCH;
  const ids: Bytes[] = [];
  for (let i = 0; i < Number(count); i++) ids.push(options.next());
  return ids;
}

/** An entry as all commands show it: its ID, then fields and values in turns. */
export function entryReply(entry: StreamEntry): Reply {
  return [entry.id.toString(), entry.fields as Bytes[]];
}

/** The stream and its group for XPENDING, XCLAIM and XAUTOCLAIM, which cannot do without. Throws WRONGTYPE or NOGROUP. */
export function readGroup(ctx: Session, key: Bytes, name: Bytes): { stream: Stream; group: StreamGroup } {
  const stream = readValue(ctx, key, Stream);
  const group = stream?.group(name);
  if (stream === undefined || group === undefined) throw noSuchGroup(key, name);
  return { stream, group };
}

export function noSuchGroup(key: Bytes, group: Bytes, context = ''): ErrorReply {
  return new ErrorReply(`NOGROUP No such key '${untilNul(key)}' or consumer group '${untilNul(group)}'${context}`);
}

/** The error of the commands that have found the key. */
export function noSuchGroupOfKey(key: Bytes, group: Bytes): ErrorReply {
  return new ErrorReply(`NOGROUP No such consumer group '${untilNul(group)}' for key name '${untilNul(key)}'`);
}

/** The consumer who asks, seen now; made when it is new. */
export function askingConsumer(ctx: Session, key: Bytes, group: StreamGroup, name: Bytes): StreamConsumer {
  const consumer = group.consumer(name) ?? newConsumer(ctx, key, group, name)!;
  consumer.seenTime = ctx.now;
  return consumer;
}

/** Adds a consumer, with the event; null when the name is taken. */
export function newConsumer(ctx: Session, key: Bytes, group: StreamGroup, name: Bytes): StreamConsumer | null {
  const consumer = group.createConsumer(name, ctx.now);
  if (consumer !== null) changedQuietly(ctx, key, 'xgroup-createconsumer');
  return consumer;
}

/** A change that is none to the entries: WATCH and client tracking hear nothing of it (Redis 8.2). */
export function changedQuietly(ctx: Session, key: Bytes, event: string): void {
  ctx.server.changes++;
  ctx.db.notify(NOTIFY.stream, event, key);
}
