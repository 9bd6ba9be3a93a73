/** Conditions on the value that a string has: `IFEQ`, `IFNE`, and on its digest `IFDEQ`, `IFDNE` (Redis 8.4 doc, SET and DELEX). */
import { isString, textOf, type Value } from '../keyspace/value.js';
import { xxh3Hex } from '../keyspace/values/xxh3.js';
import { WRONG_TYPE } from '../protocol/errors.js';
import { type Bytes, ErrorReply } from '../protocol/reply.js';

const WORDS = ['IFEQ', 'IFNE', 'IFDEQ', 'IFDNE'] as const;

export interface StringCondition {
  readonly word: (typeof WORDS)[number];
  /** The value, or the digest in lower case, to compare with. */
  readonly operand: Bytes;
}

const BAD_DIGEST = new ErrorReply('ERR must be exactly 16 hexadecimal characters');

/** The condition that a word in upper case and its argument make, undefined where the word is none. */
export function stringCondition(word: string, operand: () => Bytes): StringCondition | undefined {
  const known = WORDS.find((name) => name === word);
  if (known === undefined) return undefined;
  const text = operand();
  if (known === 'IFEQ' || known === 'IFNE') return { word: known, operand: text };
  if (!/^[0-9a-f]{16}$/i.test(text)) throw BAD_DIGEST;
  return { word: known, operand: text.toLowerCase() };
}

/** Whether the value of a key fulfils a condition. A key that is not there equals nothing. Throws WRONGTYPE. */
export function fulfils(value: Value | undefined, { word, operand }: StringCondition): boolean {
  if (value !== undefined && !isString(value)) throw WRONG_TYPE;
  const negated = word === 'IFNE' || word === 'IFDNE';
  if (value === undefined) return negated;
  const text = textOf(value);
  const equal = (word === 'IFDEQ' || word === 'IFDNE' ? xxh3Hex(text) : text) === operand;
  return equal !== negated;
}
