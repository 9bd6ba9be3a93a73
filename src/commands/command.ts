/** COMMAND: the commands of this server, from the table that they are run from. */

import { SYNTAX } from '../protocol/errors.js';
import { compileGlob } from '../protocol/glob.js';
import { type Bytes, ErrorReply, MapReply, type Reply, SetReply, SimpleString } from '../protocol/reply.js';
import type { Command } from '../server/command-table.js';
import type { Session } from '../server/session.js';
import { commandDocs } from './command-docs.js';
import type { CommandRow, KeyPosition, KeySpec } from './definition.js';
import { helpHandler } from './help.js';
import { hasKeys, keyRangeOf, keysOf } from './key-positions.js';

const ABOUT = { group: 'server', acl: ['connection'], flags: ['loading', 'stale'] } as const;
const UNORDERED = ['nondeterministic_output_order'] as const;

export const commandCommands: readonly CommandRow[] = [
  {
    name: 'command',
    arity: -1,
    ...ABOUT,
    since: '2.8.13',
    complexity: 'O(N), N being the number of commands',
    summary: 'Describes every command of the server.',
    syntax: '',
    tips: UNORDERED,
    handler: describeAll,
    subcommands: [
      {
        name: 'info',
        arity: -2,
        ...ABOUT,
        since: '2.8.13',
        complexity: 'O(N), N being the number of commands described',
        summary: 'Describes the commands with these names, or all: arity, flags, keys, categories.',
        syntax: '[command-name...]',
        tips: UNORDERED,
        handler: info,
      },
      {
        name: 'count',
        arity: 2,
        ...ABOUT,
        since: '2.8.13',
        complexity: 'O(1)',
        summary: 'Counts the commands of the server.',
        syntax: '',
        handler: count,
      },
      {
        name: 'getkeys',
        arity: -3,
        ...ABOUT,
        since: '2.8.13',
        complexity: 'O(N), N being the number of arguments',
        summary: 'Picks the keys out of a whole command.',
        syntax: 'command [arg...]',
        handler: getKeys,
      },
      {
        name: 'help',
        arity: 2,
        ...ABOUT,
        since: '5.0.0',
        complexity: 'O(1)',
        summary: 'Shows the subcommands.',
        syntax: '',
        handler: helpHandler('COMMAND'),
      },
      {
        name: 'list',
        arity: -2,
        ...ABOUT,
        since: '7.0.0',
        complexity: 'O(N), N being the number of commands',
        summary: 'Names the commands, all or those of a module, of an ACL category or that a pattern fits.',
        syntax: '[FILTERBY filterby:(MODULE module-name | ACLCAT category | PATTERN pattern:pattern)]',
        tips: UNORDERED,
        handler: list,
      },
      {
        name: 'docs',
        arity: -2,
        ...ABOUT,
        since: '7.0.0',
        complexity: 'O(N), N being the number of commands described',
        summary: 'Documents the commands with these names, or all: summary, cost, arguments.',
        syntax: '[command-name...]',
        tips: UNORDERED,
        handler: docs,
      },
      {
        name: 'getkeysandflags',
        arity: -3,
        ...ABOUT,
        since: '7.0.0',
        complexity: 'O(N), N being the number of arguments',
        summary: 'Picks the keys out of a whole command, and says what it does to each.',
        syntax: 'command [arg...]',
        handler: getKeysAndFlags,
      },
    ],
  },
];

function describeAll(ctx: Session): Reply {
  return [...ctx.server.commands.all()].map(infoOf);
}

function info(ctx: Session, args: Bytes[]): Reply {
  if (args.length === 2) return describeAll(ctx);
  return args.slice(2).map((name) => {
    const command = ctx.server.commands.findFull(name);
    return command === undefined ? null : infoOf(command);
  });
}

function count(ctx: Session): Reply {
  return ctx.server.commands.size;
}

const UNKNOWN_COMMAND = new ErrorReply('ERR Invalid command specified');
const NO_KEY_ARGUMENTS = new ErrorReply('ERR The command has no key arguments');
const WRONG_NUMBER = new ErrorReply('ERR Invalid number of arguments specified for command');
const WRONG_ARGUMENTS = new ErrorReply('ERR Invalid arguments specified for command');

function getKeys(ctx: Session, args: Bytes[]): Reply {
  const request = args.slice(2);
  return keysOfRequest(ctx, request).map(({ index }) => request[index]!);
}

