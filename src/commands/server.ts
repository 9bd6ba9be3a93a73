/** The server family: its time, saving and stopping it, its modules. */
import { SYNTAX } from '../protocol/errors.js';
import { type Bytes, ErrorReply, NO_REPLY, type Reply, VerbatimString } from '../protocol/reply.js';
import { EMULATOR_VERSION, HOTKV_VERSION } from '../protocol/versions.js';
import type { Session } from '../server/session.js';
import { integerArg } from './args.js';
import type { CommandRow } from './definition.js';
import { helpHandler } from './help.js';

const SAVING = ['admin', 'noscript', 'no_async_loading'] as const;

export const serverCommands: readonly CommandRow[] = [
  {
    name: 'time',
    arity: 1,
    flags: ['loading', 'stale', 'fast'],
    group: 'server',
    since: '2.6.0',
    complexity: 'O(1)',
    summary: "Tells the server's time: unix seconds, and microseconds of the second.",
    syntax: '',
    tips: ['nondeterministic_output'],
    handler: time,
  },
  {
    name: 'lastsave',
    arity: 1,
    flags: ['loading', 'stale', 'fast'],
    group: 'server',
    acl: ['admin', 'dangerous'],
    since: '1.0.0',
    complexity: 'O(1)',
    summary: 'Tells when the data was last saved; here nothing is, and it is the time of the start.',
    syntax: '',
    tips: ['nondeterministic_output'],
    handler: lastSave,
  },
  {
    name: 'save',
    arity: 1,
    flags: ['admin', 'noscript', 'no_async_loading', 'no_multi'],
    group: 'server',
    since: '1.0.0',
    complexity: 'O(N), N being the number of keys',
    summary: 'Would save the data to a file; refused, as nothing is saved.',
    syntax: '',
    handler: () => SAVES_NOTHING,
  },
  {
    name: 'bgsave',
    arity: -1,
    flags: SAVING,
    group: 'server',
    since: '1.0.0',
    complexity: 'O(1)',
    summary: 'Would save the data in the background; refused, as nothing is saved.',
    syntax: '[SCHEDULE]',
    handler: backgroundSave,
  },
  {
    name: 'bgrewriteaof',
    arity: 1,
    flags: SAVING,
    group: 'server',
    since: '1.0.0',
    complexity: 'O(1)',
    summary: 'Would rewrite the append-only file; refused, as nothing is saved.',
    syntax: '',
    handler: () => SAVES_NOTHING,
  },
  {
    name: 'shutdown',
    arity: -1,
    flags: ['admin', 'noscript', 'loading', 'stale', 'no_multi', 'allow_busy'],
    group: 'server',
    since: '1.0.0',
    complexity: 'O(N), N being the number of clients',
    summary: 'Stops the server.',
    syntax: '[save-selector:(NOSAVE | SAVE)] [NOW] [FORCE] [ABORT]',
    handler: shutdown,
  },
  {
    name: 'lolwut',
    arity: -1,
    flags: ['readonly', 'fast'],
    group: 'server',
    since: '5.0.0',
    complexity: '',
    summary: 'Shows something beautiful, and the version.',
    syntax: '[VERSION version:integer]',
    handler: lolwut,
  },
  {
    name: 'module',
    arity: -2,
    flags: [],
    group: 'server',
    since: '4.0.0',
    complexity: '',
    summary: 'Manages modules, of which this server has none.',
    syntax: '',
    subcommands: [
      {
        name: 'load',
        arity: -3,
        flags: SAVING,
        group: 'server',
        since: '4.0.0',
        complexity: 'O(1)',
        summary: 'Would load a module; refused.',
        syntax: 'path [arg...]',
        handler: () => NO_MODULES,
      },
      {
        name: 'loadex',
        arity: -3,
        flags: SAVING,
        group: 'server',
        since: '7.0.0',
        complexity: 'O(1)',
        summary: 'Would load a module with its configuration; refused.',
        syntax: 'path [CONFIG configs:(name value)]... [ARGS args...]',
        handler: () => NO_MODULES,
      },
      {
        name: 'unload',
        arity: 3,
        flags: SAVING,
        group: 'server',
        since: '4.0.0',
        complexity: 'O(1)',
        summary: 'Would unload a module; refused.',
        syntax: 'name',
        handler: () => NO_MODULES,
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
        handler: helpHandler('MODULE'),
      },
      {
        name: 'list',
        arity: 2,
        flags: ['admin', 'noscript'],
        group: 'server',
        since: '4.0.0',
        complexity: 'O(1)',
        summary: 'Lists the modules: there are none.',
        syntax: '',
        tips: ['nondeterministic_output_order'],
        handler: () => [],
      },
    ],
  },
];

function time(ctx: Session): Reply {
  const seconds = Math.trunc(ctx.now / 1000);
  const micros = (ctx.now % 1000) * 1000 + ctx.server.clock.microsOfMs();
  return [String(seconds), String(micros)];
}

function lastSave(ctx: Session): Reply {
  return Math.trunc(ctx.server.startedAt / 1000);
}

const SAVES_NOTHING = new ErrorReply(
  'ERR this server keeps its data in memory and saves nothing: no file has been written',
);

function backgroundSave(_ctx: Session, args: Bytes[]): Reply {
  if (args.length > 2 || (args.length === 2 && args[1]!.toUpperCase() !== 'SCHEDULE')) return SYNTAX;
  return SAVES_NOTHING;
}

const NO_SHUTDOWN = new ErrorReply('ERR No shutdown in progress.');

/** Stops at once: there are no replicas to wait for, and nothing to be saved. SAVE is refused unless forced. */
function shutdown(ctx: Session, args: Bytes[]): Reply {
  const options = new Set(args.slice(1).map((option) => option.toUpperCase()));
  for (const option of options) if (!SHUTDOWN_OPTIONS.has(option)) return SYNTAX;
  if (options.has('SAVE') && options.has('NOSAVE')) return SYNTAX;
  if (options.has('ABORT')) return options.size > 1 ? SYNTAX : NO_SHUTDOWN;
  if (options.has('SAVE') && !options.has('FORCE')) return SAVES_NOTHING;
  ctx.server.log.notice('stopped by a client (SHUTDOWN)');
  ctx.server.onShutdown();
  return NO_REPLY;
}

const SHUTDOWN_OPTIONS: ReadonlySet<string> = new Set(['NOSAVE', 'SAVE', 'NOW', 'FORCE', 'ABORT']);

/** A token bucket, seen from the side; `VERSION` chooses no other picture, as there is one. */
const PICTURE = String.raw`
      .  o   .
    o   .  o          one token at a time
  \~~~~~~~~~~~~~/
   \ o  o o  o /
    \ o o o o /
     \_o_o_o_/
         |
         o            and the gate stays open
`;

function lolwut(_ctx: Session, args: Bytes[]): Reply {
  if (args.length > 2 && args[1]!.toUpperCase() === 'VERSION') {
    for (const number of args.slice(2)) integerArg(number);
  }
  return new VerbatimString(`${PICTURE}\nHotKV ${HOTKV_VERSION}, hotkv-emulator ${EMULATOR_VERSION}\n`);
}

const NO_MODULES = new ErrorReply(
  'ERR MODULE command not allowed. If the enable-module-command option is set to "local", you can run it from a local connection, otherwise you need to set this option in the configuration file, and then restart the server.',
);
