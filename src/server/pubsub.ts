/** Who listens to which channel, pattern and shard channel, and the delivery of messages. */
import { compileGlob } from '../protocol/glob.js';
import { type Bytes, PushReply } from '../protocol/reply.js';
import type { Session } from './session.js';

export type SubscriptionKind = 'channel' | 'pattern' | 'shard';

interface PatternEntry {
  readonly fits: (channel: Bytes) => boolean;
  readonly sessions: Set<Session>;
}

export class PubSub {
  readonly channels = new Map<Bytes, Set<Session>>();
  readonly shardChannels = new Map<Bytes, Set<Session>>();
  private readonly patterns = new Map<Bytes, PatternEntry>();

  get patternCount(): number {
    return this.patterns.size;
  }

  /** Whether a message would reach anyone at all. */
  get idle(): boolean {
    return this.channels.size === 0 && this.patterns.size === 0;
  }

  subscribe(session: Session, kind: SubscriptionKind, name: Bytes): void {
    const own = session.namesOf(kind);
    if (own.has(name)) return;
    own.add(name);
    if (kind === 'pattern') {
      const entry = this.patterns.get(name) ?? { fits: compileGlob(name), sessions: new Set<Session>() };
      entry.sessions.add(session);
      this.patterns.set(name, entry);
    } else {
      const listeners = this.listenersOf(kind);
      const sessions = listeners.get(name);
      if (sessions === undefined) listeners.set(name, new Set([session]));
      else sessions.add(session);
    }
    session.regate();
  }

  unsubscribe(session: Session, kind: SubscriptionKind, name: Bytes): void {
    if (!session.namesOf(kind).delete(name)) return;
    if (kind === 'pattern') {
      const entry = this.patterns.get(name)!;
      entry.sessions.delete(session);
      if (entry.sessions.size === 0) this.patterns.delete(name);
    } else {
      const listeners = this.listenersOf(kind);
      const sessions = listeners.get(name)!;
      sessions.delete(session);
      if (sessions.size === 0) listeners.delete(name);
    }
    session.regate();
  }

  /** Ends all subscriptions of a session without a word to it. */
  leave(session: Session): void {
    for (const kind of ['channel', 'pattern', 'shard'] as const) {
      for (const name of [...session.namesOf(kind)]) this.unsubscribe(session, kind, name);
    }
  }

  /** Sends a message to those who listen to the channel or to a pattern that fits; returns how many got it. */
  publish(channel: Bytes, message: Bytes): number {
    let receivers = 0;
    const listeners = this.channels.get(channel);
    if (listeners !== undefined) {
      const push = new PushReply(['message', channel, message]);
      for (const session of listeners) session.push(push);
      receivers += listeners.size;
    }
    for (const [pattern, { fits, sessions }] of this.patterns) {
      if (!fits(channel)) continue;
      const push = new PushReply(['pmessage', pattern, channel, message]);
      for (const session of sessions) session.push(push);
      receivers += sessions.size;
    }
    return receivers;
  }

  publishToShard(channel: Bytes, message: Bytes): number {
    const listeners = this.shardChannels.get(channel);
    if (listeners === undefined) return 0;
    const push = new PushReply(['smessage', channel, message]);
    for (const session of listeners) session.push(push);
    return listeners.size;
  }

  private listenersOf(kind: 'channel' | 'shard'): Map<Bytes, Set<Session>> {
    return kind === 'channel' ? this.channels : this.shardChannels;
  }
}
