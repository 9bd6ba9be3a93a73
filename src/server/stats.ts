/** Counters of one server, as INFO shows them. */

import { BlockRequest } from '../commands/block-request.js';
import { countLatency } from '../commands/latency-buckets.js';
import { CountedErrorReply, ErrorReply, type Reply } from '../protocol/reply.js';
import type { Command } from './command-table.js';

/** Different error codes that are counted one by one; more are too many to be codes (Redis keeps 128). */
const MAX_ERROR_CODES = 128;

export class Stats {
  connectionsReceived = 0;
  rejectedConnections = 0;
  commandsProcessed = 0;
  /** Times that bytes were taken from a socket or given to one. */
  reads = 0;
  writes = 0;
  netInputBytes = 0;
  netOutputBytes = 0;
  expiredKeys = 0;
  expiredFields = 0;
  evictedKeys = 0;
  evictedClients = 0;
  keyspaceHits = 0;
  keyspaceMisses = 0;
  errorReplies = 0;
  clientOutputLimitDisconnections = 0;
  queryBufferLimitDisconnections = 0;
  slowlogCommands = 0;
  /** Collections that were given up without being taken apart at once (`UNLINK`, `FLUSHALL ASYNC`). */
  lazyFreedObjects = 0;
  /** Refusals by the access rules, by what was refused. */
  readonly accessDenied = { auth: 0, command: 0, key: 0, channel: 0 };
  readonly errors = new Map<string, number>();
  /** Whether `latency-tracking` is on. */
  latencyTracking = true;

  /** `again`: a waiting command was tried once more, and is no new call. */
  countCall(command: Command, durationMs: number, reply: Reply | BlockRequest, again: boolean): void {
    if (!again) {
      this.commandsProcessed++;
      command.calls++;
    }
    const microseconds = durationMs * 1000;
    command.microseconds += microseconds;
    if (this.latencyTracking && !(reply instanceof BlockRequest)) countLatency(command, microseconds);
    if (reply instanceof ErrorReply) this.countFailure(command, reply);
  }

  countFailure(command: Command, error: ErrorReply): void {
    command.failedCalls++;
    if (!(error instanceof CountedErrorReply)) this.countError(error);
  }

  /** A wait that counts as time that the command took has ended. */
  countBusyWait(command: Command, durationMs: number): void {
    const microseconds = durationMs * 1000;
    command.microseconds += microseconds;
    if (this.latencyTracking) countLatency(command, microseconds);
  }

  /** A command was refused before it ran; an unknown one has no row to count it in. */
  countRejection(command: Command | undefined, error: ErrorReply): void {
    if (command !== undefined) command.rejectedCalls++;
    this.countError(error);
  }

  countError(error: ErrorReply): void {
    this.errorReplies++;
    const space = error.text.indexOf(' ');
    const code = space < 0 ? error.text : error.text.slice(0, space);
    const count = this.errors.get(code);
    if (count !== undefined || this.errors.size < MAX_ERROR_CODES) this.errors.set(code, (count ?? 0) + 1);
  }

  /** CONFIG RESETSTAT. */
  reset(): void {
    this.connectionsReceived = 0;
    this.rejectedConnections = 0;
    this.commandsProcessed = 0;
    this.reads = 0;
    this.writes = 0;
    this.netInputBytes = 0;
    this.netOutputBytes = 0;
    this.expiredKeys = 0;
    this.expiredFields = 0;
    this.evictedKeys = 0;
    this.evictedClients = 0;
    this.keyspaceHits = 0;
    this.keyspaceMisses = 0;
    this.errorReplies = 0;
    this.clientOutputLimitDisconnections = 0;
    this.queryBufferLimitDisconnections = 0;
    this.slowlogCommands = 0;
    this.lazyFreedObjects = 0;
    Object.assign(this.accessDenied, { auth: 0, command: 0, key: 0, channel: 0 });
    this.errors.clear();
  }
}
