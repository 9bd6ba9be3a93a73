/** The ACL family: users, their rules, and the log of refusals. */

import { randomBytes } from 'node:crypto';
import { wrongArity, wrongSubcommand } from '../protocol/errors.js';
import { AclFileError, AclRuleError } from '../protocol/problems.js';
import { type Bytes, DoubleReply, ErrorReply, MapReply, OK, type Reply, SetReply } from '../protocol/reply.js';
import type { Session } from '../server/session.js';
import { integerArg, isWord } from './args.js';
import type { CommandRow } from './definition.js';
import { ACL_CATEGORIES } from './definition.js';
import { helpHandler } from './help.js';

export const aclCommands: readonly CommandRow[] = [
  {
    name: 'acl',
    arity: -2,
    flags: [],
    group: 'server',
    since: '6.0.0',
    complexity: '',
    summary: 'Manages users and what they may do.',
    syntax: '',
    subcommands: [
      {
        name: 'load',
        arity: 2,
        flags: ['admin', 'noscript', 'loading', 'stale'],
        group: 'server',
        since: '6.0.0',
        complexity: 'O(N)',
        summary: 'Reads all users anew from the ACL file.',
        syntax: '',
        handler: load,
      },
      {
        name: 'dryrun',
        arity: -4,
        flags: ['admin', 'noscript', 'loading', 'stale'],
        group: 'server',
        since: '7.0.0',
        complexity: 'O(1)',
        summary: 'Says whether a user could run a command, without running it.',
        syntax: 'username command [arg...]',
        handler: dryrun,
      },
      {
        name: 'deluser',
        arity: -3,
        flags: ['admin', 'noscript', 'loading', 'stale'],
        group: 'server',
        since: '6.0.0',
        complexity: 'O(1)',
        summary: 'Removes users and closes their connections.',
        syntax: 'username...',
        tips: ['request_policy:all_nodes', 'response_policy:all_succeeded'],
        handler: deluser,
      },
      {
        name: 'help',
        arity: 2,
        flags: ['loading', 'stale'],
        group: 'server',
        since: '6.0.0',
        complexity: 'O(1)',
        summary: 'Shows the subcommands.',
        syntax: '',
        handler: helpHandler('ACL'),
      },
      {
        name: 'users',
        arity: 2,
        flags: ['admin', 'noscript', 'loading', 'stale'],
        group: 'server',
        since: '6.0.0',
        complexity: 'O(N)',
        summary: 'Lists the names of all users.',
        syntax: '',
        handler: users,
      },
      {
        name: 'genpass',
        arity: -2,
        flags: ['noscript', 'loading', 'stale'],
        group: 'server',
        since: '6.0.0',
        complexity: 'O(1)',
        summary: 'Makes a random password.',
        syntax: '[bits:integer]',
        handler: genpass,
      },
      {
        name: 'setuser',
        arity: -3,
        flags: ['admin', 'noscript', 'loading', 'stale'],
        group: 'server',
        since: '6.0.0',
        complexity: 'O(N)',
        summary: 'Creates a user, or changes one, by rules.',
        syntax: 'username [rule...]',
        tips: ['request_policy:all_nodes', 'response_policy:all_succeeded'],
        handler: setuser,
      },
      {
        name: 'save',
        arity: 2,
        flags: ['admin', 'noscript', 'loading', 'stale'],
        group: 'server',
        since: '6.0.0',
        complexity: 'O(N)',
        summary: 'Writes all users to the ACL file.',
        syntax: '',
        tips: ['request_policy:all_nodes', 'response_policy:all_succeeded'],
        handler: save,
      },
      {
        name: 'getuser',
        arity: 3,
        flags: ['admin', 'noscript', 'loading', 'stale'],
        group: 'server',
        since: '6.0.0',
        complexity: 'O(N)',
        summary: 'Tells the rules of a user.',
        syntax: 'username',
        handler: getuser,
      },
      {
        name: 'whoami',
        arity: 2,
        flags: ['noscript', 'loading', 'stale'],
        group: 'server',
        since: '6.0.0',
        complexity: 'O(1)',
        summary: 'Tells the user of this connection.',
        syntax: '',
        handler: whoami,
      },
      {
        name: 'log',
        arity: -2,
        flags: ['admin', 'noscript', 'loading', 'stale'],
        group: 'server',
        since: '6.0.0',
        complexity: 'O(N)',
        summary: 'Lists requests and logins that were refused.',
        syntax: '[operation:(count:integer | RESET)]',
        handler: log,
      },
      {
        name: 'list',
        arity: 2,
        flags: ['admin', 'noscript', 'loading', 'stale'],
        group: 'server',
        since: '6.0.0',
        complexity: 'O(N)',
        summary: 'Lists all users with their rules.',
        syntax: '',
        handler: list,
      },
      {
        name: 'cat',
        arity: -2,
        flags: ['noscript', 'loading', 'stale'],
        group: 'server',
        since: '6.0.0',
        complexity: 'O(1)',
        summary: 'Lists the categories, or the commands of one.',
        syntax: '[category]',
        handler: cat,
      },
    ],
  },
];

// Users

function whoami(ctx: Session): Reply {
  return ctx.user.name;
}

function users(ctx: Session): Reply {
  return [...ctx.server.acl.users.keys()].sort();
}

function list(ctx: Session): Reply {
  const { acl } = ctx.server;
  return [...acl.users.keys()].sort().map((name) => acl.users.get(name)!.describe());
}

