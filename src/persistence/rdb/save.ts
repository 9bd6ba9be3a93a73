/**
 * From values to RDB bytes. `compatible` chooses forms that Redis 7.0 reads wherever it has the type, `exact` those of
 * Redis 8.2 that lose nothing. Either way OBJECT ENCODING of what a Redis 8.2 restores is what a Redis 8.2 would show
 * after its own DUMP and RESTORE, but for a listpack set of integers alone, which `compatible` lets become an intset.
 */
import { isString, textOf, type Value } from '../../keyspace/value.js';
import type { HashValue } from '../../keyspace/values/hash.js';
import type { ListValue } from '../../keyspace/values/list.js';
import type { SetValue } from '../../keyspace/values/set.js';
import type { SortedSet } from '../../keyspace/values/sorted-set.js';
import { formatDouble } from '../../protocol/numbers.js';
import type { Bytes } from '../../protocol/reply.js';
import { PACKED_NODE, PLAIN_NODE, TYPE, VERSION_REDIS_7_0, VERSION_REDIS_8_2 } from './format.js';
import { writeIntset } from './intset.js';
import { writeListpack } from './listpack.js';
import { saveStream } from './save-stream.js';
import { saveSketch } from './sketch.js';
import type { RdbWriter } from './writer.js';

export type SaveForm = 'compatible' | 'exact';

/** Writes type and value. Returns the least version of the format that has these forms. */
export function saveValue(writer: RdbWriter, value: Value, form: SaveForm): number {
  if (isString(value)) {
    writer.byte(TYPE.string);
    writer.string(textOf(value));
    return VERSION_REDIS_7_0;
  }
  switch (value.type) {
    case 'list':
      return saveList(writer, value);
    case 'set':
      return saveSet(writer, value, form);
    case 'zset':
      return saveSortedSet(writer, value);
    case 'hash':
      return saveHash(writer, value, form);
    case 'stream':
      return saveStream(writer, value, form);
    default:
      return saveSketch(writer, value);
  }
}

function saveList(writer: RdbWriter, list: ListValue): number {
  const nodes = list.savedNodes();
  writer.byte(TYPE.listQuicklist2);
  writer.integer(nodes.length);
  for (const node of nodes) {
    writer.integer(node.plain ? PLAIN_NODE : PACKED_NODE);
    writer.blob(node.plain ? Buffer.from(node.items[0]!, 'latin1') : writeListpack(node.items));
  }
  return VERSION_REDIS_7_0;
}

function saveSet(writer: RdbWriter, set: SetValue, form: SaveForm): number {
  const members = set.members();
  if (set.encoding === 'intset') {
    writer.byte(TYPE.setIntset);
    writer.blob(writeIntset(members));
    return VERSION_REDIS_7_0;
  }
  if (set.encoding === 'listpack' && form === 'exact') {
    writer.byte(TYPE.setListpack);
    writer.blob(writeListpack(members));
    return VERSION_REDIS_8_2;
  }
  writer.byte(TYPE.set);
  writer.integer(members.length);
  for (const member of members) writer.string(member);
  return VERSION_REDIS_7_0;
}

function saveSortedSet(writer: RdbWriter, set: SortedSet): number {
  const { members, scores } = set.range(0, set.size - 1);
  if (set.encoding === 'listpack') {
    const entries: Bytes[] = [];
    for (let i = 0; i < members.length; i++) entries.push(members[i]!, formatDouble(scores[i]!));
    writer.byte(TYPE.zsetListpack);
    writer.blob(writeListpack(entries));
    return VERSION_REDIS_7_0;
  }
  writer.byte(TYPE.zset2);
  writer.integer(members.length);
  // From the last on, so that a skiplist is built by inserting at its head.
  for (let i = members.length - 1; i >= 0; i--) {
    writer.string(members[i]!);
    writer.double(scores[i]!);
  }
  return VERSION_REDIS_7_0;
}

function saveHash(writer: RdbWriter, hash: HashValue, form: SaveForm): number {
  const expires = hash.expiringFields > 0;
  if (hash.encoding === 'listpackex' && (expires || form === 'exact')) return saveExpiringListpack(writer, hash);
  if (expires) return saveExpiringFields(writer, hash);
  if (hash.encoding !== 'hashtable') {
    writer.byte(TYPE.hashListpack);
    const entries: Bytes[] = [];
    for (let i = 0; i < hash.size; i++) entries.push(hash.fieldAt(i), hash.valueAt(i));
    writer.blob(writeListpack(entries));
    return VERSION_REDIS_7_0;
  }
  writer.byte(TYPE.hash);
  writer.integer(hash.size);
  for (let i = 0; i < hash.size; i++) {
    writer.string(hash.fieldAt(i));
    writer.string(hash.valueAt(i));
  }
  return VERSION_REDIS_7_0;
}

function saveExpiringListpack(writer: RdbWriter, hash: HashValue): number {
  const entries: Bytes[] = [];
  for (let i = 0; i < hash.size; i++) {
    const name = hash.fieldAt(i);
    entries.push(name, hash.valueAt(i), String(hash.expireAt(name) ?? 0));
  }
  writer.byte(TYPE.hashListpackEx);
  writer.time(hash.nextExpiry() ?? NO_FIELD_EXPIRY);
  writer.blob(writeListpack(entries));
  return VERSION_REDIS_8_2;
}

/** What Redis writes for the earliest expiry of a hash without any: one more than the greatest. */
const NO_FIELD_EXPIRY = 2 ** 48;

function saveExpiringFields(writer: RdbWriter, hash: HashValue): number {
  const earliest = hash.nextExpiry()!;
  writer.byte(TYPE.hashMetadata);
  writer.time(earliest);
  writer.integer(hash.size);
  for (let i = 0; i < hash.size; i++) {
    const name = hash.fieldAt(i);
    const expireAt = hash.expireAt(name);
    writer.integer(expireAt === undefined ? 0 : expireAt - earliest + 1);
    writer.string(name);
    writer.string(hash.valueAt(i));
  }
  return VERSION_REDIS_8_2;
}
