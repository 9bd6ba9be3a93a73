import { FULL, NodeOrder } from './node-order.js';
import type { LuaValue } from './values.js';

/** Shared empty parts: never written to, replaced on the first insertion. */
const NO_ARRAY: LuaValue[] = [undefined];
const NO_HASH: LuaValue[] = [];

/** Up to this many keys the hash part is searched from end to end; beyond it an index is kept. */
const SCAN_LIMIT = 8;

/** More entries than this are refused ("not enough memory"): V8's Map and arrays have fixed limits above it. */
const MAX_ENTRIES = 1 << 23;
const MAX_ARRAY = 1 << 26;

/** `k` in a constructor's layout. */
const KEYED = 107;

/** Thrown when a table would outgrow what the machine can hold; becomes Lua's "not enough memory". */
export class TableOverflow extends RangeError {
  constructor() {
    super('table overflow');
  }
}

/**
 * A Lua table: an array part (`array[1..]`, index 0 unused) and a hash part, a flat list of key, value, key, value …
 * in insertion order. A removed key keeps its place until the part is rebuilt, so a traversal may assign nil to what
 * it meets. `arraySize` and `hashSize` follow the sizes PUC Lua would have chosen: the border `#` finds in a table
 * with holes depends on them. Which nodes PUC Lua would have put the keys on is only worked out when something depends
 * on it: a traversal, or a new key that may take the node of a removed one.
 */
export class LuaTable {
  array: LuaValue[] = NO_ARRAY;
  hash: LuaValue[] = NO_HASH;
  meta: LuaTable | undefined = undefined;
  /** Writes from scripts are refused (Redis: "Attempt to modify a readonly table"). The host may still write. */
  readonly = false;
  /** Some element within the array part may be nil. */
  holes = false;
  private index: Map<LuaValue, number> | undefined = undefined;
  private arraySize = 0;
  private hashSize = 0;
  private dead = 0;
  private numericKeys = false;
  private indexAt = 0;
  /** How many keys there was room for when the first one in `hash` came. */
  private firstHashSize = 0;
  /** The nodes of the first `placed` slots of `hash`; the keys behind them came while no key was dead. */
  private order: NodeOrder | undefined = undefined;
  private placed = 0;
  /** Those slots stand in walking order. */
  private isArranged = false;

  /**
   * A table of these elements; `items[0]` is not an element. The array is taken over, not copied. `room`: for how many
   * elements PUC Lua would make room, if for more than there are.
   */
  static ofArray(items: LuaValue[], room = 0): LuaTable {
    const table = new LuaTable();
    const size = items.length - 1;
    table.arraySize = room;
    if (size > 0) {
      table.array = items;
      if (size > room) table.arraySize = size;
      for (let i = 1; i <= size; i++) {
        if (items[i] === undefined) {
          table.holes = true;
          break;
        }
      }
    }
    return table;
  }

  /** A table of distinct string keys: key, value, key, value … The list is taken over, not copied. */
  static ofFields(pairs: LuaValue[]): LuaTable {
    const table = new LuaTable();
    if (pairs.length <= 2 * SCAN_LIMIT) {
      for (let i = 1; i < pairs.length; i += 2) if (pairs[i] === undefined) return table.setAll(pairs);
      table.hash = pairs;
      table.makeRoom(pairs.length >> 1);
      return table;
    }
    return table.setAll(pairs);
  }

  /**
   * A table from a mixed constructor. `layout` has an `i` for each positional entry and a `k` for each keyed one, of
   * which `list` then holds key and value; positional values without an `i` may follow. These win over equal keys.
   */
  static ofEntries(layout: string, list: LuaValue[]): LuaTable {
    const items: LuaValue[] = [undefined];
    const pairs: LuaValue[] = [];
    let at = 0;
    for (let i = 0; i < layout.length; i++) {
      if (layout.charCodeAt(i) === KEYED) pairs.push(list[at++], list[at++]);
      else if (at < list.length) items.push(list[at++]);
    }
    while (at < list.length) items.push(list[at++]);
    return LuaTable.ofMixed(items, pairs);
  }

  /** A table of positional entries (`items[0]` is none) and of keyed ones, key, value, key, value … */
  static ofMixed(items: LuaValue[], pairs: LuaValue[]): LuaTable {
    const table = LuaTable.ofArray(items);
    table.makeRoom(pairs.length >> 1);
    for (let i = 0; i < pairs.length; i += 2) {
      const key = pairs[i];
      if (typeof key === 'number' && key >= 1 && key < items.length && Number.isInteger(key)) continue;
      table.set(key, pairs[i + 1]);
    }
    return table;
  }

