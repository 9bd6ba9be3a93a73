/**
 * The configuration parameters that CONFIG, the config file and the command line know, with Redis 8.2's names,
 * kinds, ranges and defaults. `effect` says what the emulator does with it: `used` ones change its behaviour, `kept`
 * ones are accepted and reported so that tools can set them, and change nothing.
 */
import { INT64_MAX } from '../protocol/numbers.js';
import type { Bytes } from '../protocol/reply.js';
import {
  checkedHostname,
  checkedLocale,
  checkedNodeName,
  checkedOomScores,
  checkedPercentiles,
  checkedSavePoints,
  checkedShutdownOptions,
  checkedTitleTemplate,
} from './config-checks.js';

export type ParameterKind = 'integer' | 'memory' | 'flag' | 'choice' | 'text' | 'special';

export interface Parameter {
  readonly name: string;
  readonly alias?: string;
  readonly kind: ParameterKind;
  readonly default: string;
  readonly least?: number;
  readonly greatest?: number | bigint;
  readonly unsigned?: boolean;
  readonly choices?: readonly string[];
  /** Checks and normalises the text of a `special` one; throws a ConfigError. */
  readonly check?: (text: Bytes) => Bytes;
  /** A memory parameter that can also be a percentage of `maxmemory`; its number is then negative. */
  readonly percent?: boolean;
  /** Where a number outside the range that can be worked with is silently brought to (`hz`). */
  readonly clamp?: readonly [number, number];
  /** Cannot be changed by CONFIG SET. */
  readonly fixed?: boolean;
  /** CONFIG SET takes the value that it has and no other, for this reason: what listens keeps listening. */
  readonly settled?: string;
  /** CONFIG GET shows it only when asked for by its whole name. */
  readonly hidden?: boolean;
  /** Can be changed only where `enable-protected-configs` allows it. */
  readonly guarded?: boolean;
  readonly effect: 'used' | 'kept';
}

const INT_MAX = 2 ** 31 - 1;
const UINT_MAX = 2 ** 32 - 1;
const LONG_MAX = INT64_MAX;

