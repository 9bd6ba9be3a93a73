/** Consumer groups of streams: making them, acknowledging, looking at and taking over what is pending. Rules of Redis 8.2. */

import { NOTIFY } from '../keyspace/notifications.js';
import { DELETE_OUTCOME, Stream } from '../keyspace/values/stream.js';
import { autoClaim, claim, raiseLastDelivered, type StreamClaim } from '../keyspace/values/stream-delivery.js';
import type { StreamGroup } from '../keyspace/values/stream-group.js';
import { MIN_STREAM_ID, parseStreamId, type StreamId } from '../keyspace/values/stream-id.js';
import type { StreamEntry } from '../keyspace/values/stream-node.js';
import { SYNTAX, untilNul, wrongSubcommand } from '../protocol/errors.js';
import { type Bytes, ErrorReply, type Int64, NULL_ARRAY, OK, type Reply } from '../protocol/reply.js';
import type { Session } from '../server/session.js';
import { fetchValue, int64Arg, isWord, OptionReader, readValue } from './args.js';
import { type CommandRow, key } from './definition.js';
import { helpHandler } from './help.js';
import {
  askingConsumer,
  changedQuietly,
  countArg,
  entryReply,
  idArg,
  idArgs,
  idsToDelete,
  newConsumer,
  noSuchGroupOfKey,
  rangeEndArg,
  rangeStartArg,
  readGroup,
} from './stream-args.js';

export const streamGroupCommands: readonly CommandRow[] = [
  {
    name: 'xgroup',
    arity: -2,
    flags: [],
    group: 'stream',
    acl: [],
    since: '5.0.0',
    complexity: '',
    summary: 'Manages the consumer groups of a stream.',
    syntax: '',
    subcommands: [
      {
        name: 'create',
        arity: -5,
        flags: ['write', 'denyoom'],
        group: 'stream',
        keys: [key('RW insert', 2)],
        since: '5.0.0',
        complexity: 'O(1)',
        summary: 'Makes a consumer group that reads on from an ID.',
        syntax: 'key group id-selector:(id | new-id=$) [MKSTREAM] [ENTRIESREAD entriesread:integer]',
        handler: create,
      },
      {
        name: 'setid',
        arity: -5,
        flags: ['write'],
        group: 'stream',
        keys: [key('RW update', 2)],
        since: '5.0.0',
        complexity: 'O(1)',
        summary: 'Sets the ID from which a group reads on.',
        syntax: 'key group id-selector:(id | new-id=$) [ENTRIESREAD entriesread:integer]',
        handler: setid,
      },
      {
        name: 'destroy',
        arity: 4,
        flags: ['write'],
        group: 'stream',
        keys: [key('RW delete', 2)],
        since: '5.0.0',
        complexity: 'O(N), N being the number of entries pending in the group',
        summary: 'Removes a consumer group.',
        syntax: 'key group',
        handler: destroy,
      },
      {
        name: 'createconsumer',
        arity: 5,
        flags: ['write', 'denyoom'],
        group: 'stream',
        keys: [key('RW insert', 2)],
        since: '6.2.0',
        complexity: 'O(1)',
        summary: 'Adds a consumer to a group.',
        syntax: 'key group consumer',
        handler: createconsumer,
      },
      {
        name: 'delconsumer',
        arity: 5,
        flags: ['write'],
        group: 'stream',
        keys: [key('RW delete', 2)],
        since: '5.0.0',
        complexity: 'O(1)',
        summary: 'Removes a consumer, and with it what is pending for it.',
        syntax: 'key group consumer',
        handler: delconsumer,
      },
      {
        name: 'help',
        arity: 2,
        flags: ['loading', 'stale'],
        group: 'stream',
        since: '5.0.0',
        complexity: 'O(1)',
        summary: 'Shows the subcommands.',
        syntax: '',
        handler: helpHandler('XGROUP'),
      },
    ],
  },
  {
    name: 'xack',
    arity: -4,
    flags: ['write', 'fast'],
    group: 'stream',
    keys: [key('RW update')],
    since: '5.0.0',
    complexity: 'O(1) for each entry',
    summary: 'Acknowledges entries: they are no longer pending in the group.',
    syntax: 'key group id...',
    handler: xack,
  },
  {
    name: 'xackdel',
    arity: -6,
    flags: ['write', 'fast'],
    group: 'stream',
    keys: [key('RW update delete')],
    since: '8.2.0',
    complexity: 'O(1) for each entry',
    summary: 'Acknowledges entries and deletes them, and says what became of each.',
    syntax: 'key group [condition:(KEEPREF | DELREF | ACKED)] IDS ids:(numids:integer id...)',
    handler: xackdel,
  },
  {
    name: 'xpending',
    arity: -3,
    flags: ['readonly'],
    group: 'stream',
    keys: [key('RO access')],
    since: '5.0.0',
    complexity: 'O(N), N being the number of entries looked at; of consumers in the short form',
    summary: 'Shows what is pending in a group: a summary, or entry by entry.',
    syntax: 'key group [filters:([IDLE min-idle-time:integer] start end count:integer [consumer])]',
    tips: ['nondeterministic_output'],
    handler: xpending,
  },
  {
    name: 'xclaim',
    arity: -6,
    flags: ['write', 'fast'],
    group: 'stream',
    keys: [key('RW update')],
    since: '5.0.0',
    complexity: 'O(log N), N being the number of entries pending in the group',
    summary: 'Gives pending entries to another consumer, as if they had been delivered to it.',
    syntax:
      'key group consumer min-idle-time id... [IDLE ms:integer] [TIME unix-time-milliseconds:unix-time] [RETRYCOUNT count:integer] [FORCE] [JUSTID] [LASTID lastid]',
    tips: ['nondeterministic_output'],
    handler: xclaim,
  },
  {
    name: 'xautoclaim',
    arity: -6,
    flags: ['write', 'fast'],
    group: 'stream',
    keys: [key('RW delete')],
    since: '6.2.0',
    complexity: 'O(1) for a small COUNT',
    summary: 'Gives a consumer what has been pending for long, whoever had it.',
    syntax: 'key group consumer min-idle-time start [COUNT count:integer] [JUSTID]',
    tips: ['nondeterministic_output'],
    handler: xautoclaim,
  },
];

