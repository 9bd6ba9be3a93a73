/** Replication, as a master without replicas has it: it says so, and refuses to be anything else. */
import { SYNTAX } from '../protocol/errors.js';
import { type Bytes, ErrorReply, OK, type Reply } from '../protocol/reply.js';
import type { Session } from '../server/session.js';
import { integerArg, isWord, OptionReader } from './args.js';
import type { CommandRow } from './definition.js';

const FOLLOWING = ['admin', 'noscript', 'stale', 'no_async_loading'] as const;
const SYNCING = ['admin', 'noscript', 'no_async_loading', 'no_multi'] as const;
const NO_ONE_OR_HOST = 'args:(host-port:(host port:integer) | no-one:(NO ONE))';

export const replicationCommands: readonly CommandRow[] = [
  {
    name: 'role',
    arity: 1,
    flags: ['noscript', 'loading', 'stale', 'fast'],
    group: 'server',
    acl: ['admin', 'dangerous'],
    since: '2.8.12',
    complexity: 'O(1)',
    summary: 'Tells the part of the server in replication: a master without replicas.',
    syntax: '',
    handler: role,
  },
  {
    name: 'replicaof',
    arity: 3,
    flags: FOLLOWING,
    group: 'server',
    since: '5.0.0',
    complexity: 'O(1)',
    summary: 'Takes NO ONE, which this server follows anyway; refuses to follow a master.',
    syntax: NO_ONE_OR_HOST,
    handler: replicaOf,
  },
  {
    name: 'slaveof',
    arity: 3,
    flags: FOLLOWING,
    group: 'server',
    since: '1.0.0',
    complexity: 'O(1)',
    summary: 'The old name of REPLICAOF.',
    syntax: NO_ONE_OR_HOST,
    handler: replicaOf,
  },
  {
    name: 'failover',
    arity: -1,
    flags: ['admin', 'noscript', 'stale'],
    group: 'server',
    since: '6.2.0',
    complexity: 'O(1)',
    summary: 'Would hand over to a replica; refused, as there is none.',
    syntax: '[TO target:(host port:integer [FORCE])] [ABORT] [TIMEOUT milliseconds:integer]',
    handler: failover,
  },
  {
    name: 'psync',
    arity: -3,
    flags: SYNCING,
    group: 'server',
    since: '2.8.0',
    complexity: '',
    summary: 'Would begin the stream to a replica; refused.',
    syntax: 'replicationid offset:integer',
    handler: () => NO_REPLICATION,
  },
  {
    name: 'sync',
    arity: 1,
    flags: SYNCING,
    group: 'server',
    since: '1.0.0',
    complexity: '',
    summary: 'Would begin the stream to a replica, the old way; refused.',
    syntax: '',
    handler: () => NO_REPLICATION,
  },
  {
    name: 'replconf',
    arity: -1,
    flags: ['admin', 'noscript', 'loading', 'stale', 'allow_busy'],
    group: 'server',
    since: '3.0.0',
    complexity: 'O(1)',
    summary: 'Would take what a replica says of itself; refused.',
    syntax: '',
    handler: () => NO_REPLICATION,
  },
];

const NO_REPLICATION = new ErrorReply('ERR this server does not replicate: it takes no replicas and follows no master');
const BAD_PORT = new ErrorReply('ERR Invalid master port');
const NO_FAILOVER = new ErrorReply('ERR No failover in progress.');
const NO_REPLICAS = new ErrorReply('ERR FAILOVER requires connected replicas.');
const BAD_TIMEOUT = new ErrorReply('ERR FAILOVER timeout must be greater than 0');

/** Master, with the offset 0 of a stream that nobody reads. */
function role(): Reply {
  return ['master', 0, []];
}

function replicaOf(_ctx: Session, args: Bytes[]): Reply {
  if (isWord(args[1]!, 'NO') && isWord(args[2]!, 'ONE')) return OK;
  const port = integerArg(args[2]!, BAD_PORT);
  return port < 0 || port > 65535 ? BAD_PORT : NO_REPLICATION;
}

function failover(_ctx: Session, args: Bytes[]): Reply {
  if (args.length === 2 && isWord(args[1]!, 'ABORT')) return NO_FAILOVER;
  const options = new OptionReader(args, 1);
  const seen = new Set<string>();
  while (options.more) {
    const option = options.keyword();
    if (seen.has(option)) return SYNTAX;
    seen.add(option);
    if (option === 'TIMEOUT') {
      if (options.integer() <= 0) return BAD_TIMEOUT;
    } else if (option === 'TO') {
      options.next();
      options.integer();
    } else if (option !== 'FORCE') return SYNTAX;
  }
  return NO_REPLICAS;
}
