/** CONFIG: reading and changing the configuration of the running server. */

import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { SYNTAX } from '../protocol/errors.js';
import { ConfigError } from '../protocol/problems.js';
import { type Bytes, ErrorReply, MapReply, OK, type Reply } from '../protocol/reply.js';
import type { Session } from '../server/session.js';
import type { CommandRow } from './definition.js';
import { helpHandler } from './help.js';

const ADMIN = ['admin', 'noscript', 'loading', 'stale'] as const;
const EVERYWHERE = ['request_policy:all_nodes', 'response_policy:all_succeeded'] as const;

export const configCommands: readonly CommandRow[] = [
  {
    name: 'config',
    arity: -2,
    flags: [],
    group: 'server',
    since: '2.0.0',
    complexity: '',
    summary: 'Reads and changes the configuration.',
    syntax: '',
    subcommands: [
      {
        name: 'get',
        arity: -3,
        flags: ADMIN,
        group: 'server',
        since: '2.0.0',
        complexity: 'O(N), N being the number of parameters',
        summary: 'Shows the parameters whose names fit one of the patterns.',
        syntax: 'parameter...',
        handler: get,
      },
      {
        name: 'set',
        arity: -4,
        flags: ADMIN,
        group: 'server',
        since: '2.0.0',
        complexity: 'O(N), N being the number of parameters given',
        summary: 'Changes parameters, all or none of those given.',
        syntax: 'data:(parameter value)...',
        tips: EVERYWHERE,
        handler: set,
      },
      {
        name: 'help',
        arity: 2,
        flags: ['loading', 'stale'],
        group: 'server',
        since: '5.0.0',
        complexity: 'O(1)',
        summary: 'Shows the subcommands.',
        syntax: '',
        handler: helpHandler('CONFIG'),
      },
      {
        name: 'rewrite',
        arity: 2,
        flags: ADMIN,
        group: 'server',
        since: '2.8.0',
        complexity: 'O(1)',
        summary: 'Writes the present values to the configuration file that the server was started with.',
        syntax: '',
        tips: EVERYWHERE,
        handler: rewrite,
      },
      {
        name: 'resetstat',
        arity: 2,
        flags: ADMIN,
        group: 'server',
        since: '2.0.0',
        complexity: 'O(1)',
        summary: 'Sets the counters of INFO back to zero.',
        syntax: '',
        tips: EVERYWHERE,
        handler: resetStat,
      },
    ],
  },
];

function get(ctx: Session, args: Bytes[]): Reply {
  const flat: Reply[] = [];
  for (const [name, value] of ctx.server.config.matching(args.slice(2))) flat.push(name, value);
  return new MapReply(flat);
}

function set(ctx: Session, args: Bytes[]): Reply {
  if (args.length % 2 !== 0) return SYNTAX;
  const pairs: [Bytes, Bytes][] = [];
  for (let i = 2; i < args.length; i += 2) pairs.push([args[i]!, args[i + 1]!]);
  try {
    ctx.server.config.setAll(pairs, mayChangeGuarded(ctx));
  } catch (problem) {
    if (problem instanceof ConfigError) return new ErrorReply(`ERR ${problem.message}`);
    throw problem;
  }
  return OK;
}

/** `enable-protected-configs`. */
function mayChangeGuarded(ctx: Session): boolean {
  const permission = ctx.server.config.text('enable-protected-configs');
  return permission === 'yes' || (permission === 'local' && ctx.isLocal);
}

const NO_FILE = new ErrorReply('ERR The server is running without a config file');

function rewrite(ctx: Session): Reply {
  const { configFile } = ctx.server;
  if (configFile === undefined) return NO_FILE;
  try {
    const text = ctx.server.rewrittenConfig(readFileSync(configFile, 'latin1'));
    // Through a second file: a reader finds the old text or the new one, never a part.
    const fresh = `${configFile}.${process.pid}.tmp`;
    writeFileSync(fresh, text, 'latin1');
    renameSync(fresh, configFile);
  } catch (problem) {
    return new ErrorReply(`ERR Rewriting config file: ${(problem as Error).message}`);
  }
  return OK;
}

function resetStat(ctx: Session): Reply {
  const { commands, stats } = ctx.server;
  stats.reset();
  for (const command of commands.all()) command.resetStatistics();
  return OK;
}
