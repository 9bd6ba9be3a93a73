/** A line of CLIENT LIST. */
import type { Bytes } from '../protocol/reply.js';
import type { Session } from '../server/session.js';

/** The kind of client by which CLIENT LIST TYPE and KILL TYPE choose. */
export function sessionClass(session: Session): string {
  return session.subscriptionCount > 0 ? 'pubsub' : 'normal';
}

/** What Redis tells of a connection, in its order. Buffers that this server does not have are 0. */
export function describeSession(session: Session): string {
  const { transaction, sink } = session;
  const now = session.server.clock.now();
  const fields: [string, string | number][] = [
    ['id', session.id],
    ['addr', session.address],
    ['laddr', session.localAddress],
    ['fd', session.descriptor],
    ['name', session.name],
    ['age', Math.max(Math.trunc((now - session.createdAt) / 1000), 0)],
    ['idle', Math.max(Math.trunc((now - session.lastActiveAt) / 1000), 0)],
    ['flags', flagLetters(session)],
    ['db', session.db.index],
    ['sub', session.channels.size],
    ['psub', session.patterns.size],
    ['ssub', session.shardChannels.size],
    ['multi', transaction === null ? -1 : transaction.queue.length],
    ['watch', session.watched.length],
    ['qbuf', sink.queryBytes],
    ['qbuf-free', sink.expectedBytes],
    ['argv-mem', argumentBytes(session)],
    ['multi-mem', transaction === null ? 0 : queuedBytes(session)],
    ['rbs', 0],
    ['rbp', 0],
    ['obl', 0],
    ['oll', Math.ceil(sink.outputBytes / REPLY_BLOCK_BYTES)],
    ['omem', sink.outputBytes],
    ['tot-mem', sessionBytes(session)],
    ['events', sink.outputBytes > 0 ? 'rw' : 'r'],
    ['cmd', session.lastCommand],
    ['user', session.user.name],
    ['redir', session.tracking === null ? -1 : session.tracking.redirect],
    ['resp', session.resp],
    ['lib-name', session.libraryName],
    ['lib-ver', session.libraryVersion],
    ['io-thread', 0],
    ['tot-net-in', sink.bytesReceived],
    ['tot-net-out', sink.bytesSent],
    ['tot-cmds', session.commandsDone],
  ];
  return fields.map(([name, value]) => `${name}=${value}`).join(' ');
}

/** Memory that a connection takes, estimated: what it has sent and not been answered, and what it has not read. */
export function sessionBytes(session: Session): number {
  const { sink, tracking } = session;
  const names = session.watched.length + session.subscriptionCount + (tracking?.prefixes.length ?? 0);
  const query = sink.queryBytes + sink.expectedBytes;
  const ownQuery = query > SHARED_BYTES ? query : 0;
  const served = session === session.server.currentSession ? SHARED_BYTES : 0;
  const buffers = ownQuery + served + argumentBytes(session) + sink.outputBytes;
  return BASE_BYTES + buffers + queuedBytes(session) + names * NAME_BYTES;
}

/** Requests up to this size are read into a buffer that the clients share: it counts for the one that is served. */
const SHARED_BYTES = 16 * 1024;

/** A key under WATCH, a subscription or a prefix of tracking, with its places in the tables. */
const NAME_BYTES = 128;
/** Replies that wait are counted in blocks of this size (`oll`), as Redis keeps them. */
const REPLY_BLOCK_BYTES = 16 * 1024;

/** A connection with nothing under way, as measured from the growth of the process with 10,000 of them. */
const BASE_BYTES = 4096;

/** Bytes of the arguments of a request that is not whole yet, or that waits to be run again. */
function argumentBytes({ blocked, sink }: Session): number {
  return sink.argumentBytes + (blocked === null ? 0 : lengthOf(blocked.args));
}

/** What Redis counts for a queued command beside its arguments. */
const QUEUED_BYTES = 24;

function queuedBytes(session: Session): number {
  let bytes = 0;
  for (const { args } of session.transaction?.queue ?? []) bytes += lengthOf(args) + QUEUED_BYTES;
  return bytes;
}

function lengthOf(args: readonly Bytes[]): number {
  let length = 0;
  for (const arg of args) length += arg.length;
  return length;
}

function flagLetters(session: Session): string {
  let letters = '';
  if (session.monitoring) letters += 'O';
  if (session.subscriptionCount > 0) letters += 'P';
  if (session.transaction !== null) letters += 'x';
  if (session.blocked !== null) letters += 'b';
  if (session.tracking !== null) {
    letters += 't';
    if (session.tracking.brokenRedirect) letters += 'R';
    if (session.tracking.broadcast) letters += 'B';
  }
  if (session.watchBroken) letters += 'd';
  if (session.closing) letters += 'c';
  if (session.noEvict) letters += 'e';
  if (session.noTouch) letters += 'T';
  return letters === '' ? 'N' : letters;
}