function getKeysAndFlags(ctx: Session, args: Bytes[]): Reply {
  const request = args.slice(2);
  return keysOfRequest(ctx, request).map(({ index, flags }) => [request[index]!, keyFlags(flags)]);
}

function keysOfRequest(ctx: Session, request: Bytes[]): readonly KeyPosition[] {
  const { commands } = ctx.server;
  const named = commands.find(request[0]!);
  const command =
    named?.subcommands === undefined || request.length === 1 ? named : named.subcommands.get(request[1]!.toLowerCase());
  if (command === undefined) throw UNKNOWN_COMMAND;
  if (!hasKeys(command.row)) throw NO_KEY_ARGUMENTS;
  if (command.arityIsWrong(request)) throw WRONG_NUMBER;
  const keys = keysOf(command, request);
  if (keys.length === 0 && !command.hasFlag('no_mandatory_keys')) throw WRONG_ARGUMENTS;
  return keys;
}

function list(ctx: Session, args: Bytes[]): Reply {
  const all = allNames(ctx);
  if (args.length === 2) return all.map(({ fullName }) => fullName);
  if (args.length !== 5 || args[2]!.toUpperCase() !== 'FILTERBY') return SYNTAX;
  const wanted = args[4]!;
  switch (args[3]!.toUpperCase()) {
    case 'MODULE':
      return [];
    case 'ACLCAT': {
      const category = wanted.toLowerCase();
      return all.filter(({ categories }) => categories.includes(category)).map(({ fullName }) => fullName);
    }
    case 'PATTERN': {
      const fits = compileGlob(wanted.toLowerCase());
      return all.map(({ fullName }) => fullName).filter((name) => fits(name));
    }
    default:
      return SYNTAX;
  }
}

/** Every command, each followed by its subcommands. */
function allNames(ctx: Session): Command[] {
  return [...ctx.server.commands.every()];
}

function docs(ctx: Session, args: Bytes[]): Reply {
  const { commands } = ctx.server;
  const wanted = args.length === 2 ? [...commands.all()] : args.slice(2).map((name) => commands.findFull(name));
  const flat: Reply[] = [];
  for (const command of wanted) if (command !== undefined) flat.push(command.fullName, commandDocs(command));
  return new MapReply(flat);
}

/** The ten facts of COMMAND INFO about a command. */
function infoOf(command: Command): Reply {
  const { row } = command;
  const keys = row.keys ?? [];
  const { first, last, step } = keyRangeOf(keys);
  return [
    command.fullName,
    row.arity,
    words(row.flags),
    first,
    last,
    step,
    words(command.categories.map((category) => `@${category}`)),
    new SetReply([...(row.tips ?? [])]),
    new SetReply(keys.map(specOf)),
    // Redis has an empty set where there are none.
    command.subcommands === undefined ? new SetReply([]) : [...command.subcommands.values()].map(infoOf),
  ];
}

function words(texts: readonly string[]): SetReply {
  return new SetReply(texts.map((text) => new SimpleString(text)));
}

const KEY_FLAGS = [
  'RO',
  'RW',
  'OW',
  'RM',
  'access',
  'update',
  'insert',
  'delete',
  'not_key',
  'incomplete',
  'variable_flags',
] as const;

/** Flags of a key in Redis' order, whatever the row's. */
function keyFlags(flags: readonly string[]): SetReply {
  return words(KEY_FLAGS.filter((flag) => flags.includes(flag)));
}

function specOf(spec: KeySpec): Reply {
  return new MapReply([
    'flags',
    keyFlags(spec.flags),
    'begin_search',
    beginOf(spec.begin),
    'find_keys',
    findOf(spec.find),
  ]);
}

function beginOf(begin: KeySpec['begin']): Reply {
  if (begin === 'unknown') return typed('unknown', []);
  if ('index' in begin) return typed('index', ['index', begin.index]);
  return typed('keyword', ['keyword', begin.keyword, 'startfrom', begin.from]);
}

function findOf(find: KeySpec['find']): Reply {
  if (find === 'unknown') return typed('unknown', []);
  if ('last' in find) return typed('range', ['lastkey', find.last, 'keystep', find.step, 'limit', find.limit]);
  return typed('keynum', ['keynumidx', find.numkeysAt, 'firstkey', find.first, 'keystep', find.step]);
}

function typed(type: string, spec: Reply[]): Reply {
  return new MapReply(['type', type, 'spec', new MapReply(spec)]);
}
