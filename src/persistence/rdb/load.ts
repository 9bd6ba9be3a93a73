/**
 * From RDB bytes to values: every form that Redis up to 8.2 and Valkey 9 write. The encoding that a value gets is the
 * one that Redis 8.2 gives it when it loads the same bytes.
 */
import type { StringValue, Value } from '../../keyspace/value.js';
import type { EncodingLimits } from '../../keyspace/values/encoding-limits.js';
import { HashValue } from '../../keyspace/values/hash.js';
import { ListValue } from '../../keyspace/values/list.js';
import { ListNode } from '../../keyspace/values/list-node.js';
import { SetValue } from '../../keyspace/values/set.js';
import { SortedSet } from '../../keyspace/values/sorted-set.js';
import { parseDouble } from '../../protocol/numbers.js';
import type { Bytes, Int64 } from '../../protocol/reply.js';
import { PACKED_NODE, PLAIN_NODE, RdbError, TYPE, VERSION_VALKEY_9 } from './format.js';
import { readIntset } from './intset.js';
import { readZiplist, readZipmap } from './legacy.js';
import { listpackInteger, readListpack } from './listpack.js';
import { loadStream } from './load-stream.js';
import type { RdbReader } from './reader.js';
import { loadSketch } from './sketch.js';

/**
 * Reads a value of the given type; `version` is that of the payload or file.
 * @throws RdbError when the bytes are no such value, or an empty collection
 */
export function loadValue(type: number, reader: RdbReader, version: number, limits: EncodingLimits): Value {
  switch (type) {
    case TYPE.string:
      return loadString(reader);
    case TYPE.list:
      return listOf(strings(reader), limits);
    case TYPE.listZiplist:
      return listOfNodes([new ListNode(readZiplist(reader.blob()))], limits);
    case TYPE.listQuicklist:
      return listOfNodes(many(reader, ziplistNode), limits);
    case TYPE.listQuicklist2:
      return listOfNodes(many(reader, quicklistNode), limits);
    case TYPE.set:
      return setOf(strings(reader), limits);
    case TYPE.setIntset:
      return packedSet(new SetValue(), readIntset(reader.blob()), limits);
    case TYPE.setListpack:
      return packedSet(SetValue.emptyListpack(), readListpack(reader.blob()), limits);
    case TYPE.zset:
      return sortedSetOf(many(reader, textScoredMember), limits);
    case TYPE.zset2:
      return sortedSetOf(many(reader, scoredMember), limits);
    case TYPE.zsetZiplist:
      return packedSortedSet(readZiplist(reader.blob()), limits);
    case TYPE.zsetListpack:
      return packedSortedSet(readListpack(reader.blob()), limits);
    case TYPE.streamListpacks:
    case TYPE.streamListpacks2:
    case TYPE.streamListpacks3:
      return loadStream(type, reader);
    case TYPE.module2:
      return loadSketch(reader);
    default:
      return loadHash(type, reader, version, limits);
  }
}

function loadHash(type: number, reader: RdbReader, version: number, limits: EncodingLimits): HashValue {
  switch (type) {
    case TYPE.hash:
      return hashOf(many(reader, field), limits);
    case TYPE.hashZipmap:
      return hashOf(pairs(readZipmap(reader.blob())), limits);
    case TYPE.hashZiplist:
      return packedHash(pairs(readZiplist(reader.blob())), limits);
    case TYPE.hashListpack:
      return packedHash(pairs(readListpack(reader.blob())), limits);
    case TYPE.hashMetadata:
      return expiringHash(fieldsAfterEarliest(reader), limits);
    case TYPE.hashListpackEx:
      return packedExpiringHash(reader, limits);
    case TYPE.valkeyHash:
      if (version >= VERSION_VALKEY_9) return expiringHash(many(reader, valkeyField), limits);
  }
  throw new RdbError(`unknown type ${type}`);
}