const GROUP_EXISTS = new ErrorReply('BUSYGROUP Consumer Group name already exists');
const KEY_REQUIRED = new ErrorReply(
  'ERR The XGROUP subcommand requires the key to exist. Note that for CREATE you may want to use the MKSTREAM option to create an empty stream automatically.',
);

function create(ctx: Session, args: Bytes[]): Reply {
  const name = args[2]!;
  const { makeStream, entriesRead } = groupOptions(args, true);
  const found = fetchValue(ctx, name, Stream);
  if (found === undefined && !makeStream) throw KEY_REQUIRED;
  if (args.length > 8) throw wrongSubcommand('XGROUP', args[1]!);
  const id = args[4] === '$' ? (found?.lastId ?? MIN_STREAM_ID) : idArg(args[4]!);
  const stream = found ?? new Stream();
  if (found === undefined) {
    ctx.db.put(name, stream);
    ctx.db.touch(name);
  }
  if (stream.createGroup(args[3]!, id, entriesRead) === null) throw GROUP_EXISTS;
  changedQuietly(ctx, name, 'xgroup-create');
  return OK;
}

function setid(ctx: Session, args: Bytes[]): Reply {
  const { entriesRead } = groupOptions(args, false);
  const { stream, group } = fetchGroup(ctx, args);
  if (args.length !== 5 && args.length !== 7) throw wrongSubcommand('XGROUP', args[1]!);
  const id = args[4] === '$' ? stream.lastId : groupPositionArg(args[4]!);
  stream.positionGroup(group, id, entriesRead);
  changedQuietly(ctx, args[2]!, 'xgroup-setid');
  return OK;
}

function destroy(ctx: Session, args: Bytes[]): Reply {
  const stream = fetchValue(ctx, args[2]!, Stream);
  if (stream === undefined) throw KEY_REQUIRED;
  if (!stream.deleteGroup(args[3]!)) return 0;
  changedQuietly(ctx, args[2]!, 'xgroup-destroy');
  // Consumers that wait are told that their group is gone.
  ctx.db.ready(args[2]!);
  return 1;
}

function createconsumer(ctx: Session, args: Bytes[]): Reply {
  const { group } = fetchGroup(ctx, args);
  return newConsumer(ctx, args[2]!, group, args[4]!) === null ? 0 : 1;
}

function delconsumer(ctx: Session, args: Bytes[]): Reply {
  const { group } = fetchGroup(ctx, args);
  const pending = group.deleteConsumer(args[4]!);
  if (pending !== null) changedQuietly(ctx, args[2]!, 'xgroup-delconsumer');
  return pending ?? 0;
}

