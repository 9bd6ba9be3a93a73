/** The list: a sequence of byte strings, quick at both ends. */

import Denque from 'denque';
import type { Bytes } from '../../protocol/reply.js';
import type { EncodingLimits } from './encoding-limits.js';
import { ListNode, type NodeLimits, nodeLimits } from './list-node.js';

export type ListEncoding = 'listpack' | 'quicklist';

/** What one element costs beside its bytes, by measurement of the heap: string header and place in its node. */
const ELEMENT_OVERHEAD_BYTES = 24;
const NODE_BYTES = 160;
const OBJECT_BYTES = 160;

/** Where an element stands. */
interface Place {
  /** The number of its node. */
  nodeIndex: number;
  /** Its position in the node. */
  offset: number;
}

/**
 * A list is a row of nodes of a few kilobytes, so that its ends and any index are quick to reach and the middle is cheap to
 * change. The nodes begin and end where those of a Redis quicklist do. A list of one small node is a listpack to Redis: it
 * becomes a quicklist when it outgrows a node, and a listpack again when it has shrunk to one half-empty node (Redis 7.2).
 *
 * Indexes count from 0 at the head and are not negative; a command resolves negative ones before it comes here.
 */
export class ListValue {
  readonly type = 'list';
  private nodes = new Denque<ListNode>();
  /** The node limits of a quicklist, fixed when it becomes one; undefined while it is a listpack of one node. */
  private quicklist: NodeLimits | undefined = undefined;
  private length = 0;
  private contentBytes = 0;

  /** A list of nodes as they were saved, but for empty ones. It is a listpack if it is one node within the limits. */
  static ofNodes(nodes: readonly ListNode[], limits: EncodingLimits): ListValue {
    const list = new ListValue();
    for (const node of nodes) {
      if (node.count === 0) continue;
      list.nodes.push(node);
      for (const element of node.items) list.count(element);
    }
    const allowed = nodeLimits(limits.listMaxListpackSize);
    const only = list.nodes.length === 1 ? list.nodes.peekFront() : undefined;
    const fits = only !== undefined && !only.plain && !allowed.exceededBy(only.bytes, only.count);
    list.quicklist = fits ? undefined : allowed;
    return list;
  }

  get encoding(): ListEncoding {
    return this.quicklist === undefined ? 'listpack' : 'quicklist';
  }

  get size(): number {
    return this.length;
  }

  /** Puts `elements`, from number `from` on, before the head one after another: the last one given is the new head. */
  pushHead(elements: readonly Bytes[], limits: EncodingLimits, from = 0): void {
    this.expectElements(elements, from, limits);
    for (let i = from; i < elements.length; i++) {
      const element = elements[i]!;
      const head = this.nodes.peekFront();
      if (head !== undefined && this.takes(head, element)) head.pushHead(element);
      else this.nodes.unshift(this.nodeOf(element));
      this.count(element);
    }
  }

  /** Puts `elements`, from number `from` on, after the tail in their order. */
  pushTail(elements: readonly Bytes[], limits: EncodingLimits, from = 0): void {
    this.expectElements(elements, from, limits);
    for (let i = from; i < elements.length; i++) {
      const element = elements[i]!;
      const tail = this.nodes.peekBack();
      if (tail !== undefined && this.takes(tail, element)) tail.pushTail(element);
      else this.nodes.push(this.nodeOf(element));
      this.count(element);
    }
  }

  /** Removes and returns the head, or undefined when the list is empty. */
  popHead(limits: EncodingLimits): Bytes | undefined {
    const head = this.nodes.peekFront();
    if (head === undefined) return undefined;
    const element = head.popHead();
    if (head.count === 0) this.nodes.shift();
    this.uncount(element);
    this.shrink(limits);
    return element;
  }

  /** Removes and returns the tail, or undefined when the list is empty. */
  popTail(limits: EncodingLimits): Bytes | undefined {
    const tail = this.nodes.peekBack();
    if (tail === undefined) return undefined;
    const element = tail.popTail();
    if (tail.count === 0) this.nodes.pop();
    this.uncount(element);
    this.shrink(limits);
    return element;
  }

