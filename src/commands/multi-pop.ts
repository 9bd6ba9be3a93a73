/** The arguments that LMPOP, ZMPOP and their blocking forms share. */

import { SYNTAX } from '../protocol/errors.js';
import { parseInteger } from '../protocol/numbers.js';
import { type Bytes, ErrorReply } from '../protocol/reply.js';
import { isWord, OptionReader } from './args.js';

export interface MultiPop {
  readonly keys: Bytes[];
  /** Whether the first of the two words was given, that is, elements are taken from the front. */
  readonly front: boolean;
  readonly count: number;
}

const BAD_NUMKEYS = new ErrorReply('ERR numkeys should be greater than 0');
const BAD_COUNT = new ErrorReply('ERR count should be greater than 0');

/** Reads `numkeys key … FRONT|BACK [COUNT n]` from argument `at` on, FRONT and BACK being the words given here. */
export function multiPopArgs(args: Bytes[], at: number, frontWord: string, backWord: string): MultiPop {
  const endAt = at + 1 + positive(args[at]!, BAD_NUMKEYS);
  if (endAt >= args.length) throw SYNTAX;
  const front = isWord(args[endAt]!, frontWord);
  if (!front && !isWord(args[endAt]!, backWord)) throw SYNTAX;
  let count: number | undefined;
  for (const words = new OptionReader(args, endAt + 1); words.more; ) {
    if (count !== undefined || words.keyword() !== 'COUNT') throw SYNTAX;
    count = positive(words.next(), BAD_COUNT);
  }
  return { keys: args.slice(at + 1, endAt), front, count: count ?? 1 };
}

function positive(text: Bytes, error: ErrorReply): number {
  const value = parseInteger(text);
  if (value === undefined || value <= 0) throw error;
  return Number(value);
}
