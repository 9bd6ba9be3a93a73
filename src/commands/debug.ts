/** DEBUG: what tests and tools ask of the inside of the server. Nothing here crashes it. */

import { getHeapStatistics } from 'node:v8';
import { databaseDigest, valueDigest } from '../keyspace/digest.js';
import { encodingOf } from '../keyspace/value.js';
import { dumpValue } from '../persistence/rdb/payload.js';
import { reloadDatabase } from '../persistence/rdb/reload.js';
import { NO_SUCH_KEY } from '../protocol/errors.js';
import { globMatch } from '../protocol/glob.js';
import { parseMemory } from '../protocol/memory-size.js';
import {
  AttributeReply,
  BigNumber,
  type Bytes,
  DoubleReply,
  ErrorReply,
  MapReply,
  OK,
  PushReply,
  type Reply,
  SetReply,
  SimpleString,
  VerbatimString,
} from '../protocol/reply.js';
import type { Session } from '../server/session.js';
import { integerArg } from './args.js';
import { BlockRequest } from './block-request.js';
import type { CommandRow } from './definition.js';

export const debugCommands: readonly CommandRow[] = [
  {
    name: 'debug',
    arity: -2,
    flags: ['admin', 'noscript', 'loading', 'stale'],
    group: 'server',
    since: '1.0.0',
    complexity: '',
    summary: 'Inspects and bends the server, for tests and tools.',
    syntax: '',
    handler: debug,
  },
];

interface DebugAction {
  /** Words behind `DEBUG name`, at least and at most. */
  readonly words: readonly [number, number];
  readonly help: string;
  readonly run: (ctx: Session, args: Bytes[]) => Reply | BlockRequest;
}

const accepted = (): Reply => OK;

/** By name in upper case. Those that are only accepted have nothing to act on in this server. */
const ACTIONS: ReadonlyMap<string, DebugAction> = new Map([
  ['DICT-RESIZING', { words: [1, 1], help: 'Accepted: the key table always resizes.', run: accepted }],
  ['DIGEST', { words: [0, 0], help: 'Tells a hash of all data.', run: digest }],
  ['DIGEST-VALUE', { words: [1, Infinity], help: 'Tells a hash of the value of each key.', run: digestValue }],
  ['ERROR', { words: [1, 1], help: 'Answers with this error.', run: error }],
  ['HELP', { words: [0, 0], help: 'Shows the subcommands.', run: help }],
  ['HTSTATS', { words: [1, 2], help: 'Tells the size of the key table of a database.', run: tableStats }],
  ['JMAP', { words: [0, 0], help: 'Tells the state of the heap.', run: heapState }],
  ['LOADAOF', { words: [0, 0], help: 'As RELOAD: there is no file.', run: reload }],
  ['LOG', { words: [1, 1], help: 'Writes a line to the log.', run: log }],
  ['OBJECT', { words: [1, 2], help: 'Tells how the value of a key is held.', run: object }],
  ['PAUSE-CRON', { words: [1, 1], help: 'Stops (1) or resumes (0) the background work.', run: pauseCron }],
  ['POPULATE', { words: [1, 3], help: 'Makes many keys: count, prefix (key), bytes of a value.', run: populate }],
  ['PROTOCOL', { words: [1, 1], help: 'Answers with a value of a RESP type.', run: protocol }],
  ['QUICKLIST-PACKED-THRESHOLD', { words: [1, 1], help: 'Accepted, if it is a size.', run: packedThreshold }],
  ['RELOAD', { words: [0, 3], help: 'Takes all data through its dumped form and back.', run: reload }],
  ['REPLYBUFFER', { words: [2, 2], help: 'Accepted: replies are not kept in fixed buffers.', run: accepted }],
  [
    'SET-ACTIVE-EXPIRE',
    { words: [1, 1], help: 'Turns the expiry of keys that nobody reads off (0) or on (1).', run: activeExpire },
  ],
  [
    'SET-DISABLE-DENY-SCRIPTS',
    { words: [1, 1], help: 'Lets scripts run every command (1) or not (0).', run: denyScripts },
  ],
  ['SLEEP', { words: [1, 1], help: 'Answers nobody for some seconds.', run: sleep }],
  [
    'STRINGMATCH-LEN',
    { words: [2, 2], help: 'Says whether a pattern fits a string of that many letters a.', run: stringMatch },
  ],
  ['STRUCTSIZE', { words: [0, 0], help: 'Tells sizes of the inside.', run: structSize }],
]);

