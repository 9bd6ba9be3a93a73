/** The options of the SCAN family. */

import { SYNTAX } from '../protocol/errors.js';
import { compileGlob } from '../protocol/glob.js';
import { type Bytes, ErrorReply } from '../protocol/reply.js';
import { OptionReader } from './args.js';

export interface ScanOptions {
  /** About how many elements to look at, at least 1. */
  readonly count: number;
  /** The test of MATCH; undefined: everything matches. */
  readonly matches: ((text: Bytes) => boolean) | undefined;
  /** In lower case; a name that no type has fits nothing. */
  readonly type: Bytes | undefined;
  readonly noValues: boolean;
}

const DEFAULT_COUNT = 10;
const NO_VALUES_HERE = new ErrorReply('ERR NOVALUES option can only be used in HSCAN');

/** Reads MATCH and COUNT, and what else the command knows, from argument `from` on. Throws a syntax error. */
export function scanOptions(args: Bytes[], from: number, also: readonly ('TYPE' | 'NOVALUES')[] = []): ScanOptions {
  let count = DEFAULT_COUNT;
  let matches: ScanOptions['matches'];
  let type: Bytes | undefined;
  let noValues = false;
  for (const options = new OptionReader(args, from); options.more; ) {
    const option = options.keyword();
    if (option === 'COUNT' && options.more) {
      count = options.integer();
      if (count < 1) throw SYNTAX;
    } else if (option === 'MATCH' && options.more) {
      const pattern = options.next();
      matches = pattern === '*' ? undefined : compileGlob(pattern);
    } else if (option === 'TYPE' && also.includes('TYPE') && options.more) type = options.next().toLowerCase();
    else if (option !== 'NOVALUES') throw SYNTAX;
    else if (also.includes('NOVALUES')) noValues = true;
    else throw NO_VALUES_HERE;
  }
  return { count, matches, type, noValues };
}
