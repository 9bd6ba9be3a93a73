/**
 * The payload of DUMP and RESTORE: a value in RDB form, then the version of the format (two bytes) and a checksum of all
 * before it (CRC64, eight bytes), both with the lowest byte first.
 */
import type { Value } from '../../keyspace/value.js';
import type { EncodingLimits } from '../../keyspace/values/encoding-limits.js';
import { crc64 } from '../../protocol/crc.js';
import type { Bytes } from '../../protocol/reply.js';
import { RdbError, VERSION_REDIS_8_2, VERSION_VALKEY_9 } from './format.js';
import { loadValue } from './load.js';
import { RdbReader } from './reader.js';
import { type SaveForm, saveValue } from './save.js';
import { RdbWriter } from './writer.js';

const FOOTER_BYTES = 10;
const CHECKSUM_BYTES = 8;

/** The payload of a value. */
export function dumpValue(value: Value, form: SaveForm = 'compatible'): Bytes {
  const writer = new RdbWriter();
  return sealPayload(writer, saveValue(writer, value, form));
}

/** The whole payload of what was written: with version and checksum. */
export function sealPayload(writer: RdbWriter, version: number): Bytes {
  writer.raw(Buffer.of(version & 0xff, version >> 8));
  const body = writer.finish();
  const checksum = Buffer.allocUnsafe(CHECKSUM_BYTES);
  checksum.writeBigUInt64LE(crc64(body));
  return body.latin1Slice() + checksum.latin1Slice();
}

/** Why a payload is refused: its footer is wrong, or what it says makes no sense. */
export type PayloadProblem = 'footer' | 'data';

/** The value of a payload, whoever wrote it. */
export function restoreValue(payload: Bytes, limits: EncodingLimits): Value | PayloadProblem {
  const opened = openPayload(payload);
  if (opened === 'footer') return opened;
  try {
    return loadValue(opened.reader.byte(), opened.reader, opened.version, limits);
  } catch (problem) {
    if (problem instanceof RdbError) return 'data';
    throw problem;
  }
}

/** A reader of a payload whose version and checksum are right. */
export function openPayload(payload: Bytes): { reader: RdbReader; version: number } | 'footer' {
  const bytes = Buffer.from(payload, 'latin1');
  const end = bytes.length - FOOTER_BYTES;
  if (end < 0) return 'footer';
  const version = bytes.readUInt16LE(end);
  if (version > VERSION_REDIS_8_2 && version !== VERSION_VALKEY_9) return 'footer';
  const checked = bytes.length - CHECKSUM_BYTES;
  if (crc64(bytes.subarray(0, checked)) !== bytes.readBigUInt64LE(checked)) return 'footer';
  return { reader: new RdbReader(bytes.subarray(0, end)), version };
}