function integer(
  name: string,
  value: number,
  least: number,
  greatest: number | bigint,
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
/** Of an unsigned type in Redis, which has a message of its own for what is below zero. */
const unsigned = { unsigned: true } as const;

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

const SYSLOG_FACILITIES = [
  'user',
  'local0',
  'local1',
  'local2',
  'local3',
  'local4',
  'local5',
  'local6',
  'local7',
] as const;

export const PARAMETERS: readonly Parameter[] = [
  // Network and clients
  special('bind', '127.0.0.1 ::1', { settled: 'Failed to bind to specified addresses.', ...used }),
  text('bind-source-addr', ''),
  integer('port', 6379, 0, 65535, { settled: 'Unable to listen on this port. Check server logs.', ...used }),
  text('unixsocket', '', fixed),
  text('unixsocketperm', '0', { fixed: true }),
  integer('timeout', 0, 0, INT_MAX, used),
  integer('tcp-keepalive', 300, 0, INT_MAX, used),
  integer('tcp-backlog', 511, 0, INT_MAX, { fixed: true }),
  integer('maxclients', 10000, 1, UINT_MAX, { ...unsigned, ...used }),
  integer('max-new-connections-per-cycle', 10, 1, 1000, unsigned),
  integer('socket-mark-id', 0, 0, UINT_MAX, { fixed: true }),
  memory('proto-max-bulk-len', 512 * 1024 * 1024, { least: 1024 * 1024, ...used }),
  memory('client-query-buffer-limit', 1024 * 1024 * 1024, { ...unsigned, least: 1024 * 1024, ...used }),
  special('client-output-buffer-limit', 'normal 0 0 0 slave 268435456 67108864 60 pubsub 33554432 8388608 60', used),
  memory('maxmemory-clients', 0, { percent: true, ...used }),
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
  memory('maxmemory', 0, { ...unsigned, ...used }),
  choice('maxmemory-policy', 'noeviction', MAXMEMORY_POLICIES, used),
  integer('maxmemory-samples', 5, 1, 64, used),
  integer('maxmemory-eviction-tenacity', 10, 0, 100),
  integer('lfu-log-factor', 10, 0, INT_MAX, used),
  integer('lfu-decay-time', 1, 0, INT_MAX, used),
  integer('active-expire-effort', 1, 1, 10, used),
  integer('hz', 10, 0, INT_MAX, { clamp: [1, 500] }),
  flag('dynamic-hz', 'yes'),
  flag('activerehashing', 'yes'),
  flag('lazyfree-lazy-eviction', 'no'),
  flag('lazyfree-lazy-expire', 'no'),
  flag('lazyfree-lazy-server-del', 'no'),
  flag('lazyfree-lazy-user-del', 'no'),
  flag('lazyfree-lazy-user-flush', 'no'),
  flag('replica-lazy-flush', 'no', { alias: 'slave-lazy-flush' }),
  flag('activedefrag', 'no'),
  memory('active-defrag-ignore-bytes', 100 * 1024 * 1024, { ...unsigned, least: 1 }),
  integer('active-defrag-threshold-lower', 10, 0, 1000),
  integer('active-defrag-threshold-upper', 100, 0, 1000),
  integer('active-defrag-cycle-min', 1, 1, 99),
  integer('active-defrag-cycle-max', 25, 1, 99),
  integer('active-defrag-max-scan-fields', 1000, 1, LONG_MAX),
  flag('jemalloc-bg-thread', 'yes'),
  flag('vset-force-single-threaded-execution', 'no'),

  // Encodings
  integer('hash-max-listpack-entries', 512, 0, LONG_MAX, { ...unsigned, alias: 'hash-max-ziplist-entries', ...used }),
  memory('hash-max-listpack-value', 64, { ...unsigned, alias: 'hash-max-ziplist-value', ...used }),
  integer('list-max-listpack-size', -2, -INT_MAX - 1, INT_MAX, { alias: 'list-max-ziplist-size', ...used }),
  integer('list-compress-depth', 0, 0, INT_MAX),
  integer('set-max-intset-entries', 512, 0, LONG_MAX, { ...unsigned, ...used }),
  integer('set-max-listpack-entries', 128, 0, LONG_MAX, { ...unsigned, ...used }),
  integer('set-max-listpack-value', 64, 0, LONG_MAX, { ...unsigned, ...used }),
  integer('zset-max-listpack-entries', 128, 0, LONG_MAX, { ...unsigned, alias: 'zset-max-ziplist-entries', ...used }),
  memory('zset-max-listpack-value', 64, { ...unsigned, alias: 'zset-max-ziplist-value', ...used }),
  memory('hll-sparse-max-bytes', 3000, { ...unsigned, ...used }),
  memory('stream-node-max-bytes', 4096, { ...unsigned, ...used }),
  integer('stream-node-max-entries', 100, 0, LONG_MAX, used),
  choice('sanitize-dump-payload', 'no', ['no', 'yes', 'clients']),

  // Observation
  choice('loglevel', 'notice', LOG_LEVELS, used),
  text('logfile', '', { fixed: true }),
  flag('hide-user-data-from-log', 'no'),
  flag('syslog-enabled', 'no', { fixed: true }),
  text('syslog-ident', 'redis', { fixed: true }),
  choice('syslog-facility', 'local0', SYSLOG_FACILITIES, { fixed: true }),
  flag('crash-log-enabled', 'yes'),
  flag('crash-memcheck-enabled', 'yes'),
  integer('slowlog-log-slower-than', 10000, -1, LONG_MAX, used),
  integer('slowlog-max-len', 128, 0, LONG_MAX, used),
  integer('latency-monitor-threshold', 0, 0, LONG_MAX, used),
  flag('latency-tracking', 'yes', used),
  special('latency-tracking-info-percentiles', '50 99 99.9', { check: checkedPercentiles, ...used }),
  integer('tracking-table-max-keys', 1000000, 0, LONG_MAX, { ...unsigned, ...used }),

  // Scripts
  integer('busy-reply-threshold', 5000, 0, LONG_MAX, { alias: 'lua-time-limit', ...used }),

  // Persistence: accepted and kept; nothing is saved
  special('save', '', { check: checkedSavePoints }),
  flag('appendonly', 'no'),
  text('appendfilename', 'appendonly.aof', { fixed: true }),
  text('appenddirname', 'appendonlydir', { fixed: true }),
  choice('appendfsync', 'everysec', ['everysec', 'always', 'no']),
  flag('aof-timestamp-enabled', 'no'),
  flag('aof-use-rdb-preamble', 'yes'),
  flag('aof-load-truncated', 'yes'),
  flag('no-appendfsync-on-rewrite', 'no'),
  integer('auto-aof-rewrite-percentage', 100, 0, INT_MAX),
  memory('auto-aof-rewrite-min-size', 64 * 1024 * 1024),
  text('dbfilename', 'dump.rdb', { guarded: true }),
  text('dir', process.cwd(), { guarded: true }),
  flag('rdbcompression', 'yes'),
  flag('rdbchecksum', 'yes', { fixed: true }),
  flag('rdb-save-incremental-fsync', 'yes'),
  flag('aof-rewrite-incremental-fsync', 'yes'),
  flag('stop-writes-on-bgsave-error', 'yes'),
  flag('rdb-del-sync-files', 'no'),
  integer('key-load-delay', 0, -INT_MAX - 1, INT_MAX, { hidden: true }),
  integer('rdb-key-save-delay', 0, -INT_MAX - 1, INT_MAX, { hidden: true }),

  // Replication and process: a standalone server without replicas
  special('replicaof', '', { alias: 'slaveof', fixed: true }),
  text('masterauth', ''),
  text('masteruser', ''),
  flag('replica-serve-stale-data', 'yes', { alias: 'slave-serve-stale-data' }),
  flag('replica-read-only', 'yes', { alias: 'slave-read-only' }),
  integer('replica-priority', 100, 0, INT_MAX, { alias: 'slave-priority' }),
  integer('min-replicas-to-write', 0, 0, INT_MAX, { alias: 'min-slaves-to-write', ...used }),
  integer('min-replicas-max-lag', 10, 0, INT_MAX, { alias: 'min-slaves-max-lag' }),
  memory('repl-backlog-size', 1024 * 1024, { least: 1, clamp: [16384, Number.MAX_VALUE] }),
  integer('repl-backlog-ttl', 3600, 0, LONG_MAX),
  integer('repl-timeout', 60, 1, INT_MAX),
  flag('repl-diskless-sync', 'yes'),
  integer('repl-diskless-sync-delay', 5, 0, INT_MAX),
  choice('repl-diskless-load', 'disabled', ['disabled', 'on-empty-db', 'swapdb']),
  integer('repl-diskless-sync-max-replicas', 0, 0, INT_MAX),
  integer('repl-ping-replica-period', 10, 1, INT_MAX, { alias: 'repl-ping-slave-period' }),
  flag('repl-disable-tcp-nodelay', 'no'),
  flag('replica-announced', 'yes'),
  text('replica-announce-ip', '', { alias: 'slave-announce-ip' }),
  integer('replica-announce-port', 0, 0, 65535, { alias: 'slave-announce-port' }),
  flag('replica-ignore-maxmemory', 'yes', { alias: 'slave-ignore-maxmemory' }),
  flag('replica-ignore-disk-write-errors', 'no'),
  memory('replica-full-sync-buffer-limit', 0),
  choice('propagation-error-behavior', 'ignore', ['ignore', 'panic', 'panic-on-replicas']),
  flag('cluster-enabled', 'no', { fixed: true }),
  text('cluster-config-file', 'nodes.conf', { fixed: true }),
  integer('cluster-port', 0, 0, 65535, { fixed: true }),
  integer('cluster-node-timeout', 15000, 0, LONG_MAX),
  integer('cluster-migration-barrier', 1, 0, INT_MAX),
  integer('cluster-replica-validity-factor', 10, 0, INT_MAX, { alias: 'cluster-slave-validity-factor' }),
  flag('cluster-replica-no-failover', 'no', { alias: 'cluster-slave-no-failover' }),
  flag('cluster-require-full-coverage', 'yes'),
  flag('cluster-allow-reads-when-down', 'no'),
  flag('cluster-allow-pubsubshard-when-down', 'yes'),
  flag('cluster-allow-replica-migration', 'yes'),
  flag('cluster-slot-stats-enabled', 'no'),
  memory('cluster-link-sendbuf-limit', 0, unsigned),
  integer('cluster-compatibility-sample-ratio', 0, 0, 100),
  text('cluster-announce-ip', ''),
  integer('cluster-announce-port', 0, 0, 65535),
  integer('cluster-announce-bus-port', 0, 0, 65535),
  special('cluster-announce-hostname', '', { check: checkedHostname }),
  special('cluster-announce-human-nodename', '', { check: checkedNodeName }),
  choice('cluster-preferred-endpoint-type', 'ip', ['ip', 'hostname', 'unknown-endpoint']),
  flag('daemonize', 'no', { fixed: true }),
  text('pidfile', '', { fixed: true }),
  integer('io-threads', 1, 1, 128, { fixed: true }),
  integer('shutdown-timeout', 10, 0, INT_MAX),
  choice('oom-score-adj', 'no', ['no', 'yes', 'relative', 'absolute']),
  special('oom-score-adj-values', '0 200 800', { check: checkedOomScores }),
  special('shutdown-on-sigint', 'default', { check: checkedShutdownOptions }),
  special('shutdown-on-sigterm', 'default', { check: checkedShutdownOptions }),
  choice('supervised', 'no', ['upstart', 'systemd', 'auto', 'no'], { fixed: true }),
  flag('disable-thp', 'yes', { fixed: true }),
  text('server-cpulist', '', { alias: 'server_cpulist', fixed: true }),
  text('bio-cpulist', '', { alias: 'bio_cpulist', fixed: true }),
  text('aof-rewrite-cpulist', '', { alias: 'aof_rewrite_cpulist', fixed: true }),
  text('bgsave-cpulist', '', { alias: 'bgsave_cpulist', fixed: true }),
  text('ignore-warnings', ''),
  special('locale-collate', '', { check: checkedLocale }),
  special('proc-title-template', '{title} {listen-addr} {server-mode}', { check: checkedTitleTemplate }),
  flag('set-proc-title', 'yes', { fixed: true }),
  flag('always-show-logo', 'no', { fixed: true }),
];
