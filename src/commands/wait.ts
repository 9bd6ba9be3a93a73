/** WAIT and WAITAOF: waiting for replicas, which this server never has, and for the append-only file. */

import { NOT_POSITIVE } from '../protocol/errors.js';
import { type Bytes, ErrorReply, type Reply } from '../protocol/reply.js';
import type { Session } from '../server/session.js';
import { deadlineOf, integerArg, rangedArg, timeoutMsArg } from './args.js';
import { BlockRequest } from './block-request.js';
import type { CommandRow } from './definition.js';

export const waitCommands: readonly CommandRow[] = [
  {
    name: 'wait',
    arity: 3,
    flags: ['blocking'],
    group: 'generic',
    acl: ['connection'],
    since: '3.0.0',
    complexity: 'O(1)',
    summary: 'Waits until replicas have got the writes so far; there are none here.',
    syntax: 'numreplicas:integer timeout:integer',
    tips: ['request_policy:all_shards', 'response_policy:agg_min'],
    handler: wait,
  },
  {
    name: 'waitaof',
    arity: 4,
    flags: ['blocking'],
    group: 'generic',
    acl: ['connection'],
    since: '7.2.0',
    complexity: 'O(1)',
    summary: 'Waits until the writes so far are in append-only files, here and on replicas.',
    syntax: 'numlocal:integer numreplicas:integer timeout:integer',
    tips: ['request_policy:all_shards', 'response_policy:agg_min'],
    handler: waitaof,
  },
];

function wait(ctx: Session, args: Bytes[]): Reply | BlockRequest {
  const wanted = integerArg(args[1]!);
  const timeout = timeoutMsArg(ctx, args[2]!);
  return wanted <= 0 ? 0 : untilTimeout(ctx, timeout, 0);
}

const ONE_LOCAL_FILE = new ErrorReply('ERR value is out of range, value must between 0 and 1');
const NO_LOCAL_FILE = new ErrorReply('ERR WAITAOF cannot be used when numlocal is set but appendonly is disabled.');

function waitaof(ctx: Session, args: Bytes[]): Reply | BlockRequest {
  const local = rangedArg(args[1]!, 0, 1, ONE_LOCAL_FILE);
  const replicas = integerArg(args[2]!, NOT_POSITIVE);
  if (replicas < 0) return NOT_POSITIVE;
  const timeout = timeoutMsArg(ctx, args[3]!);
  const appending = ctx.server.config.flag('appendonly');
  if (local > 0 && !appending) return NO_LOCAL_FILE;
  const reached = [appending ? 1 : 0, 0];
  return replicas === 0 ? reached : untilTimeout(ctx, timeout, reached);
}

function untilTimeout(ctx: Session, timeoutMs: number, reply: Reply): BlockRequest {
  return new BlockRequest('none', [], deadlineOf(ctx, timeoutMs), reply);
}