  /** The element at `index`, or undefined beyond the tail. */
  at(index: number): Bytes | undefined {
    if (index >= this.length) return undefined;
    const { nodeIndex, offset } = this.locate(index);
    return this.nodeAt(nodeIndex).items[offset];
  }

  /** Replaces the element at `index`. Returns false beyond the tail. */
  set(index: number, element: Bytes, limits: EncodingLimits): boolean {
    if (index >= this.length) return false;
    this.expectElements([element], 0, limits);
    const { nodeIndex, offset } = this.locate(index);
    const node = this.nodeAt(nodeIndex);
    this.contentBytes += element.length - node.items[offset]!.length;
    const large = this.quicklist?.isLarge(element.length) === true;
    if (node.plain && large) this.setNode(nodeIndex, this.nodeOf(element));
    else if (node.plain) this.replacePlain(nodeIndex, element);
    else if (large) this.replaceByLarge(nodeIndex, offset, element);
    else node.replace(offset, element);
    this.shrink(limits);
    return true;
  }

  /** Puts `element` beside the first element equal to `pivot`. Returns false when there is none. */
  insert(pivot: Bytes, element: Bytes, after: boolean, limits: EncodingLimits): boolean {
    this.expectElements([element], 0, limits);
    const place = this.firstPlaceOf(pivot);
    if (place === undefined) return false;
    const { nodeIndex, offset } = place;
    const node = this.nodeAt(nodeIndex);
    if (this.takes(node, element)) node.insert(after ? offset + 1 : offset, element);
    else this.insertBesideFull(nodeIndex, offset, element, after);
    this.count(element);
    return true;
  }

  /**
   * Removes elements equal to `element`: the first `count`, the last −`count` when it is negative, or all when it is 0
   * (`LREM`). Returns how many.
   */
  remove(count: number, element: Bytes, limits: EncodingLimits): number {
    const fromTail = count < 0;
    const wanted = count === 0 ? Number.POSITIVE_INFINITY : Math.abs(count);
    let removed = 0;
    let nodeIndex = fromTail ? this.nodes.length - 1 : 0;
    while (removed < wanted && nodeIndex >= 0 && nodeIndex < this.nodes.length) {
      const node = this.nodeAt(nodeIndex);
      removed += node.remove(element, wanted - removed, fromTail);
      if (node.count === 0) this.nodes.removeOne(nodeIndex);
      else if (!fromTail) nodeIndex++;
      if (fromTail) nodeIndex--;
    }
    this.length -= removed;
    this.contentBytes -= removed * element.length;
    if (removed > 0) this.shrink(limits);
    return removed;
  }

  /** Keeps only the elements from `start` to `end`, both included; none when `start` is beyond `end` (`LTRIM`). */
  trim(start: number, end: number, limits: EncodingLimits): void {
    const fromTail = Math.max(0, this.length - 1 - Math.max(end, start - 1));
    this.dropHead(Math.min(start, this.length));
    this.dropTail(Math.min(fromTail, this.length));
    this.shrink(limits);
  }

  /** The elements from `start` to `end`, both included. */
  range(start: number, end: number): Bytes[] {
    const found: Bytes[] = [];
    let wanted = Math.min(end, this.length - 1) - start + 1;
    if (wanted <= 0) return found;
    let { nodeIndex, offset } = this.locate(start);
    while (wanted > 0) {
      const items = this.nodeAt(nodeIndex++).items;
      const stop = Math.min(items.length, offset + wanted);
      for (let i = offset; i < stop; i++) found.push(items[i]!);
      wanted -= stop - offset;
      offset = 0;
    }
    return found;
  }

