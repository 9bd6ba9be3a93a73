/** What happened to an agent: events in the order in which they were told. */
import type { Bytes } from '../../protocol/reply.js';

/** Estimated bytes of a log, and of an event beside its texts. */
const LOG_BYTES = 200;
const EVENT_BYTES = 120;

export interface AgentEvent {
  readonly type: Bytes;
  readonly content: Bytes;
  /** Null when none was given. */
  readonly metadata: Bytes | null;
  /** Unix ms. */
  readonly timestamp: number;
}

export interface EventQuery {
  /** Undefined: any. */
  readonly type?: Bytes;
  /** Unix ms, both included. */
  readonly from: number;
  readonly to: number;
  readonly limit: number;
}

export class EventLog {
  readonly events: AgentEvent[] = [];
  private textBytes = 0;

  /** Estimated bytes. */
  get bytes(): number {
    return LOG_BYTES + this.events.length * EVENT_BYTES + this.textBytes;
  }

  add(event: AgentEvent): void {
    this.events.push(event);
    this.textBytes += event.type.length + event.content.length + (event.metadata?.length ?? 0);
  }

  /** The events that fit, newest first. */
  query({ type, from, to, limit }: EventQuery): AgentEvent[] {
    const found: AgentEvent[] = [];
    for (let i = this.events.length - 1; i >= 0 && found.length < limit; i--) {
      const event = this.events[i]!;
      if (event.timestamp < from || event.timestamp > to) continue;
      if (type === undefined || event.type === type) found.push(event);
    }
    return found;
  }
}
