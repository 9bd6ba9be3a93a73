/** HyperLogLog: estimates of how many different elements were added. The values are strings (Redis 8.2). */

import { NOTIFY } from '../keyspace/notifications.js';
import { type StringValue, textOf } from '../keyspace/value.js';
import { ByteBuffer } from '../keyspace/values/byte-buffer.js';
import {
  estimate,
  HYPERLOGLOG_REGISTERS,
  Hyperloglog,
  HyperloglogCorrupted,
  hyperloglogSelfTest,
} from '../keyspace/values/hyperloglog.js';
import { untilNul } from '../protocol/errors.js';
import { type Bytes, ErrorReply, type Int64, OK, type Reply, SimpleString } from '../protocol/reply.js';
import type { Session } from '../server/session.js';
import { fetchString, isWord, readString } from './args.js';
import { type CommandRow, type Handler, key, keyRange } from './definition.js';

export const hyperloglogCommands: readonly CommandRow[] = [
  {
    name: 'pfadd',
    arity: -2,
    flags: ['write', 'denyoom', 'fast'],
    group: 'hyperloglog',
    keys: [key('RW insert')],
    since: '2.8.9',
    complexity: 'O(1) for each element',
    summary: 'Adds elements, creating the HyperLogLog if needed, and says whether the estimate may have changed.',
    syntax: 'key [element...]',
    handler: refusingCorrupted(pfadd),
  },
  {
    name: 'pfcount',
    arity: -2,
    flags: ['readonly'],
    group: 'hyperloglog',
    keys: [keyRange('RW access', 1, -1)],
    since: '2.8.9',
    complexity: 'O(1) for one key, mostly cached; O(N) for N keys, with a large constant',
    summary: 'Estimates how many different elements were added to one or several HyperLogLogs together.',
    syntax: 'key...',
    handler: refusingCorrupted(pfcount),
  },
  {
    name: 'pfmerge',
    arity: -2,
    flags: ['write', 'denyoom'],
    group: 'hyperloglog',
    keys: [key('RW access insert'), keyRange('RO access', 2, -1)],
    since: '2.8.9',
    complexity: 'O(N), N being the number of HyperLogLogs, with a large constant',
    summary: 'Merges HyperLogLogs into the first.',
    syntax: 'destkey:key [sourcekey:key...]',
    handler: refusingCorrupted(pfmerge),
  },
  {
    name: 'pfdebug',
    arity: 3,
    flags: ['write', 'denyoom', 'admin'],
    group: 'hyperloglog',
    keys: [key('RW access', 2)],
    since: '2.8.9',
    complexity: '',
    summary: 'Shows or changes how a HyperLogLog is kept.',
    syntax: 'subcommand key',
    handler: refusingCorrupted(pfdebug),
  },
  {
    name: 'pfselftest',
    arity: 1,
    flags: ['admin'],
    group: 'hyperloglog',
    since: '2.8.9',
    complexity: '',
    summary: 'Checks that HyperLogLogs count as they should.',
    syntax: '',
    handler: pfselftest,
  },
];

const NOT_A_HYPERLOGLOG = new ErrorReply('WRONGTYPE Key is not a valid HyperLogLog string value.');
const CORRUPTED = new ErrorReply('INVALIDOBJ Corrupted HLL object detected');

/** Registers are only checked when they are used: what is wrong with them is found in the middle of a command. */
function refusingCorrupted(handler: Handler): Handler {
  return (ctx, args) => {
    try {
      return handler(ctx, args);
    } catch (problem) {
      if (problem instanceof HyperloglogCorrupted) return CORRUPTED;
      throw problem;
    }
  };
}

function pfadd(ctx: Session, args: Bytes[]): Reply {
  const name = args[1]!;
  const found = parse(fetchString(ctx, name));
  const value = found ?? Hyperloglog.create();
  const limit = ctx.server.encodingLimits.hllSparseMaxBytes;
  let grew = false;
  try {
    for (let i = 2; i < args.length; i++) if (value.add(args[i]!, limit)) grew = true;
  } finally {
    // What was added before corrupted registers were met stays.
    if (grew || found === undefined) store(ctx, name, value);
  }
  if (found !== undefined && !grew) return 0;
  ctx.db.changed(name, NOTIFY.string, 'pfadd');
  return 1;
}

