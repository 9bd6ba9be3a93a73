/** ACL LOG: refused requests and failed logins, alike ones within a minute counted together. */
import type { Bytes } from '../../protocol/reply.js';

export type AclReason = 'command' | 'key' | 'channel' | 'auth';

export interface AclLogEntry {
  readonly id: number;
  count: number;
  readonly reason: AclReason;
  readonly context: 'toplevel' | 'multi' | 'lua';
  readonly object: Bytes;
  readonly username: Bytes;
  clientInfo: Bytes;
  /** Unix ms. */
  readonly createdAt: number;
  updatedAt: number;
}

/** Entries are alike when nothing but their time differs, and that by no more than this. */
const GROUPING_MS = 60_000;

export class AclLog {
  maxLength = 128;
  /** Newest first. */
  entries: AclLogEntry[] = [];
  private nextId = 0;

  add(entry: Omit<AclLogEntry, 'id' | 'count' | 'createdAt' | 'updatedAt'>, now: number): void {
    const known = this.entries.findIndex(
      (other) =>
        other.reason === entry.reason &&
        other.context === entry.context &&
        other.object === entry.object &&
        other.username === entry.username &&
        now - other.updatedAt <= GROUPING_MS,
    );
    if (known >= 0) {
      const [same] = this.entries.splice(known, 1);
      same!.count++;
      same!.updatedAt = now;
      same!.clientInfo = entry.clientInfo;
      this.entries.unshift(same!);
    } else this.entries.unshift({ ...entry, id: this.nextId++, count: 1, createdAt: now, updatedAt: now });
    this.trim();
  }

  trim(): void {
    if (this.entries.length > this.maxLength) this.entries.length = this.maxLength;
  }
}
