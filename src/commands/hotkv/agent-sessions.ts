/** AMEM.CONV.* and AMEM.WORK.*: the turns of a conversation, and scratch values beside them (official client 1.0.0, official MCP server 1.0.0). */
import { Conversation, type Turn } from '../../keyspace/hotkv/conversation.js';
import { type Bytes, ErrorReply, OK, type Reply } from '../../protocol/reply.js';
import type { Session } from '../../server/session.js';
import { OptionReader } from '../args.js';
import { type CommandRow, key } from '../definition.js';
import { ExpiryOptions } from './expiry-args.js';
import { unknownOption, wholeArg } from './names.js';

const MAX_TURNS = 1_000_000_000;

export const agentSessionCommands: readonly CommandRow[] = [
  {
    name: 'amem.conv.create',
    arity: -2,
    flags: ['write', 'denyoom', 'fast'],
    group: 'agent-memory',
    keys: [key('OW insert')],
    since: '0.3.0',
    complexity: 'O(1)',
    summary: 'Begins a conversation under a session id.',
    syntax: 'session:key [WINDOW turns:integer] [expiry:(TTL seconds:integer | PXAT unix-time-milliseconds:unix-time)]',
    readings: [
      'a session that is there already is the error "already exists".',
      'with WINDOW only so many of the latest turns are kept.',
      'a session ends at its time, however much it is used, and its scratch values with it.',
      'sessions belong to the node, not to a database: FLUSHALL removes them, FLUSHDB does not.',
    ],
    handler: create,
  },
  {
    name: 'amem.conv.append',
    arity: 4,
    flags: ['write', 'denyoom', 'fast'],
    group: 'agent-memory',
    keys: [key('RW insert')],
    since: '0.3.0',
    complexity: 'O(1)',
    summary: 'Adds a turn to a conversation.',
    syntax: 'session:key role content',
    readings: [
      'any role is taken.',
      'a session that is not there is the error "session not found", here and in AMEM.WORK.SET; readers find it empty, and the other commands answer 0.',
    ],
    handler: append,
  },
  {
    name: 'amem.conv.get',
    arity: 2,
    flags: ['readonly'],
    group: 'agent-memory',
    keys: [key('RO access')],
    since: '0.3.0',
    complexity: 'O(N), N being the number of turns',
    summary: 'Lists the turns of a conversation, oldest first, each with role and content.',
    syntax: 'session:key',
    handler: get,
  },
  {
    name: 'amem.conv.window',
    arity: 3,
    flags: ['readonly'],
    group: 'agent-memory',
    keys: [key('RO access')],
    since: '0.3.0',
    complexity: 'O(N), N being the number of turns asked for',
    summary: 'Lists the last turns of a conversation, oldest first.',
    syntax: 'session:key turns:integer',
    handler: window,
  },
  {
    name: 'amem.conv.clear',
    arity: 2,
    flags: ['write', 'fast'],
    group: 'agent-memory',
    keys: [key('RW delete')],
    since: '0.3.0',
    complexity: 'O(1)',
    summary: 'Removes the turns of a conversation and keeps the session; 1 when it is there.',
    syntax: 'session:key',
    readings: ['scratch values stay.'],
    handler: clear,
  },
  {
    name: 'amem.conv.drop',
    arity: 2,
    flags: ['write', 'fast'],
    group: 'agent-memory',
    keys: [key('RM delete')],
    since: '0.3.0',
    complexity: 'O(1)',
    summary: 'Ends a session: its turns and its scratch values are removed; 1 when it was there.',
    syntax: 'session:key',
    handler: drop,
  },
  {
    name: 'amem.work.set',
    arity: -4,
    flags: ['write', 'denyoom', 'fast'],
    group: 'agent-memory',
    keys: [key('RW insert')],
    since: '0.3.0',
    complexity: 'O(1)',
    summary: 'Sets a scratch value of a session.',
    syntax: 'session:key key:string value [expiry:(TTL seconds:integer | PXAT unix-time-milliseconds:unix-time)]',
    readings: ['an older value of the key goes with its expiry.'],
    handler: setScratch,
  },
  {
    name: 'amem.work.get',
    arity: 3,
    flags: ['readonly', 'fast'],
    group: 'agent-memory',
    keys: [key('RO access')],
    since: '0.3.0',
    complexity: 'O(1)',
    summary: 'Answers a scratch value; null when there is none, or when it is empty.',
    syntax: 'session:key key:string',
    handler: getScratch,
  },
  {
    name: 'amem.work.del',
    arity: 3,
    flags: ['write', 'fast'],
    group: 'agent-memory',
    keys: [key('RW delete')],
    since: '0.3.0',
    complexity: 'O(1)',
    summary: 'Removes a scratch value; 1 when it was there.',
    syntax: 'session:key key:string',
    handler: deleteScratch,
  },
  {
    name: 'amem.work.clear',
    arity: 2,
    flags: ['write', 'fast'],
    group: 'agent-memory',
    keys: [key('RW delete')],
    since: '0.3.0',
    complexity: 'O(1)',
    summary: 'Removes all scratch values of a session; 1 when the session is there.',
    syntax: 'session:key',
    handler: clearScratch,
  },
  {
    name: 'amem.work.list',
    arity: 2,
    flags: ['readonly'],
    group: 'agent-memory',
    keys: [key('RO access')],
    since: '0.3.0',
    complexity: 'O(N), N being the number of scratch values',
    summary: 'Lists the keys of the scratch values of a session.',
    syntax: 'session:key',
    readings: ['they are in the order in which they were last set.'],
    handler: listScratch,
  },
];

