/**
 * How many nodes Redis' compressed radix tree has for a set of stream IDs, each a key of 16 bytes, big-endian.
 * XINFO STREAM reports it as `radix-tree-nodes`.
 *
 * A fork is a node of its own, a run of bytes without a fork is one node whatever its length, and so is the end of
 * each key. All keys have one length, so the tree's shape depends only on the prefixes that neighbours share.
 */

import type { Int64 } from '../../protocol/reply.js';
import type { StreamId } from './stream-id.js';

const KEY_BYTES = 16;

/** The node count for IDs in ascending order. */
export function radixTreeNodes(ids: readonly StreamId[]): number {
  const keys = ids.map(keyOf);
  return keys.length === 0 ? 1 : countNodes(keys, 0, keys.length, 0);
}

/** The nodes of the subtree that keys[from] … keys[to − 1] share from byte `depth` on. */
function countNodes(keys: readonly Uint8Array[], from: number, to: number, depth: number): number {
  const first = keys[from] as Uint8Array;
  const last = keys[to - 1] as Uint8Array;
  let fork = depth;
  while (fork < KEY_BYTES && first[fork] === last[fork]) fork++;
  const run = fork > depth ? 1 : 0;
  if (fork === KEY_BYTES) return run + 1;
  let nodes = run + 1;
  for (let start = from; start < to; ) {
    const byte = keys[start]?.[fork];
    let end = start + 1;
    while (end < to && keys[end]?.[fork] === byte) end++;
    nodes += countNodes(keys, start, end, fork + 1);
    start = end;
  }
  return nodes;
}

function keyOf(id: StreamId): Uint8Array {
  const key = new Uint8Array(KEY_BYTES);
  writeUint64(key, 0, id.ms);
  writeUint64(key, 8, id.seq);
  return key;
}

function writeUint64(key: Uint8Array, at: number, value: Int64): void {
  const view = new DataView(key.buffer);
  if (typeof value === 'bigint') {
    view.setBigUint64(at, value);
    return;
  }
  view.setUint32(at, Math.floor(value / 2 ** 32));
  view.setUint32(at + 4, value % 2 ** 32);
}
