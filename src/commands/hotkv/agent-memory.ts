/** AMEM.SEM.*, AMEM.EPIS.* and AMEM.SEARCH: what an agent knows and what happened to it (official client 1.0.0, official MCP server 1.0.0). */
import { type AgentEvent, EventLog } from '../../keyspace/hotkv/event-log.js';
import { type Recollection, SemanticMemory } from '../../keyspace/hotkv/semantic-memory.js';
import { formatDouble } from '../../protocol/numbers.js';
import { type Bytes, OK, type Reply } from '../../protocol/reply.js';
import type { Session } from '../../server/session.js';
import { isWord, OptionReader } from '../args.js';
import { type CommandRow, key } from '../definition.js';
import { ExpiryOptions } from './expiry-args.js';
import { existing, expectNew, unknownOption, wholeArg } from './names.js';
import { MAX_DIMENSIONS, vectorArgs, wholeVectorArgs } from './vector-args.js';

const SEMANTIC = 'semantic memory';
/** The most rows that may be asked for. */
const MAX_ROWS = 1_000_000;

export const agentMemoryCommands: readonly CommandRow[] = [
  {
    name: 'amem.sem.create',
    arity: 3,
    flags: ['write', 'denyoom', 'fast'],
    group: 'agent-memory',
    keys: [key('OW insert')],
    since: '0.3.0',
    complexity: 'O(1)',
    summary: 'Makes the semantic memory of an agent, for vectors of a length.',
    syntax: 'agent:key dims:integer',
    readings: [
      'an agent that has one already is the error "already exists".',
      `dims is ${MAX_DIMENSIONS} at most.`,
      'what agents remember belongs to the node, not to a database: FLUSHALL removes it, FLUSHDB does not.',
    ],
    handler: createSemantic,
  },
  {
    name: 'amem.sem.store',
    arity: -5,
    flags: ['write', 'denyoom', 'fast'],
    group: 'agent-memory',
    keys: [key('RW insert')],
    since: '0.3.0',
    complexity: 'O(N), N being the number of dimensions',
    summary: 'Keeps a text with a vector in place of what has its key.',
    syntax:
      'agent:key key:string content component:double... [expiry:(TTL seconds:integer | PXAT unix-time-milliseconds:unix-time)]',
    readings: [
      'an agent without a semantic memory is the error "not found"; readers find it empty, and AMEM.SEM.FORGET answers 0.',
    ],
    handler: store,
  },
  {
    name: 'amem.sem.recall',
    arity: -4,
    flags: ['readonly'],
    group: 'agent-memory',
    keys: [key('RO access')],
    since: '0.3.0',
    complexity: 'O(N*M), N being the number of texts and M of dimensions',
    summary: 'Finds the texts whose vectors are the most similar, the most similar first.',
    syntax: 'agent:key k:integer component:double...',
    readings: [
      'a row has key, content and similarity, which is the cosine, 0 for a vector of zeros; equal ones are ordered by key.',
    ],
    handler: recall,
  },
  {
    name: 'amem.sem.forget',
    arity: 3,
    flags: ['write', 'fast'],
    group: 'agent-memory',
    keys: [key('RW delete')],
    since: '0.3.0',
    complexity: 'O(N), N being the number of dimensions',
    summary: 'Removes a text; 1 when it was there.',
    syntax: 'agent:key key:string',
    handler: forget,
  },
  {
    name: 'amem.sem.list',
    arity: 2,
    flags: ['readonly'],
    group: 'agent-memory',
    keys: [key('RO access')],
    since: '0.3.0',
    complexity: 'O(N), N being the number of texts',
    summary: 'Lists the keys of the texts.',
    syntax: 'agent:key',
    readings: ['they are in the order in which they were last stored.'],
    handler: listSemantic,
  },
  {
    name: 'amem.epis.log',
    arity: -4,
    flags: ['write', 'denyoom', 'fast'],
    group: 'agent-memory',
    keys: [key('RW insert')],
    since: '0.3.0',
    complexity: 'O(1)',
    summary: 'Tells of an event that happened to an agent now.',
    syntax: 'agent:key type content [METADATA metadata]',
    handler: log,
  },
  {
    name: 'amem.epis.query',
    arity: -2,
    flags: ['readonly'],
    group: 'agent-memory',
    keys: [key('RO access')],
    since: '0.3.0',
    complexity: 'O(N), N being the number of events',
    summary: 'Lists events of an agent: those of a type, of a span of time, or the latest few.',
    syntax:
      'agent:key [TYPE type] [FROM unix-time-milliseconds:unix-time] [TO unix-time-milliseconds:unix-time] [LIMIT limit:integer]',
    readings: [
      'newest first; a row has type, content, metadata (null when there is none) and timestamp. Times are unix ms, FROM and TO included. Without LIMIT all are listed.',
    ],
    handler: query,
  },
  {
    name: 'amem.epis.clear',
    arity: 2,
    flags: ['write', 'fast'],
    group: 'agent-memory',
    keys: [key('RM delete')],
    since: '0.3.0',
    complexity: 'O(1)',
    summary: 'Removes all events of an agent; 1 when there were any.',
    syntax: 'agent:key',
    handler: clearEvents,
  },
  {
    name: 'amem.epis.stats',
    arity: 2,
    flags: ['readonly', 'fast'],
    group: 'agent-memory',
    keys: [key('RO access')],
    since: '0.3.0',
    complexity: 'O(1)',
    summary: 'Tells how many events an agent has, and the unix times in ms of the first and the last.',
    syntax: 'agent:key',
    readings: ['without events all three are 0.'],
    handler: eventStats,
  },
  {
    name: 'amem.search',
    arity: -4,
    flags: ['readonly'],
    group: 'agent-memory',
    keys: [key('RO access')],
    since: '0.3.0',
    complexity: 'O(N*M), N being the number of texts and M of dimensions',
    summary: 'Searches all that an agent remembers.',
    syntax: 'agent:key k:integer component:double...',
    readings: [
      'k rows of each kind at most, named in the field source: semantic, as of AMEM.SEM.RECALL; then episodic, the newest events as of AMEM.EPIS.QUERY; then working, the scratch values of the session by the name of the agent with key and content, the one set last first. Only the first have a similarity.',
      'a vector is asked for even where there is no semantic memory.',
    ],
    handler: search,
  },
];

