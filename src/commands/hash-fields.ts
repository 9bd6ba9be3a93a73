/** The list of fields that the newer hash commands take: `FIELDS numfields field …`. */

import { parseInteger } from '../protocol/numbers.js';
import { type Bytes, ErrorReply } from '../protocol/reply.js';
import { isWord } from './args.js';

const NO_FIELDS = new ErrorReply('ERR Mandatory argument FIELDS is missing or not at the right position');
const BAD_NUMFIELDS = new ErrorReply('ERR Number of fields must be a positive integer');
const WRONG_NUMFIELDS = new ErrorReply('ERR The `numfields` parameter must match the number of arguments');

/** Reads the list, which starts at argument `at` and is the rest of the command. `badNumber`: the number is none above 0. */
export function fieldsArg(args: Bytes[], at: number, badNumber = BAD_NUMFIELDS): Bytes[] {
  if (!isWord(args[at]!, 'FIELDS')) throw NO_FIELDS;
  const count = parseInteger(args[at + 1]!);
  if (count === undefined || count <= 0) throw badNumber;
  const fields = args.slice(at + 2);
  if (count !== fields.length) throw WRONG_NUMFIELDS;
  return fields;
}