function create(ctx: Session, args: Bytes[]): Reply {
  const expiry = new ExpiryOptions(ctx.now);
  let turns = Number.POSITIVE_INFINITY;
  for (const options = new OptionReader(args, 2); options.more; ) {
    const word = options.next();
    const option = word.toUpperCase();
    if (option === 'WINDOW') turns = wholeArg(options.next(), option, 1, MAX_TURNS);
    else if (!expiry.take(option, options)) throw unknownOption(word, ['WINDOW', ...ExpiryOptions.words]);
  }
  const session = new Conversation(turns, expiry.expiresAt());
  if (sessionOf(ctx, args) !== undefined) return new ErrorReply(`ERR session '${args[1]}' already exists`);
  ctx.server.engines.agentMemory.conversations.set(args[1]!, session, ctx.now);
  return OK;
}

function append(ctx: Session, args: Bytes[]): Reply {
  existingSession(ctx, args).append({ role: args[2]!, content: args[3]! });
  return OK;
}

function get(ctx: Session, args: Bytes[]): Reply {
  return turnRows(sessionOf(ctx, args)?.last(MAX_TURNS));
}

function window(ctx: Session, args: Bytes[]): Reply {
  const count = wholeArg(args[2]!, 'number of turns', 1, MAX_TURNS);
  return turnRows(sessionOf(ctx, args)?.last(count));
}

function turnRows(turns: readonly Turn[] = []): Reply {
  return turns.map(({ role, content }) => ['role', role, 'content', content]);
}

function clear(ctx: Session, args: Bytes[]): Reply {
  const session = sessionOf(ctx, args);
  session?.clearTurns();
  return session === undefined ? 0 : 1;
}

function drop(ctx: Session, args: Bytes[]): Reply {
  return ctx.server.engines.agentMemory.conversations.delete(args[1]!, ctx.now) ? 1 : 0;
}

function setScratch(ctx: Session, args: Bytes[]): Reply {
  const expiry = new ExpiryOptions(ctx.now);
  for (const options = new OptionReader(args, 4); options.more; ) {
    const word = options.next();
    if (!expiry.take(word.toUpperCase(), options)) throw unknownOption(word, ExpiryOptions.words);
  }
  existingSession(ctx, args).setScratch(args[2]!, { value: args[3]!, expiresAt: expiry.expiresAt() }, ctx.now);
  return OK;
}

function getScratch(ctx: Session, args: Bytes[]): Reply {
  return sessionOf(ctx, args)?.scratch.get(args[2]!, ctx.now)?.value || null;
}

function deleteScratch(ctx: Session, args: Bytes[]): Reply {
  return sessionOf(ctx, args)?.scratch.delete(args[2]!, ctx.now) ? 1 : 0;
}

function clearScratch(ctx: Session, args: Bytes[]): Reply {
  const session = sessionOf(ctx, args);
  session?.clearScratch();
  return session === undefined ? 0 : 1;
}

function listScratch(ctx: Session, args: Bytes[]): Reply {
  const session = sessionOf(ctx, args);
  return session === undefined ? [] : [...session.scratch.live(ctx.now).keys()];
}

function sessionOf(ctx: Session, args: Bytes[]): Conversation | undefined {
  return ctx.server.engines.agentMemory.conversations.get(args[1]!, ctx.now);
}

/** The official MCP server makes the session when it reads "session not found", and tries again. */
function existingSession(ctx: Session, args: Bytes[]): Conversation {
  const session = sessionOf(ctx, args);
  if (session === undefined) throw new ErrorReply(`ERR session not found: '${args[1]}'`);
  return session;
}
