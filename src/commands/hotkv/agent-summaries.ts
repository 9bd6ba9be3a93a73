/** AMEM.SUMMARY.*: one text an agent that is written again and again (official client 1.0.0, official MCP server 1.0.0). */
import type { Bytes, Reply } from '../../protocol/reply.js';
import type { Session } from '../../server/session.js';
import { type CommandRow, key } from '../definition.js';

export const agentSummaryCommands: readonly CommandRow[] = [
  {
    name: 'amem.summary.set',
    arity: 3,
    flags: ['write', 'denyoom', 'fast'],
    group: 'agent-memory',
    keys: [key('RW insert')],
    since: '0.3.0',
    complexity: 'O(1)',
    summary: 'Writes the summary of an agent anew and answers its version.',
    syntax: 'agent:key text',
    readings: ['versions are numbered from 1 on, and from 1 again after AMEM.SUMMARY.DROP.'],
    handler: set,
  },
  {
    name: 'amem.summary.append',
    arity: 3,
    flags: ['write', 'denyoom', 'fast'],
    group: 'agent-memory',
    keys: [key('RW insert')],
    since: '0.3.0',
    complexity: 'O(1)',
    summary: 'Adds a text to the summary of an agent and answers its version.',
    syntax: 'agent:key text',
    readings: ['the text begins a new line; where there is no summary it becomes the summary.'],
    handler: append,
  },
  {
    name: 'amem.summary.get',
    arity: 2,
    flags: ['readonly', 'fast'],
    group: 'agent-memory',
    keys: [key('RO access')],
    since: '0.3.0',
    complexity: 'O(1)',
    summary:
      'Answers the summary of an agent, its version, and when it was written, in unix seconds; null when there is none.',
    syntax: 'agent:key',
    handler: get,
  },
  {
    name: 'amem.summary.drop',
    arity: 2,
    flags: ['write', 'fast'],
    group: 'agent-memory',
    keys: [key('RM delete')],
    since: '0.3.0',
    complexity: 'O(1)',
    summary: 'Removes the summary of an agent; 1 when it was there.',
    syntax: 'agent:key',
    handler: drop,
  },
  {
    name: 'amem.summary.list',
    arity: 1,
    flags: ['readonly'],
    group: 'agent-memory',
    since: '0.3.0',
    complexity: 'O(N), N being the number of summaries',
    summary: 'Lists the agents that have a summary.',
    syntax: '',
    handler: list,
  },
];

function set(ctx: Session, args: Bytes[]): Reply {
  return write(ctx, args[1]!, args[2]!);
}

function append(ctx: Session, args: Bytes[]): Reply {
  const old = summaries(ctx).get(args[1]!);
  return write(ctx, args[1]!, old === undefined ? args[2]! : `${old.text}\n${args[2]}`);
}

function write(ctx: Session, agent: Bytes, text: Bytes): Reply {
  const version = (summaries(ctx).get(agent)?.version ?? 0) + 1;
  summaries(ctx).set(agent, { text, version, updatedAt: ctx.now });
  return version;
}

function get(ctx: Session, args: Bytes[]): Reply {
  const summary = summaries(ctx).get(args[1]!);
  if (summary === undefined) return null;
  return [summary.text, summary.version, Math.floor(summary.updatedAt / 1000)];
}

function drop(ctx: Session, args: Bytes[]): Reply {
  return summaries(ctx).delete(args[1]!) ? 1 : 0;
}

function list(ctx: Session): Reply {
  return [...summaries(ctx).keys()];
}

function summaries(ctx: Session) {
  return ctx.server.engines.agentMemory.summaries;
}
