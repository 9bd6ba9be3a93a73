/** What a value holds, as plain data that tests can compare. */
import { isString, textOf, type Value } from '../../src/keyspace/value.js';
import type { Stream } from '../../src/keyspace/values/stream.js';
import type { StreamGroup } from '../../src/keyspace/values/stream-group.js';

/** Type, encoding and content; members of sets and fields of hashes are sorted, as their order may be of no meaning. */
export function contentOf(value: Value): unknown {
  if (isString(value)) return ['string', textOf(value)];
  switch (value.type) {
    case 'list':
      return [value.encoding, value.range(0, value.size - 1)];
    case 'set':
      return [value.encoding, value.members().sort()];
    case 'zset':
      return [value.encoding, value.range(0, value.size - 1)];
    case 'hash': {
      const fields: [string, string, number | undefined][] = [];
      for (let i = 0; i < value.size; i++) {
        const field = value.fieldAt(i);
        fields.push([field, value.valueAt(i), value.expireAt(field)]);
      }
      return [value.encoding, fields.sort((a, b) => (a[0] < b[0] ? -1 : 1))];
    }
    case 'stream':
      return streamContent(value);
    default:
      return value.save().toString('hex');
  }
}

function streamContent(stream: Stream): unknown {
  const nodes = stream.nodes().map((node) => {
    const places: [string, readonly string[] | undefined][] = [];
    for (let i = 0; i < node.places; i++) places.push([String(node.idAt(i)), node.at(i)?.fields]);
    return places;
  });
  const { length, lastId, firstId, maxDeletedId, entriesAdded } = stream;
  const ids = [lastId, firstId, maxDeletedId].map(String);
  return [nodes, length, ids, entriesAdded, stream.groups().map(groupContent)];
}

function groupContent(group: StreamGroup): unknown {
  const consumers = group.consumers().map((consumer) => ({
    name: consumer.name,
    seenTime: consumer.seenTime,
    activeTime: consumer.activeTime,
    pending: consumer.pending.values().map((entry) => String(entry.id)),
  }));
  const pending = group.pending
    .values()
    .map((entry) => [String(entry.id), entry.consumer.name, entry.deliveryTime, entry.deliveryCount]);
  return [group.name, String(group.lastDeliveredId), group.entriesRead, pending, consumers];
}
