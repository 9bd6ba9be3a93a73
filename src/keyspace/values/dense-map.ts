/**
 * Collections of byte strings whose entries stand in numbered slots 0 … size − 1 without gaps. That makes a uniform
 * random pick one index, and a scan a walk over slots that keeps no state between its calls.
 *
 * Removing an entry moves the last one into its slot (or shifts the followers down, `deleteInOrder`), so entries only
 * ever move to lower slots. A scan walks downward; an entry present during the whole scan is therefore met at least
 * once, and one that moved may be met twice: the guarantee of the SCAN family.
 */

import type { Bytes } from '../../protocol/reply.js';

/** Up to this many entries are found by comparing keys one by one; beyond it a hash index is kept. */
const LINEAR_LIMIT = 8;

/** What the set and the map share: keys in slots, and the index from a key to its slot. */
abstract class DenseKeys {
  protected keys: Bytes[] = [];
  private slots: Map<Bytes, number> | undefined = undefined;

  get size(): number {
    return this.keys.length;
  }

  /** The slot of `key`, or −1. */
  indexOf(key: Bytes): number {
    if (this.slots !== undefined) {
      const slot = this.slots.get(key);
      return slot === undefined ? -1 : slot;
    }
    const keys = this.keys;
    for (let slot = 0; slot < keys.length; slot++) if (keys[slot] === key) return slot;
    return -1;
  }

  has(key: Bytes): boolean {
    return this.slots === undefined ? this.indexOf(key) >= 0 : this.slots.has(key);
  }

  /** The key in a slot; `slot` must be below `size`. */
  keyAt(slot: number): Bytes {
    return this.keys[slot]!;
  }

  /** All keys in slot order, as a new array. */
  keyList(): Bytes[] {
    return this.keys.slice();
  }

  /** A slot picked uniformly; the collection must not be empty. `random` gives numbers in [0, 1). */
  randomSlot(random: () => number): number {
    return Math.floor(random() * this.keys.length);
  }

  /** Removes `key`, moving the last entry into its slot. Returns whether it was there. */
  delete(key: Bytes): boolean {
    const slot = this.indexOf(key);
    if (slot < 0) return false;
    this.deleteAt(slot);
    return true;
  }

  /** Removes the entry in `slot`, moving the last entry into it. */
  deleteAt(slot: number): void {
    const keys = this.keys;
    const last = keys.pop()!;
    if (slot === keys.length) {
      this.slots?.delete(last);
    } else {
      this.slots?.delete(keys[slot]!);
      keys[slot] = last;
      this.slots?.set(last, slot);
    }
    this.dropIndexWhenEmpty();
  }

  /** Removes `key` and keeps the order of the others, in O(size). Returns whether it was there. */
  deleteInOrder(key: Bytes): boolean {
    const slot = this.indexOf(key);
    if (slot < 0) return false;
    this.deleteAtInOrder(slot);
    return true;
  }

  /** Removes the entry in `slot` and keeps the order of the others, in O(size). */
  deleteAtInOrder(slot: number): void {
    const [key] = this.keys.splice(slot, 1);
    const slots = this.slots;
    if (slots === undefined) return;
    slots.delete(key!);
    for (let i = slot; i < this.keys.length; i++) slots.set(this.keys[i]!, i);
    this.dropIndexWhenEmpty();
  }

  clear(): void {
    this.keys = [];
    this.slots = undefined;
  }

  /**
   * One step of a scan: visits up to `count` slots below `cursor` (0 starts at the top) and returns the next cursor,
   * 0 at the end. `visit` may delete the entry it is given.
   */
  scan(cursor: number, count: number, visit: (key: Bytes, slot: number) => void): number {
    const top = cursor === 0 || cursor > this.keys.length ? this.keys.length : cursor;
    const end = Math.max(0, top - count);
    for (let slot = top - 1; slot >= end; slot--) visit(this.keys[slot]!, slot);
    return end;
  }

  /** Puts a key that is not there yet into the next slot. */
  protected append(key: Bytes): void {
    const slot = this.keys.length;
    this.keys.push(key);
    if (this.slots !== undefined) this.slots.set(key, slot);
    else if (slot >= LINEAR_LIMIT) this.buildIndex();
  }

  /** Puts a key that is not there yet into `slot`, moving what stands there and after it one slot up. */
  protected insertKeyAt(slot: number, key: Bytes): void {
    if (slot === this.keys.length) {
      this.append(key);
      return;
    }
    this.keys.splice(slot, 0, key);
    if (this.slots === undefined) {
      if (this.keys.length > LINEAR_LIMIT) this.buildIndex();
    } else {
      for (let i = slot; i < this.keys.length; i++) this.slots.set(this.keys[i]!, i);
    }
  }

  protected copyKeysTo(target: DenseKeys): void {
    target.keys = this.keys.slice();
    target.slots = this.slots === undefined ? undefined : new Map(this.slots);
  }

  private buildIndex(): void {
    const slots = new Map<Bytes, number>();
    for (let slot = 0; slot < this.keys.length; slot++) slots.set(this.keys[slot]!, slot);
    this.slots = slots;
  }

  private dropIndexWhenEmpty(): void {
    if (this.keys.length === 0) this.slots = undefined;
  }
}

/** A set of byte strings in slots. */
export class DenseSet extends DenseKeys {
  /** Adds `key`. Returns whether it is new. */
  add(key: Bytes): boolean {
    if (this.has(key)) return false;
    this.append(key);
    return true;
  }

  clone(): DenseSet {
    const copy = new DenseSet();
    this.copyKeysTo(copy);
    return copy;
  }
}

/** A map from byte strings to values, in slots. `V` may not include `undefined`, which stands for "not there". */
export class DenseMap<V> extends DenseKeys {
  private values: V[] = [];

  get(key: Bytes): V | undefined {
    const slot = this.indexOf(key);
    return slot < 0 ? undefined : this.values[slot];
  }

  /** Sets the value of `key`, in its old slot if it has one. Returns whether the key is new. */
  set(key: Bytes, value: V): boolean {
    const slot = this.indexOf(key);
    if (slot >= 0) {
      this.values[slot] = value;
      return false;
    }
    this.addNew(key, value);
    return true;
  }

  /** Adds a key that is known not to be there. */
  addNew(key: Bytes, value: V): void {
    this.append(key);
    this.values.push(value);
  }

  /** The value in a slot; `slot` must be below `size`. */
  valueAt(slot: number): V {
    return this.values[slot]!;
  }

  /** Replaces the value in a slot; `slot` must be below `size`. */
  setAt(slot: number, value: V): void {
    this.values[slot] = value;
  }

  /**
   * Inserts an entry whose key is not there yet before the one in `slot`, in O(size). It moves entries to higher slots,
   * so it is only for a map that is not scanned in steps.
   */
  insertAt(slot: number, key: Bytes, value: V): void {
    this.insertKeyAt(slot, key);
    this.values.splice(slot, 0, value);
  }

  override deleteAt(slot: number): void {
    const last = this.values.pop()!;
    if (slot < this.values.length) this.values[slot] = last;
    super.deleteAt(slot);
  }

  override deleteAtInOrder(slot: number): void {
    this.values.splice(slot, 1);
    super.deleteAtInOrder(slot);
  }

  override clear(): void {
    this.values = [];
    super.clear();
  }

  /** A copy of the map; the values themselves are shared unless `copyValue` copies them. */
  clone(copyValue?: (value: V) => V): DenseMap<V> {
    const copy = new DenseMap<V>();
    this.copyKeysTo(copy);
    copy.values = copyValue === undefined ? this.values.slice() : this.values.map(copyValue);
    return copy;
  }
}
