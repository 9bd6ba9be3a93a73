/** A hash of data, the same for equal data whatever its encoding and order in memory: DEBUG DIGEST. */
import { createHash } from 'node:crypto';
import type { Bytes } from '../protocol/reply.js';
import type { Database } from './database.js';
import { isString, textOf, type Value } from './value.js';
import type { Stream } from './values/stream.js';
import { MAX_STREAM_ID, MIN_STREAM_ID, type StreamId } from './values/stream-id.js';

const BYTES = 20;

/** Of all databases, as 40 hexadecimal digits; zeros when there is no data. */
export function databaseDigest(databases: readonly Database[]): string {
  const sum = Buffer.alloc(BYTES);
  for (const db of databases) {
    db.forEach((key, value) => {
      xor(sum, hashOf(`${db.index}`, key, contentDigest(value, db.expiryOf(key)).toString('latin1')));
    });
  }
  return sum.toString('hex');
}

/** Of one value, without its key; zeros when there is none. */
export function valueDigest(db: Database, key: Bytes): string {
  const value = db.peek(key);
  return (value === undefined ? Buffer.alloc(BYTES) : contentDigest(value, db.expiryOf(key))).toString('hex');
}

function contentDigest(value: Value, expiry: number | undefined): Buffer {
  const sum = hashOf(isString(value) ? 'string' : value.type, expiry === undefined ? '' : 'expires');
  if (isString(value)) xor(sum, hashOf(textOf(value)));
  else {
    switch (value.type) {
      case 'list':
        xor(sum, hashOf(...value.range(0, value.size - 1)));
        break;
      case 'set':
        for (const member of value.members()) xor(sum, hashOf(member));
        break;
      case 'zset':
        for (let rank = 0; rank < value.size; rank++)
          xor(sum, hashOf(value.memberAt(rank), String(value.scoreAt(rank))));
        break;
      case 'hash':
        for (let i = 0; i < value.size; i++) {
          const field = value.fieldAt(i);
          xor(sum, hashOf(field, value.valueAt(i), String(value.expireAt(field) ?? '')));
        }
        break;
      case 'stream':
        xor(sum, streamDigest(value));
        break;
      default:
        xor(sum, hashOf(value.save().latin1Slice()));
    }
  }
  return sum;
}

function streamDigest(stream: Stream): Buffer {
  const texts = [idText(stream.lastId), String(stream.length), String(stream.entriesAdded)];
  for (const { id, fields } of stream.range(MIN_STREAM_ID, MAX_STREAM_ID)) texts.push(idText(id), ...fields);
  for (const group of stream.groups()) {
    texts.push(group.name, idText(group.lastDeliveredId), String(group.pending.size));
    for (const { name, pending } of group.consumers()) texts.push(name, String(pending.size));
  }
  return hashOf(...texts);
}

function idText({ ms, seq }: StreamId): Bytes {
  return `${ms}-${seq}`;
}

/** A hash of texts in this order; their lengths keep ("ab", "c") and ("a", "bc") apart. */
function hashOf(...texts: readonly Bytes[]): Buffer {
  const hash = createHash('sha1');
  for (const text of texts) hash.update(`${text.length}:${text}`, 'latin1');
  return hash.digest();
}

function xor(sum: Buffer, other: Buffer): void {
  for (let i = 0; i < BYTES; i++) sum[i]! ^= other[i]!;
}
