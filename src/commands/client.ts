/** The CLIENT family, and MONITOR: connections, told of and ruled by each other. */

import { SYNTAX, untilNul, wrongSubcommand } from '../protocol/errors.js';
import { parseInteger } from '../protocol/numbers.js';
import {
  type Bytes,
  ErrorReply,
  MapReply,
  NO_REPLY,
  OK,
  type Reply,
  SetReply,
  VerbatimString,
} from '../protocol/reply.js';
import type { Session } from '../server/session.js';
import { integerArg, isWord, OptionReader } from './args.js';
import { describeSession, sessionClass } from './client-list.js';
import { invalidClientName, setClientName } from './client-names.js';
import type { CommandRow } from './definition.js';
import { helpHandler } from './help.js';

export const clientCommands: readonly CommandRow[] = [
  {
    name: 'client',
    arity: -2,
    flags: [],
    group: 'connection',
    acl: [],
    since: '2.4.0',
    complexity: '',
    summary: 'Tells of the connections and changes how they behave.',
    syntax: '',
    subcommands: [
      {
        name: 'info',
        arity: 2,
        flags: ['noscript', 'loading', 'stale'],
        group: 'connection',
        since: '6.2.0',
        complexity: 'O(1)',
        summary: 'Describes this connection.',
        syntax: '',
        tips: ['nondeterministic_output'],
        handler: info,
      },
      {
        name: 'id',
        arity: 2,
        flags: ['noscript', 'loading', 'stale'],
        group: 'connection',
        since: '5.0.0',
        complexity: 'O(1)',
        summary: 'Tells the number of this connection.',
        syntax: '',
        handler: id,
      },
      {
        name: 'pause',
        arity: -3,
        flags: ['admin', 'noscript', 'loading', 'stale'],
        group: 'connection',
        since: '3.0.0',
        complexity: 'O(1)',
        summary: 'Holds back the commands of all clients, or only those that write, for some ms.',
        syntax: 'timeout:integer [mode:(WRITE | ALL)]',
        handler: pause,
      },
      {
        name: 'getname',
        arity: 2,
        flags: ['noscript', 'loading', 'stale'],
        group: 'connection',
        since: '2.6.9',
        complexity: 'O(1)',
        summary: 'Tells the name of this connection.',
        syntax: '',
        handler: getname,
      },
      {
        name: 'kill',
        arity: -3,
        flags: ['admin', 'noscript', 'loading', 'stale'],
        group: 'connection',
        since: '2.4.0',
        complexity: 'O(N)',
        summary: 'Closes connections that fit all of the filters.',
        syntax:
          'filter:(old-format | new-format:([ID client-id:integer] | [TYPE client-type:(NORMAL | MASTER | SLAVE | REPLICA | PUBSUB)] | [USER username] | [ADDR addr] | [LADDR laddr] | [SKIPME skipme:(YES | NO)] | [MAXAGE maxage:integer])...)',
        handler: kill,
      },
      {
        name: 'caching',
        arity: 3,
        flags: ['noscript', 'loading', 'stale'],
        group: 'connection',
        since: '6.0.0',
        complexity: 'O(1)',
        summary: 'Says whether the keys of the next command are to be tracked.',
        syntax: 'mode:(YES | NO)',
        handler: caching,
      },
      {
        name: 'setinfo',
        arity: 4,
        flags: ['noscript', 'loading', 'stale'],
        group: 'connection',
        since: '7.2.0',
        complexity: 'O(1)',
        summary: 'Names the client library and its version.',
        syntax: 'attr:(LIB-NAME libname | LIB-VER libver)',
        tips: ['request_policy:all_nodes', 'response_policy:all_succeeded'],
        handler: setinfo,
      },
      {
        name: 'getredir',
        arity: 2,
        flags: ['noscript', 'loading', 'stale'],
        group: 'connection',
        since: '6.0.0',
        complexity: 'O(1)',
        summary: 'Tells which client the invalidations of this one go to.',
        syntax: '',
        handler: getredir,
      },
      {
        name: 'unblock',
        arity: -3,
        flags: ['admin', 'noscript', 'loading', 'stale'],
        group: 'connection',
        since: '5.0.0',
        complexity: 'O(log N)',
        summary: 'Ends the wait of a blocked client.',
        syntax: 'client-id:integer [unblock-type:(TIMEOUT | ERROR)]',
        handler: unblock,
      },
      {
        name: 'no-evict',
        arity: 3,
        flags: ['admin', 'noscript', 'loading', 'stale'],
        group: 'connection',
        since: '7.0.0',
        complexity: 'O(1)',
        summary: 'Protects this connection from being closed for its memory.',
        syntax: 'enabled:(ON | OFF)',
        handler: noEvict,
      },
      {
        name: 'unpause',
        arity: 2,
        flags: ['admin', 'noscript', 'loading', 'stale'],
        group: 'connection',
        since: '6.2.0',
        complexity: 'O(N)',
        summary: 'Ends a pause.',
        syntax: '',
        handler: unpause,
      },
      {
        name: 'help',
        arity: 2,
        flags: ['loading', 'stale'],
        group: 'connection',
        since: '5.0.0',
        complexity: 'O(1)',
        summary: 'Shows the subcommands.',
        syntax: '',
        handler: helpHandler('CLIENT'),
      },
      {
        name: 'no-touch',
        arity: 3,
        flags: ['noscript', 'loading', 'stale'],
        group: 'connection',
        since: '7.2.0',
        complexity: 'O(1)',
        summary: 'Says whether the commands of this connection count as accesses of keys.',
        syntax: 'enabled:(ON | OFF)',
        handler: noTouch,
      },
      {
        name: 'setname',
        arity: 3,
        flags: ['noscript', 'loading', 'stale'],
        group: 'connection',
        since: '2.6.9',
        complexity: 'O(1)',
        summary: 'Gives this connection a name.',
        syntax: 'connection-name',
        tips: ['request_policy:all_nodes', 'response_policy:all_succeeded'],
        handler: setname,
      },
      {
        name: 'tracking',
        arity: -3,
        flags: ['noscript', 'loading', 'stale'],
        group: 'connection',
        since: '6.0.0',
        complexity: 'O(1)',
        summary: 'Turns client-side caching on or off for this connection.',
        syntax: 'status:(ON | OFF) [REDIRECT client-id:integer] [PREFIX prefix]... [BCAST] [OPTIN] [OPTOUT] [NOLOOP]',
        handler: tracking,
      },
      {
        name: 'reply',
        arity: 3,
        flags: ['noscript', 'loading', 'stale'],
        group: 'connection',
        since: '3.2.0',
        complexity: 'O(1)',
        summary: 'Says whether this connection gets replies.',
        syntax: 'action:(ON | OFF | SKIP)',
        handler: reply,
      },
      {
        name: 'list',
        arity: -2,
        flags: ['admin', 'noscript', 'loading', 'stale'],
        group: 'connection',
        since: '2.4.0',
        complexity: 'O(N)',
        summary: 'Describes the connections, a line each.',
        syntax: '[TYPE client-type:(NORMAL | MASTER | REPLICA | PUBSUB)] [ID client-id:integer...]',
        tips: ['nondeterministic_output'],
        handler: list,
      },
      {
        name: 'trackinginfo',
        arity: 2,
        flags: ['noscript', 'loading', 'stale'],
        group: 'connection',
        since: '6.2.0',
        complexity: 'O(1)',
        summary: 'Tells how this connection takes part in client-side caching.',
        syntax: '',
        handler: trackinginfo,
      },
    ],
  },
  {
    name: 'monitor',
    arity: 1,
    flags: ['admin', 'noscript', 'loading', 'stale'],
    group: 'server',
    since: '1.0.0',
    complexity: '',
    summary: 'Shows every command that the server runs from now on.',
    syntax: '',
    handler: monitor,
  },
];