function pfcount(ctx: Session, args: Bytes[]): Reply {
  return args.length === 2 ? countOne(ctx, args[1]!) : estimate(unionOf(ctx, args).registers);
}

/** The count of one key is cached in its value, which is a change of it. */
function countOne(ctx: Session, name: Bytes): Int64 {
  const value = parse(readString(ctx, name));
  if (value === undefined) return 0;
  const cached = value.cachedCount();
  if (cached !== null) return cached;
  const count = value.count();
  store(ctx, name, value);
  ctx.db.touch(name);
  return count;
}

function pfmerge(ctx: Session, args: Bytes[]): Reply {
  const { registers, anyDense } = unionOf(ctx, args);
  const name = args[1]!;
  const target = parse(fetchString(ctx, name)) ?? Hyperloglog.create();
  if (anyDense) target.toDense();
  target.merge(registers, ctx.server.encodingLimits.hllSparseMaxBytes);
  store(ctx, name, target);
  ctx.db.changed(name, NOTIFY.string, 'pfadd');
  return OK;
}

/** The greatest of each register of all keys; keys without value count as empty. */
function unionOf(ctx: Session, args: Bytes[]): { registers: Uint8Array; anyDense: boolean } {
  const registers = new Uint8Array(HYPERLOGLOG_REGISTERS);
  let anyDense = false;
  for (let i = 1; i < args.length; i++) {
    const value = parse(readString(ctx, args[i]!));
    if (value === undefined) continue;
    if (value.encoding === 'dense') anyDense = true;
    value.raiseTo(registers);
  }
  return { registers, anyDense };
}

const SIMD_ARGUMENT = new ErrorReply('ERR Argument must be ON or OFF');
const NO_KEY = new ErrorReply('ERR The specified key does not exist');
const NOT_SPARSE = new ErrorReply('ERR HLL encoding is not sparse');

function pfdebug(ctx: Session, args: Bytes[]): Reply {
  const word = args[1]!;
  if (isWord(word, 'SIMD')) return simd(args[2]!);
  const name = args[2]!;
  const value = parse(fetchString(ctx, name));
  if (value === undefined) throw NO_KEY;
  switch (word.toLowerCase()) {
    case 'getreg':
      makeDense(ctx, name, value);
      return Array.from(value.registers());
    case 'decode':
      return value.describe() ?? NOT_SPARSE;
    case 'encoding':
      return new SimpleString(value.encoding);
    case 'todense':
      return makeDense(ctx, name, value) ? 1 : 0;
    default:
      return new ErrorReply(`ERR Unknown PFDEBUG subcommand '${untilNul(word)}'`);
  }
}

/** There is no second way of computing here that could be switched on or off; the reply is Redis'. */
function simd(word: Bytes): Reply {
  if (isWord(word, 'ON')) return new SimpleString('enabled');
  return isWord(word, 'OFF') ? new SimpleString('disabled') : SIMD_ARGUMENT;
}

function makeDense(ctx: Session, name: Bytes, value: Hyperloglog): boolean {
  if (!value.toDense()) return false;
  store(ctx, name, value);
  ctx.server.changes++;
  return true;
}

const SELF_TEST_FAILED = new ErrorReply('ERR TESTFAILED the registers or the estimate are wrong');

function pfselftest(): Reply {
  return hyperloglogSelfTest() ? OK : SELF_TEST_FAILED;
}

/** Redis edits the value in place: its encoding is `raw`, however short it is. */
function store(ctx: Session, name: Bytes, value: Hyperloglog): void {
  if (value.inPlace) return;
  const stored = ByteBuffer.zeros(value.length);
  value.copyTo(stored.bytes());
  ctx.db.put(name, stored);
}

function parse(value: StringValue | undefined): Hyperloglog | undefined {
  if (value === undefined) return undefined;
  const parsed = Hyperloglog.parse(value instanceof ByteBuffer ? value.bytes() : textOf(value));
  if (parsed === null) throw NOT_A_HYPERLOGLOG;
  return parsed;
}