function debug(ctx: Session, args: Bytes[]): Reply | BlockRequest {
  const action = ACTIONS.get(args[1]!.toUpperCase());
  const words = args.length - 2;
  if (action === undefined || words < action.words[0] || words > action.words[1]) {
    return new ErrorReply(`ERR unknown subcommand or wrong number of arguments for '${args[1]!}'. Try DEBUG HELP.`);
  }
  return action.run(ctx, args);
}

function help(): Reply {
  const lines = ['DEBUG <subcommand> [<arg> [value] [opt] ...]. Subcommands are:'];
  for (const [name, action] of ACTIONS) lines.push(name, `    ${action.help}`);
  return lines.map((line) => new SimpleString(line));
}

// The data

function digest(ctx: Session): Reply {
  return new SimpleString(databaseDigest(ctx.server.databases));
}

function digestValue(ctx: Session, args: Bytes[]): Reply {
  return args.slice(2).map((key) => new SimpleString(valueDigest(ctx.db, key)));
}

function reload(ctx: Session, args: Bytes[]): Reply {
  const options = args.slice(2).map((word) => word.toUpperCase());
  const { databases, functions } = ctx.server;
  const isEmpty = functions.libraries.size === 0 && databases.every((db) => db.size === 0);
  if (options.includes('NOFLUSH') && !options.includes('MERGE') && !isEmpty) {
    return new ErrorReply('ERR Error trying to load the RDB dump, check server logs.');
  }
  for (const db of ctx.server.databases) reloadDatabase(db, ctx.server.encodingLimits);
  return OK;
}

function object(ctx: Session, args: Bytes[]): Reply {
  const key = args[2]!;
  // A key that is due and has not been met yet is still there to look at.
  const slot = ctx.db.table.find(key);
  if (slot < 0) return NO_SUCH_KEY;
  const value = ctx.db.table.valueAt(slot);
  const expires = ctx.db.isLive(key) ? ctx.db.expiryOf(key) !== undefined : true;
  const idle = ctx.db.access.idleSeconds(slot);
  const accessed = Math.trunc(ctx.now / 1000) - idle;
  // What DUMP gives, without type and footer.
  const length = dumpValue(value).length - 11;
  return new SimpleString(
    `Value at:0x${address(key)} refcount:1 encoding:${encodingOf(value, key, expires)} serializedlength:${length} lru:${accessed & 0xffffff} lru_seconds_idle:${idle}`,
  );
}

/** Values have no address that can be told: a number that is the same as long as the key is. */
function address(key: Bytes): string {
  let hash = 0x7f00;
  for (let i = 0; i < key.length; i++) hash = (hash * 31 + key.charCodeAt(i)) % 0x7fff_ffff_ffff;
  return hash.toString(16).padStart(12, '7');
}

function populate(ctx: Session, args: Bytes[]): Reply {
  const count = integerArg(args[2]!);
  const prefix = args[3] ?? 'key';
  const size = args[4] === undefined ? undefined : integerArg(args[4]);
  for (let i = 0; i < count; i++) {
    const key = `${prefix}:${i}`;
    if (ctx.db.has(key)) continue;
    const text = `value:${i}`;
    ctx.db.put(key, size === undefined ? text : text.slice(0, size).padEnd(size, '\0'));
    ctx.db.touch(key);
  }
  return OK;
}

