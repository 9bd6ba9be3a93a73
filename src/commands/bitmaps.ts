/** Bits of strings: one by one, counted, searched and combined. BITFIELD is in `bitfield.ts`. */
import { NOTIFY } from '../keyspace/notifications.js';
import { type StringValue, textOf } from '../keyspace/value.js';
import { type BitOperation, combineBits, countBits, findBit } from '../keyspace/values/bits.js';
import { ByteBuffer } from '../keyspace/values/byte-buffer.js';
import { SYNTAX } from '../protocol/errors.js';
import { type Bytes, ErrorReply, type Reply } from '../protocol/reply.js';
import type { Session } from '../server/session.js';
import { fetchString, integerArg, isWord, readString } from './args.js';
import { bitOffsetArg } from './bit-offset.js';
import { type CommandRow, key, keyRange } from './definition.js';
import { editableString, lengthOf, rangeWithin, runsBackwards, sliceOf } from './string-values.js';

export const bitmapCommands: readonly CommandRow[] = [
  {
    name: 'setbit',
    arity: 4,
    flags: ['write', 'denyoom'],
    group: 'bitmap',
    keys: [key('RW access update')],
    since: '2.2.0',
    complexity: 'O(1)',
    summary: 'Sets or clears a bit of a string and answers what it was.',
    syntax: 'key offset:integer value:integer',
    handler: setbit,
  },
  {
    name: 'getbit',
    arity: 3,
    flags: ['readonly', 'fast'],
    group: 'bitmap',
    keys: [key('RO access')],
    since: '2.2.0',
    complexity: 'O(1)',
    summary: 'Answers a bit of a string, 0 behind its end.',
    syntax: 'key offset:integer',
    handler: getbit,
  },
  {
    name: 'bitcount',
    arity: -2,
    flags: ['readonly'],
    group: 'bitmap',
    keys: [key('RO access')],
    since: '2.6.0',
    complexity: 'O(N), N being the number of bytes looked at',
    summary: 'Counts the bits that are set in a string, or in a range of its bytes or bits.',
    syntax: 'key [range:(start:integer end:integer [unit:(BYTE | BIT)])]',
    handler: bitcount,
  },
  {
    name: 'bitpos',
    arity: -3,
    flags: ['readonly'],
    group: 'bitmap',
    keys: [key('RO access')],
    since: '2.8.7',
    complexity: 'O(N), N being the number of bytes looked at',
    summary: 'Finds the first bit with a given value in a string, or in a range of its bytes or bits.',
    syntax: 'key bit:integer [range:(start:integer [end-unit-block:(end:integer [unit:(BYTE | BIT)])])]',
    handler: bitpos,
  },
  {
    name: 'bitop',
    arity: -4,
    flags: ['write', 'denyoom'],
    group: 'bitmap',
    keys: [key('OW update', 2), keyRange('RO access', 3, -1)],
    since: '2.6.0',
    complexity: 'O(N), N being the length of the longest string',
    summary: 'Combines the bits of several strings and stores the result in a key.',
    syntax: 'operation:(AND | OR | XOR | NOT | DIFF | DIFF1 | ANDOR | ONE) destkey:key key...',
    handler: bitop,
  },
];

const NOT_A_BIT = new ErrorReply('ERR bit is not an integer or out of range');

function setbit(ctx: Session, args: Bytes[]): Reply {
  const key = args[1]!;
  const offset = bitOffsetArg(ctx, args[2]!);
  const bit = integerArg(args[3]!, NOT_A_BIT);
  if (bit !== 0 && bit !== 1) return NOT_A_BIT;
  const value = fetchString(ctx, key);
  const index = Math.floor(offset / 8);
  const grown = value === undefined || lengthOf(value) <= index;
  const bytes = editableString(ctx, key, value, index + 1).bytes();
  const mask = 0x80 >> (offset % 8);
  const old = (bytes[index]! & mask) === 0 ? 0 : 1;
  if (bit === 1) bytes[index]! |= mask;
  else bytes[index]! &= ~mask;
  if (grown || old !== bit) ctx.db.changed(key, NOTIFY.string, 'setbit');
  return old;
}

function getbit(ctx: Session, args: Bytes[]): Reply {
  const offset = bitOffsetArg(ctx, args[2]!);
  const value = readString(ctx, args[1]!);
  if (value === undefined) return 0;
  const index = Math.floor(offset / 8);
  return (byteOf(value, index) & (0x80 >> (offset % 8))) === 0 ? 0 : 1;
}

/** A byte of a string, 0 behind its end. */
function byteOf(value: StringValue, index: number): number {
  if (value instanceof ByteBuffer) return value.bytes()[index] ?? 0;
  const text = textOf(value);
  return index < text.length ? text.charCodeAt(index) : 0;
}

