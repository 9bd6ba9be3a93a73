/** Everything that agents remember: conversations by session, and by agent what they know, what happened, and a summary. */
import type { Bytes } from '../../protocol/reply.js';
import type { Conversation } from './conversation.js';
import type { EventLog } from './event-log.js';
import { ExpiringMap } from './expiring-map.js';
import type { SemanticMemory } from './semantic-memory.js';

/** Estimated bytes of a summary beside its text. */
const SUMMARY_BYTES = 150;

export interface Summary {
  readonly text: Bytes;
  /** How often it was written, this time included. */
  readonly version: number;
  /** Unix ms. */
  readonly updatedAt: number;
}

export class AgentMemory {
  readonly conversations = new ExpiringMap<Conversation>();
  readonly semantic = new Map<Bytes, SemanticMemory>();
  readonly events = new Map<Bytes, EventLog>();
  readonly summaries = new Map<Bytes, Summary>();

  /** Estimated bytes of all of it. */
  get bytes(): number {
    let bytes = 0;
    for (const conversation of this.conversations.values()) bytes += conversation.bytes;
    for (const memory of this.semantic.values()) bytes += memory.bytes;
    for (const log of this.events.values()) bytes += log.bytes;
    for (const { text } of this.summaries.values()) bytes += SUMMARY_BYTES + text.length;
    return bytes;
  }

  /** Removes up to `limit` sessions and known texts that have ended. Returns how many. */
  removeDue(now: number, limit: number): number {
    let removed = this.conversations.removeDue(now, limit);
    for (const memory of this.semantic.values()) removed += memory.removeDue(now, limit - removed);
    return removed;
  }

  clear(): void {
    this.conversations.clear();
    this.semantic.clear();
    this.events.clear();
    this.summaries.clear();
  }
}