function tableStats(ctx: Session, args: Bytes[]): Reply {
  const db = ctx.server.databases[integerArg(args[2]!)];
  if (db === undefined) return new ErrorReply('ERR Out of range database');
  return new VerbatimString(
    `[Dictionary HT]\n table size: ${db.table.capacity}\n number of elements: ${db.size}\n[Expires HT]\n number of elements: ${db.volatileSize}\n`,
  );
}

// The server

function sleep(ctx: Session, args: Bytes[]): Reply | BlockRequest {
  const ms = Number(args[2]) * 1000;
  // Under a frozen clock no time passes by sleeping.
  if (!(ms > 0) || ctx.server.clock.mode === 'frozen') return OK;
  if (ctx.server.callDepth > 1) {
    // Inside a transaction or a script nothing else of this server may run, so there is nothing to let run.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
    return OK;
  }
  ctx.server.pause.start(ctx.now + ms, 'all');
  return new BlockRequest('none', [], ctx.now + ms, OK, false, ctx.now);
}

function log(ctx: Session, args: Bytes[]): Reply {
  ctx.server.log.warning(`DEBUG LOG: ${args[2]!}`);
  return OK;
}

function error(_ctx: Session, args: Bytes[]): Reply {
  return new ErrorReply(args[2]!);
}

function activeExpire(ctx: Session, args: Bytes[]): Reply {
  ctx.server.expiryCycle.enabled = integerArg(args[2]!) !== 0;
  return OK;
}

function pauseCron(ctx: Session, args: Bytes[]): Reply {
  ctx.server.expiryCycle.paused = integerArg(args[2]!) !== 0;
  return OK;
}

function denyScripts(ctx: Session, args: Bytes[]): Reply {
  ctx.server.scriptsRunAll = integerArg(args[2]!) !== 0;
  return OK;
}

function packedThreshold(_ctx: Session, args: Bytes[]): Reply {
  const bytes = parseMemory(args[2]!);
  if (bytes === undefined || bytes > 4 * 1024 ** 3) {
    return new ErrorReply('ERR argument must be a memory value bigger than 1 and smaller than 4gb');
  }
  return OK;
}

function stringMatch(_ctx: Session, args: Bytes[]): Reply {
  return globMatch(args[3]!, 'a'.repeat(Math.max(integerArg(args[2]!), 0))) ? 1 : 0;
}

function heapState(): Reply {
  const lines = Object.entries(getHeapStatistics()).map(([name, value]) => `${name}:${value}`);
  return new VerbatimString(`${lines.join('\r\n')}\r\n`);
}

function structSize(): Reply {
  return new SimpleString('bits:64 pointer:8 slot:36');
}

function protocol(ctx: Session, args: Bytes[]): Reply {
  const three = [0, 1, 2];
  switch (args[2]!.toLowerCase()) {
    case 'string':
      return 'Hello World';
    case 'integer':
      return 12345;
    case 'double':
      // biome-ignore lint/suspicious/noApproximativeNumericConstant: the value that Redis answers
      return new DoubleReply(3.141);
    case 'null':
      return null;
    case 'array':
      return three;
    case 'set':
      return new SetReply(three);
    case 'map':
      return new MapReply([0, false, 1, true, 2, false]);
    case 'attrib':
      return new AttributeReply(['key-popularity', ['key:123', 90]], 'Some real reply following the attribute');
    case 'push':
      if (ctx.resp === 2) return new ErrorReply('ERR RESP2 is not supported by this command');
      ctx.push(new PushReply(['server-cpu-usage', 42]));
      return 'Some real reply following the push reply';
    case 'verbatim':
      return new VerbatimString('This is a verbatim\nstring');
    case 'true':
      return true;
    case 'false':
      return false;
    case 'bignum':
      return new BigNumber('1234567999999999999999999999999999999');
    default:
      return new ErrorReply(
        'ERR Wrong protocol type name. Please use one of the following: string|integer|double|bignum|null|array|set|map|attrib|push|verbatim|true|false',
      );
  }
}
