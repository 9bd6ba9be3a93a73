/**
 * The sizes up to which Redis keeps a collection in a compact encoding. They decide what `OBJECT ENCODING` answers, and
 * with it the order in which small collections are listed. `CONFIG SET` writes the fields; a collection looks at them
 * only while it is being changed. Defaults are those of Redis 8.2.3 (`CONFIG GET`).
 */

import { DEFAULT_SPARSE_MAX_BYTES } from './hyperloglog.js';
import { DEFAULT_NODE_LIMITS, type StreamNodeLimits } from './stream-node.js';

export interface EncodingLimits {
  /** `hash-max-listpack-entries`: fields of a listpack hash. */
  hashMaxListpackEntries: number;
  /** `hash-max-listpack-value`: bytes of a field or value in a listpack hash. */
  hashMaxListpackValue: number;
  /** `list-max-listpack-size`: −1 … −5 for 4, 8, 16, 32, 64 kB a node, or the number of elements a node. */
  listMaxListpackSize: number;
  /** `set-max-intset-entries`: members of a set of integers alone. */
  setMaxIntsetEntries: number;
  /** `set-max-listpack-entries`: members of a listpack set. */
  setMaxListpackEntries: number;
  /** `set-max-listpack-value`: bytes of a member in a listpack set. */
  setMaxListpackValue: number;
  /** `zset-max-listpack-entries`: members of a listpack sorted set. */
  zsetMaxListpackEntries: number;
  /** `zset-max-listpack-value`: bytes of a member in a listpack sorted set. */
  zsetMaxListpackValue: number;
  /** `hll-sparse-max-bytes`: bytes of a sparse HyperLogLog. */
  hllSparseMaxBytes: number;
  /** `stream-node-max-entries` and `stream-node-max-bytes`: where a stream begins a new node. */
  streamNodes: StreamNodeLimits;
}

/** A new object with the defaults, for a server to own. */
export function defaultEncodingLimits(): EncodingLimits {
  return {
    hashMaxListpackEntries: 512,
    hashMaxListpackValue: 64,
    listMaxListpackSize: -2,
    setMaxIntsetEntries: 512,
    setMaxListpackEntries: 128,
    setMaxListpackValue: 64,
    zsetMaxListpackEntries: 128,
    zsetMaxListpackValue: 64,
    hllSparseMaxBytes: DEFAULT_SPARSE_MAX_BYTES,
    streamNodes: DEFAULT_NODE_LIMITS,
  };
}
