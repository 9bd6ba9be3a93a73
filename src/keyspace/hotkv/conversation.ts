/** A conversation of an agent: its turns, as many as the window holds, and scratch values that live as long as it. */
import Denque from 'denque';
import type { Bytes } from '../../protocol/reply.js';
import { type Expiring, ExpiringMap } from './expiring-map.js';

/** Estimated bytes of a conversation, and of a turn or a scratch value beside its texts. */
const CONVERSATION_BYTES = 500;
const ITEM_BYTES = 80;

export interface Turn {
  readonly role: Bytes;
  readonly content: Bytes;
}

export interface ScratchValue extends Expiring {
  readonly value: Bytes;
}

export class Conversation implements Expiring {
  private turns = new Denque<Turn>();
  private turnBytes = 0;
  private scratchBytes = 0;
  readonly scratch = new ExpiringMap<ScratchValue>((key, { value }) => {
    this.scratchBytes -= ITEM_BYTES + key.length + value.length;
  });

  constructor(
    /** The most turns that are kept; Infinity: all. */
    readonly window: number,
    /** Unix ms; Infinity: never. */
    readonly expiresAt: number,
  ) {}

  /** Estimated bytes. */
  get bytes(): number {
    return CONVERSATION_BYTES + this.turnBytes + this.scratchBytes;
  }

  /** Adds a turn; the oldest goes when there are more than the window holds. */
  append(turn: Turn): void {
    this.turns.push(turn);
    this.turnBytes += bytesOf(turn);
    if (this.turns.length > this.window) this.turnBytes -= bytesOf(this.turns.shift()!);
  }

  /** The last `count` turns, oldest first. */
  last(count: number): Turn[] {
    const turns: Turn[] = [];
    for (let i = Math.max(this.turns.length - count, 0); i < this.turns.length; i++) turns.push(this.turns.peekAt(i)!);
    return turns;
  }

  clearTurns(): void {
    this.turns = new Denque();
    this.turnBytes = 0;
  }

  setScratch(key: Bytes, value: ScratchValue, now: number): void {
    this.scratch.set(key, value, now);
    this.scratchBytes += ITEM_BYTES + key.length + value.value.length;
  }

  clearScratch(): void {
    this.scratch.clear();
    this.scratchBytes = 0;
  }
}

function bytesOf({ role, content }: Turn): number {
  return ITEM_BYTES + role.length + content.length;
}
