/** Streams: adding, trimming, reading by range and deleting entries. Rules of Redis 8.2. */

import { NOTIFY } from '../keyspace/notifications.js';
import {
  DELETE_OUTCOME,
  type DeleteOutcome,
  Stream,
  type StreamReferences,
  type StreamTrim,
} from '../keyspace/values/stream.js';
import {
  compareStreamIds,
  MAX_STREAM_ID,
  parseRequestedStreamId,
  type RequestedStreamId,
  type StreamId,
} from '../keyspace/values/stream-id.js';
import { defaultTrimLimit } from '../keyspace/values/stream-node.js';
import { NO_SUCH_KEY, SYNTAX, wrongArity } from '../protocol/errors.js';
import { type Bytes, ErrorReply, type Int64, NULL_ARRAY, OK, type Reply } from '../protocol/reply.js';
import type { Session } from '../server/session.js';
import { fetchValue, int64Arg, integerArg, isWord, OptionReader, readValue } from './args.js';
import { type CommandRow, key } from './definition.js';
import {
  changedQuietly,
  countArg,
  entryReply,
  INVALID_ID,
  idArg,
  idArgs,
  idsToDelete,
  rangeEndArg,
  rangeStartArg,
  referencesOf,
} from './stream-args.js';

export const streamCommands: readonly CommandRow[] = [
  {
    name: 'xadd',
    arity: -5,
    flags: ['write', 'denyoom', 'fast'],
    group: 'stream',
    keys: [key('RW update')],
    since: '5.0.0',
    complexity: 'O(1) to add; when trimming too, O(N), N being the number of entries that go',
    summary: 'Adds an entry, creating the stream if needed, and may trim it.',
    syntax:
      'key [NOMKSTREAM] [condition:(KEEPREF | DELREF | ACKED)] [trim:(strategy:(MAXLEN | MINID) [operator:(equal== | approximately=~)] threshold [LIMIT count:integer])] id-selector:(auto-id=* | id) data:(field value)...',
    tips: ['nondeterministic_output'],
    handler: xadd,
  },
  {
    name: 'xtrim',
    arity: -4,
    flags: ['write'],
    group: 'stream',
    keys: [key('RW delete')],
    since: '5.0.0',
    complexity: 'O(N), N being the number of entries that go; whole nodes go at once',
    summary: 'Drops the oldest entries beyond a length or before an ID.',
    syntax:
      'key trim:(strategy:(MAXLEN | MINID) [operator:(equal== | approximately=~)] threshold [LIMIT count:integer] [condition:(KEEPREF | DELREF | ACKED)])',
    tips: ['nondeterministic_output'],
    handler: xtrim,
  },
  {
    name: 'xlen',
    arity: 2,
    flags: ['readonly', 'fast'],
    group: 'stream',
    keys: [key('RO')],
    since: '5.0.0',
    complexity: 'O(1)',
    summary: 'Counts the entries of a stream.',
    syntax: 'key',
    handler: xlen,
  },
  {
    name: 'xrange',
    arity: -4,
    flags: ['readonly'],
    group: 'stream',
    keys: [key('RO access')],
    since: '5.0.0',
    complexity: 'O(N), N being the number of entries shown',
    summary: 'Shows the entries between two IDs, oldest first.',
    syntax: 'key start end [COUNT count:integer]',
    handler: xrange,
  },
  {
    name: 'xrevrange',
    arity: -4,
    flags: ['readonly'],
    group: 'stream',
    keys: [key('RO access')],
    since: '5.0.0',
    complexity: 'O(N), N being the number of entries shown',
    summary: 'Shows the entries between two IDs, newest first.',
    syntax: 'key end start [COUNT count:integer]',
    handler: xrevrange,
  },
  {
    name: 'xdel',
    arity: -3,
    flags: ['write', 'fast'],
    group: 'stream',
    keys: [key('RW delete')],
    since: '5.0.0',
    complexity: 'O(1) for each entry',
    summary: 'Deletes entries and says how many there were.',
    syntax: 'key id...',
    handler: xdel,
  },
  {
    name: 'xdelex',
    arity: -5,
    flags: ['write', 'fast'],
    group: 'stream',
    keys: [key('RW delete')],
    since: '8.2.0',
    complexity: 'O(1) for each entry',
    summary: "Deletes entries with regard to the groups' references, and says what became of each.",
    syntax: 'key [condition:(KEEPREF | DELREF | ACKED)] IDS ids:(numids:integer id...)',
    handler: xdelex,
  },
  {
    name: 'xsetid',
    arity: -3,
    flags: ['write', 'denyoom', 'fast'],
    group: 'stream',
    keys: [key('RW update')],
    since: '5.0.0',
    complexity: 'O(1)',
    summary: "Sets a stream's last ID and counters.",
    syntax: 'key last-id [ENTRIESADDED entries-added:integer] [MAXDELETEDID max-deleted-id]',
    handler: xsetid,
  },
];

