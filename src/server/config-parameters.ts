/**
 * The configuration parameters that CONFIG, the config file and the command line know, with Redis 8.2's names,
 * kinds, ranges and defaults. `effect` says what the emulator does with it: `used` ones change its behaviour, `kept`
 * ones are accepted and reported so that tools can set them, and change nothing.
 */

export type ParameterKind = 'integer' | 'memory' | 'flag' | 'choice' | 'text' | 'special';

export interface Parameter {
  readonly name: string;
  readonly alias?: string;
  readonly kind: ParameterKind;
  readonly default: string;
  readonly least?: number;
  readonly greatest?: number;
  readonly choices?: readonly string[];
  /** Cannot be changed by CONFIG SET. */
  readonly fixed?: boolean;
  readonly effect: 'used' | 'kept';
}

const INT_MAX = 2 ** 31 - 1;
const LONG_MAX = Number.MAX_SAFE_INTEGER;

function integer(
  name: string,
  value: number,
  least: number,
  greatest: number,
  more: Partial<Parameter> = {},
): Parameter {
  return { name, kind: 'integer', default: String(value), least, greatest, effect: 'kept', ...more };
}

function memory(name: string, value: number, more: Partial<Parameter> = {}): Parameter {
  return { name, kind: 'memory', default: String(value), least: 0, greatest: LONG_MAX, effect: 'kept', ...more };
}

function flag(name: string, value: 'yes' | 'no', more: Partial<Parameter> = {}): Parameter {
  return { name, kind: 'flag', default: value, effect: 'kept', ...more };
}

function choice(name: string, value: string, choices: readonly string[], more: Partial<Parameter> = {}): Parameter {
  return { name, kind: 'choice', default: value, choices, effect: 'kept', ...more };
}

function text(name: string, value: string, more: Partial<Parameter> = {}): Parameter {
  return { name, kind: 'text', default: value, effect: 'kept', ...more };
}

function special(name: string, value: string, more: Partial<Parameter> = {}): Parameter {
  return { name, kind: 'special', default: value, effect: 'kept', ...more };
}

const used = { effect: 'used' } as const;
const fixed = { fixed: true, effect: 'used' } as const;

export const MAXMEMORY_POLICIES = [
  'volatile-lru',
  'volatile-lfu',
  'volatile-random',
  'volatile-ttl',
  'allkeys-lru',
  'allkeys-lfu',
  'allkeys-random',
  'noeviction',
] as const;
export const LOG_LEVELS = ['debug', 'verbose', 'notice', 'warning', 'nothing'] as const;