function getuser(ctx: Session, args: Bytes[]): Reply {
  const user = ctx.server.acl.users.get(args[2]!);
  if (user === undefined) return null;
  const [root, ...others] = user.allSelectors.map((selector) => [
    'commands',
    selector.describeCommands(),
    'keys',
    selector.describeKeys(),
    'channels',
    selector.describeChannels(),
  ]);
  return new MapReply([
    'flags',
    new SetReply(user.flags()),
    'passwords',
    [...user.passwords],
    ...root!,
    'selectors',
    others.map((fields) => new MapReply(fields)),
  ]);
}

function setuser(ctx: Session, args: Bytes[]): Reply {
  const name = args[2]!;
  if (/[\s\0]/.test(name)) return new ErrorReply("ERR Usernames can't contain spaces or null characters");
  try {
    ctx.server.acl.setUser(name, args.slice(3));
  } catch (problem) {
    if (problem instanceof AclRuleError) return new ErrorReply(`ERR ${problem.message}`);
    throw problem;
  }
  return OK;
}

function deluser(ctx: Session, args: Bytes[]): Reply {
  const names = args.slice(2);
  if (names.includes('default')) return new ErrorReply("ERR The 'default' user cannot be removed");
  return names.filter((name) => ctx.server.acl.deleteUser(name)).length;
}

// Questions

function cat(ctx: Session, args: Bytes[]): Reply {
  if (args.length > 3) return wrongSubcommand('ACL', args[1]!);
  if (args.length === 2) return [...ACL_CATEGORIES];
  const category = args[2]!.toLowerCase();
  if (!(ACL_CATEGORIES as readonly string[]).includes(category))
    return new ErrorReply(`ERR Unknown category '${args[2]!}'`);
  return [...ctx.server.commands.every()]
    .filter((command) => command.categories.includes(category))
    .map((command) => command.fullName);
}

function genpass(_ctx: Session, args: Bytes[]): Reply {
  if (args.length > 3) return wrongSubcommand('ACL', args[1]!);
  const bits = args.length === 3 ? integerArg(args[2]!) : 256;
  if (bits <= 0 || bits > 4096) {
    return new ErrorReply(
      'ERR ACL GENPASS argument must be the number of bits for the output password, a positive number up to 4096',
    );
  }
  const digits = Math.ceil(bits / 4);
  return randomBytes(Math.ceil(digits / 2))
    .toString('hex')
    .slice(0, digits);
}

function dryrun(ctx: Session, args: Bytes[]): Reply {
  const { acl } = ctx.server;
  const user = acl.users.get(args[2]!);
  if (user === undefined) return new ErrorReply(`ERR User '${args[2]!}' not found`);
  const request = args.slice(3);
  const command = ctx.server.commands.resolve(request);
  if (command instanceof ErrorReply) return new ErrorReply(`ERR Command '${request[0]!}' not found`);
  if (command.arityIsWrong(request)) return wrongArity(command.fullName);
  const verdict = user.check(command, request);
  return verdict === 'allowed' ? OK : acl.describeDenial(user, verdict, true);
}

function log(ctx: Session, args: Bytes[]): Reply {
  if (args.length > 3) return wrongSubcommand('ACL', args[1]!);
  const { log: aclLog } = ctx.server.acl;
  if (args.length === 3 && isWord(args[2]!, 'RESET')) {
    aclLog.entries = [];
    return OK;
  }
  const count = args.length === 3 ? integerArg(args[2]!) : 10;
  return aclLog.entries
    .slice(0, Math.max(count, 0))
    .map(
      (entry) =>
        new MapReply([
          'count',
          entry.count,
          'reason',
          entry.reason,
          'context',
          entry.context,
          'object',
          entry.object,
          'username',
          entry.username,
          'age-seconds',
          new DoubleReply((ctx.now - entry.createdAt) / 1000),
          'client-info',
          entry.clientInfo,
          'entry-id',
          entry.id,
          'timestamp-created',
          entry.createdAt,
          'timestamp-last-updated',
          entry.updatedAt,
        ]),
    );
}

// The file

const NO_FILE = new ErrorReply(
  'ERR This Redis instance is not configured to use an ACL file. You may want to specify users via the ACL SETUSER command and then issue a CONFIG REWRITE (assuming you have a Redis configuration file set) in order to store users in the Redis configuration.',
);

function load(ctx: Session): Reply {
  const path = ctx.server.config.text('aclfile');
  if (path === '') return NO_FILE;
  try {
    ctx.server.acl.load(path);
  } catch (problem) {
    if (problem instanceof AclFileError) {
      return new ErrorReply(
        `ERR ${problem.message} WARNING: ACL errors detected, no change to the previously active ACL rules was performed`,
      );
    }
    return new ErrorReply(`ERR the ACL file cannot be read: ${problem instanceof Error ? problem.message : ''}`);
  }
  return OK;
}

function save(ctx: Session): Reply {
  const path = ctx.server.config.text('aclfile');
  if (path === '') return NO_FILE;
  try {
    ctx.server.acl.save(path);
  } catch (problem) {
    ctx.server.log.warning(`the ACL file cannot be written: ${problem instanceof Error ? problem.message : ''}`);
    return new ErrorReply(
      'ERR There was an error trying to save the ACLs. Please check the server logs for more information',
    );
  }
  return OK;
}
