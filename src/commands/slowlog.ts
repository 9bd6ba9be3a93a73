/** SLOWLOG: the commands that took long. */
import { type Bytes, ErrorReply, OK, type Reply } from '../protocol/reply.js';
import type { Session } from '../server/session.js';
import { integerArg } from './args.js';
import type { CommandRow } from './definition.js';
import { helpHandler } from './help.js';

const FLAGS = ['admin', 'loading', 'stale'] as const;

export const slowlogCommands: readonly CommandRow[] = [
  {
    name: 'slowlog',
    arity: -2,
    flags: [],
    group: 'server',
    since: '2.2.12',
    complexity: '',
    summary: 'Shows and empties the log of slow commands.',
    syntax: '',
    subcommands: [
      {
        name: 'reset',
        arity: 2,
        flags: FLAGS,
        group: 'server',
        since: '2.2.12',
        complexity: 'O(1)',
        summary: 'Empties the slow log.',
        syntax: '',
        tips: ['request_policy:all_nodes', 'response_policy:all_succeeded'],
        handler: reset,
      },
      {
        name: 'get',
        arity: -2,
        flags: FLAGS,
        group: 'server',
        since: '2.2.12',
        complexity: 'O(N), N being the number of entries shown',
        summary: 'Shows the newest entries of the slow log: 10 or so many; -1 for all.',
        syntax: '[count:integer]',
        tips: ['request_policy:all_nodes', 'nondeterministic_output'],
        handler: get,
      },
      {
        name: 'len',
        arity: 2,
        flags: FLAGS,
        group: 'server',
        since: '2.2.12',
        complexity: 'O(1)',
        summary: 'Counts the entries of the slow log.',
        syntax: '',
        tips: ['request_policy:all_nodes', 'response_policy:agg_sum', 'nondeterministic_output'],
        handler: length,
      },
      {
        name: 'help',
        arity: 2,
        flags: ['loading', 'stale'],
        group: 'server',
        since: '6.2.0',
        complexity: 'O(1)',
        summary: 'Shows the subcommands.',
        syntax: '',
        handler: helpHandler('SLOWLOG'),
      },
    ],
  },
];

function reset(ctx: Session): Reply {
  ctx.server.slowlog.entries = [];
  return OK;
}

const USUAL_COUNT = 10;
const TOO_MANY_ARGUMENTS = new ErrorReply(
  "ERR unknown subcommand or wrong number of arguments for 'GET'. Try SLOWLOG HELP.",
);
const BAD_COUNT = new ErrorReply('ERR count should be greater than or equal to -1');

function get(ctx: Session, args: Bytes[]): Reply {
  if (args.length > 3) return TOO_MANY_ARGUMENTS;
  const { entries } = ctx.server.slowlog;
  const count = args.length === 3 ? integerArg(args[2]!, BAD_COUNT) : USUAL_COUNT;
  if (count < -1) return BAD_COUNT;
  return entries
    .slice(0, count === -1 ? entries.length : count)
    .map(({ id, at, microseconds, args: words, address, name }) => [id, at, microseconds, words, address, name]);
}

function length(ctx: Session): Reply {
  return ctx.server.slowlog.entries.length;
}
