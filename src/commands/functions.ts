/** Libraries of Lua functions: FCALL and the FUNCTION family. Libraries live in `server/scripts/`. */

import { wrongSubcommand } from '../protocol/errors.js';
import { compileGlob } from '../protocol/glob.js';
import { parseInteger } from '../protocol/numbers.js';
import { type Bytes, ErrorReply, MapReply, OK, type Reply, SetReply, SimpleString } from '../protocol/reply.js';
import type { Session } from '../server/session.js';
import { isWord, OptionReader } from './args.js';
import { type CommandRow, numberedKeys } from './definition.js';
import { helpHandler } from './help.js';

export const functionCommands: readonly CommandRow[] = [
  {
    name: 'function',
    arity: -2,
    flags: [],
    group: 'scripting',
    acl: [],
    since: '7.0.0',
    complexity: '',
    summary: 'Manages libraries of functions.',
    syntax: '',
    subcommands: [
      {
        name: 'load',
        arity: -3,
        flags: ['write', 'denyoom', 'noscript'],
        group: 'scripting',
        since: '7.0.0',
        complexity: 'O(1)',
        summary: 'Adds a library.',
        syntax: '[REPLACE] function-code',
        tips: ['request_policy:all_shards', 'response_policy:all_succeeded'],
        handler: load,
      },
      {
        name: 'stats',
        arity: 2,
        flags: ['noscript', 'allow_busy'],
        group: 'scripting',
        since: '7.0.0',
        complexity: 'O(1)',
        summary: 'Tells which function runs, and how many there are.',
        syntax: '',
        tips: ['nondeterministic_output', 'request_policy:all_shards', 'response_policy:special'],
        handler: stats,
      },
      {
        name: 'help',
        arity: 2,
        flags: ['loading', 'stale'],
        group: 'scripting',
        since: '7.0.0',
        complexity: 'O(1)',
        summary: 'Shows the subcommands.',
        syntax: '',
        handler: helpHandler('FUNCTION'),
      },
      {
        name: 'kill',
        arity: 2,
        flags: ['noscript', 'allow_busy'],
        group: 'scripting',
        since: '7.0.0',
        complexity: 'O(1)',
        summary: 'Stops a running function.',
        syntax: '',
        tips: ['request_policy:all_shards', 'response_policy:one_succeeded'],
        handler: kill,
      },
      {
        name: 'restore',
        arity: -3,
        flags: ['write', 'denyoom', 'noscript'],
        group: 'scripting',
        since: '7.0.0',
        complexity: 'O(N)',
        summary: 'Adds the libraries of a payload.',
        syntax: 'serialized-value [policy:(FLUSH | APPEND | REPLACE)]',
        tips: ['request_policy:all_shards', 'response_policy:all_succeeded'],
        handler: restore,
      },
      {
        name: 'dump',
        arity: 2,
        flags: ['noscript'],
        group: 'scripting',
        since: '7.0.0',
        complexity: 'O(N)',
        summary: 'Gives all libraries as one payload.',
        syntax: '',
        handler: dump,
      },
      {
        name: 'flush',
        arity: -2,
        flags: ['write', 'noscript'],
        group: 'scripting',
        since: '7.0.0',
        complexity: 'O(N)',
        summary: 'Removes all libraries.',
        syntax: '[flush-type:(ASYNC | SYNC)]',
        tips: ['request_policy:all_shards', 'response_policy:all_succeeded'],
        handler: flush,
      },
      {
        name: 'delete',
        arity: 3,
        flags: ['write', 'noscript'],
        group: 'scripting',
        since: '7.0.0',
        complexity: 'O(1)',
        summary: 'Removes a library and its functions.',
        syntax: 'library-name',
        tips: ['request_policy:all_shards', 'response_policy:all_succeeded'],
        handler: deleteLibrary,
      },
      {
        name: 'list',
        arity: -2,
        flags: ['noscript'],
        group: 'scripting',
        since: '7.0.0',
        complexity: 'O(N)',
        summary: 'Lists the libraries and their functions.',
        syntax: '[LIBRARYNAME library-name-pattern] [WITHCODE]',
        tips: ['nondeterministic_output_order'],
        handler: list,
      },
    ],
  },
  {
    name: 'fcall',
    arity: -3,
    flags: ['noscript', 'stale', 'skip_monitor', 'no_mandatory_keys', 'movablekeys'],
    group: 'scripting',
    keys: [numberedKeys('RW access update', 2)],
    since: '7.0.0',
    complexity: 'that of the commands it runs',
    summary: 'Runs a function.',
    syntax: 'function numkeys:integer [key...] [arg...]',
    handler: (ctx, args) => callFunction(ctx, args, false),
  },
  {
    name: 'fcall_ro',
    arity: -3,
    flags: ['readonly', 'noscript', 'stale', 'skip_monitor', 'no_mandatory_keys', 'movablekeys'],
    group: 'scripting',
    keys: [numberedKeys('RO access', 2)],
    since: '7.0.0',
    complexity: 'that of the commands it runs',
    summary: 'Runs a function that does not write.',
    syntax: 'function numkeys:integer [key...] [arg...]',
    handler: (ctx, args) => callFunction(ctx, args, true),
  },
];