  /**
   * The indexes of elements equal to `element`, as `LPOS` finds them. `rank` 1 starts with the first match, 2 with the
   * second …, −1 with the last match going backward; up to `count` matches, 0 for all; at most `maxLength` elements are
   * looked at, 0 for all.
   */
  positions(element: Bytes, rank: number, count: number, maxLength: number): number[] {
    const found: number[] = [];
    const backward = rank < 0;
    const wanted = count === 0 ? Number.POSITIVE_INFINITY : count;
    let skip = Math.abs(rank) - 1;
    let lookups = maxLength === 0 ? this.length : Math.min(maxLength, this.length);
    let index = backward ? this.length - 1 : 0;
    for (let n = 0; n < this.nodes.length && lookups > 0; n++) {
      const items = this.nodeAt(backward ? this.nodes.length - 1 - n : n).items;
      for (let i = 0; i < items.length && lookups > 0; i++, lookups--) {
        if (items[backward ? items.length - 1 - i : i] === element && --skip < 0) {
          found.push(index);
          if (found.length >= wanted) return found;
        }
        index += backward ? -1 : 1;
      }
    }
    return found;
  }

  get nodeCount(): number {
    return this.nodes.length;
  }

  /** The nodes in order, for saving. */
  savedNodes(): readonly ListNode[] {
    return this.nodes.toArray();
  }

  /** About how many bytes of memory the list takes. */
  estimateBytes(): number {
    return OBJECT_BYTES + this.nodes.length * NODE_BYTES + this.length * ELEMENT_OVERHEAD_BYTES + this.contentBytes;
  }

  clone(): ListValue {
    const copy = new ListValue();
    for (let i = 0; i < this.nodes.length; i++) copy.nodes.push(this.nodeAt(i).clone());
    copy.quicklist = this.quicklist;
    copy.length = this.length;
    copy.contentBytes = this.contentBytes;
    return copy;
  }

  /** Makes a quicklist of a listpack that is about to outgrow its node, reckoning with the plain length of the arguments. */
  private expectElements(elements: readonly Bytes[], from: number, limits: EncodingLimits): void {
    if (this.quicklist !== undefined) return;
    const node = this.nodes.peekFront() ?? new ListNode();
    let bytes = node.bytes;
    for (let i = from; i < elements.length; i++) bytes += elements[i]!.length;
    const allowed = nodeLimits(limits.listMaxListpackSize);
    if (allowed.exceededBy(bytes, node.count + elements.length - from)) this.quicklist = allowed;
  }

  /** Makes a listpack of a quicklist that has shrunk to one node, half empty, or to none. */
  private shrink(limits: EncodingLimits): void {
    if (this.quicklist === undefined || this.nodes.length > 1) return;
    const node = this.nodes.peekFront();
    if (node?.plain) return;
    if (node === undefined) this.quicklist = undefined;
    else if (nodeLimits(limits.listMaxListpackSize).allowsShrinking(node.bytes, node.count)) this.quicklist = undefined;
  }

  private takes(node: ListNode, element: Bytes): boolean {
    return this.quicklist === undefined || node.accepts(element.length, this.quicklist);
  }

  private nodeOf(element: Bytes): ListNode {
    return new ListNode([element], this.quicklist?.isLarge(element.length) === true);
  }

  private nodeAt(nodeIndex: number): ListNode {
    return this.nodes.peekAt(nodeIndex)!;
  }

  private setNode(nodeIndex: number, node: ListNode): void {
    this.nodes.splice(nodeIndex, 1, node);
  }

  private count(element: Bytes): void {
    this.length++;
    this.contentBytes += element.length;
  }

  private uncount(element: Bytes): void {
    this.length--;
    this.contentBytes -= element.length;
  }

  /** Finds the place of `index`, which must be below `size`, from the nearer end. */
  private locate(index: number): Place {
    if (index < this.length / 2) {
      let nodeIndex = 0;
      let before = 0;
      while (before + this.nodeAt(nodeIndex).count <= index) before += this.nodeAt(nodeIndex++).count;
      return { nodeIndex, offset: index - before };
    }
    let nodeIndex = this.nodes.length - 1;
    let before = this.length - this.nodeAt(nodeIndex).count;
    while (before > index) before -= this.nodeAt(--nodeIndex).count;
    return { nodeIndex, offset: index - before };
  }

