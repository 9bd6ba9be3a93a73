/**
 * What HotKV keeps beside the databases: named objects of the node that no database counts and KEYS does not show
 * (our reading; the official client describes them as answered from the node's own state).
 */
import type { Bytes } from '../../protocol/reply.js';
import type { RateLimiter } from './rate-limiter.js';

export class Engines {
  readonly rateLimiters = new Map<Bytes, RateLimiter>();

  /** Estimated bytes of all of it. */
  get bytes(): number {
    let bytes = 0;
    for (const limiter of this.rateLimiters.values()) bytes += limiter.bytes;
    return bytes;
  }

  /** Removes everything (FLUSHALL). */
  clear(): void {
    this.rateLimiters.clear();
  }
}