// The connection itself

function id(ctx: Session): Reply {
  return ctx.id;
}

function info(ctx: Session): Reply {
  return new VerbatimString(`${describeSession(ctx)}\n`);
}

function getname(ctx: Session): Reply {
  return ctx.name === '' ? null : ctx.name;
}

function setname(ctx: Session, args: Bytes[]): Reply {
  const refusal = invalidClientName(args[2]!);
  if (refusal !== undefined) return refusal;
  setClientName(ctx, args[2]!);
  return OK;
}

function setinfo(ctx: Session, args: Bytes[]): Reply {
  const option = args[2]!.toLowerCase();
  if (option !== 'lib-name' && option !== 'lib-ver') {
    return new ErrorReply(`ERR Unrecognized option '${untilNul(args[2]!)}'`);
  }
  const refusal = invalidClientName(args[3]!, args[2]!);
  if (refusal !== undefined) return refusal;
  if (option === 'lib-name') ctx.libraryName = args[3]!;
  else ctx.libraryVersion = args[3]!;
  return OK;
}

function reply(ctx: Session, args: Bytes[]): Reply {
  switch (args[2]!.toUpperCase()) {
    case 'ON':
      ctx.replyMode = 'on';
      return OK;
    case 'OFF':
      ctx.replyMode = 'off';
      return NO_REPLY;
    case 'SKIP':
      if (ctx.replyMode !== 'off') ctx.replyMode = 'skip next';
      return NO_REPLY;
    default:
      return SYNTAX;
  }
}