/** Limits under which a compact collection takes whatever it was saved with; only its size is looked at afterwards. */
function asSaved(limits: EncodingLimits): EncodingLimits {
  return {
    ...limits,
    hashMaxListpackEntries: Infinity,
    hashMaxListpackValue: Infinity,
    setMaxIntsetEntries: Infinity,
    setMaxListpackEntries: Infinity,
    setMaxListpackValue: Infinity,
    zsetMaxListpackEntries: Infinity,
    zsetMaxListpackValue: Infinity,
  };
}

function many<T>(reader: RdbReader, read: (reader: RdbReader) => T): T[] {
  const count = reader.count();
  const found: T[] = [];
  for (let i = 0; i < count; i++) found.push(read(reader));
  return found;
}

function strings(reader: RdbReader): Bytes[] {
  return many(reader, loadText);
}

function loadText(reader: RdbReader): Bytes {
  return reader.string();
}

function loadString(reader: RdbReader): StringValue {
  return reader.string();
}

// Lists

function listOf(elements: Bytes[], limits: EncodingLimits): ListValue {
  const list = new ListValue();
  list.pushTail(elements, limits);
  return notEmpty(list);
}

function listOfNodes(nodes: ListNode[], limits: EncodingLimits): ListValue {
  return notEmpty(ListValue.ofNodes(nodes, limits));
}

function ziplistNode(reader: RdbReader): ListNode {
  return new ListNode(readZiplist(reader.blob()));
}

function quicklistNode(reader: RdbReader): ListNode {
  const container = reader.integer();
  if (container === PLAIN_NODE) return new ListNode([reader.string()], true);
  if (container !== PACKED_NODE) throw new RdbError('unknown quicklist node');
  return new ListNode(readListpack(reader.blob()));
}

// Sets

function setOf(members: Bytes[], limits: EncodingLimits): SetValue {
  const set = new SetValue();
  set.expectMembers(members.length, limits);
  addAll(set, members, limits);
  return notEmpty(set);
}

function packedSet(set: SetValue, members: Bytes[], limits: EncodingLimits): SetValue {
  addAll(set, members, asSaved(limits));
  set.expectMembers(set.size, limits);
  return notEmpty(set);
}

function addAll(set: SetValue, members: Bytes[], limits: EncodingLimits): void {
  for (const member of members) if (!set.add(member, limits)) throw new RdbError('member twice');
}

// Sorted sets

interface Scored {
  readonly member: Bytes;
  readonly score: number;
}

function scoredMember(reader: RdbReader): Scored {
  return { member: reader.string(), score: reader.double() };
}

function textScoredMember(reader: RdbReader): Scored {
  return { member: reader.string(), score: reader.doubleText() };
}

function sortedSetOf(all: Scored[], limits: EncodingLimits): SortedSet {
  let longest = 0;
  for (const { member } of all) longest = Math.max(longest, member.length);
  const set = SortedSet.forMembers(all.length, longest, limits);
  for (const { member, score } of all) addScored(set, member, score, limits);
  return notEmpty(set);
}

function packedSortedSet(entries: Bytes[], limits: EncodingLimits): SortedSet {
  const set = new SortedSet();
  const unlimited = asSaved(limits);
  for (const [member, scoreText] of pairs(entries)) {
    const score = parseDouble(scoreText);
    if (score === undefined) throw new RdbError('score expected');
    addScored(set, member, score, unlimited);
  }
  set.expectMembers(set.size, limits);
  return notEmpty(set);
}

function addScored(set: SortedSet, member: Bytes, score: number, limits: EncodingLimits): void {
  if (Number.isNaN(score)) throw new RdbError('score is NaN');
  if (set.set(member, score, limits) !== 'added') throw new RdbError('member twice');
}

// Hashes

type Field = readonly [field: Bytes, value: Bytes];

