import type { LuaValue } from './values.js';

/** No node follows. */
const NONE = -1;

/** No node is free. */
export const FULL = Symbol('full');

/** A rehash of a table without dead keys, to be replayed when somebody asks for the nodes. */
export interface Rehash {
  /** Key, value, key, value … before it; those from place `from` on have no node yet. */
  readonly slots: readonly LuaValue[];
  readonly from: number;
  /** What it took off the array part: key, value, key, value … */
  readonly beyond: readonly LuaValue[];
  /** Keys up to this one are elements after it. */
  readonly arraySize: number;
  /** The number of nodes after it. */
  readonly size: number;
}

/**
 * The order in which PUC Lua 5.1 would walk the hash part of a table. Scripts see it through `pairs`, `cjson.encode`
 * and the like, and a program that has only ever met Redis may depend on it. PUC Lua scatters keys over nodes by their
 * hash, chains colliding ones through free nodes taken from the end, and walks the nodes from first to last; this
 * replays that for keys in the order they were put in. Tables and functions as keys go by address there; here by the
 * order they come in.
 */
export class NodeOrder {
  private keys: LuaValue[] = [];
  private hashes: number[] = [];
  private following: number[] = [];
  private lastFree = 0;
  private objects = 0;
  private readonly rehashes: Rehash[] = [];

  /** `size`: for how many keys room was made at first, a power of two or 0. */
  constructor(size: number) {
    this.resize(size);
  }

  /** The keys as they are walked. */
  walk(): LuaValue[] {
    return this.keys.filter((key) => key !== undefined);
  }

  rehashLater(rehash: Rehash): void {
    this.rehashes.push(rehash);
  }

  /** Replays what was left for later. To be called before anything else is asked. */
  catchUp(): void {
    for (const { slots, from, beyond, arraySize, size } of this.rehashes.splice(0)) {
      for (let i = from; i < slots.length; i += 2) this.insert(slots[i]);
      const old = this.walk();
      this.resize(size);
      for (let i = 0; i < beyond.length; i += 2) this.insert(beyond[i]);
      for (let i = old.length - 1; i >= 0; i--) {
        const key = old[i];
        const isElement = typeof key === 'number' && key >= 1 && key <= arraySize && Number.isInteger(key);
        if (!isElement) this.insert(key);
      }
    }
  }

  /** Puts in a new key while all keys have a value; the nodes double when they are full. */
  insert(key: LuaValue): void {
    const hash = this.hashOf(key);
    if (this.place(key, hash, undefined) !== FULL) return;
    this.grow();
    this.place(key, hash, undefined);
  }

  /**
   * Puts in a new key while some keys have lost their value: gives the key whose node it took, undefined if that was
   * free, or `FULL` if it is not in.
   */
  insertAmong(key: LuaValue, isLive: (key: LuaValue) => boolean): LuaValue | typeof FULL {
    return this.place(key, this.hashOf(key), isLive);
  }

  private place(key: LuaValue, hash: number, isLive: ((key: LuaValue) => boolean) | undefined): LuaValue | typeof FULL {
    const { keys, hashes, following } = this;
    if (keys.length === 0) return FULL;
    let place = this.mainPlace(key, hash);
    let replaced = keys[place];
    if (replaced !== undefined && (isLive === undefined || isLive(replaced))) {
      replaced = undefined;
      const free = this.takeFree();
      if (free === NONE) return FULL;
      const home = this.mainPlace(keys[place], hashes[place]!);
      if (home === place) {
        following[free] = following[place]!;
        following[place] = free;
        place = free;
      } else {
        // The one in the way is not at home: it makes room.
        let before = home;
        while (following[before] !== place) before = following[before]!;
        following[before] = free;
        keys[free] = keys[place];
        hashes[free] = hashes[place]!;
        following[free] = following[place]!;
        following[place] = NONE;
      }
    }
    keys[place] = key;
    hashes[place] = hash;
    return replaced;
  }

  private takeFree(): number {
    while (--this.lastFree >= 0) if (this.keys[this.lastFree] === undefined) return this.lastFree;
    return NONE;
  }

  private resize(size: number): void {
    this.keys = new Array<LuaValue>(size).fill(undefined);
    this.hashes = new Array<number>(size).fill(0);
    this.following = new Array<number>(size).fill(NONE);
    this.lastFree = size;
  }

  private grow(): void {
    const { keys, hashes } = this;
    this.resize(Math.max(1, keys.length * 2));
    for (let i = keys.length - 1; i >= 0; i--) this.place(keys[i], hashes[i]!, undefined);
  }

  private mainPlace(key: LuaValue, hash: number): number {
    const size = this.keys.length;
    return typeof key === 'number' ? hash % ((size - 1) | 1) : hash & (size - 1);
  }

  private hashOf(key: LuaValue): number {
    switch (typeof key) {
      case 'string':
        return hashOfString(key);
      case 'number':
        return key === 0 ? 0 : hashOfNumber(key);
      case 'boolean':
        return key ? 1 : 0;
      default:
        return this.objects++;
    }
  }
}

/** `luaS_newlstr`: of long strings only every so-many-th byte counts. */
function hashOfString(text: string): number {
  const step = (text.length >> 5) + 1;
  let hash = text.length;
  for (let i = text.length; i >= step; i -= step) {
    hash = (hash ^ ((hash << 5) + (hash >>> 2) + text.charCodeAt(i - 1))) >>> 0;
  }
  return hash;
}

const bits = new DataView(new ArrayBuffer(8));

function hashOfNumber(value: number): number {
  bits.setFloat64(0, value);
  return (bits.getUint32(0) + bits.getUint32(4)) >>> 0;
}
