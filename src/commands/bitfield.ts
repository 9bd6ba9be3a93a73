/** BITFIELD: integers of any width inside a string. */
import { NOTIFY } from '../keyspace/notifications.js';
import { type StringValue, textOf } from '../keyspace/value.js';
import {
  type FieldSource,
  type FieldType,
  fitField,
  type Overflow,
  parseFieldType,
  readField,
  writeField,
} from '../keyspace/values/bit-field.js';
import { ByteBuffer } from '../keyspace/values/byte-buffer.js';
import { SYNTAX } from '../protocol/errors.js';
import { INT64_MAX, normaliseInteger } from '../protocol/numbers.js';
import { type Bytes, ErrorReply, type Int64, type Reply } from '../protocol/reply.js';
import type { Session } from '../server/session.js';
import { fetchString, int64Arg, OptionReader, readString } from './args.js';
import { bitOffsetArg } from './bit-offset.js';
import { type CommandRow, key } from './definition.js';
import { findBitfieldKeys } from './key-positions.js';
import { editableString, lengthOf } from './string-values.js';

export const bitfieldCommands: readonly CommandRow[] = [
  {
    name: 'bitfield',
    arity: -2,
    flags: ['write', 'denyoom'],
    group: 'bitmap',
    keys: [key('RW access update variable_flags')],
    findKeys: findBitfieldKeys,
    since: '3.2.0',
    complexity: 'O(1) for each operation',
    summary: 'Reads, sets and increments integers of any width inside a string.',
    syntax:
      'key [operation:(GET get-block:(encoding offset:integer) | write:([OVERFLOW overflow-block:(WRAP | SAT | FAIL)] write-operation:(SET set-block:(encoding offset:integer value:integer) | INCRBY incrby-block:(encoding offset:integer increment:integer))))...]',
    handler: bitfield,
  },
  {
    name: 'bitfield_ro',
    arity: -2,
    flags: ['readonly', 'fast'],
    group: 'bitmap',
    keys: [key('RO access')],
    since: '6.0.0',
    complexity: 'O(1) for each operation',
    summary: 'Reads integers of any width inside a string.',
    syntax: 'key [GET get-block:(encoding offset:integer)]...',
    handler: bitfieldRo,
  },
];

const INVALID_TYPE = new ErrorReply(
  'ERR Invalid bitfield type. Use something like i16 u8. Note that u64 is not supported but i64 is.',
);
const INVALID_OVERFLOW = new ErrorReply('ERR Invalid OVERFLOW type specified');
const ONLY_GET = new ErrorReply('ERR BITFIELD_RO only supports the GET subcommand');

interface FieldOperation {
  readonly kind: 'GET' | 'SET' | 'INCRBY';
  readonly type: FieldType;
  readonly offset: number;
  /** The new value, or the increment. */
  readonly amount: Int64;
  readonly overflow: Overflow;
}

function bitfield(ctx: Session, args: Bytes[]): Reply {
  const operations = readOperations(ctx, args);
  let length = 0;
  for (const { kind, type, offset } of operations) {
    if (kind !== 'GET') length = Math.max(length, Math.floor((offset + type.bits - 1) / 8) + 1);
  }
  return length === 0 ? readFields(ctx, args[1]!, operations) : editFields(ctx, args[1]!, operations, length);
}

function bitfieldRo(ctx: Session, args: Bytes[]): Reply {
  const operations = readOperations(ctx, args);
  for (const { kind } of operations) if (kind !== 'GET') return ONLY_GET;
  return readFields(ctx, args[1]!, operations);
}

function readFields(ctx: Session, key: Bytes, operations: readonly FieldOperation[]): Reply {
  const source = sourceOf(readString(ctx, key));
  return operations.map(({ type, offset }) => readField(source, type, offset));
}

function sourceOf(value: StringValue | undefined): FieldSource {
  if (value === undefined) return '';
  return value instanceof ByteBuffer ? value.bytes() : textOf(value);
}

/** Runs operations of which one at least writes; the string is made long enough for all of them first. */
function editFields(ctx: Session, key: Bytes, operations: readonly FieldOperation[], length: number): Reply {
  const value = fetchString(ctx, key);
  const grown = value === undefined || lengthOf(value) < length;
  const bytes = editableString(ctx, key, value, length).bytes();
  const replies: Reply[] = [];
  let changed = false;
  for (const { kind, type, offset, amount, overflow } of operations) {
    const old = readField(bytes, type, offset);
    if (kind === 'GET') {
      replies.push(old);
      continue;
    }
    const fitting = fitField(type, kind === 'SET' ? written(type, amount) : sumOf(old, amount), overflow);
    if (fitting === undefined) {
      replies.push(null);
      continue;
    }
    writeField(bytes, type, offset, fitting);
    if (grown || fitting !== old) changed = true;
    replies.push(kind === 'SET' ? old : fitting);
  }
  if (changed) ctx.db.changed(key, NOTIFY.string, 'setbit');
  return replies;
}

/**
 * The number that SET writes. Redis takes a negative one for the large one with the same 64 bits where the type is
 * unsigned, and where it lies so far below a signed type that its distance from the greatest value overflows: SAT then
 * answers the greatest value, not the least.
 */
function written({ signed, bits, greatest }: FieldType, amount: Int64): Int64 {
  if (amount >= 0) return amount;
  if (signed && (bits === 64 || BigInt(greatest) - BigInt(amount) <= INT64_MAX)) return amount;
  return normaliseInteger(BigInt.asUintN(64, BigInt(amount)));
}

function sumOf(a: Int64, b: Int64): Int64 {
  if (typeof a === 'number' && typeof b === 'number' && Number.isSafeInteger(a + b)) return a + b;
  return normaliseInteger(BigInt(a) + BigInt(b));
}

function readOperations(ctx: Session, args: Bytes[]): FieldOperation[] {
  const reader = new OptionReader(args, 2);
  const operations: FieldOperation[] = [];
  let overflow: Overflow = 'WRAP';
  while (reader.more) {
    const kind = reader.keyword();
    if (kind === 'OVERFLOW' && reader.left >= 1) {
      overflow = overflowArg(reader.keyword());
      continue;
    }
    const writes = kind === 'SET' || kind === 'INCRBY';
    if (!(writes || kind === 'GET') || reader.left < (writes ? 3 : 2)) throw SYNTAX;
    const type = parseFieldType(reader.next());
    if (type === undefined) throw INVALID_TYPE;
    const offset = fieldOffset(ctx, reader.next(), type);
    const amount = writes ? int64Arg(reader.next()) : 0;
    operations.push({ kind, type, offset, amount, overflow });
  }
  return operations;
}

function overflowArg(word: string): Overflow {
  if (word === 'WRAP' || word === 'SAT' || word === 'FAIL') return word;
  throw INVALID_OVERFLOW;
}

/** `#2` counts in widths of the type. */
function fieldOffset(ctx: Session, text: Bytes, { bits }: FieldType): number {
  return text.startsWith('#') ? bitOffsetArg(ctx, text.slice(1), bits) : bitOffsetArg(ctx, text);
}