/** Stream and group of an XGROUP subcommand that needs both. */
function fetchGroup(ctx: Session, args: Bytes[]): { stream: Stream; group: StreamGroup } {
  const stream = fetchValue(ctx, args[2]!, Stream);
  if (stream === undefined) throw KEY_REQUIRED;
  const group = stream.group(args[3]!);
  if (group === undefined) throw noSuchGroupOfKey(args[2]!, args[3]!);
  return { stream, group };
}

const BAD_ENTRIES_READ = new ErrorReply('ERR value for ENTRIESREAD must be positive or -1');

/** The options of XGROUP CREATE and, without MKSTREAM, of XGROUP SETID. */
function groupOptions(args: Bytes[], creating: boolean): { makeStream: boolean; entriesRead: Int64 | null } {
  let makeStream = false;
  let entriesRead: Int64 = -1;
  const options = new OptionReader(args, 5);
  while (options.more) {
    const word = options.keyword();
    if (word === 'MKSTREAM' && creating) makeStream = true;
    else if (word === 'ENTRIESREAD' && options.more) {
      entriesRead = int64Arg(options.next());
      if (entriesRead < -1) throw BAD_ENTRIES_READ;
    } else throw wrongSubcommand('XGROUP', args[1]!);
  }
  return { makeStream, entriesRead: entriesRead === -1 ? null : entriesRead };
}

/** XGROUP SETID alone takes `-` and `+` for the least and the greatest ID. */
function groupPositionArg(text: Bytes): StreamId {
  return text === '-' || text === '+' ? rangeStartArg(text) : idArg(text);
}

function xack(ctx: Session, args: Bytes[]): Reply {
  const group = readValue(ctx, args[1]!, Stream)?.group(args[2]!);
  if (group === undefined) return 0;
  let acknowledged = 0;
  for (const id of idArgs(args, 3)) if (group.acknowledge(id)) acknowledged++;
  ctx.server.changes += acknowledged;
  return acknowledged;
}

function xackdel(ctx: Session, args: Bytes[]): Reply {
  const { references, ids } = idsToDelete(args, 3);
  const stream = readValue(ctx, args[1]!, Stream);
  const group = stream?.group(args[2]!);
  if (stream === undefined || group === undefined) return ids.map(() => DELETE_OUTCOME.unknown);
  const lengthBefore = stream.length;
  const outcomes = idArgs(ids, 0).map((id) => stream.acknowledgeAndDelete(group, id, references));
  if (stream.length < lengthBefore) ctx.db.changed(args[1]!, NOTIFY.stream, 'xdel');
  else if (outcomes.some((outcome) => outcome !== DELETE_OUTCOME.unknown)) ctx.server.changes++;
  return outcomes;
}

function xpending(ctx: Session, args: Bytes[]): Reply {
  if (args.length === 3) return pendingSummary(readGroup(ctx, args[1]!, args[2]!).group);
  if (args.length < 6 || args.length > 9) throw SYNTAX;
  let at = 3;
  let minIdle: Int64 = 0;
  if (isWord(args[3]!, 'IDLE')) {
    minIdle = int64Arg(args[4]!);
    if (args.length < 8) throw SYNTAX;
    at = 5;
  }
  const count = countArg(args[at + 2]!);
  const start = rangeStartArg(args[at]!);
  const end = rangeEndArg(args[at + 1]!);
  const { group } = readGroup(ctx, args[1]!, args[2]!);
  const consumerName = args[at + 3];
  const owner = consumerName === undefined ? group : group.consumer(consumerName);
  const shown: Reply[] = [];
  if (owner === undefined || count === 0) return shown;
  owner.pending.visit(start, end, (pending) => {
    const idle = ctx.now - pending.deliveryTime;
    if (minIdle === 0 || idle >= minIdle) {
      shown.push([pending.id.toString(), pending.consumer.name, Math.max(idle, 0), pending.deliveryCount]);
    }
    return shown.length < count;
  });
  return shown;
}

/** The number of pending entries, the first and last of them, and how many each consumer has. */
function pendingSummary(group: StreamGroup): Reply {
  const first = group.pending.first();
  const last = group.pending.last();
  if (first === undefined || last === undefined) return [0, null, null, NULL_ARRAY];
  const shares: Reply[] = [];
  for (const { name, pending } of group.consumers()) if (pending.size > 0) shares.push([name, String(pending.size)]);
  return [group.pending.size, first.id.toString(), last.id.toString(), shares];
}

const CLAIM_ERRORS = {
  minIdle: new ErrorReply('ERR Invalid min-idle-time argument for XCLAIM'),
  idle: new ErrorReply('ERR Invalid IDLE option argument for XCLAIM'),
  time: new ErrorReply('ERR Invalid TIME option argument for XCLAIM'),
  retryCount: new ErrorReply('ERR Invalid RETRYCOUNT option argument for XCLAIM'),
} as const;

