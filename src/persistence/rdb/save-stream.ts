/** Streams as RDB bytes. */
import type { Stream } from '../../keyspace/values/stream.js';
import type { StreamGroup } from '../../keyspace/values/stream-group.js';
import { type StreamId, subtractInt64 } from '../../keyspace/values/stream-id.js';
import type { StreamNode } from '../../keyspace/values/stream-node.js';
import { UINT64_MAX } from '../../protocol/numbers.js';
import type { Bytes } from '../../protocol/reply.js';
import { TYPE, VERSION_REDIS_7_0, VERSION_REDIS_8_2 } from './format.js';
import { writeListpack } from './listpack.js';
import { ENTRY_DELETED, ENTRY_SAME_FIELDS } from './load-stream.js';
import type { RdbWriter } from './writer.js';

/** Redis 7.0 does not have the times at which consumers last got an entry: `compatible` leaves them out. */
export function saveStream(writer: RdbWriter, stream: Stream, form: 'compatible' | 'exact'): number {
  const exact = form === 'exact';
  writer.byte(exact ? TYPE.streamListpacks3 : TYPE.streamListpacks2);
  const nodes = stream.nodes();
  writer.integer(nodes.length);
  for (const node of nodes) {
    writer.blob(bytesOfId(node.masterId));
    writer.blob(writeListpack(nodeEntries(node)));
  }
  writer.integer(stream.length);
  saveId(writer, stream.lastId);
  saveId(writer, stream.firstId);
  saveId(writer, stream.maxDeletedId);
  writer.integer(stream.entriesAdded);
  writer.integer(stream.groupCount);
  for (const group of stream.groups()) saveGroup(writer, group, exact);
  return exact ? VERSION_REDIS_8_2 : VERSION_REDIS_7_0;
}

function saveId(writer: RdbWriter, id: StreamId): void {
  writer.integer(id.ms);
  writer.integer(id.seq);
}

function bytesOfId(id: StreamId): Buffer {
  const bytes = Buffer.allocUnsafe(16);
  bytes.writeBigUInt64BE(BigInt(id.ms), 0);
  bytes.writeBigUInt64BE(BigInt(id.seq), 8);
  return bytes;
}

/** The counts and the first entry's field names, then the entries. */
function nodeEntries(node: StreamNode): Bytes[] {
  const { masterFields, live, places } = node;
  const entries: Bytes[] = [String(live), String(places - live), String(masterFields.length), ...masterFields, '0'];
  for (let place = 0; place < places; place++) pushEntry(entries, node, place);
  return entries;
}

/** Flags, distance of the ID from the first one, names unless they are the first entry's, values, number of parts. */
function pushEntry(entries: Bytes[], node: StreamNode, place: number): void {
  const { masterId, masterFields } = node;
  const id = node.idAt(place);
  const fields = node.at(place)?.fields ?? [];
  const deleted = node.at(place) === undefined;
  const sameFields = !deleted && hasFields(fields, masterFields);
  const flags = (deleted ? ENTRY_DELETED : 0) | (sameFields ? ENTRY_SAME_FIELDS : 0);
  const start = entries.length;
  entries.push(String(flags));
  entries.push(signed(subtractInt64(id.ms, masterId.ms)), signed(subtractInt64(id.seq, masterId.seq)));
  if (!sameFields) entries.push(String(fields.length / 2));
  for (let i = 0; i < fields.length; i += 2) {
    if (!sameFields) entries.push(fields[i]!);
    entries.push(fields[i + 1]!);
  }
  entries.push(String(entries.length - start));
}

/** Distances are signed integers of 64 bits and wrap around. */
function signed(distance: number | bigint): Bytes {
  return String(typeof distance === 'number' ? distance : BigInt.asIntN(64, distance));
}

function hasFields(fields: readonly Bytes[], names: readonly Bytes[]): boolean {
  return fields.length === names.length * 2 && names.every((name, i) => fields[i * 2] === name);
}

function saveGroup(writer: RdbWriter, group: StreamGroup, exact: boolean): void {
  writer.string(group.name);
  saveId(writer, group.lastDeliveredId);
  writer.integer(group.entriesRead ?? UINT64_MAX);
  writer.integer(group.pending.size);
  for (const entry of group.pending.values()) {
    writer.raw(bytesOfId(entry.id));
    writer.time(entry.deliveryTime);
    writer.integer(entry.deliveryCount);
  }
  writer.integer(group.consumerCount);
  for (const consumer of group.consumers()) {
    writer.string(consumer.name);
    writer.time(consumer.seenTime);
    if (exact) writer.time(consumer.activeTime);
    writer.integer(consumer.pending.size);
    for (const entry of consumer.pending.values()) writer.raw(bytesOfId(entry.id));
  }
}