function callFunction(ctx: Session, args: Bytes[], readOnly: boolean): Reply {
  const { functions } = ctx.server;
  if (functions.find(args[1]!) === undefined) return new ErrorReply('ERR Function not found');
  const count = parseInteger(args[2]!);
  if (count === undefined) return new ErrorReply('ERR Bad number of keys provided');
  if (count > args.length - 3) return new ErrorReply("ERR Number of keys can't be greater than number of args");
  if (count < 0) return new ErrorReply("ERR Number of keys can't be negative");
  const split = 3 + Number(count);
  return functions.call(ctx, args[1]!, args.slice(3, split), args.slice(split), readOnly);
}

function load(ctx: Session, args: Bytes[]): Reply {
  let replace = false;
  for (const option of args.slice(2, -1)) {
    if (!isWord(option, 'REPLACE')) return new ErrorReply(`ERR Unknown option given: ${option}`);
    replace = true;
  }
  return ctx.server.functions.load(args.at(-1)!, replace);
}

function deleteLibrary(ctx: Session, args: Bytes[]): Reply {
  return ctx.server.functions.delete(args[2]!) ? OK : new ErrorReply('ERR Library not found');
}

function flush(ctx: Session, args: Bytes[]): Reply {
  if (args.length > 3) return wrongSubcommand('FUNCTION', args[1]!);
  if (args.length === 3 && !isWord(args[2]!, 'SYNC') && !isWord(args[2]!, 'ASYNC')) {
    return new ErrorReply('ERR FUNCTION FLUSH only supports SYNC|ASYNC option');
  }
  ctx.server.functions.flush();
  return OK;
}

function list(ctx: Session, args: Bytes[]): Reply {
  let withCode = false;
  let fits: ((name: Bytes) => boolean) | undefined;
  const words = new OptionReader(args, 2);
  while (words.more) {
    const word = words.next();
    if (!withCode && isWord(word, 'WITHCODE')) withCode = true;
    else if (fits === undefined && isWord(word, 'LIBRARYNAME')) {
      if (!words.more) return new ErrorReply('ERR library name argument was not given');
      fits = compileGlob(words.next());
    } else return new ErrorReply(`ERR Unknown argument ${word}`);
  }
  const libraries = [...ctx.server.functions.libraries.values()].filter(({ name }) => fits === undefined || fits(name));
  return libraries.map(({ name, source, functions }) => {
    const described = [...functions.values()].map(
      (made) =>
        new MapReply([
          'name',
          made.name,
          'description',
          made.description,
          'flags',
          new SetReply(made.flags.map((flag) => new SimpleString(flag))),
        ]),
    );
    return new MapReply([
      'library_name',
      name,
      'engine',
      'LUA',
      'functions',
      described,
      ...(withCode ? ['library_code', source] : []),
    ]);
  });
}

function stats(ctx: Session): Reply {
  const { functions } = ctx.server;
  const counts = new MapReply([
    'libraries_count',
    functions.libraries.size,
    'functions_count',
    functions.functionCount,
  ]);
  return new MapReply(['running_script', null, 'engines', new MapReply(['LUA', counts])]);
}

/** A function runs to its end, or to its time limit, before another command is read: there is never one to kill. */
function kill(): Reply {
  return new ErrorReply('NOTBUSY No scripts in execution right now.');
}

function dump(ctx: Session): Reply {
  return ctx.server.functions.dump();
}

const POLICIES: ReadonlyMap<string, 'flush' | 'append' | 'replace'> = new Map([
  ['FLUSH', 'flush'],
  ['APPEND', 'append'],
  ['REPLACE', 'replace'],
]);

function restore(ctx: Session, args: Bytes[]): Reply {
  if (args.length > 4) return wrongSubcommand('FUNCTION', args[1]!);
  const policy = args.length === 4 ? POLICIES.get(args[3]!.toUpperCase()) : 'append';
  if (policy === undefined) {
    return new ErrorReply('ERR Wrong restore policy given, value should be either FLUSH, APPEND or REPLACE.');
  }
  ctx.server.functions.restore(args[2]!, policy);
  return OK;
}
