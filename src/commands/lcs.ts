/** LCS: the longest common subsequence of two strings. */
import { isString, textOf, type Value } from '../keyspace/value.js';
import { type CommonRun, commonLength, commonRuns, tableCells } from '../keyspace/values/common-subsequence.js';
import { SYNTAX } from '../protocol/errors.js';
import { type Bytes, ErrorReply, MapReply, type Reply } from '../protocol/reply.js';
import type { Session } from '../server/session.js';
import { OptionReader } from './args.js';
import { type CommandRow, keyRange } from './definition.js';

export const lcsCommands: readonly CommandRow[] = [
  {
    name: 'lcs',
    arity: -3,
    flags: ['readonly'],
    group: 'string',
    keys: [keyRange('RO access', 1, 1)],
    since: '7.0.0',
    complexity: 'O(N*M), N and M being the lengths of the strings',
    summary: 'Finds the longest common subsequence of two strings: its text, its length, or where it stands in both.',
    syntax: 'key1:key key2:key [LEN] [IDX] [MINMATCHLEN min-match-len:integer] [WITHMATCHLEN]',
    handler: lcs,
  },
];

const NOT_STRINGS = new ErrorReply('ERR The specified keys must contain string values');
const LENGTH_OR_INDEXES = new ErrorReply('ERR If you want both the length and indexes, please just use IDX.');
const TABLE_TOO_LARGE = new ErrorReply('ERR Insufficient memory, transient memory for LCS exceeds proto-max-bulk-len');
/** Bytes of a cell in the table of Redis, which its limit is about. */
const CELL_BYTES = 4;

interface LcsOptions {
  readonly lengthOnly: boolean;
  readonly indexes: boolean;
  readonly minMatchLength: number;
  readonly withMatchLength: boolean;
}

function lcs(ctx: Session, args: Bytes[]): Reply {
  const first = ctx.db.read(args[1]!);
  const second = ctx.db.read(args[2]!);
  const a = textOrThrow(first);
  const b = textOrThrow(second);
  const options = readOptions(args);
  if (tableCells(a, b) * CELL_BYTES > ctx.server.protocolLimits.maxBulkLength) return TABLE_TOO_LARGE;
  if (options.lengthOnly) return commonLength(a, b);
  const runs = commonRuns(a, b);
  return options.indexes ? indexReply(runs, options) : textOfRuns(a, runs);
}

function textOrThrow(value: Value | undefined): Bytes {
  if (value === undefined) return '';
  if (!isString(value)) throw NOT_STRINGS;
  return textOf(value);
}

function readOptions(args: Bytes[]): LcsOptions {
  const reader = new OptionReader(args, 3);
  let lengthOnly = false;
  let indexes = false;
  let minMatchLength = 0;
  let withMatchLength = false;
  while (reader.more) {
    switch (reader.keyword()) {
      case 'LEN':
        lengthOnly = true;
        break;
      case 'IDX':
        indexes = true;
        break;
      case 'MINMATCHLEN':
        minMatchLength = reader.integer();
        break;
      case 'WITHMATCHLEN':
        withMatchLength = true;
        break;
      default:
        throw SYNTAX;
    }
  }
  if (lengthOnly && indexes) throw LENGTH_OR_INDEXES;
  return { lengthOnly, indexes, minMatchLength, withMatchLength };
}

function textOfRuns(a: Bytes, runs: readonly CommonRun[]): Bytes {
  let text = '';
  for (let i = runs.length - 1; i >= 0; i--) text += a.slice(runs[i]!.a, runs[i]!.a + runs[i]!.length);
  return text;
}

/** The runs as inclusive ranges of both strings, and the length of the whole. */
function indexReply(runs: readonly CommonRun[], { minMatchLength, withMatchLength }: LcsOptions): Reply {
  const matches: Reply[] = [];
  let total = 0;
  for (const { a, b, length } of runs) {
    total += length;
    if (length < minMatchLength) continue;
    const match: Reply[] = [
      [a, a + length - 1],
      [b, b + length - 1],
    ];
    if (withMatchLength) match.push(length);
    matches.push(match);
  }
  return new MapReply(['matches', matches, 'len', total]);
}