function createSemantic(ctx: Session, args: Bytes[]): Reply {
  const { semantic } = ctx.server.engines.agentMemory;
  const dims = wholeArg(args[2]!, 'dims', 1, MAX_DIMENSIONS);
  expectNew(semantic, args[1]!, SEMANTIC);
  semantic.set(args[1]!, new SemanticMemory(dims));
  return OK;
}

function store(ctx: Session, args: Bytes[]): Reply {
  const memory = existing(ctx.server.engines.agentMemory.semantic, args[1]!, SEMANTIC);
  const vector = vectorArgs(args, 4, memory.dims);
  const expiry = new ExpiryOptions(ctx.now);
  for (const options = new OptionReader(args, 4 + memory.dims); options.more; ) {
    const word = options.next();
    if (!expiry.take(word.toUpperCase(), options)) throw unknownOption(word, ExpiryOptions.words);
  }
  memory.store(args[2]!, { content: args[3]!, expiresAt: expiry.expiresAt() }, vector, ctx.now);
  return OK;
}

function recall(ctx: Session, args: Bytes[]): Reply {
  return recollections(ctx, args).map(semanticRow);
}

/** What the agent knows nearest to the vector at the end of the arguments, which is checked in any case. */
function recollections(ctx: Session, args: Bytes[]): Recollection[] {
  const memory = semanticOf(ctx, args);
  const k = rowsArg(args[2]!, 'k');
  const vector = wholeVectorArgs(args, 3, memory?.dims ?? args.length - 3);
  return memory?.recall(vector, k, ctx.now) ?? [];
}

function semanticRow({ key, content, similarity }: Recollection): Reply[] {
  return ['key', key, 'content', content, 'similarity', formatDouble(similarity)];
}

