/** Members picked at random: what `SRANDMEMBER`, `HRANDFIELD` and `ZRANDMEMBER` do alike. */
import { distinctIndexes, repeatedIndexes } from '../keyspace/values/sampling.js';
import { ErrorReply } from '../protocol/reply.js';
import type { Session } from '../server/session.js';

/** How many picks one reply may hold: far more would not fit the memory. */
const MOST_PICKS = 2 ** 24;
/** Bytes of the shortest element, an empty string. */
const SHORTEST_ELEMENT = '$0\r\n\r\n'.length;

/**
 * Positions below `size`: `count` different ones, ascending, or −`count` that may repeat. Redis writes any number of
 * these until memory or the client's output limit ends; here a client whose limit they exceed is cut likewise, and
 * another one is refused more than 2^24.
 */
export function pickIndexes(ctx: Session, size: number, count: number): number[] {
  if (count >= 0) return distinctIndexes(size, count, Math.random);
  if (-count > MOST_PICKS) {
    ctx.sink.checkOutput(-count * SHORTEST_ELEMENT);
    throw new ErrorReply(`ERR the reply would be too large, this server picks at most ${MOST_PICKS} elements`);
  }
  return repeatedIndexes(size, -count, Math.random);
}