export const PARAMETERS: readonly Parameter[] = [
  // Network and clients
  special('bind', '127.0.0.1 ::1', { ...fixed }),
  integer('port', 6379, 0, 65535, fixed),
  text('unixsocket', '', fixed),
  integer('timeout', 0, 0, INT_MAX, used),
  integer('tcp-keepalive', 300, 0, INT_MAX, used),
  integer('tcp-backlog', 511, 0, INT_MAX, { fixed: true }),
  integer('maxclients', 10000, 1, INT_MAX, used),
  memory('proto-max-bulk-len', 512 * 1024 * 1024, { least: 1024 * 1024, ...used }),
  memory('proto-inline-max-size', 64 * 1024, { least: 1024, ...used }),
  memory('client-query-buffer-limit', 1024 * 1024 * 1024, { least: 1024 * 1024, ...used }),
  special('client-output-buffer-limit', 'normal 0 0 0 slave 268435456 67108864 60 pubsub 33554432 8388608 60', used),
  memory('maxmemory-clients', 0, { least: -100, ...used }),
  flag('protected-mode', 'yes'),
  choice('enable-debug-command', 'local', ['no', 'yes', 'local'], fixed),
  choice('enable-protected-configs', 'no', ['no', 'yes', 'local'], { fixed: true }),
  choice('enable-module-command', 'no', ['no', 'yes', 'local'], { fixed: true }),

  // Security
  text('requirepass', '', used),
  text('aclfile', '', fixed),
  integer('acllog-max-len', 128, 0, LONG_MAX, used),
  choice('acl-pubsub-default', 'resetchannels', ['allchannels', 'resetchannels'], used),

  // Keyspace
  integer('databases', 16, 1, 16384, fixed),
  special('notify-keyspace-events', '', used),
  memory('maxmemory', 0, used),
  choice('maxmemory-policy', 'noeviction', MAXMEMORY_POLICIES, used),
  integer('maxmemory-samples', 5, 1, 64, used),
  integer('maxmemory-eviction-tenacity', 10, 0, 100),
  integer('lfu-log-factor', 10, 0, INT_MAX, used),
  integer('lfu-decay-time', 1, 0, INT_MAX, used),
  integer('active-expire-effort', 1, 1, 10, used),
  integer('hz', 10, 0, INT_MAX, used),
  flag('dynamic-hz', 'yes'),
  flag('activerehashing', 'yes'),
  flag('lazyfree-lazy-eviction', 'no'),
  flag('lazyfree-lazy-expire', 'no'),
  flag('lazyfree-lazy-server-del', 'no'),
  flag('lazyfree-lazy-user-del', 'no'),
  flag('lazyfree-lazy-user-flush', 'no'),
  flag('activedefrag', 'no'),

  // Encodings
  integer('hash-max-listpack-entries', 512, 0, LONG_MAX, { alias: 'hash-max-ziplist-entries', ...used }),
  memory('hash-max-listpack-value', 64, { alias: 'hash-max-ziplist-value', ...used }),
  integer('list-max-listpack-size', -2, -INT_MAX, INT_MAX, { alias: 'list-max-ziplist-size', ...used }),
  integer('list-compress-depth', 0, 0, INT_MAX),
  integer('set-max-intset-entries', 512, 0, LONG_MAX, used),
  integer('set-max-listpack-entries', 128, 0, LONG_MAX, used),
  memory('set-max-listpack-value', 64, used),
  integer('zset-max-listpack-entries', 128, 0, LONG_MAX, { alias: 'zset-max-ziplist-entries', ...used }),
  memory('zset-max-listpack-value', 64, { alias: 'zset-max-ziplist-value', ...used }),
  memory('hll-sparse-max-bytes', 3000, used),
  memory('stream-node-max-bytes', 4096, used),
  integer('stream-node-max-entries', 100, 0, LONG_MAX, used),
  choice('sanitize-dump-payload', 'no', ['no', 'yes', 'clients']),

  // Observation
  choice('loglevel', 'notice', LOG_LEVELS, used),
  text('logfile', '', { fixed: true }),
  integer('slowlog-log-slower-than', 10000, -1, LONG_MAX, used),
  integer('slowlog-max-len', 128, 0, LONG_MAX, used),
  integer('latency-monitor-threshold', 0, 0, LONG_MAX, used),
  flag('latency-tracking', 'yes', used),
  special('latency-tracking-info-percentiles', '50 99 99.9', used),
  integer('tracking-table-max-keys', 1000000, 0, LONG_MAX, used),

  // Scripts
  integer('busy-reply-threshold', 5000, 0, LONG_MAX, { alias: 'lua-time-limit', ...used }),

  // Persistence: accepted and kept; nothing is saved
  special('save', '', {}),
  flag('appendonly', 'no'),
  text('appendfilename', 'appendonly.aof', { fixed: true }),
  text('appenddirname', 'appendonlydir', { fixed: true }),
  choice('appendfsync', 'everysec', ['always', 'everysec', 'no']),
  flag('aof-use-rdb-preamble', 'yes'),
  flag('aof-load-truncated', 'yes'),
  flag('no-appendfsync-on-rewrite', 'no'),
  integer('auto-aof-rewrite-percentage', 100, 0, INT_MAX),
  memory('auto-aof-rewrite-min-size', 64 * 1024 * 1024),
  text('dbfilename', 'dump.rdb'),
  text('dir', '.', { fixed: true }),
  flag('rdbcompression', 'yes'),
  flag('rdbchecksum', 'yes', { fixed: true }),
  flag('rdb-save-incremental-fsync', 'yes'),
  flag('aof-rewrite-incremental-fsync', 'yes'),
  flag('stop-writes-on-bgsave-error', 'yes'),

  // Replication and process: a standalone server without replicas
  special('replicaof', '', { alias: 'slaveof', fixed: true }),
  text('masterauth', ''),
  text('masteruser', ''),
  flag('replica-serve-stale-data', 'yes', { alias: 'slave-serve-stale-data' }),
  flag('replica-read-only', 'yes', { alias: 'slave-read-only' }),
  integer('replica-priority', 100, 0, INT_MAX, { alias: 'slave-priority' }),
  integer('min-replicas-to-write', 0, 0, INT_MAX, { alias: 'min-slaves-to-write' }),
  integer('min-replicas-max-lag', 10, 0, INT_MAX, { alias: 'min-slaves-max-lag' }),
  memory('repl-backlog-size', 1024 * 1024, { least: 1 }),
  integer('repl-backlog-ttl', 3600, 0, LONG_MAX),
  integer('repl-timeout', 60, 1, INT_MAX),
  flag('repl-diskless-sync', 'yes'),
  integer('repl-diskless-sync-delay', 5, 0, INT_MAX),
  choice('repl-diskless-load', 'disabled', ['disabled', 'on-empty-db', 'swapdb', 'flush-before-load']),
  flag('cluster-enabled', 'no', { fixed: true }),
  integer('cluster-node-timeout', 15000, 0, LONG_MAX),
  flag('daemonize', 'no', { fixed: true }),
  text('pidfile', '', { fixed: true }),
  integer('io-threads', 1, 1, 128, { fixed: true }),
  integer('shutdown-timeout', 10, 0, INT_MAX),
  flag('oom-score-adj', 'no'),
  flag('set-proc-title', 'yes'),
  flag('always-show-logo', 'no', { fixed: true }),
  flag('crash-log-enabled', 'yes', {}),
];