function forget(ctx: Session, args: Bytes[]): Reply {
  return semanticOf(ctx, args)?.forget(args[2]!, ctx.now) ? 1 : 0;
}

function listSemantic(ctx: Session, args: Bytes[]): Reply {
  return semanticOf(ctx, args)?.keys(ctx.now) ?? [];
}

function semanticOf(ctx: Session, args: Bytes[]): SemanticMemory | undefined {
  return ctx.server.engines.agentMemory.semantic.get(args[1]!);
}

function log(ctx: Session, args: Bytes[]): Reply {
  const { events } = ctx.server.engines.agentMemory;
  let metadata: Bytes | null = null;
  for (const options = new OptionReader(args, 4); options.more; ) {
    const word = options.next();
    if (!isWord(word, 'METADATA')) throw unknownOption(word, ['METADATA']);
    metadata = options.next();
  }
  const own = events.get(args[1]!) ?? new EventLog();
  events.set(args[1]!, own);
  own.add({ type: args[2]!, content: args[3]!, metadata, timestamp: ctx.now });
  return OK;
}

function query(ctx: Session, args: Bytes[]): Reply {
  let type: Bytes | undefined;
  let from = 0;
  let to = Number.POSITIVE_INFINITY;
  let limit = Number.POSITIVE_INFINITY;
  for (const options = new OptionReader(args, 2); options.more; ) {
    const word = options.next();
    const option = word.toUpperCase();
    if (option === 'TYPE') type = options.next();
    else if (option === 'FROM') from = timeArg(options.next(), option);
    else if (option === 'TO') to = timeArg(options.next(), option);
    else if (option === 'LIMIT') limit = rowsArg(options.next(), option);
    else throw unknownOption(word, ['TYPE', 'FROM', 'TO', 'LIMIT']);
  }
  return (eventsOf(ctx, args)?.query({ type, from, to, limit }) ?? []).map(eventRow);
}

function eventRow({ type, content, metadata, timestamp }: AgentEvent): Reply[] {
  return ['type', type, 'content', content, 'metadata', metadata, 'timestamp', timestamp];
}

function clearEvents(ctx: Session, args: Bytes[]): Reply {
  return ctx.server.engines.agentMemory.events.delete(args[1]!) ? 1 : 0;
}

function eventStats(ctx: Session, args: Bytes[]): Reply {
  const events = eventsOf(ctx, args)?.events ?? [];
  const [oldest, newest] = [events[0]?.timestamp ?? 0, events.at(-1)?.timestamp ?? 0];
  return ['total_events', events.length, 'oldest_ts', oldest, 'newest_ts', newest];
}

function eventsOf(ctx: Session, args: Bytes[]): EventLog | undefined {
  return ctx.server.engines.agentMemory.events.get(args[1]!);
}

function search(ctx: Session, args: Bytes[]): Reply {
  const rows: Reply[] = recollections(ctx, args).map((found) => ['source', 'semantic', ...semanticRow(found)]);
  const limit = rowsArg(args[2]!, 'k');
  const newest = eventsOf(ctx, args)?.query({ from: 0, to: Number.POSITIVE_INFINITY, limit }) ?? [];
  for (const event of newest) rows.push(['source', 'episodic', ...eventRow(event)]);
  for (const [name, { value }] of latestScratch(ctx, args[1]!, limit)) {
    rows.push(['source', 'working', 'key', name, 'content', value]);
  }
  return rows;
}

function latestScratch(ctx: Session, sessionId: Bytes, limit: number) {
  const session = ctx.server.engines.agentMemory.conversations.get(sessionId, ctx.now);
  return session === undefined ? [] : [...session.scratch.live(ctx.now)].reverse().slice(0, limit);
}

function rowsArg(text: Bytes, what: string): number {
  return wholeArg(text, what, 1, MAX_ROWS);
}

function timeArg(text: Bytes, what: string): number {
  return wholeArg(text, what, 0, Number.MAX_SAFE_INTEGER);
}
