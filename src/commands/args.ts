/** Reading of arguments and typed lookup of keys, with the errors that Redis gives. What is wrong is thrown as a reply. */

import { isString, type StringValue, type Value } from '../keyspace/value.js';
import { INVALID_CURSOR, NOT_A_FLOAT, NOT_AN_INTEGER, OUT_OF_RANGE, SYNTAX, WRONG_TYPE } from '../protocol/errors.js';
import { INT64_MAX, LongDouble, parseDouble, parseInteger, parseUint64 } from '../protocol/numbers.js';
import { type Bytes, ErrorReply, type Int64 } from '../protocol/reply.js';
import type { Session } from '../server/session.js';

/** An integer of the 64-bit range. */
export function int64Arg(text: Bytes, error = NOT_AN_INTEGER): Int64 {
  const value = parseInteger(text);
  if (value === undefined) throw error;
  return value;
}

/** An integer that counts or indexes something: beyond 2^53 it is cut to ±2^53, which no length reaches. */
export function integerArg(text: Bytes, error = NOT_AN_INTEGER): number {
  const value = int64Arg(text, error);
  if (typeof value === 'number') return value;
  return value > 0n ? Number.MAX_SAFE_INTEGER : Number.MIN_SAFE_INTEGER;
}

/** A count whose sign means something (`ZRANDMEMBER`): any 64-bit integer that has a negative. */
export function signedCountArg(text: Bytes): Int64 {
  const value = int64Arg(text);
  if (value < -INT64_MAX) throw NO_NEGATIVE;
  return value;
}

const NO_NEGATIVE = new ErrorReply(
  'ERR value is out of range, value must between -9223372036854775807 and 9223372036854775807',
);

/** An integer from `least` to `greatest`; `error` is given for anything else. */
export function rangedArg(
  text: Bytes,
  least: number,
  greatest: number,
  error = OUT_OF_RANGE,
  notAnInteger = NOT_AN_INTEGER,
): number {
  const value = integerArg(text, notAnInteger);
  if (value < least || value > greatest) throw error;
  return value;
}

export function doubleArg(text: Bytes, error = NOT_A_FLOAT): number {
  const value = parseDouble(text);
  if (value === undefined) throw error;
  return value;
}

/** The cursor of a scan: an unsigned 64-bit number; those that we never hand out are as good as the end. */
export function cursorArg(text: Bytes): number {
  const cursor = parseUint64(text);
  if (cursor === undefined) throw INVALID_CURSOR;
  return Number(cursor);
}

/** A 32-bit integer, such as the number of a database. */
export function int32Arg(text: Bytes, notAnInteger = NOT_AN_INTEGER, outOfRange = NOT_INT32): number {
  return rangedArg(text, -(2 ** 31), 2 ** 31 - 1, outOfRange, notAnInteger);
}

const NOT_INT32 = new ErrorReply('ERR value is out of range, value must between -2147483648 and 2147483647');

/** A time-out in seconds, as ms rounded up; 0: none. */
export function timeoutArg(text: Bytes): number {
  // Redis reads it as a long double: what is too large for a double is a number all the same, though no time-out.
  const seconds = parseDouble(text) ?? (LongDouble.parse(text)?.isFinite ? Infinity : undefined);
  if (seconds === undefined) throw TIMEOUT_NOT_A_FLOAT;
  if (seconds < 0) throw TIMEOUT_NEGATIVE;
  const ms = Math.ceil(seconds * 1000);
  if (!(ms <= Number(INT64_MAX))) throw TIMEOUT_OUT_OF_RANGE;
  return ms;
}

/** A time-out in whole ms; 0: none. */
export function timeoutMsArg(ctx: Session, text: Bytes): number {
  const ms = int64Arg(text, TIMEOUT_NOT_AN_INTEGER);
  if (ms < 0) throw TIMEOUT_NEGATIVE;
  if (BigInt(ms) > INT64_MAX - BigInt(ctx.now)) throw TIMEOUT_OUT_OF_RANGE;
  return Number(ms);
}

const TIMEOUT_NOT_AN_INTEGER = new ErrorReply('ERR timeout is not an integer or out of range');
const TIMEOUT_NOT_A_FLOAT = new ErrorReply('ERR timeout is not a float or out of range');
const TIMEOUT_NEGATIVE = new ErrorReply('ERR timeout is negative');
const TIMEOUT_OUT_OF_RANGE = new ErrorReply('ERR timeout is out of range');

/** When a wait of `timeoutMs` from now ends; 0: never. */
export function deadlineOf(ctx: Session, timeoutMs: number): number {
  return timeoutMs === 0 ? Infinity : ctx.now + timeoutMs;
}

/** Whether an argument is this word, in any case. `word` is in upper case. */
export function isWord(arg: Bytes, word: string): boolean {
  return arg.length === word.length && arg.toUpperCase() === word;
}

/** Reads the optional words at the end of a command, one after the other. */
export class OptionReader {
  constructor(
    private readonly args: Bytes[],
    private position: number,
  ) {}

  get more(): boolean {
    return this.position < this.args.length;
  }

  /** How many words are left. */
  get left(): number {
    return this.args.length - this.position;
  }

  /** The next word in upper case, to be compared with the options that the command knows. */
  keyword(): string {
    return this.next().toUpperCase();
  }

  /** The next word as it is; a syntax error when there is none. */
  next(): Bytes {
    const arg = this.args[this.position++];
    if (arg === undefined) throw SYNTAX;
    return arg;
  }

  /** Whether the next word is this one. */
  sees(word: string): boolean {
    return this.more && isWord(this.args[this.position]!, word);
  }

  /** Takes the next word if it is this one. */
  take(word: string): boolean {
    if (!this.sees(word)) return false;
    this.position++;
    return true;
  }

  integer(error?: ErrorReply): number {
    return integerArg(this.next(), error);
  }

  /** All words that are left. */
  rest(): Bytes[] {
    const words = this.args.slice(this.position);
    this.position = this.args.length;
    return words;
  }
}

/** The string of a key for a reading command, undefined when there is none. Throws WRONGTYPE. */
export function readString(ctx: Session, key: Bytes): StringValue | undefined {
  return stringOrThrow(ctx.db.read(key));
}

/** The string of a key for a writing command, undefined when there is none. Throws WRONGTYPE. */
export function fetchString(ctx: Session, key: Bytes): StringValue | undefined {
  return stringOrThrow(ctx.db.fetch(key));
}

function stringOrThrow(value: Value | undefined): StringValue | undefined {
  if (value === undefined || isString(value)) return value;
  throw WRONG_TYPE;
}

/** Any class of collection values. */
type ValueClass<T> = abstract new (...args: never[]) => T;

/** The collection of a key for a reading command, undefined when there is none. Throws WRONGTYPE. */
export function readValue<T extends Value>(ctx: Session, key: Bytes, type: ValueClass<T>): T | undefined {
  return valueOrThrow(ctx.db.read(key), type);
}

/** The collection of a key for a writing command, undefined when there is none. Throws WRONGTYPE. */
export function fetchValue<T extends Value>(ctx: Session, key: Bytes, type: ValueClass<T>): T | undefined {
  return valueOrThrow(ctx.db.fetch(key), type);
}

function valueOrThrow<T extends Value>(value: Value | undefined, type: ValueClass<T>): T | undefined {
  if (value === undefined || value instanceof type) return value as T | undefined;
  throw WRONG_TYPE;
}
