import type { LuaValue } from './values.js';

/** No node follows. */
const NONE = -1;

/**
 * The order in which PUC Lua 5.1 would walk the hash part of a table. Scripts see it through `pairs`, `cjson.encode`
 * and the like, and a program that has only ever met Redis may depend on it. PUC Lua scatters keys over nodes by their
 * hash, chains colliding ones through free nodes taken from the end, and walks the nodes from first to last; this
 * replays that for keys in the order they were put in. Tables and functions as keys go by address there; here they
 * have no order to keep.
 */
export class NodeOrder {
  private keys: LuaValue[] = [];
  private hashes: number[] = [];
  private following: number[] = [];
  private lastFree = 0;

  /** `size`: for how many keys room was made at first, a power of two or 0. */
  constructor(size: number) {
    this.resize(size);
  }

  /** The keys as they are walked. */
  walk(): LuaValue[] {
    return this.keys.filter((key) => key !== undefined);
  }

  /** Puts in a key. `isLive` tells which keys still have a value; without it all have. */
  insert(key: LuaValue, isLive: IsLive | undefined): void {
    if (!this.holds(key)) this.place(key, hashOf(key), isLive);
  }

  private holds(key: LuaValue): boolean {
    if (this.keys.length === 0) return false;
    let place = this.mainPlace(key, hashOf(key));
    while (place !== NONE && this.keys[place] !== key) place = this.following[place]!;
    return place !== NONE;
  }

  private place(key: LuaValue, hash: number, isLive: IsLive | undefined): void {
    const { keys, hashes, following } = this;
    let place = keys.length === 0 ? NONE : this.mainPlace(key, hash);
    if (place === NONE || (keys[place] !== undefined && (isLive === undefined || isLive(keys[place])))) {
      const free = this.takeFree();
      if (free === NONE) {
        this.rehash(isLive);
        this.place(key, hash, isLive);
        return;
      }
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

  private rehash(isLive: IsLive | undefined): void {
    const { keys, hashes } = this;
    let live = 0;
    for (const key of keys) if (key !== undefined && (isLive === undefined || isLive(key))) live++;
    let size = 1;
    while (size < live + 1) size *= 2;
    this.resize(size);
    for (let i = keys.length - 1; i >= 0; i--) {
      const key = keys[i];
      if (key !== undefined && (isLive === undefined || isLive(key))) this.place(key, hashes[i]!, isLive);
    }
  }

  private mainPlace(key: LuaValue, hash: number): number {
    const size = this.keys.length;
    return typeof key === 'number' ? hash % ((size - 1) | 1) : hash & (size - 1);
  }
}

type IsLive = (key: LuaValue) => boolean;

function hashOf(key: LuaValue): number {
  switch (typeof key) {
    case 'string':
      return hashOfString(key);
    case 'number':
      return key === 0 ? 0 : hashOfNumber(key);
    default:
      return key === true ? 1 : 0;
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
