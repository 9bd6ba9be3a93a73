/** How much work it is to take a value apart: what Redis weighs before it leaves that to a thread of its own (`UNLINK`). */
import { isString, type Value } from './value.js';

/** Values above it count as freed lazily (`lazyfreed_objects`). */
export const LAZY_FREE_THRESHOLD = 64;

/** Parts that have to be freed one by one, by Redis' rules for its own structures. */
export function freeEffort(value: Value): number {
  if (isString(value)) return 1;
  switch (value.type) {
    case 'list':
      return value.nodeCount;
    case 'set':
    case 'hash':
      return value.encoding === 'hashtable' ? value.size : 1;
    case 'zset':
      return value.encoding === 'skiplist' ? value.size : 1;
    case 'stream': {
      const groups = value.groups();
      const pending = groups.length === 0 ? 0 : groups.length * (1 + groups[0]!.pending.size);
      return value.radixTreeNodes() + pending;
    }
    default:
      return 1;
  }
}