  private makeRoom(entries: number): void {
    this.hashSize = nextPowerOfTwo(entries);
    this.firstHashSize = this.hashSize;
  }

  private setAll(pairs: LuaValue[]): this {
    this.makeRoom(pairs.length >> 1);
    for (let i = 0; i < pairs.length; i += 2) this.set(pairs[i], pairs[i + 1]);
    return this;
  }

  /** The raw value of a key. */
  get(key: LuaValue): LuaValue {
    if (typeof key === 'number' && key >= 1 && key < this.array.length && Number.isInteger(key)) {
      return this.array[key];
    }
    const at = this.find(key);
    return at < 0 ? undefined : this.hash[at + 1];
  }

  /** Where a key stands in `hash`, or -1. */
  find(key: LuaValue): number {
    if (this.index !== undefined) {
      const at = this.index.get(key);
      return at === undefined ? -1 : at;
    }
    const hash = this.hash;
    for (let i = 0; i < hash.length; i += 2) if (hash[i] === key) return i;
    return -1;
  }

  /** Sets a raw value. The key must be neither nil nor NaN. */
  set(key: LuaValue, value: LuaValue): void {
    if (typeof key === 'number' && key >= 1 && key <= this.array.length && Number.isInteger(key)) {
      if (key < this.array.length) {
        this.setElement(key, value);
        return;
      }
      if (value !== undefined && this.mayAppend(key)) {
        this.append(value);
        return;
      }
    }
    this.setHashed(key, value);
  }

  /** Puts a non-nil value right behind the array part. */
  append(value: LuaValue): void {
    if (this.array === NO_ARRAY) this.array = [undefined];
    const size = this.array.push(value) - 1;
    if (size > this.arraySize) {
      if (size > MAX_ARRAY) throw new TableOverflow();
      this.arraySize = nextPowerOfTwo(size);
    }
  }

  /** Appends if the key is the next place of the array part; false where it is not, or may not go there. */
  appendAt(key: number, value: LuaValue): boolean {
    if (key !== this.array.length || !this.mayAppend(key)) return false;
    this.append(value);
    return true;
  }

  /** The key behind the last element belongs to the array part. PUC Lua fills free room in the hash part first. */
  private mayAppend(key: number): boolean {
    return key <= this.arraySize || (this.hashSize === 0 && !this.holes);
  }

  /** Of a metatable: its `__index`. Where it stood last is remembered. */
  indexHandler(): LuaValue {
    const { hash } = this;
    const at = this.indexAt;
    if (at < hash.length && hash[at] === '__index') return hash[at + 1];
    const found = this.find('__index');
    if (found < 0) return undefined;
    this.indexAt = found;
    return hash[found + 1];
  }

  /** A border, found the way PUC Lua finds it. */
  length(): number {
    const array = this.array;
    if (!this.holes && !this.numericKeys) return array.length - 1;
    let high = this.arraySize;
    if (high > 0 && (high >= array.length || array[high] === undefined)) {
      let low = 0;
      while (high - low > 1) {
        const middle = (low + high) >>> 1;
        if (middle >= array.length || array[middle] === undefined) high = middle;
        else low = middle;
      }
      return low;
    }
    return this.numericKeys ? this.unboundBorder(high) : high;
  }

  /**
   * To be called before a traversal begins: puts the hash part into the order in which PUC Lua would walk it. New keys
   * must not be put in during a traversal, as in Lua.
   */
  arrange(): void {
    const old = this.hash;
    if (old.length < 4 || (this.isArranged && this.placed === old.length)) return;
    const hash: LuaValue[] = [];
    for (const key of this.nodes().walk()) hash.push(key, old[this.find(key) + 1]);
    this.hash = hash;
    this.isArranged = true;
    if (this.index !== undefined) this.buildIndex();
  }

  /** The nodes of all keys. */
  private nodes(): NodeOrder {
    const { hash } = this;
    this.order ??= new NodeOrder(this.firstHashSize);
    this.order.catchUp();
    for (let i = this.placed; i < hash.length; i += 2) this.order.insert(hash[i]);
    if (this.placed < hash.length) this.isArranged = false;
    this.placed = hash.length;
    return this.order;
  }

  /**
   * The place after a key in the traversal order, for `next`: 0 before the first; array places count from 1, hash
   * places go on behind. `-1`: no such key.
   */
  placeOf(key: LuaValue): number {
    if (key === undefined) return 0;
    if (typeof key === 'number' && key >= 1 && key < this.array.length && Number.isInteger(key)) return key;
    const at = this.find(key);
    if (at >= 0) return this.array.length + (at >> 1);
    // A key that was last in the array part and has been taken off during the traversal.
    if (typeof key === 'number' && key >= 1 && key <= this.arraySize && Number.isInteger(key)) {
      return this.array.length - 1;
    }
    return -1;
  }

