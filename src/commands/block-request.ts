import type { Bytes, Reply } from '../protocol/reply.js';

/** What a blocked client waits for. `none`: only for its time-out (WAIT), `pause`: for the end of CLIENT PAUSE. */
export type BlockKind = 'list' | 'zset' | 'stream' | 'none' | 'pause';

/**
 * A handler's answer when it can do nothing yet: "call me again when one of these keys is ready". Where a command
 * must not wait (in MULTI, in a script) dispatch answers `refusedReply` at once.
 */
export class BlockRequest {
  constructor(
    readonly kind: BlockKind,
    readonly keys: readonly Bytes[],
    /** Unix ms at which `timeoutReply` is sent; Infinity: never. */
    readonly deadline: number,
    readonly timeoutReply: Reply,
    /** Also call again when a key vanishes (XREADGROUP, whose group goes with it). */
    readonly wakeOnDelete = false,
    /** Since when, in unix ms, the wait is the command's own work and counts as time that it took (DEBUG SLEEP). */
    readonly busySince?: number,
    /** The answer where the command must not wait; of a few it is another kind of null than after a time-out. */
    readonly refusedReply: Reply = timeoutReply,
  ) {}
}