function bitcount(ctx: Session, args: Bytes[]): Reply {
  if (args.length === 3 || args.length > 5) return SYNTAX;
  const start = args.length > 2 ? integerArg(args[2]!) : 0;
  const end = args.length > 2 ? integerArg(args[3]!) : -1;
  const unitBits = args.length > 4 ? unitArg(args[4]!) : 8;
  const value = readString(ctx, args[1]!);
  if (value === undefined || runsBackwards(start, end)) return 0;
  const range = bitRange(value, start, end, unitBits);
  if (range === undefined) return 0;
  const { buffer, skipped } = bytesOfRange(value, range);
  return countBits(buffer, range.first - skipped, range.last - skipped);
}

const NOT_ONE_OR_ZERO = new ErrorReply('ERR The bit argument must be 1 or 0.');

function bitpos(ctx: Session, args: Bytes[]): Reply {
  const bit = integerArg(args[2]!);
  if (bit !== 0 && bit !== 1) return NOT_ONE_OR_ZERO;
  if (args.length > 6) return SYNTAX;
  const start = args.length > 3 ? integerArg(args[3]!) : 0;
  const unitBits = args.length > 5 ? unitArg(args[5]!) : 8;
  const endGiven = args.length > 4;
  const end = endGiven ? integerArg(args[4]!) : -1;
  const value = readString(ctx, args[1]!);
  // A key that is not there has endless zeros, whatever the range.
  if (value === undefined) return bit === 1 ? -1 : 0;
  const range = bitRange(value, start, end, unitBits);
  if (range === undefined) return -1;
  const { buffer, skipped } = bytesOfRange(value, range);
  const found = findBit(buffer, bit, range.first - skipped, range.last - skipped);
  if (found >= 0) return skipped + found;
  // Without an end, the string counts as if zeros followed.
  return bit === 0 && !endGiven ? lengthOf(value) * 8 : -1;
}

/** How many bits the unit of a range has. */
function unitArg(text: Bytes): 1 | 8 {
  if (isWord(text, 'BIT')) return 1;
  if (isWord(text, 'BYTE')) return 8;
  throw SYNTAX;
}

/** The first and the last bit of a string. */
interface BitRange {
  readonly first: number;
  readonly last: number;
}

/** The bits that `start` and `end` in this unit mean, undefined where there are none. */
function bitRange(value: StringValue, start: number, end: number, unitBits: 1 | 8): BitRange | undefined {
  const range = rangeWithin((lengthOf(value) * 8) / unitBits, start, end);
  if (range === undefined || unitBits === 1) return range;
  return { first: range.first * 8, last: range.last * 8 + 7 };
}

/** The bytes in which a range lies, and how many bits come before them: of a text, only those bytes are copied. */
function bytesOfRange(value: StringValue, { first, last }: BitRange): { buffer: ByteBuffer; skipped: number } {
  if (value instanceof ByteBuffer) return { buffer: value, skipped: 0 };
  const from = Math.floor(first / 8);
  return { buffer: new ByteBuffer(sliceOf(value, from, Math.floor(last / 8) + 1)), skipped: from * 8 };
}

const BIT_OPERATIONS: readonly string[] = ['AND', 'OR', 'XOR', 'NOT', 'DIFF', 'DIFF1', 'ANDOR', 'ONE'];
const NOT_TAKES_ONE = new ErrorReply('ERR BITOP NOT must be called with a single source key.');

function bitop(ctx: Session, args: Bytes[]): Reply {
  const operation = args[1]!.toUpperCase();
  if (!isBitOperation(operation)) return SYNTAX;
  if (operation === 'NOT' && args.length !== 4) return NOT_TAKES_ONE;
  if ((operation === 'DIFF' || operation === 'DIFF1' || operation === 'ANDOR') && args.length < 5) {
    return new ErrorReply(`ERR BITOP ${operation} must be called with at least two source keys.`);
  }
  const sources: ByteBuffer[] = [];
  for (let i = 3; i < args.length; i++) {
    const value = readString(ctx, args[i]!);
    if (value instanceof ByteBuffer) sources.push(value);
    else sources.push(new ByteBuffer(value === undefined ? '' : textOf(value)));
  }
  const result = combineBits(operation, sources);
  const destination = args[2]!;
  if (result.length > 0) {
    ctx.db.replace(destination, result);
    ctx.db.changed(destination, NOTIFY.string, 'set');
  } else if (ctx.db.remove(destination)) ctx.db.changed(destination, NOTIFY.generic, 'del');
  return result.length;
}

function isBitOperation(word: string): word is BitOperation {
  return BIT_OPERATIONS.includes(word);
}