const ZERO_ID = new ErrorReply('ERR The ID specified in XADD must be greater than 0-0');
const NO_ID_LEFT = new ErrorReply('ERR The stream has exhausted the last possible ID, unable to add more items');
const ID_NOT_GREATER = new ErrorReply(
  'ERR The ID specified in XADD is equal or smaller than the target stream top item',
);

function xadd(ctx: Session, args: Bytes[]): Reply {
  const { trim, id: requested, noCreate, end } = addOrTrimArgs(ctx, args, true);
  const fieldCount = args.length - end;
  if (requested === undefined || fieldCount < 2 || fieldCount % 2 === 1) throw wrongArity('xadd');
  if (requested.kind === 'full' && requested.id.ms === 0 && requested.id.seq === 0) throw ZERO_ID;
  const name = args[1]!;
  const { db } = ctx;
  const found = fetchValue(ctx, name, Stream);
  if (found === undefined && noCreate) return null;
  const stream = found ?? new Stream();
  if (compareStreamIds(stream.lastId, MAX_STREAM_ID) === 0) throw NO_ID_LEFT;
  const id = stream.resolveId(requested, ctx.now);
  if (id === null) throw ID_NOT_GREATER;
  stream.append(id, args.slice(end), ctx.server.encodingLimits.streamNodes);
  if (found === undefined) db.put(name, stream);
  else db.ready(name);
  db.changed(name, NOTIFY.stream, 'xadd');
  if (trim !== undefined && stream.trim(trim) > 0) db.notify(NOTIFY.stream, 'xtrim', name);
  return id.toString();
}

function xtrim(ctx: Session, args: Bytes[]): Reply {
  const { trim } = addOrTrimArgs(ctx, args, false);
  const stream = fetchValue(ctx, args[1]!, Stream);
  const removed = stream?.trim(trim!) ?? 0;
  if (removed > 0) ctx.db.changed(args[1]!, NOTIFY.stream, 'xtrim');
  return removed;
}

/** The options of XADD and XTRIM. */
interface AddOrTrim {
  readonly trim: StreamTrim | undefined;
  readonly noCreate: boolean;
  /** Undefined where none was written. */
  readonly id: RequestedStreamId | undefined;
  /** The argument after the ID. */
  readonly end: number;
}

const TRIMMED_TWICE = new ErrorReply('ERR syntax error, MAXLEN and MINID options at the same time are not compatible');
const NEGATIVE_MAXLEN = new ErrorReply('ERR The MAXLEN argument must be >= 0.');
const NEGATIVE_LIMIT = new ErrorReply('ERR The LIMIT argument must be >= 0.');
const LIMIT_ALONE = new ErrorReply('ERR syntax error, LIMIT cannot be used without specifying a trimming strategy');
const LIMIT_EXACT = new ErrorReply('ERR syntax error, LIMIT cannot be used without the special ~ option');
const NO_STRATEGY = new ErrorReply('ERR syntax error, XTRIM must be called with a trimming strategy');

/** Reads options up to the ID (XADD) or the end (XTRIM). A word that is no option, or lacks what follows it, is the ID. */
function addOrTrimArgs(ctx: Session, args: Bytes[], adding: boolean): AddOrTrim {
  let until: StreamTrim['until'] | undefined;
  let approximate = false;
  let limit: number | undefined;
  let references: StreamReferences | undefined;
  let noCreate = false;
  let id: RequestedStreamId | undefined;
  let at = 2;
  while (at < args.length && id === undefined) {
    const arg = args[at++]!;
    const word = arg.toUpperCase();
    const hasNext = at < args.length;
    const reference = references === undefined ? referencesOf(word) : undefined;
    if ((word === 'MAXLEN' || word === 'MINID') && hasNext) {
      if (until !== undefined) throw TRIMMED_TWICE;
      const operator = at + 1 < args.length && (args[at] === '~' || args[at] === '=') ? args[at++] : '=';
      approximate = operator === '~';
      until = word === 'MAXLEN' ? { maxLength: maxLengthArg(args[at++]!) } : { minId: idArg(args[at++]!) };
    } else if (word === 'LIMIT' && hasNext) {
      limit = integerArg(args[at++]!);
      if (limit < 0) throw NEGATIVE_LIMIT;
    } else if (reference !== undefined) {
      references = reference;
    } else if (!adding) {
      throw SYNTAX;
    } else if (word === 'NOMKSTREAM') {
      noCreate = true;
    } else {
      id = requestedIdArg(arg);
    }
  }
  if (limit !== undefined && limit > 0 && until === undefined) throw LIMIT_ALONE;
  if (!adding && until === undefined) throw NO_STRATEGY;
  if (limit !== undefined && !approximate) throw LIMIT_EXACT;
  limit ??= approximate ? defaultTrimLimit(ctx.server.encodingLimits.streamNodes) : 0;
  const trim = until && { until, approximate, limit, references: references ?? 'keepref' };
  return { trim, noCreate, id, end: at };
}

