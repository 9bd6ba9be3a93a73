/** The connection that MIGRATE sends keys through: requests out, replies in; no silence longer than the time limit. */
import { connect, type Socket } from 'node:net';
import RedisParser from 'redis-parser';
import type { Bytes } from '../protocol/reply.js';

/** What the target answered, or at what point there was no answer. */
export type MigrateOutcome =
  | { readonly kind: 'replies'; readonly replies: readonly (Error | undefined)[] }
  | {
      readonly kind: 'failed';
      readonly while: 'connecting to the client' | 'writing to target instance' | 'reading to target instance';
    };

export interface MigrateTarget {
  readonly host: string;
  readonly port: number;
  readonly timeoutMs: number;
}

/** Sends all requests and calls `done` once, with a reply for each (undefined: no error) or with what went wrong. */
export function exchange(
  target: MigrateTarget,
  requests: readonly Bytes[][],
  done: (outcome: MigrateOutcome) => void,
): void {
  const replies: (Error | undefined)[] = [];
  let phase: Extract<MigrateOutcome, { kind: 'failed' }>['while'] = 'writing to target instance';
  let socket: Socket | undefined;
  let ended = false;
  const end = (outcome: MigrateOutcome) => {
    if (ended) return;
    ended = true;
    socket?.destroy();
    done(outcome);
  };
  const fail = (problem?: NodeJS.ErrnoException) => {
    const unknownHost = problem?.code === 'ENOTFOUND' || problem?.code === 'EAI_AGAIN';
    end({ kind: 'failed', while: unknownHost ? 'connecting to the client' : phase });
  };
  const take = (reply: Error | undefined) => {
    replies.push(reply);
    if (replies.length === requests.length) end({ kind: 'replies', replies });
  };
  const parser = new RedisParser({
    returnReply: () => take(undefined),
    returnError: take,
    returnFatalError: () => fail(),
  });
  if (!(target.port > 0 && target.port < 65536)) {
    setImmediate(fail);
    return;
  }
  socket = connect(target.port, target.host);
  socket.setTimeout(target.timeoutMs, fail);
  socket.on('connect', () => {
    phase = 'reading to target instance';
    socket?.write(requests.map(requestText).join(''), 'latin1');
  });
  socket.on('data', (bytes) => parser.execute(bytes));
  socket.on('error', fail);
  socket.on('close', () => fail());
}

function requestText(args: readonly Bytes[]): Bytes {
  return `*${args.length}\r\n${args.map((arg) => `$${arg.length}\r\n${arg}\r\n`).join('')}`;
}