  /** The first place at or behind `place` that holds a value, or -1. */
  occupiedFrom(place: number): number {
    const size = this.array.length;
    let at = place;
    for (; at < size; at++) if (this.array[at] !== undefined) return at;
    const hash = this.hash;
    for (let i = (at - size) * 2 + 1; i < hash.length; i += 2) {
      if (hash[i] !== undefined) return size + ((i - 1) >> 1);
    }
    return -1;
  }

  keyAt(place: number): LuaValue {
    const size = this.array.length;
    return place < size ? place : this.hash[(place - size) * 2];
  }

  valueAt(place: number): LuaValue {
    const size = this.array.length;
    return place < size ? this.array[place] : this.hash[(place - size) * 2 + 1];
  }

  private setElement(key: number, value: LuaValue): void {
    const array = this.array;
    if (value !== undefined) array[key] = value;
    else if (key === array.length - 1 && !this.holes) array.length = key;
    else {
      array[key] = undefined;
      this.holes = true;
    }
  }

  private setHashed(key: LuaValue, value: LuaValue): void {
    const at = this.find(key);
    if (at >= 0) {
      const hash = this.hash;
      const before = hash[at + 1];
      if (value === undefined) {
        if (before !== undefined) this.dead++;
      } else if (before === undefined) this.dead--;
      hash[at + 1] = value;
      return;
    }
    if (typeof key === 'number' && this.belongsToArray(key)) {
      if (value !== undefined) this.fillElement(key, value);
      return;
    }
    if (this.dead > 0) this.insertAmongDead(key, value);
    else if (this.hash.length >> 1 >= this.hashSize) this.insertAfterRehash(key, value);
    else this.push(key, value);
  }

  /** A new key, where PUC Lua may put it on the node of a removed one. */
  private insertAmongDead(key: LuaValue, value: LuaValue): void {
    const nodes = this.nodes();
    const replaced = nodes.insertAmong(key, (other) => this.hash[this.find(other) + 1] !== undefined);
    if (replaced === FULL) {
      this.insertAfterRehash(key, value);
      return;
    }
    this.isArranged = false;
    if (replaced === undefined) {
      this.push(key, value);
      this.placed = this.hash.length;
      return;
    }
    const at = this.find(replaced);
    this.hash[at] = key;
    this.hash[at + 1] = value;
    if (value !== undefined) this.dead--;
    if (typeof key === 'number') this.numericKeys = true;
    if (this.index !== undefined) {
      this.index.delete(replaced);
      this.index.set(key, at);
    }
  }

  private insertAfterRehash(key: LuaValue, value: LuaValue): void {
    this.rehash(key);
    if (typeof key === 'number' && this.belongsToArray(key)) {
      if (value !== undefined) this.fillElement(key, value);
    } else this.push(key, value);
  }

  /** Adds a slot. As in PUC Lua, assigning nil to a key that is not there takes room too. */
  private push(key: LuaValue, value: LuaValue): void {
    if (this.hash === NO_HASH) this.hash = [];
    const hash = this.hash;
    const place = hash.length;
    // -0 and 0 are one key.
    hash.push(key === 0 ? 0 : key, value);
    if (value === undefined) this.dead++;
    if (typeof key === 'number') this.numericKeys = true;
    if (this.index !== undefined) this.index.set(key, place);
    else if (place >= 2 * SCAN_LIMIT) this.buildIndex();
  }

  /** Writes an element within `arraySize` that lies beyond what is stored so far. */
  private fillElement(key: number, value: LuaValue): void {
    if (this.array === NO_ARRAY) this.array = [undefined];
    const array = this.array;
    while (array.length < key) {
      array.push(undefined);
      this.holes = true;
    }
    if (array.length === key) array.push(value);
    else array[key] = value;
  }

  private buildIndex(): void {
    const index = new Map<LuaValue, number>();
    const hash = this.hash;
    for (let i = 0; i < hash.length; i += 2) index.set(hash[i], i);
    this.index = index;
  }

