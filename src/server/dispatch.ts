/**
 * The decision path of a request: the only place that says whether a command may run, and the only way to run one.
 * Connections, EXEC, scripts and the in-process `call` all come through `execute` or `call` and get a reply value.
 */
import type { BlockRequest } from '../commands/block-request.js';
import { NO_AUTH, NO_REPLICAS, OUT_OF_MEMORY, wrongArity } from '../protocol/errors.js';
import { type Bytes, ErrorReply, QUEUED, type Reply } from '../protocol/reply.js';
import type { Command } from './command-table.js';
import type { Session } from './session.js';

/** Commands that run at once although a transaction is open. */
const NOT_QUEUED = new Set(['exec', 'discard', 'multi', 'watch', 'quit', 'reset']);
/** What a RESP2 client may send while it is subscribed. */
const SUBSCRIBER_COMMANDS = new Set([
  'ping',
  'subscribe',
  'unsubscribe',
  'psubscribe',
  'punsubscribe',
  'ssubscribe',
  'sunsubscribe',
  'quit',
  'reset',
]);

/** Decides on a request of a client and runs it. `args[0]` is the command's name. */
export function execute(session: Session, args: Bytes[]): Reply | BlockRequest {
  const { server } = session;
  const command = server.commands.resolve(args);
  if (command instanceof ErrorReply) return reject(session, undefined, command);
  if (command.arityIsWrong(args)) return reject(session, command, wrongArity(command.fullName));
  session.lastCommand = command.fullName;
  if (server.observingCalls) server.tracking.trim();
  if (session.gated || server.gated) {
    const answer = passGates(session, command, args);
    if (answer !== undefined) return answer;
  }
  return call(session, command, args);
}

/** Runs a command that is known to be allowed. Errors come back as replies. */
export function call(session: Session, command: Command, args: Bytes[]): Reply | BlockRequest {
  const { server } = session;
  const outermost = server.callDepth === 0;
  // A command that waited is run again when it may have something to answer: that is still the same call.
  const again = session.blocked !== null;
  if (server.observingCalls && !again) server.beforeCall(session, command, args);
  const started = outermost ? server.mark : server.clock.elapsed();
  server.callDepth++;
  let reply: Reply | BlockRequest;
  try {
    reply = command.handler === undefined ? wrongArity(command.fullName) : command.handler(session, args);
  } catch (problem) {
    reply = problem instanceof ErrorReply ? problem : server.internalError(problem, command);
  } finally {
    server.callDepth--;
  }
  const ended = server.clock.elapsed();
  if (outermost) server.commandEnded(ended);
  server.stats.countCall(command, ended - started, reply, again);
  if (server.observingCalls) server.afterCall(session, command, args, again);
  noteDuration(session, command, args, ended - started);
  return reply;
}

/** Tells the slow log and the latency monitor of a command that took long. */
export function noteDuration(session: Session, command: Command, args: Bytes[], durationMs: number): void {
  const { latency, slowlog } = session.server;
  if (durationMs >= slowlog.thresholdMs) slowlog.add(session, command, args, durationMs);
  if (durationMs >= latency.thresholdMs) {
    latency.add(command.hasFlag('fast') ? 'fast-command' : 'command', durationMs, session.now);
  }
}

/** The checks that depend on the state of client or server. A reply or a wait if the command does not run now. */
function passGates(session: Session, command: Command, args: Bytes[]): Reply | BlockRequest | undefined {
  const { server } = session;
  if (!session.authenticated && !command.noAuth && !server.acl.open) return reject(session, command, NO_AUTH);
  const unlicensed = server.license.refusal(command);
  if (unlicensed !== undefined) return reject(session, command, unlicensed);
  if (session.transaction !== null && command.noMulti) {
    return reject(session, command, new ErrorReply('ERR Command not allowed inside a transaction'));
  }
  if (!session.user.unrestricted) {
    const denial = server.acl.check(session, command, args);
    if (denial !== undefined) return reject(session, command, denial);
  }
  const queueing = session.transaction !== null && !NOT_QUEUED.has(command.fullName);
  if (server.memory.limited && session.kind !== 'script') {
    const full = !server.memory.makeRoom();
    const needsMemory = command.denyOom || (command.fullName === 'exec' && session.transaction?.needsMemory === true);
    if (full && (needsMemory || queueing)) return reject(session, command, OUT_OF_MEMORY);
  }
  const writes = command.isWrite || (command.fullName === 'exec' && session.transaction?.hasWrite === true);
  if (server.writesRefused && writes) return reject(session, command, NO_REPLICAS);
  if (session.resp === 2 && session.subscriptionCount > 0 && !SUBSCRIBER_COMMANDS.has(command.fullName)) {
    const text = `ERR Can't execute '${command.fullName}': only (P|S)SUBSCRIBE / (P|S)UNSUBSCRIBE / PING / QUIT / RESET are allowed in this context`;
    return reject(session, command, new ErrorReply(text));
  }
  const wait = server.pause.waitFor(session, command, args);
  if (wait !== undefined) return wait;
  if (!queueing) return undefined;
  session.transaction!.queue.push({ command, args });
  if (command.isWrite) session.transaction!.hasWrite = true;
  if (server.pause.mayChange(session, command, args)) session.transaction!.mayChange = true;
  if (command.denyOom) session.transaction!.needsMemory = true;
  return QUEUED;
}

/** Counts a refused command and spoils the open transaction, if there is one. */
function reject(session: Session, command: Command | undefined, error: ErrorReply): Reply {
  session.server.stats.countRejection(command, error);
  if (session.tracking !== null && session.transaction === null) session.tracking.caching = false;
  if (command?.fullName === 'exec') return execRefused(session, error);
  if (session.transaction !== null) session.transaction.aborted = true;
  return error;
}

/** EXEC itself was refused: the transaction, if there is one, ends with the reason. */
function execRefused(session: Session, error: ErrorReply): Reply {
  session.server.discardTransaction(session);
  const reason = error.text.startsWith('ERR ') ? error.text.slice(4) : error.text;
  return new ErrorReply(`EXECABORT Transaction discarded because of: ${reason}`);
}
