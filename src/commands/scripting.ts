/** Lua scripts: EVAL, EVALSHA and the SCRIPT family. The cache and the sandbox are in `server/scripts/`. */

import { NO_SCRIPT } from '../protocol/errors.js';
import { type Bytes, ErrorReply, OK, type Reply } from '../protocol/reply.js';
import type { Session } from '../server/session.js';
import { integerArg, isWord } from './args.js';
import { type CommandRow, numberedKeys } from './definition.js';
import { helpHandler } from './help.js';

export const scriptingCommands: readonly CommandRow[] = [
  {
    name: 'eval',
    arity: -3,
    flags: ['noscript', 'stale', 'skip_monitor', 'no_mandatory_keys', 'movablekeys'],
    group: 'scripting',
    keys: [numberedKeys('RW access update', 2)],
    since: '2.6.0',
    complexity: 'that of the commands it runs',
    summary: 'Runs a Lua script.',
    syntax: 'script numkeys:integer [key...] [arg...]',
    handler: (ctx, args) => evaluate(ctx, args, false),
  },
  {
    name: 'eval_ro',
    arity: -3,
    flags: ['readonly', 'noscript', 'stale', 'skip_monitor', 'no_mandatory_keys', 'movablekeys'],
    group: 'scripting',
    keys: [numberedKeys('RO access', 2)],
    since: '7.0.0',
    complexity: 'that of the commands it runs',
    summary: 'Runs a Lua script that may not write.',
    syntax: 'script numkeys:integer [key...] [arg...]',
    handler: (ctx, args) => evaluate(ctx, args, true),
  },
  {
    name: 'evalsha',
    arity: -3,
    flags: ['noscript', 'stale', 'skip_monitor', 'no_mandatory_keys', 'movablekeys'],
    group: 'scripting',
    keys: [numberedKeys('RW access update', 2)],
    since: '2.6.0',
    complexity: 'that of the commands it runs',
    summary: 'Runs a Lua script that the server knows, by its SHA1.',
    syntax: 'sha1 numkeys:integer [key...] [arg...]',
    handler: (ctx, args) => evaluateSha(ctx, args, false),
  },
  {
    name: 'evalsha_ro',
    arity: -3,
    flags: ['readonly', 'noscript', 'stale', 'skip_monitor', 'no_mandatory_keys', 'movablekeys'],
    group: 'scripting',
    keys: [numberedKeys('RO access', 2)],
    since: '7.0.0',
    complexity: 'that of the commands it runs',
    summary: 'Runs a known Lua script that may not write.',
    syntax: 'sha1 numkeys:integer [key...] [arg...]',
    handler: (ctx, args) => evaluateSha(ctx, args, true),
  },
  {
    name: 'script',
    arity: -2,
    flags: [],
    group: 'scripting',
    acl: [],
    since: '2.6.0',
    complexity: '',
    summary: 'Manages the cache of scripts.',
    syntax: '',
    subcommands: [
      {
        name: 'load',
        arity: 3,
        flags: ['noscript', 'stale'],
        group: 'scripting',
        since: '2.6.0',
        complexity: 'O(N)',
        summary: 'Keeps a script for EVALSHA.',
        syntax: 'script',
        tips: ['request_policy:all_nodes', 'response_policy:all_succeeded'],
        handler: load,
      },
      {
        name: 'flush',
        arity: -2,
        flags: ['noscript'],
        group: 'scripting',
        since: '2.6.0',
        complexity: 'O(N)',
        summary: 'Forgets all scripts.',
        syntax: '[flush-type:(ASYNC | SYNC)]',
        tips: ['request_policy:all_nodes', 'response_policy:all_succeeded'],
        handler: flush,
      },
      {
        name: 'help',
        arity: 2,
        flags: ['loading', 'stale'],
        group: 'scripting',
        since: '5.0.0',
        complexity: 'O(1)',
        summary: 'Shows the subcommands.',
        syntax: '',
        handler: helpHandler('SCRIPT'),
      },
      {
        name: 'kill',
        arity: 2,
        flags: ['noscript', 'allow_busy'],
        group: 'scripting',
        since: '2.6.0',
        complexity: 'O(1)',
        summary: 'Stops a running script.',
        syntax: '',
        tips: ['request_policy:all_shards', 'response_policy:one_succeeded'],
        handler: kill,
      },
      {
        name: 'debug',
        arity: 3,
        flags: ['noscript'],
        group: 'scripting',
        since: '3.2.0',
        complexity: 'O(1)',
        summary: 'Refused: there is no script debugger here.',
        syntax: 'mode:(YES | SYNC | NO)',
        handler: debug,
      },
      {
        name: 'exists',
        arity: -3,
        flags: ['noscript'],
        group: 'scripting',
        since: '2.6.0',
        complexity: 'O(N)',
        summary: 'Says which scripts the server knows.',
        syntax: 'sha1...',
        tips: ['request_policy:all_shards', 'response_policy:agg_logical_and'],
        handler: exists,
      },
    ],
  },
];

function evaluate(ctx: Session, args: Bytes[], readOnly: boolean): Reply {
  const { keys, argv } = splitKeys(args);
  return ctx.server.scripts.evaluate(ctx, args[1]!, keys, argv, readOnly);
}

function evaluateSha(ctx: Session, args: Bytes[], readOnly: boolean): Reply {
  if (args[1]!.length !== 40) return NO_SCRIPT;
  const { keys, argv } = splitKeys(args);
  return ctx.server.scripts.evaluateSha(ctx, args[1]!, keys, argv, readOnly);
}

/** `… numkeys key … arg …`. */
function splitKeys(args: Bytes[]): { keys: Bytes[]; argv: Bytes[] } {
  const count = integerArg(args[2]!);
  if (count > args.length - 3) throw new ErrorReply("ERR Number of keys can't be greater than number of args");
  if (count < 0) throw new ErrorReply("ERR Number of keys can't be negative");
  return { keys: args.slice(3, 3 + count), argv: args.slice(3 + count) };
}

function load(ctx: Session, args: Bytes[]): Reply {
  return ctx.server.scripts.load(args[2]!);
}

function exists(ctx: Session, args: Bytes[]): Reply {
  return args.slice(2).map((sha) => (ctx.server.scripts.has(sha) ? 1 : 0));
}

function flush(ctx: Session, args: Bytes[]): Reply {
  if (args.length > 3 || (args.length === 3 && !isWord(args[2]!, 'SYNC') && !isWord(args[2]!, 'ASYNC'))) {
    return new ErrorReply('ERR SCRIPT FLUSH only support SYNC|ASYNC option');
  }
  ctx.server.scripts.flush();
  return OK;
}

/** A script runs to its end, or to its time limit, before another command is read: there is never one to kill. */
function kill(): Reply {
  return new ErrorReply('NOTBUSY No scripts in execution right now.');
}

function debug(_ctx: Session, args: Bytes[]): Reply {
  if (isWord(args[2]!, 'NO')) return OK;
  if (!isWord(args[2]!, 'YES') && !isWord(args[2]!, 'SYNC')) return new ErrorReply('ERR Use SCRIPT DEBUG YES/SYNC/NO');
  return new ErrorReply('ERR this server has no script debugger');
}