  /** The hash part is full: drop dead keys, let the array part grow where more than half of it is used. */
  private rehash(extra: LuaValue): void {
    if (this.hash.length >= 2 * MAX_ENTRIES) throw new TableOverflow();
    const size = this.bestArraySize(extra);
    const beyond = size < this.arraySize ? this.takeBeyond(size) : NO_HASH;
    this.arraySize = size;
    const growsOnly = this.dead === 0 && !this.numericKeys && beyond.length === 0 && typeof extra !== 'number';
    const old = this.hash;
    if (!growsOnly) this.rebuild(this.dead > 0 ? this.liveInNodeOrder() : old, beyond);
    const inArray = typeof extra === 'number' && this.belongsToArray(extra);
    this.hashSize = nextPowerOfTwo((this.hash.length >> 1) + (inArray ? 0 : 1));
    // Nodes of a part that only grows are found when they are needed, growth included.
    if (growsOnly) return;
    if (this.dead > 0) {
      this.order = undefined;
      this.firstHashSize = this.hashSize;
      this.placed = 0;
    } else {
      this.order ??= new NodeOrder(this.firstHashSize);
      this.order.rehashLater({ slots: old, from: this.placed, beyond, arraySize: size, size: this.hashSize });
      this.placed = this.hash.length;
    }
    this.dead = 0;
    this.isArranged = false;
  }

  /** Live keys and their values, from the last node to the first: so PUC Lua puts them into its new nodes. */
  private liveInNodeOrder(): LuaValue[] {
    const { hash } = this;
    const live: LuaValue[] = [];
    for (const key of this.nodes().walk().reverse()) {
      const value = hash[this.find(key) + 1];
      if (value !== undefined) live.push(key, value);
    }
    return live;
  }

  private belongsToArray(key: number): boolean {
    return key >= 1 && key <= this.arraySize && Number.isInteger(key);
  }

  /** Takes what lies beyond the new, smaller size off the array part: key, value, key, value … */
  private takeBeyond(size: number): LuaValue[] {
    const pairs: LuaValue[] = [];
    const { array } = this;
    for (let i = size + 1; i < array.length; i++) if (array[i] !== undefined) pairs.push(i, array[i]);
    if (array.length > size + 1) array.length = size + 1;
    return pairs;
  }

  /** The hash part anew: what is taken off the array part, then those of `slots` that are no elements. */
  private rebuild(slots: LuaValue[], beyond: LuaValue[]): void {
    const hash = beyond.slice();
    this.numericKeys = beyond.length > 0;
    for (let i = 0; i < slots.length; i += 2) {
      const key = slots[i];
      if (typeof key === 'number') {
        if (this.belongsToArray(key)) {
          this.fillElement(key, slots[i + 1]);
          continue;
        }
        this.numericKeys = true;
      }
      hash.push(key, slots[i + 1]);
    }
    this.hash = hash;
    this.index = undefined;
    if (hash.length > 2 * SCAN_LIMIT) this.buildIndex();
  }

  /** PUC Lua's rule: the largest power of two of which more than half the slots would be in use. */
  private bestArraySize(extra: LuaValue): number {
    const counts = new Array<number>(32).fill(0);
    let total = 0;
    const count = (key: LuaValue): void => {
      if (typeof key !== 'number' || key < 1 || key > MAX_ARRAY || !Number.isInteger(key)) return;
      const slot = key === 1 ? 0 : 32 - Math.clz32(key - 1);
      counts[slot] = counts[slot]! + 1;
      total++;
    };
    count(extra);
    if (this.numericKeys) {
      for (let i = 0; i < this.hash.length; i += 2) if (this.hash[i + 1] !== undefined) count(this.hash[i]);
    }
    const { array, holes } = this;
    const size = array.length - 1;
    for (let slot = 0, low = 0, high = 1; low < size; slot++, low = high, high *= 2) {
      const end = Math.min(high, size);
      let here = end - low;
      if (holes) for (let i = low + 1; i <= end; i++) if (array[i] === undefined) here--;
      counts[slot] = counts[slot]! + here;
      total += here;
    }
    let best = 0;
    let sum = 0;
    for (let slot = 0, size = 1; slot < 32 && size / 2 < total; slot++, size *= 2) {
      sum += counts[slot]!;
      if (sum > size / 2) best = size;
    }
    return best;
  }

  private unboundBorder(from: number): number {
    let low = from;
    let high = from + 1;
    while (this.get(high) !== undefined) {
      low = high;
      high *= 2;
    }
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (this.get(middle) === undefined) high = middle;
      else low = middle;
    }
    return low;
  }
}

// `instanceof LuaTable` walks the prototype chain of what it is asked about: keep that chain one link long.
Object.setPrototypeOf(LuaTable.prototype, null);

function nextPowerOfTwo(n: number): number {
  return n <= 1 ? n : 2 ** (32 - Math.clz32(n - 1));
}
