/** `client-output-buffer-limit`: clients that read too slowly are cut before their replies fill the memory. */

import { parseMemory } from '../protocol/memory-size.js';
import { ConfigError } from '../protocol/problems.js';
import type { Bytes } from '../protocol/reply.js';
import type { Connection } from './connection.js';
import type { Server } from './server.js';

type ClientClass = 'normal' | 'slave' | 'pubsub';

interface Limit {
  /** Bytes beyond which a client is cut at once; 0: none. */
  hard: number;
  /** Bytes beyond which it is cut when it stays there for `seconds`; 0: none. */
  soft: number;
  seconds: number;
}

export class OutputLimits {
  private readonly limits: Record<ClientClass, Limit> = {
    normal: { hard: 0, soft: 0, seconds: 0 },
    slave: { hard: 0, soft: 0, seconds: 0 },
    pubsub: { hard: 0, soft: 0, seconds: 0 },
  };
  /** Since when a connection has been over its soft limit, unix ms. */
  private readonly overSince = new WeakMap<Connection, number>();

  constructor(private readonly server: Server) {
    const { config } = server;
    config.checkWith('client-output-buffer-limit', (text) => {
      const merged = { ...this.limits, ...parseLimits(text) };
      return (Object.keys(merged) as ClientClass[])
        .map((name) => `${name} ${merged[name].hard} ${merged[name].soft} ${merged[name].seconds}`)
        .join(' ');
    });
    config.watch(['client-output-buffer-limit'], () => {
      Object.assign(this.limits, parseLimits(config.text('client-output-buffer-limit')));
    });
  }

  /** Cuts a connection that is over its limit, or would be with `coming` bytes more. */
  check(connection: Connection, coming = 0): void {
    const limit = this.limits[connection.session.subscriptionCount > 0 ? 'pubsub' : 'normal'];
    if (limit.hard === 0 && limit.soft === 0) return;
    const bytes = connection.outputBytes + coming;
    if ((limit.hard > 0 && bytes > limit.hard) || this.softLimitReached(connection, limit, bytes)) {
      this.server.stats.clientOutputLimitDisconnections++;
      this.server.log.warning(
        `client ${connection.session.address} reads too slowly: ${bytes} bytes are waiting; closed`,
      );
      connection.close(true);
    }
  }

  private softLimitReached(connection: Connection, limit: Limit, bytes: number): boolean {
    if (limit.soft === 0 || bytes <= limit.soft) {
      this.overSince.delete(connection);
      return false;
    }
    const now = this.server.clock.now();
    const since = this.overSince.get(connection);
    if (since === undefined) this.overSince.set(connection, now);
    return since !== undefined && now - since > limit.seconds * 1000;
  }
}

/** Reads `class hard soft seconds` groups; `replica` is another name of `slave`. */
function parseLimits(text: Bytes): Partial<Record<ClientClass, Limit>> {
  const words = text.trim() === '' ? [] : text.trim().split(/\s+/);
  if (words.length % 4 !== 0) throw new ConfigError('Wrong number of arguments in buffer limit configuration.');
  const limits: Partial<Record<ClientClass, Limit>> = {};
  for (let i = 0; i < words.length; i += 4) {
    const given = words[i]!.toLowerCase();
    const name = given === 'replica' ? 'slave' : given;
    if (name !== 'normal' && name !== 'slave' && name !== 'pubsub') {
      throw new ConfigError('Invalid client class specified in buffer limit configuration.');
    }
    const hard = parseMemory(words[i + 1]!);
    const soft = parseMemory(words[i + 2]!);
    if (hard === undefined || soft === undefined || !/^\d+$/.test(words[i + 3]!)) {
      throw new ConfigError('Error in hard, soft or soft_seconds setting in buffer limit configuration.');
    }
    limits[name] = { hard, soft, seconds: Number(words[i + 3]) };
  }
  return limits;
}