function noEvict(ctx: Session, args: Bytes[]): Reply {
  ctx.noEvict = onOrOff(args[2]!);
  ctx.server.clientCare.note(ctx);
  return OK;
}

function noTouch(ctx: Session, args: Bytes[]): Reply {
  ctx.noTouch = onOrOff(args[2]!);
  ctx.server.regate();
  return OK;
}

function onOrOff(word: Bytes): boolean {
  if (isWord(word, 'ON')) return true;
  if (isWord(word, 'OFF')) return false;
  throw SYNTAX;
}

// The other connections

const CLIENT_TYPES: ReadonlyMap<string, string> = new Map([
  ['normal', 'normal'],
  ['pubsub', 'pubsub'],
  ['master', 'master'],
  ['replica', 'replica'],
  ['slave', 'replica'],
]);

function list(ctx: Session, args: Bytes[]): Reply {
  let chosen = [...ctx.server.sessions.values()];
  if (args.length > 2) {
    if (args.length === 4 && isWord(args[2]!, 'TYPE')) {
      const type = clientType(args[3]!);
      chosen = chosen.filter((session) => sessionClass(session) === type);
    } else if (args.length > 3 && isWord(args[2]!, 'ID')) {
      const ids = args.slice(3).map((text) => integerArg(text, new ErrorReply('ERR Invalid client ID')));
      chosen = ids.flatMap((number) => ctx.server.sessions.get(number) ?? []);
    } else return SYNTAX;
  }
  return new VerbatimString(chosen.map((session) => `${describeSession(session)}\n`).join(''));
}

function clientType(word: Bytes): string {
  const type = CLIENT_TYPES.get(word.toLowerCase());
  if (type === undefined) throw new ErrorReply(`ERR Unknown client type '${word}'`);
  return type;
}

function kill(ctx: Session, args: Bytes[]): Reply {
  if (args.length === 3) {
    const victim = [...ctx.server.sessions.values()].find((session) => session.address === args[2]);
    if (victim === undefined) return new ErrorReply('ERR No such client');
    close(ctx, victim);
    return OK;
  }
  const { fits, skipMe } = killFilter(ctx, args);
  let killed = 0;
  for (const session of [...ctx.server.sessions.values()]) {
    if (!fits(session) || (skipMe && session === ctx)) continue;
    close(ctx, session);
    killed++;
  }
  return killed;
}

function killFilter(ctx: Session, args: Bytes[]): { fits: (session: Session) => boolean; skipMe: boolean } {
  const tests: ((session: Session) => boolean)[] = [];
  let skipMe = true;
  const words = new OptionReader(args, 2);
  while (words.more) {
    if (words.left === 1) throw SYNTAX;
    const option = words.keyword();
    const value = words.next();
    switch (option) {
      case 'ID': {
        const wanted = parseInteger(value);
        if (wanted === undefined || wanted <= 0) throw new ErrorReply('ERR client-id should be greater than 0');
        tests.push((session) => session.id === wanted);
        break;
      }
      case 'MAXAGE': {
        const age = parseInteger(value);
        if (age === undefined) throw new ErrorReply('ERR maxage is not an integer or out of range');
        if (age <= 0) throw new ErrorReply('ERR maxage should be greater than 0');
        tests.push((session) => (ctx.now - session.createdAt) / 1000 >= Number(age));
        break;
      }
      case 'TYPE': {
        const type = clientType(value);
        tests.push((session) => sessionClass(session) === type);
        break;
      }
      case 'ADDR':
        tests.push((session) => session.address === value);
        break;
      case 'LADDR':
        tests.push((session) => session.localAddress === value);
        break;
      case 'USER': {
        const user = ctx.server.acl.users.get(value);
        if (user === undefined) throw new ErrorReply(`ERR No such user '${value}'`);
        tests.push((session) => session.user === user);
        break;
      }
      case 'SKIPME':
        if (!isWord(value, 'YES') && !isWord(value, 'NO')) throw SYNTAX;
        skipMe = isWord(value, 'YES');
        break;
      default:
        throw SYNTAX;
    }
  }
  return { fits: (session) => tests.every((test) => test(session)), skipMe };
}