interface ExpiringField {
  readonly field: Bytes;
  readonly value: Bytes;
  /** Unix ms, 0: never. */
  readonly expireAt: number;
}

/** The greatest expiry time that Redis keeps for a field: 48 bits. */
const LATEST_FIELD_EXPIRY = 2 ** 48 - 1;

function field(reader: RdbReader): Field {
  return [reader.string(), reader.string()];
}

/** Two entries each. */
function pairs(entries: Bytes[]): Field[] {
  if (entries.length % 2 !== 0) throw new RdbError('pairs expected');
  const found: Field[] = [];
  for (let i = 0; i < entries.length; i += 2) found.push([entries[i]!, entries[i + 1]!]);
  return found;
}

function hashOf(fields: readonly Field[], limits: EncodingLimits): HashValue {
  const hash = new HashValue();
  hash.expectFields(fields.length, limits);
  for (const [name, value] of fields) addField(hash, name, value, limits);
  return notEmpty(hash);
}

function packedHash(fields: readonly Field[], limits: EncodingLimits): HashValue {
  const hash = hashOf(fields, asSaved(limits));
  hash.expectFields(hash.size, limits);
  return hash;
}

/** Expiry times count from the earliest of all, which comes first; they are one greater, as 0 means none. */
function fieldsAfterEarliest(reader: RdbReader): ExpiringField[] {
  const earliest = reader.time();
  return many(reader, () => {
    const offset = reader.integer();
    const expireAt = offset === 0 ? 0 : fieldExpiry(BigInt(offset) + BigInt(earliest) - 1n);
    return { field: reader.string(), value: reader.string(), expireAt };
  });
}

function valkeyField(reader: RdbReader): ExpiringField {
  const name = reader.string();
  const value = reader.string();
  const expireAt = reader.time();
  return { field: name, value, expireAt: expireAt === VALKEY_NO_EXPIRY ? 0 : fieldExpiry(expireAt) };
}

const VALKEY_NO_EXPIRY = -1;

function expiringHash(fields: readonly ExpiringField[], limits: EncodingLimits): HashValue {
  const hash = new HashValue();
  hash.expectFields(fields.length, limits);
  for (const { field: name, value } of fields) addField(hash, name, value, limits);
  return withExpiry(notEmpty(hash), fields);
}

/** A listpack of field, value and expiry time in turns, behind the earliest expiry time. */
function packedExpiringHash(reader: RdbReader, limits: EncodingLimits): HashValue {
  reader.time();
  const entries = readListpack(reader.blob());
  if (entries.length % 3 !== 0) throw new RdbError('fields with expiry times expected');
  const fields: ExpiringField[] = [];
  for (let i = 0; i < entries.length; i += 3) {
    const expireAt = fieldExpiry(listpackInteger(entries[i + 2]));
    fields.push({ field: entries[i]!, value: entries[i + 1]!, expireAt });
  }
  const hash = expiringHash(fields, asSaved(limits));
  hash.expectFields(hash.size, limits);
  return hash;
}

/** Fields with the earliest times stand first, and those that got their time last before their equals: so from the end. */
function withExpiry(hash: HashValue, fields: readonly ExpiringField[]): HashValue {
  hash.prepareExpiry();
  for (let i = fields.length - 1; i >= 0; i--) {
    const { field: name, expireAt } = fields[i]!;
    if (expireAt > 0) hash.setExpireAt(name, expireAt);
  }
  return hash;
}

function fieldExpiry(at: Int64): number {
  if (at < 0 || at > LATEST_FIELD_EXPIRY) throw new RdbError('field expiry out of range');
  return Number(at);
}

function addField(hash: HashValue, name: Bytes, value: Bytes, limits: EncodingLimits): void {
  if (!hash.set(name, value, limits)) throw new RdbError('field twice');
}

function notEmpty<T extends { readonly size: number }>(collection: T): T {
  if (collection.size === 0) throw new RdbError('empty collection');
  return collection;
}
