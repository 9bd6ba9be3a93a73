/**
 * The tags of the keys of one database, found from either side. It knows names alone: which keys exist is the
 * database's affair, which tells it of every key that goes.
 */
import type { Bytes } from '../../protocol/reply.js';

/** Estimated bytes of a set with its entry in a map. */
const SET_BYTES = 200;
/** Estimated bytes of a tag at a key: an entry in the set of either side. */
const LINK_BYTES = 64;

export class TagIndex {
  private readonly byKey = new Map<Bytes, Set<Bytes>>();
  private readonly byTag = new Map<Bytes, Set<Bytes>>();
  private links = 0;

  get tagCount(): number {
    return this.byTag.size;
  }

  /** Number of keys that have a tag. */
  get keyCount(): number {
    return this.byKey.size;
  }

  /** Estimated bytes of all of it. */
  get bytes(): number {
    return (this.byKey.size + this.byTag.size) * SET_BYTES + this.links * LINK_BYTES;
  }

  /** Estimated bytes of a key's tags. */
  bytesOf(key: Bytes): number {
    const tags = this.byKey.get(key);
    return tags === undefined ? 0 : SET_BYTES + tags.size * LINK_BYTES;
  }

  /** Returns how many of the tags are new to the key. */
  add(key: Bytes, tags: readonly Bytes[]): number {
    const before = this.links;
    for (const tag of tags) {
      if (this.has(key, tag)) continue;
      setOf(this.byKey, key).add(tag);
      setOf(this.byTag, tag).add(key);
      this.links++;
    }
    return this.links - before;
  }

  /** Returns how many of the tags the key had. */
  remove(key: Bytes, tags: readonly Bytes[]): number {
    const before = this.links;
    for (const tag of tags) {
      if (!this.has(key, tag)) continue;
      removeFrom(this.byKey, key, tag);
      removeFrom(this.byTag, tag, key);
      this.links--;
    }
    return before - this.links;
  }

  /** Takes all tags from a key. */
  forget(key: Bytes): void {
    const tags = this.byKey.get(key);
    if (tags === undefined) return;
    for (const tag of tags) removeFrom(this.byTag, tag, key);
    this.links -= tags.size;
    this.byKey.delete(key);
  }

  has(key: Bytes, tag: Bytes): boolean {
    return this.byKey.get(key)?.has(tag) ?? false;
  }

  tagsOf(key: Bytes): Bytes[] {
    return [...(this.byKey.get(key) ?? [])];
  }

  /** The keys that have all of these tags, in the order in which they got the rarest one. */
  keysWithAll(tags: readonly Bytes[]): Bytes[] {
    let rarest: ReadonlySet<Bytes> | undefined;
    for (const tag of tags) {
      const keys = this.byTag.get(tag);
      if (keys === undefined) return [];
      if (rarest === undefined || keys.size < rarest.size) rarest = keys;
    }
    return [...(rarest ?? [])].filter((key) => tags.every((tag) => this.has(key, tag)));
  }
}

function setOf(map: Map<Bytes, Set<Bytes>>, name: Bytes): Set<Bytes> {
  const known = map.get(name);
  if (known !== undefined) return known;
  const created = new Set<Bytes>();
  map.set(name, created);
  return created;
}

function removeFrom(map: Map<Bytes, Set<Bytes>>, name: Bytes, member: Bytes): void {
  const set = map.get(name)!;
  set.delete(member);
  if (set.size === 0) map.delete(name);
}