/** Another client goes at once, the one that asks after its reply. */
function close(ctx: Session, victim: Session): void {
  if (victim === ctx) ctx.closing = true;
  else victim.sink.close(true);
}

function unblock(ctx: Session, args: Bytes[]): Reply {
  const asError = args.length > 3 && isWord(args[3]!, 'ERROR');
  if (args.length > 4) return wrongSubcommand('CLIENT', args[1]!);
  if (args.length === 4 && !asError && !isWord(args[3]!, 'TIMEOUT')) {
    return new ErrorReply('ERR CLIENT UNBLOCK reason should be TIMEOUT or ERROR');
  }
  const session = ctx.server.sessions.get(integerArg(args[2]!));
  const request = session?.blocked?.request;
  if (session === undefined || request === undefined || request.kind === 'pause') return 0;
  const unblocked = new ErrorReply('UNBLOCKED client unblocked via CLIENT UNBLOCK');
  ctx.server.blocking.finish(session, asError ? unblocked : request.timeoutReply);
  return 1;
}

function pause(ctx: Session, args: Bytes[]): Reply {
  if (args.length > 4) return wrongSubcommand('CLIENT', args[1]!);
  const mode = args[3]?.toUpperCase() ?? 'ALL';
  if (mode !== 'WRITE' && mode !== 'ALL') return new ErrorReply('ERR CLIENT PAUSE mode must be WRITE or ALL');
  const timeout = parseInteger(args[2]!);
  if (timeout === undefined) return new ErrorReply('ERR timeout is not an integer or out of range');
  if (timeout < 0) return new ErrorReply('ERR timeout is negative');
  ctx.server.pause.start(ctx.now + Number(timeout), mode === 'ALL' ? 'all' : 'write');
  return OK;
}

function unpause(ctx: Session): Reply {
  ctx.server.pause.stop();
  return OK;
}

// Client-side caching

function tracking(ctx: Session, args: Bytes[]): Reply {
  const on = isWord(args[2]!, 'ON');
  let redirect = 0;
  let broadcast = false;
  let optIn = false;
  let optOut = false;
  let noLoop = false;
  const prefixes: Bytes[] = [];
  const words = new OptionReader(args, 3);
  while (words.more) {
    switch (words.keyword()) {
      case 'REDIRECT':
        if (redirect !== 0) return new ErrorReply('ERR A client can only redirect to a single other client');
        redirect = Number(integerArg(words.next()));
        if (!ctx.server.sessions.has(redirect)) {
          return new ErrorReply('ERR The client ID you want redirect to does not exist');
        }
        break;
      case 'PREFIX':
        prefixes.push(words.next());
        break;
      case 'BCAST':
        broadcast = true;
        break;
      case 'OPTIN':
        optIn = true;
        break;
      case 'OPTOUT':
        optOut = true;
        break;
      case 'NOLOOP':
        noLoop = true;
        break;
      default:
        return SYNTAX;
    }
  }
  const server = ctx.server;
  if (!on) {
    if (!isWord(args[2]!, 'OFF')) return SYNTAX;
    server.tracking.forget(ctx);
    return OK;
  }
  const before = ctx.tracking;
  const conflict = trackingConflict(before, { broadcast, optIn, optOut, prefixes });
  if (conflict !== undefined) return new ErrorReply(conflict);
  const all = [...new Set([...(before?.prefixes ?? []), ...(broadcast && prefixes.length === 0 ? [''] : prefixes)])];
  if (before !== null) server.tracking.forget(ctx);
  server.tracking.start(ctx, {
    broadcast,
    optIn,
    optOut,
    noLoop,
    redirect,
    prefixes: all,
    caching: false,
    brokenRedirect: false,
  });
  return OK;
}

