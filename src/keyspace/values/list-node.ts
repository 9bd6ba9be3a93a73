/**
 * A node of a list: consecutive elements, and the bytes they would take in Redis as one listpack. The rules for how much
 * a node may hold are those of `list-max-listpack-size`; nodes end where Redis' nodes end, because `OBJECT ENCODING` of a
 * list depends on it.
 */

import type { Bytes } from '../../protocol/reply.js';
import { EMPTY_LISTPACK_BYTES, listpackEntryBytes } from './listpack.js';

/** The node sizes in bytes for `list-max-listpack-size` −1 … −5. */
const NODE_BYTES = [4096, 8192, 16384, 32768, 65536] as const;
/** The size limit of a node whose elements are counted. */
const COUNTED_NODE_BYTES = 8192;
/** What Redis reckons for an element beside its bytes when it asks whether it fits a node. */
const ENTRY_OVERHEAD = 8;

/** How many bytes and how many elements one node may have. */
export class NodeLimits {
  readonly bytes: number;
  readonly count: number;

  /** `fill` is `list-max-listpack-size`. */
  constructor(readonly fill: number) {
    this.bytes = fill < 0 ? NODE_BYTES[Math.min(-fill, NODE_BYTES.length) - 1]! : COUNTED_NODE_BYTES;
    this.count = fill < 0 ? Number.POSITIVE_INFINITY : Math.max(1, fill);
  }

  exceededBy(bytes: number, count: number): boolean {
    return bytes > this.bytes || count > this.count;
  }

  /** Whether an element of this length gets a node of its own. */
  isLarge(length: number): boolean {
    return length > this.bytes;
  }

  /**
   * Whether a list that is one such node becomes a listpack again: at half the limit, so that it does not go to and fro.
   * Counted nodes are not held to a size there.
   */
  allowsShrinking(bytes: number, count: number): boolean {
    return this.fill < 0 ? bytes <= Math.floor(this.bytes / 2) : count <= Math.floor(this.count / 2);
  }
}

let lastLimits = new NodeLimits(-2);

/** The limits for a `list-max-listpack-size`; the last ones are kept, as they hardly ever change. */
export function nodeLimits(fill: number): NodeLimits {
  if (lastLimits.fill !== fill) lastLimits = new NodeLimits(fill);
  return lastLimits;
}

export class ListNode {
  /** The bytes of the node as a listpack. */
  bytes = EMPTY_LISTPACK_BYTES;

  /** `plain` is a node that holds one large element and takes no other. */
  constructor(
    public items: Bytes[] = [],
    public plain = false,
  ) {
    for (const item of items) this.bytes += listpackEntryBytes(item);
  }

  get count(): number {
    return this.items.length;
  }

  /** Whether an element of this length may still be put into the node. */
  accepts(length: number, limits: NodeLimits): boolean {
    if (this.plain || limits.isLarge(length)) return false;
    return !limits.exceededBy(this.bytes + length + ENTRY_OVERHEAD, this.count + 1);
  }

  /** Whether this node and the next may be one. */
  mergesWith(next: ListNode, limits: NodeLimits): boolean {
    if (this.plain || next.plain) return false;
    return !limits.exceededBy(this.bytes + next.bytes - EMPTY_LISTPACK_BYTES, this.count + next.count);
  }

  /** Takes over the elements of the next node. */
  absorb(next: ListNode): void {
    for (const item of next.items) this.items.push(item);
    this.bytes += next.bytes - EMPTY_LISTPACK_BYTES;
  }

  pushHead(element: Bytes): void {
    this.items.unshift(element);
    this.bytes += listpackEntryBytes(element);
  }

  pushTail(element: Bytes): void {
    this.items.push(element);
    this.bytes += listpackEntryBytes(element);
  }

  popHead(): Bytes {
    const element = this.items.shift()!;
    this.bytes -= listpackEntryBytes(element);
    return element;
  }

  popTail(): Bytes {
    const element = this.items.pop()!;
    this.bytes -= listpackEntryBytes(element);
    return element;
  }

  insert(offset: number, element: Bytes): void {
    this.items.splice(offset, 0, element);
    this.bytes += listpackEntryBytes(element);
  }

  replace(offset: number, element: Bytes): void {
    this.bytes += listpackEntryBytes(element) - listpackEntryBytes(this.items[offset]!);
    this.items[offset] = element;
  }

  /** Removes `count` elements from `offset` and returns them. */
  take(offset: number, count: number): Bytes[] {
    const taken = this.items.splice(offset, count);
    for (const element of taken) this.bytes -= listpackEntryBytes(element);
    return taken;
  }

  /** Splits off the elements from `offset` to the end as a node. */
  splitAt(offset: number): ListNode {
    return new ListNode(this.take(offset, this.count - offset));
  }

  /** Removes up to `limit` elements equal to `element`, the first or the last ones. Returns how many. */
  remove(element: Bytes, limit: number, fromTail: boolean): number {
    if (!this.items.includes(element)) return 0;
    const kept: Bytes[] = [];
    const length = this.count;
    let removed = 0;
    for (let i = 0; i < length; i++) {
      const item = this.items[fromTail ? length - 1 - i : i]!;
      if (removed < limit && item === element) removed++;
      else kept.push(item);
    }
    this.items = fromTail ? kept.reverse() : kept;
    this.bytes -= removed * listpackEntryBytes(element);
    return removed;
  }

  clone(): ListNode {
    const copy = new ListNode();
    copy.items = this.items.slice();
    copy.bytes = this.bytes;
    copy.plain = this.plain;
    return copy;
  }
}
