/** Streams from RDB bytes, in the three forms that Redis has had. */
import { Stream } from '../../keyspace/values/stream.js';
import type { StreamGroup } from '../../keyspace/values/stream-group.js';
import { addInt64, compareStreamIds, MIN_STREAM_ID, StreamId } from '../../keyspace/values/stream-id.js';
import { StreamEntry, StreamNode } from '../../keyspace/values/stream-node.js';
import { normaliseInteger, UINT64_MAX } from '../../protocol/numbers.js';
import type { Bytes, Int64 } from '../../protocol/reply.js';
import { RdbError, TYPE } from './format.js';
import { listpackInteger, readListpack } from './listpack.js';
import type { RdbReader } from './reader.js';

/** Bits of an entry's flags in its node. */
export const ENTRY_DELETED = 1;
export const ENTRY_SAME_FIELDS = 2;

export function loadStream(type: number, reader: RdbReader): Stream {
  const stream = new Stream();
  const nodes = reader.count();
  let last = MIN_STREAM_ID;
  let live = 0;
  for (let i = 0; i < nodes; i++) {
    const node = loadNode(reader);
    if (i > 0 && compareStreamIds(node.masterId, last) <= 0) throw new RdbError('stream nodes out of order');
    stream.appendNode(node);
    live += node.live;
    last = node.lastId;
  }
  loadCounters(stream, type, reader);
  if (stream.length !== live) throw new RdbError('wrong number of stream entries');
  const groups = reader.count();
  for (let i = 0; i < groups; i++) loadGroup(stream, type, reader);
  return stream;
}

function loadCounters(stream: Stream, type: number, reader: RdbReader): void {
  const length = reader.integer();
  stream.length = Number(length);
  stream.lastId = loadId(reader);
  if (type === TYPE.streamListpacks) {
    stream.firstId = firstLiveId(stream);
    stream.entriesAdded = length;
    return;
  }
  stream.firstId = loadId(reader);
  stream.maxDeletedId = loadId(reader);
  stream.entriesAdded = reader.integer();
  if (stream.firstId !== MIN_STREAM_ID && compareStreamIds(stream.firstId, firstLiveId(stream)) !== 0) {
    throw new RdbError('wrong first stream entry');
  }
}

function firstLiveId(stream: Stream): StreamId {
  for (const node of stream.nodes()) {
    for (let place = 0; place < node.places; place++) {
      const entry = node.at(place);
      if (entry !== undefined) return entry.id;
    }
  }
  return MIN_STREAM_ID;
}

function loadId(reader: RdbReader): StreamId {
  return new StreamId(reader.integer(), reader.integer());
}

/** An ID in its sixteen bytes, which sort as the ID does. */
function idOfBytes(bytes: Buffer): StreamId {
  if (bytes.length !== 16) throw new RdbError('stream ID expected');
  return new StreamId(normaliseInteger(bytes.readBigUInt64BE()), normaliseInteger(bytes.readBigUInt64BE(8)));
}

// Nodes

/** The entries of a node, told one after the other from its listpack. */
class NodeEntries {
  private position = 0;

  constructor(private readonly entries: Bytes[]) {}

  get atEnd(): boolean {
    return this.position === this.entries.length;
  }

  text(): Bytes {
    const entry = this.entries[this.position++];
    if (entry === undefined) throw new RdbError('stream node too short');
    return entry;
  }

  integer(): Int64 {
    return listpackInteger(this.text());
  }

  count(): number {
    const count = this.integer();
    if (count < 0 || count > this.entries.length) throw new RdbError('stream node count');
    return Number(count);
  }
}

function loadNode(reader: RdbReader): StreamNode {
  const masterId = idOfBytes(reader.blob());
  const entries = new NodeEntries(readListpack(reader.blob()));
  const live = entries.count();
  const deleted = entries.count();
  const names: Bytes[] = [];
  for (let count = entries.count(); count > 0; count--) names.push(entries.text());
  if (entries.integer() !== 0) throw new RdbError('stream node without its mark');
  const node = new StreamNode(masterId, names);
  while (!entries.atEnd) loadEntry(node, entries);
  if (node.places === 0 || node.live !== live || node.places !== live + deleted)
    throw new RdbError('stream node count');
  return node;
}

function loadEntry(node: StreamNode, entries: NodeEntries): void {
  const flags = Number(entries.integer());
  const id = new StreamId(
    addUint64(node.masterId.ms, entries.integer()),
    addUint64(node.masterId.seq, entries.integer()),
  );
  if (node.places > 0 && compareStreamIds(id, node.lastId) <= 0) throw new RdbError('stream entries out of order');
  const fields: Bytes[] = [];
  if (flags & ENTRY_SAME_FIELDS) for (const name of node.masterFields) fields.push(name, entries.text());
  else for (let count = entries.count(); count > 0; count--) fields.push(entries.text(), entries.text());
  // The number of parts is there to walk backwards.
  entries.integer();
  node.append(new StreamEntry(id, fields));
  if (flags & ENTRY_DELETED) node.deleteAt(node.places - 1);
}

/** Distances are written as signed integers of 64 bits. */
function addUint64(start: Int64, distance: Int64): Int64 {
  const sum = addInt64(start, distance);
  return sum >= 0 && sum <= UINT64_MAX ? sum : normaliseInteger(BigInt.asUintN(64, BigInt(sum)));
}

// Groups

interface Pending {
  readonly id: StreamId;
  readonly deliveryTime: number;
  readonly deliveryCount: Int64;
}

function loadGroup(stream: Stream, type: number, reader: RdbReader): void {
  const name = reader.string();
  const lastDeliveredId = loadId(reader);
  const entriesRead = type === TYPE.streamListpacks ? stream.entriesReadAt(lastDeliveredId) : loadEntriesRead(reader);
  const group = stream.createGroup(name, lastDeliveredId, entriesRead);
  if (group === null) throw new RdbError('stream group twice');
  group.entriesRead = entriesRead;
  const pending = new Map<string, Pending>();
  for (let count = reader.count(); count > 0; count--) {
    const id = idOfBytes(reader.raw(16));
    pending.set(String(id), { id, deliveryTime: Number(reader.time()), deliveryCount: reader.integer() });
  }
  for (let count = reader.count(); count > 0; count--) loadConsumer(group, type, reader, pending);
  if (pending.size > 0) throw new RdbError('pending stream entry without consumer');
}

/** All bits set: not known. */
function loadEntriesRead(reader: RdbReader): Int64 | null {
  const read = reader.integer();
  return read === UINT64_MAX ? null : read;
}

/** What is pending for the consumer is taken off `pending`. */
function loadConsumer(group: StreamGroup, type: number, reader: RdbReader, pending: Map<string, Pending>): void {
  const consumer = group.createConsumer(reader.string(), Number(reader.time()));
  if (consumer === null) throw new RdbError('stream consumer twice');
  consumer.activeTime = type === TYPE.streamListpacks3 ? Number(reader.time()) : consumer.seenTime;
  for (let count = reader.count(); count > 0; count--) {
    const key = String(idOfBytes(reader.raw(16)));
    const entry = pending.get(key);
    if (entry === undefined) throw new RdbError('consumer with an entry that is not pending');
    pending.delete(key);
    group.deliver(entry.id, consumer, entry.deliveryTime, entry.deliveryCount);
  }
}