function maxLengthArg(text: Bytes): Int64 {
  const maxLength = int64Arg(text);
  if (maxLength < 0) throw NEGATIVE_MAXLEN;
  return maxLength;
}

function requestedIdArg(text: Bytes): RequestedStreamId {
  const id = parseRequestedStreamId(text);
  if (id === null) throw INVALID_ID;
  return id;
}

function xlen(ctx: Session, args: Bytes[]): Reply {
  return readValue(ctx, args[1]!, Stream)?.length ?? 0;
}

function xrange(ctx: Session, args: Bytes[]): Reply {
  const start = rangeStartArg(args[2]!);
  const end = rangeEndArg(args[3]!);
  return rangeReply(ctx, args, (stream, count) => stream.range(start, end, count));
}

function xrevrange(ctx: Session, args: Bytes[]): Reply {
  const end = rangeEndArg(args[2]!);
  const start = rangeStartArg(args[3]!);
  return rangeReply(ctx, args, (stream, count) => stream.reverseRange(end, start, count));
}

type RangeOf = (stream: Stream, count: number | undefined) => ReturnType<Stream['range']>;

function rangeReply(ctx: Session, args: Bytes[], rangeOf: RangeOf): Reply {
  let count: number | undefined;
  for (let i = 4; i < args.length; i += 2) {
    if (!isWord(args[i]!, 'COUNT') || i + 1 === args.length) throw SYNTAX;
    count = countArg(args[i + 1]!);
  }
  const stream = readValue(ctx, args[1]!, Stream);
  if (stream === undefined) return [];
  return count === 0 ? NULL_ARRAY : rangeOf(stream, count).map(entryReply);
}

function xdel(ctx: Session, args: Bytes[]): Reply {
  const stream = fetchValue(ctx, args[1]!, Stream);
  if (stream === undefined) return 0;
  let deleted = 0;
  for (const id of idArgs(args, 2)) if (stream.delete(id)) deleted++;
  if (deleted > 0) ctx.db.changed(args[1]!, NOTIFY.stream, 'xdel');
  return deleted;
}

function xdelex(ctx: Session, args: Bytes[]): Reply {
  const { references, ids } = idsToDelete(args, 2);
  const stream = fetchValue(ctx, args[1]!, Stream);
  if (stream === undefined) return ids.map(() => DELETE_OUTCOME.unknown);
  const lengthBefore = stream.length;
  const outcomes: DeleteOutcome[] = [];
  for (const id of idArgs(ids, 0)) outcomes.push(stream.deleteReferenced(id, references));
  if (stream.length < lengthBefore) ctx.db.changed(args[1]!, NOTIFY.stream, 'xdel');
  return outcomes;
}

const ENTRIES_ADDED_NEGATIVE = new ErrorReply('ERR entries_added must be positive');
const BELOW_GIVEN_DELETED = new ErrorReply(
  'ERR The ID specified in XSETID is smaller than the provided max_deleted_entry_id',
);
const BELOW_DELETED = new ErrorReply('ERR The ID specified in XSETID is smaller than current max_deleted_entry_id');
const BELOW_TOP = new ErrorReply('ERR The ID specified in XSETID is smaller than the target stream top item');
const BELOW_LENGTH = new ErrorReply(
  'ERR The entries_added specified in XSETID is smaller than the target stream length',
);

function xsetid(ctx: Session, args: Bytes[]): Reply {
  const id = idArg(args[2]!);
  let entriesAdded: Int64 | undefined;
  let maxDeletedId: StreamId | undefined;
  const options = new OptionReader(args, 3);
  while (options.more) {
    const word = options.keyword();
    if (word === 'ENTRIESADDED') {
      entriesAdded = int64Arg(options.next());
      if (entriesAdded < 0) throw ENTRIES_ADDED_NEGATIVE;
    } else if (word === 'MAXDELETEDID') {
      maxDeletedId = idArg(options.next());
      if (compareStreamIds(id, maxDeletedId) < 0) throw BELOW_GIVEN_DELETED;
    } else throw SYNTAX;
  }
  const stream = fetchValue(ctx, args[1]!, Stream);
  if (stream === undefined) throw NO_SUCH_KEY;
  if (compareStreamIds(id, stream.maxDeletedId) < 0) throw BELOW_DELETED;
  const last = stream.lastEntry();
  if (last !== undefined && compareStreamIds(id, last.id) < 0) throw BELOW_TOP;
  if (entriesAdded !== undefined && entriesAdded < stream.length) throw BELOW_LENGTH;
  stream.lastId = id;
  if (entriesAdded !== undefined) stream.entriesAdded = entriesAdded;
  if (maxDeletedId !== undefined && (maxDeletedId.ms !== 0 || maxDeletedId.seq !== 0))
    stream.maxDeletedId = maxDeletedId;
  changedQuietly(ctx, args[1]!, 'xsetid');
  return OK;
}
