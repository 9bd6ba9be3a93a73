/** The connection family: greeting, authentication, choice of database. */

import { DB_OUT_OF_RANGE, SYNTAX, WRONG_PASS, wrongArity } from '../protocol/errors.js';
import { parseInteger } from '../protocol/numbers.js';
import { type Bytes, ErrorReply, MapReply, OK, PONG, type Reply, SimpleString } from '../protocol/reply.js';
import { REDIS_VERSION } from '../protocol/versions.js';
import type { Session } from '../server/session.js';
import { int32Arg } from './args.js';
import { invalidClientName, setClientName } from './client-names.js';
import type { CommandRow } from './definition.js';

export const connectionCommands: readonly CommandRow[] = [
  {
    name: 'ping',
    arity: -1,
    flags: ['fast'],
    group: 'connection',
    since: '1.0.0',
    complexity: 'O(1)',
    summary: 'Answers PONG, or the message: shows that the server is there.',
    syntax: '[message]',
    tips: ['request_policy:all_shards', 'response_policy:all_succeeded'],
    handler: ping,
  },
  {
    name: 'echo',
    arity: 2,
    flags: ['loading', 'stale', 'fast'],
    group: 'connection',
    since: '1.0.0',
    complexity: 'O(1)',
    summary: 'Answers the message.',
    syntax: 'message',
    handler: echo,
  },
  {
    name: 'hello',
    arity: -1,
    flags: ['noscript', 'loading', 'stale', 'fast', 'no_auth', 'allow_busy'],
    group: 'connection',
    since: '6.0.0',
    complexity: 'O(1)',
    summary: 'Switches the protocol version, and says who the server is; may authenticate and name the client as well.',
    syntax: '[arguments:(protover:integer [AUTH auth:(username password)] [SETNAME clientname])]',
    handler: hello,
  },
  {
    name: 'auth',
    arity: -2,
    flags: ['noscript', 'loading', 'stale', 'fast', 'no_auth', 'allow_busy'],
    group: 'connection',
    since: '1.0.0',
    complexity: 'O(N)',
    summary: 'Authenticates the client.',
    syntax: '[username] password',
    handler: auth,
  },
  {
    name: 'select',
    arity: 2,
    flags: ['loading', 'stale', 'fast'],
    group: 'connection',
    since: '1.0.0',
    complexity: 'O(1)',
    summary: 'Chooses the database that the following commands work on.',
    syntax: 'index:integer',
    handler: select,
  },
  {
    name: 'quit',
    arity: -1,
    flags: ['noscript', 'loading', 'stale', 'fast', 'no_auth', 'allow_busy'],
    group: 'connection',
    since: '1.0.0',
    complexity: 'O(1)',
    summary: 'Answers OK and closes the connection.',
    syntax: '',
    handler: quit,
  },
  {
    name: 'reset',
    arity: 1,
    flags: ['noscript', 'loading', 'stale', 'fast', 'no_auth', 'allow_busy'],
    group: 'connection',
    since: '6.2.0',
    complexity: 'O(1)',
    summary: 'Puts the connection back into the state in which it began.',
    syntax: '',
    handler: reset,
  },
];

function ping(ctx: Session, args: Bytes[]): Reply {
  if (args.length > 2) return wrongArity('ping');
  // A RESP2 client that is subscribed tells replies from messages by their form.
  if (ctx.resp === 2 && ctx.subscriptionCount > 0) return ['pong', args[1] ?? ''];
  return args[1] ?? PONG;
}

function echo(_ctx: Session, args: Bytes[]): Reply {
  return args[1]!;
}

const NO_PROTOCOL = new ErrorReply('NOPROTO unsupported protocol version');
const NOT_A_VERSION = new ErrorReply('ERR Protocol version is not an integer or out of range');
const HELLO_NEEDS_AUTH = new ErrorReply(
  'NOAUTH HELLO must be called with the client already authenticated, otherwise the HELLO <proto> AUTH <user> <pass> option can be used to authenticate the client and select the RESP protocol version at the same time',
);

function hello(ctx: Session, args: Bytes[]): Reply {
  let version: number = ctx.resp;
  if (args.length > 1) {
    const wanted = parseInteger(args[1]!);
    if (wanted === undefined) return NOT_A_VERSION;
    if (wanted !== 2 && wanted !== 3) return NO_PROTOCOL;
    version = wanted;
  }
  let credentials: { name: Bytes; password: Bytes } | undefined;
  let clientName: Bytes | undefined;
  for (let i = 2; i < args.length; i++) {
    const option = args[i]!.toUpperCase();
    if (option === 'AUTH' && i + 2 < args.length) {
      credentials = { name: args[i + 1]!, password: args[i + 2]! };
      i += 2;
    } else if (option === 'SETNAME' && i + 1 < args.length) {
      clientName = args[++i]!;
      const refusal = invalidClientName(clientName);
      if (refusal !== undefined) return refusal;
    } else return new ErrorReply(`ERR Syntax error in HELLO option '${args[i]!}'`);
  }
  if (credentials !== undefined && !logIn(ctx, credentials.name, credentials.password, args[0]!)) return WRONG_PASS;
  if (!ctx.authenticated) return HELLO_NEEDS_AUTH;
  if (clientName !== undefined) setClientName(ctx, clientName);
  ctx.resp = version as 2 | 3;
  ctx.regate();
  return new MapReply([
    'server',
    'redis',
    'version',
    REDIS_VERSION,
    'proto',
    version,
    'id',
    ctx.id,
    'mode',
    'standalone',
    'role',
    'master',
    'modules',
    [],
  ]);
}

const NO_PASSWORD_SET = new ErrorReply(
  'ERR AUTH <password> called without any password configured for the default user. Are you sure your configuration is correct?',
);

function auth(ctx: Session, args: Bytes[]): Reply {
  if (args.length > 3) return SYNTAX;
  if (args.length === 2 && ctx.server.acl.defaultUser.passwordless) return NO_PASSWORD_SET;
  const [name, password] = args.length === 2 ? ['default', args[1]!] : [args[1]!, args[2]!];
  return logIn(ctx, name, password, args[0]!) ? OK : WRONG_PASS;
}

function logIn(ctx: Session, name: Bytes, password: Bytes, asTyped: Bytes): boolean {
  const user = ctx.server.acl.authenticate(ctx, name, password, asTyped);
  if (user === undefined) return false;
  ctx.user = user;
  ctx.authenticated = true;
  ctx.regate();
  return true;
}

function select(ctx: Session, args: Bytes[]): Reply {
  const index = int32Arg(args[1]!);
  if (ctx.server.databases[index] === undefined) return DB_OUT_OF_RANGE;
  ctx.select(index);
  return OK;
}

function quit(ctx: Session): Reply {
  ctx.closing = true;
  return OK;
}

function reset(ctx: Session): Reply {
  const { server } = ctx;
  server.discardTransaction(ctx);
  server.pubsub.leave(ctx);
  server.tracking.forget(ctx);
  server.monitors.remove(ctx);
  ctx.fieldsets.clear();
  ctx.select(0);
  ctx.resp = 2;
  ctx.replyMode = 'on';
  ctx.name = '';
  ctx.noEvict = false;
  ctx.noTouch = false;
  server.regate();
  ctx.user = server.acl.defaultUser;
  ctx.authenticated = server.acl.open;
  ctx.regate();
  return new SimpleString('RESET');
}