  private firstPlaceOf(element: Bytes): Place | undefined {
    for (let nodeIndex = 0; nodeIndex < this.nodes.length; nodeIndex++) {
      const offset = this.nodeAt(nodeIndex).items.indexOf(element);
      if (offset >= 0) return { nodeIndex, offset };
    }
    return undefined;
  }

  /** Inserts into a quicklist beside an element whose node takes no more. */
  private insertBesideFull(nodeIndex: number, offset: number, element: Bytes, after: boolean): void {
    const node = this.nodeAt(nodeIndex);
    const atEdge = after ? offset === node.count - 1 : offset === 0;
    const large = this.quicklist!.isLarge(element.length);
    if (atEdge || (large && node.plain)) {
      const neighbour = this.nodes.peekAt(after ? nodeIndex + 1 : nodeIndex - 1);
      const hasNeighbour = neighbour !== undefined && (after || nodeIndex > 0);
      if (hasNeighbour && neighbour.accepts(element.length, this.quicklist!)) {
        if (after) neighbour.pushHead(element);
        else neighbour.pushTail(element);
      } else {
        this.nodes.splice(after ? nodeIndex + 1 : nodeIndex, 0, this.nodeOf(element));
      }
      return;
    }
    const rest = node.splitAt(after ? offset + 1 : offset);
    if (large) {
      this.nodes.splice(nodeIndex + 1, 0, this.nodeOf(element), rest);
      return;
    }
    if (after) rest.pushHead(element);
    else node.pushTail(element);
    this.nodes.splice(nodeIndex + 1, 0, rest);
    this.mergeAround(after ? nodeIndex : nodeIndex + 1);
  }

  /** Replaces a large element by one that finds its place in the next node if there is room. */
  private replacePlain(nodeIndex: number, element: Bytes): void {
    this.insertBesideFull(nodeIndex, 0, element, true);
    this.nodes.removeOne(nodeIndex);
  }

  /** Replaces an element of a packed node by one that gets a node of its own. */
  private replaceByLarge(nodeIndex: number, offset: number, element: Bytes): void {
    const node = this.nodeAt(nodeIndex);
    const rest = node.splitAt(offset + 1);
    node.popTail();
    if (rest.count > 0) this.nodes.splice(nodeIndex + 1, 0, rest);
    if (node.count === 0) {
      this.setNode(nodeIndex, this.nodeOf(element));
    } else {
      this.nodes.splice(nodeIndex + 1, 0, this.nodeOf(element));
      this.mergeAround(nodeIndex + 1);
    }
  }

  /** Merges the two nodes before the given one, the two after it, and it with its neighbours, where they fit together. */
  private mergeAround(center: number): void {
    let index = center;
    if (this.mergeWithNext(index - 2)) index--;
    this.mergeWithNext(index + 1);
    if (this.mergeWithNext(index - 1)) index--;
    this.mergeWithNext(index);
  }

  private mergeWithNext(nodeIndex: number): boolean {
    if (nodeIndex < 0 || nodeIndex + 1 >= this.nodes.length) return false;
    const node = this.nodeAt(nodeIndex);
    const next = this.nodeAt(nodeIndex + 1);
    if (!node.mergesWith(next, this.quicklist!)) return false;
    node.absorb(next);
    this.nodes.removeOne(nodeIndex + 1);
    return true;
  }

  private dropHead(count: number): void {
    let left = count;
    while (left > 0) {
      const head = this.nodes.peekFront()!;
      const dropped = head.take(0, left);
      for (const element of dropped) this.uncount(element);
      left -= dropped.length;
      if (head.count === 0) this.nodes.shift();
    }
  }

  private dropTail(count: number): void {
    let left = count;
    while (left > 0) {
      const tail = this.nodes.peekBack()!;
      const dropped = tail.take(Math.max(0, tail.count - left), left);
      for (const element of dropped) this.uncount(element);
      left -= dropped.length;
      if (tail.count === 0) this.nodes.pop();
    }
  }
}
