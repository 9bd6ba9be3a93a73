/** What a change of the configuration does to a running server. */

import { formatNotifyClasses, parseNotifyClasses } from '../keyspace/notifications.js';
import { ConfigError } from '../protocol/problems.js';
import type { LogLevel } from './log.js';
import type { Server } from './server.js';

export function connectConfig(server: Server): void {
  const { config, databases, encodingLimits, protocolLimits, slowlog, stats } = server;

  // The text does not always show all classes that were asked for, so the mask is kept beside it.
  let notifyClasses = 0;
  config.checkWith('notify-keyspace-events', (letters) => {
    const mask = parseNotifyClasses(letters);
    if (mask === undefined) throw new ConfigError("Invalid event class character. Use 'Ag$lshzxeKEtmdn'.");
    notifyClasses = mask;
    return formatNotifyClasses(mask);
  });
  config.watch(['notify-keyspace-events'], () => {
    server.notifyClasses = notifyClasses;
  });

  config.watch(['requirepass'], () => server.acl.setDefaultPassword(config.text('requirepass')));
  config.watch(['acl-pubsub-default'], () => {
    server.acl.newUserChannels = config.text('acl-pubsub-default') as 'allchannels' | 'resetchannels';
  });
  config.watch(['acllog-max-len'], () => {
    server.acl.log.maxLength = config.number('acllog-max-len');
    server.acl.log.trim();
  });

  config.watch(['maxmemory', 'maxmemory-samples', 'maxmemory-clients'], () => {
    server.memory.limit = config.number('maxmemory');
    server.memory.samples = config.number('maxmemory-samples');
    server.regate();
    server.memory.makeRoom();
    const clients = config.number('maxmemory-clients');
    server.clientCare.memoryLimit = clients < 0 ? (-clients * config.number('maxmemory')) / 100 : clients;
    server.clientCare.recount();
  });

  config.watch(['timeout'], () => {
    server.clientCare.idleLimitMs = config.number('timeout') * 1000;
  });

  config.watch(['min-replicas-to-write'], () => {
    server.writesRefused = config.number('min-replicas-to-write') > 0;
    server.regate();
  });

  config.watch(['proto-max-bulk-len'], () => {
    protocolLimits.maxBulkLength = config.number('proto-max-bulk-len');
  });

  config.watch(['client-query-buffer-limit'], () => {
    server.queryBufferLimit = config.number('client-query-buffer-limit');
  });

  config.watch(['slowlog-log-slower-than', 'slowlog-max-len'], () => {
    const micros = config.number('slowlog-log-slower-than');
    slowlog.thresholdMs = micros < 0 ? Infinity : micros / 1000;
    slowlog.maxLength = config.number('slowlog-max-len');
    slowlog.trim();
  });

  config.watch(['tracking-table-max-keys'], () => {
    server.tracking.maxKeys = config.number('tracking-table-max-keys');
  });

  config.watch(['latency-monitor-threshold'], () => {
    server.latency.thresholdMs = config.number('latency-monitor-threshold') || Infinity;
  });

  config.watch(['latency-tracking'], () => {
    stats.latencyTracking = config.flag('latency-tracking');
  });

  config.watch(['loglevel'], () => {
    server.log.level = config.text('loglevel') as LogLevel;
  });

  config.watch(['maxmemory-policy', 'lfu-log-factor', 'lfu-decay-time'], () => {
    server.memory.policy = config.text('maxmemory-policy');
    for (const { access } of databases) {
      access.mode = config.text('maxmemory-policy').endsWith('lfu') ? 'lfu' : 'lru';
      access.lfuLogFactor = config.number('lfu-log-factor');
      access.lfuDecayMinutes = config.number('lfu-decay-time');
    }
  });

  config.watch(['stream-node-max-entries', 'stream-node-max-bytes'], () => {
    encodingLimits.streamNodes = {
      maxEntries: config.number('stream-node-max-entries'),
      maxBytes: config.number('stream-node-max-bytes'),
    };
  });

  for (const [name, field] of ENCODING_LIMITS) {
    config.watch([name], () => {
      encodingLimits[field] = config.number(name);
    });
  }
}

const ENCODING_LIMITS = [
  ['hash-max-listpack-entries', 'hashMaxListpackEntries'],
  ['hash-max-listpack-value', 'hashMaxListpackValue'],
  ['list-max-listpack-size', 'listMaxListpackSize'],
  ['set-max-intset-entries', 'setMaxIntsetEntries'],
  ['set-max-listpack-entries', 'setMaxListpackEntries'],
  ['set-max-listpack-value', 'setMaxListpackValue'],
  ['zset-max-listpack-entries', 'zsetMaxListpackEntries'],
  ['zset-max-listpack-value', 'zsetMaxListpackValue'],
  ['hll-sparse-max-bytes', 'hllSparseMaxBytes'],
] as const;