function xclaim(ctx: Session, args: Bytes[]): Reply {
  const { stream, group } = readGroup(ctx, args[1]!, args[2]!);
  const minIdle = int64Arg(args[4]!, CLAIM_ERRORS.minIdle);
  const ids: StreamId[] = [];
  for (let i = 5; i < args.length; i++) {
    const id = parseStreamId(args[i]!);
    // The first word that is no ID begins the options.
    if (id === null) break;
    ids.push(id);
  }
  const { lastId, ...options } = claimOptions(ctx, args, 5 + ids.length);
  if (lastId !== undefined) raiseLastDelivered(group, lastId);
  const consumer = askingConsumer(ctx, args[1]!, group, args[3]!);
  const claimed: Reply[] = [];
  for (const id of ids) {
    const entry = claim(stream, group, consumer, id, { ...options, minIdle, now: ctx.now });
    if (entry !== null) claimed.push(claimedReply(entry, options.justId));
  }
  ctx.server.changes += claimed.length;
  return claimed;
}

type ClaimOptions = Omit<StreamClaim, 'minIdle' | 'now'> & { readonly lastId: StreamId | undefined };

function claimOptions(ctx: Session, args: Bytes[], from: number): ClaimOptions {
  const { now } = ctx;
  let deliveryTime = now;
  let deliveryCount: Int64 | undefined;
  let lastId: StreamId | undefined;
  let justId = false;
  let force = false;
  const options = new OptionReader(args, from);
  while (options.more) {
    const text = options.next();
    const word = text.toUpperCase();
    if (word === 'FORCE') force = true;
    else if (word === 'JUSTID') justId = true;
    else if (word === 'IDLE' && options.more) deliveryTime = now - options.integer(CLAIM_ERRORS.idle);
    else if (word === 'TIME' && options.more) deliveryTime = options.integer(CLAIM_ERRORS.time);
    else if (word === 'RETRYCOUNT' && options.more) {
      const count = int64Arg(options.next(), CLAIM_ERRORS.retryCount);
      deliveryCount = count < 0 ? undefined : count;
    } else if (word === 'LASTID' && options.more) lastId = idArg(options.next());
    else throw new ErrorReply(`ERR Unrecognized XCLAIM option '${untilNul(text)}'`);
  }
  // A time that cannot be is taken for now: clients may compute it from a clock that differs from ours.
  if (deliveryTime < 0 || deliveryTime > now) deliveryTime = now;
  return { deliveryTime, justId, force, lastId, ...(deliveryCount !== undefined && { deliveryCount }) };
}

function claimedReply(entry: StreamEntry, justId: boolean): Reply {
  return justId ? entry.id.toString() : entryReply(entry);
}

const AUTOCLAIM_MIN_IDLE = new ErrorReply('ERR Invalid min-idle-time argument for XAUTOCLAIM');
const AUTOCLAIM_COUNT = new ErrorReply('ERR COUNT must be > 0');
const AUTOCLAIM_DEFAULT_COUNT = 100;
/** A signed 64-bit size over the 16 bytes of an ID. */
const AUTOCLAIM_MOST = 2n ** 63n / 16n - 1n;

function xautoclaim(ctx: Session, args: Bytes[]): Reply {
  const minIdle = int64Arg(args[4]!, AUTOCLAIM_MIN_IDLE);
  const start = rangeStartArg(args[5]!);
  let count: Int64 = AUTOCLAIM_DEFAULT_COUNT;
  let justId = false;
  const options = new OptionReader(args, 6);
  while (options.more) {
    const word = options.keyword();
    if (word === 'COUNT') {
      count = int64Arg(options.next(), AUTOCLAIM_COUNT);
      if (count < 1 || count > AUTOCLAIM_MOST) throw AUTOCLAIM_COUNT;
    } else if (word === 'JUSTID') justId = true;
    else throw SYNTAX;
  }
  const { stream, group } = readGroup(ctx, args[1]!, args[2]!);
  const consumer = askingConsumer(ctx, args[1]!, group, args[3]!);
  const found = autoClaim(stream, group, consumer, { minIdle, start, count: Number(count), justId, now: ctx.now });
  ctx.server.changes += found.claimed.length + found.deleted.length;
  return [
    found.cursor.toString(),
    found.claimed.map((entry) => claimedReply(entry, justId)),
    found.deleted.map((id) => id.toString()),
  ];
}
