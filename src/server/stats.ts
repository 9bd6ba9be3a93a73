/** Counters of one server, as INFO shows them. */
import { BlockRequest } from '../commands/block-request.js';
import { ErrorReply, type Reply } from '../protocol/reply.js';
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
    this.countError(error);
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

/**
 * Buckets of the latency counts: four to each power of two of `LATENCY_UNIT`, from under one unit to over an hour. The
 * unit is that of Redis' histograms, so that the powers of two are the limits that LATENCY HISTOGRAM shows.
 */
export const LATENCY_BUCKETS = 128;
/** In µs. */
const LATENCY_UNIT = 1.024;

function countLatency(command: Command, microseconds: number): void {
  command.latency ??= new Float64Array(LATENCY_BUCKETS);
  command.latency[bucketOf(microseconds / LATENCY_UNIT)]!++;
}

function bucketOf(units: number): number {
  const quarters = Math.trunc(units * 4);
  if (quarters < 4) return quarters;
  const exponent = 31 - Math.clz32(quarters);
  return Math.min((exponent - 1) * 4 + ((quarters >>> (exponent - 2)) & 3), LATENCY_BUCKETS - 1);
}

/** The greatest duration in µs that falls into a bucket. */
export function bucketLimit(bucket: number): number {
  if (bucket < 4) return ((bucket + 1) / 4) * LATENCY_UNIT;
  const exponent = (bucket >> 2) + 1;
  return ((4 + (bucket & 3) + 1) * 2 ** (exponent - 2) * LATENCY_UNIT) / 4;
}

/** A duration in µs that so many percent of the counted calls did not exceed. */
export function percentileOf(latency: Float64Array, percent: number): number {
  const calls = latency.reduce((sum, count) => sum + count, 0);
  const wanted = Math.max((calls * percent) / 100, 1);
  let seen = 0;
  for (let bucket = 0; bucket < latency.length; bucket++) {
    seen += latency[bucket]!;
    if (seen >= wanted) return bucketLimit(bucket);
  }
  return bucketLimit(latency.length - 1);
}