interface TrackingWish {
  readonly broadcast: boolean;
  readonly optIn: boolean;
  readonly optOut: boolean;
  readonly prefixes: readonly Bytes[];
}

/** Why a client cannot have this mode (or cannot change to it while tracking is on), as Redis words it. */
function trackingConflict(before: Session['tracking'], wish: TrackingWish): string | undefined {
  const { broadcast, optIn, optOut, prefixes } = wish;
  if (!broadcast && prefixes.length > 0) return 'ERR PREFIX option requires BCAST mode to be enabled';
  if (before !== null && before.broadcast !== broadcast) {
    return "ERR You can't switch BCAST mode on/off before disabling tracking for this client, and then re-enabling it with a different mode.";
  }
  if (broadcast && (optIn || optOut)) return 'ERR OPTIN and OPTOUT are not compatible with BCAST';
  if (optIn && optOut) return "ERR You can't specify both OPTIN mode and OPTOUT mode";
  if ((optIn && before?.optOut) || (optOut && before?.optIn)) {
    return "ERR You can't switch OPTIN/OPTOUT mode before disabling tracking for this client, and then re-enabling it with a different mode.";
  }
  return broadcast ? overlappingPrefix(before?.prefixes ?? [], prefixes) : undefined;
}

function overlappingPrefix(existing: readonly Bytes[], added: readonly Bytes[]): string | undefined {
  for (let i = 0; i < added.length; i++) {
    const prefix = added[i]!;
    const clash = existing.find((other) => overlaps(other, prefix));
    if (clash !== undefined) {
      return `ERR Prefix '${prefix}' overlaps with an existing prefix '${clash}'. Prefixes for a single client must not overlap.`;
    }
    const twin = added.slice(i + 1).find((other) => overlaps(other, prefix));
    if (twin !== undefined) {
      return `ERR Prefix '${prefix}' overlaps with another provided prefix '${twin}'. Prefixes for a single client must not overlap.`;
    }
  }
  return undefined;
}

function overlaps(a: Bytes, b: Bytes): boolean {
  return a.startsWith(b) || b.startsWith(a);
}

function caching(ctx: Session, args: Bytes[]): Reply {
  const state = ctx.tracking;
  if (state === null || (!state.optIn && !state.optOut)) {
    return new ErrorReply(
      'ERR CLIENT CACHING can be called only when the client is in tracking mode with OPTIN or OPTOUT mode enabled',
    );
  }
  if (isWord(args[2]!, 'YES')) {
    if (!state.optIn)
      return new ErrorReply('ERR CLIENT CACHING YES is only valid when tracking is enabled in OPTIN mode.');
  } else if (isWord(args[2]!, 'NO')) {
    if (!state.optOut)
      return new ErrorReply('ERR CLIENT CACHING NO is only valid when tracking is enabled in OPTOUT mode.');
  } else return SYNTAX;
  state.caching = true;
  return OK;
}

function getredir(ctx: Session): Reply {
  return ctx.tracking === null ? -1 : ctx.tracking.redirect;
}

function trackinginfo(ctx: Session): Reply {
  const state = ctx.tracking;
  const flags: Bytes[] = [state === null ? 'off' : 'on'];
  if (state !== null) {
    if (state.broadcast) flags.push('bcast');
    if (state.optIn) flags.push('optin', ...(state.caching ? ['caching-yes'] : []));
    if (state.optOut) flags.push('optout', ...(state.caching ? ['caching-no'] : []));
    if (state.noLoop) flags.push('noloop');
    if (state.redirect !== 0 && !ctx.server.sessions.has(state.redirect)) flags.push('broken_redirect');
  }
  return new MapReply([
    'flags',
    new SetReply(flags),
    'redirect',
    state === null ? -1 : state.redirect,
    'prefixes',
    [...(state?.prefixes ?? [])].sort(),
  ]);
}

// Watching all commands

function monitor(ctx: Session): Reply {
  if (ctx.kind !== 'normal') return new ErrorReply('ERR MONITOR needs a connection of its own');
  ctx.server.monitors.add(ctx);
  return OK;
}
