/**
 * The sections of INFO, with the field names of Redis 8.2. What this server does not have (replicas, forks, a
 * defragmenter, files) shows as none, zero or off.
 */

import { machine, release, totalmem, type } from 'node:os';
import { resolve } from 'node:path';
import { isString, type Value as KeyValue, typeOf } from '../keyspace/value.js';
import { EMULATOR_VERSION, HOTKV_VERSION, REDIS_VERSION } from '../protocol/versions.js';
import type { Command } from '../server/command-table.js';
import type { Server } from '../server/server.js';
import { sessionBytes } from './client-list.js';
import { percentileOf } from './latency-buckets.js';
import { lengthOf } from './string-values.js';

export interface InfoSection {
  readonly title: string;
  /** Shown when no section is named. */
  readonly usual: boolean;
  /** `name:value` lines, each with its line end. */
  readonly lines: (server: Server) => string;
}

export const SECTIONS: readonly InfoSection[] = [
  { title: 'Server', usual: true, lines: serverLines },
  { title: 'Clients', usual: true, lines: clientLines },
  { title: 'Memory', usual: true, lines: memoryLines },
  { title: 'Persistence', usual: true, lines: persistenceLines },
  { title: 'Threads', usual: true, lines: threadLines },
  { title: 'Stats', usual: true, lines: statsLines },
  { title: 'Replication', usual: true, lines: replicationLines },
  { title: 'CPU', usual: true, lines: cpuLines },
  { title: 'Modules', usual: true, lines: () => '' },
  { title: 'Commandstats', usual: false, lines: commandLines },
  { title: 'Errorstats', usual: true, lines: errorLines },
  { title: 'Latencystats', usual: false, lines: latencyLines },
  { title: 'HotKV', usual: true, lines: hotkvLines },
  { title: 'Cluster', usual: true, lines: () => 'cluster_enabled:0\r\n' },
  { title: 'Keyspace', usual: true, lines: keyspaceLines },
  // Redis shows it always: it counts as keys change. Here the keys are counted when someone asks.
  { title: 'Keysizes', usual: false, lines: keySizeLines },
];

type Field = string | number;

function text(fields: readonly (readonly [name: string, value: Field])[]): string {
  let lines = '';
  for (const [name, value] of fields) lines += `${name}:${value}\r\n`;
  return lines;
}

const OPERATING_SYSTEM = `${type()} ${release()} ${machine()}`;
const EXECUTABLE = resolve(process.argv[1] ?? process.execPath);
const TOTAL_MEMORY = totalmem();

function serverLines(server: Server): string {
  const { clock, config } = server;
  const uptime = Math.max(Math.trunc((clock.now() - server.startedAt) / 1000), 0);
  return text([
    ['redis_version', REDIS_VERSION],
    ['redis_git_sha1', '00000000'],
    ['redis_git_dirty', 0],
    ['redis_build_id', 0],
    ['redis_mode', 'standalone'],
    ['hotkv_version', HOTKV_VERSION],
    ['hotkv_emulator_version', EMULATOR_VERSION],
    ['os', OPERATING_SYSTEM],
    ['arch_bits', 64],
    ['multiplexing_api', 'libuv'],
    ['node_version', process.versions.node],
    ['process_id', process.pid],
    ['process_supervised', 'no'],
    ['run_id', server.runId],
    ['tcp_port', config.number('port')],
    ['server_time_usec', String(clock.ms * 1000 + clock.microsOfMs())],
    ['uptime_in_seconds', uptime],
    ['uptime_in_days', Math.trunc(uptime / 86400)],
    ['hz', config.number('hz')],
    ['configured_hz', config.number('hz')],
    ['lru_clock', Math.trunc(clock.ms / 1000) & 0xff_ffff],
    ['executable', EXECUTABLE],
    ['config_file', server.configFile ?? ''],
    ['io_threads_active', 0],
  ]);
}

function clientLines(server: Server): string {
  const { blocking, config, tracking, watches } = server;
  let subscribers = 0;
  let timed = 0;
  let longestInput = 0;
  let longestOutput = 0;
  for (const session of server.sessions.values()) {
    if (session.subscriptionCount > 0) subscribers++;
    if (session.blocked?.timer !== undefined) timed++;
    longestInput = Math.max(longestInput, session.sink.queryBytes);
    longestOutput = Math.max(longestOutput, session.sink.outputBytes);
  }
  return text([
    ['connected_clients', server.sessions.size],
    ['cluster_connections', 0],
    ['maxclients', config.number('maxclients')],
    ['client_recent_max_input_buffer', longestInput],
    ['client_recent_max_output_buffer', longestOutput],
    ['blocked_clients', blocking.count],
    ['tracking_clients', tracking.clientCount],
    ['pubsub_clients', subscribers],
    ['watching_clients', watches.clientCount],
    ['clients_in_timeout_table', timed],
    ['total_watched_keys', watches.keyCount],
    ['total_blocking_keys', blocking.keyCount],
    ['total_blocking_keys_on_nokey', blocking.deleteKeyCount],
  ]);
}

function memoryLines(server: Server): string {
  const { config, functions, sampler, scripts } = server;
  const used = sampler.noteMemory();
  const process_ = process.memoryUsage();
  let clients = 0;
  for (const session of server.sessions.values()) clients += sessionBytes(session);
  const limit = config.number('maxmemory');
  return text([
    ...bytes('used_memory', used),
    ...bytes('used_memory_rss', process_.rss),
    ...bytes('used_memory_peak', sampler.peakMemory),
    ['used_memory_peak_time', sampler.peakMemoryAt],
    ['used_memory_peak_perc', percent(used, sampler.peakMemory)],
    ['used_memory_overhead', clients],
    ['used_memory_startup', 0],
    ['used_memory_dataset', Math.max(used - clients, 0)],
    ['used_memory_dataset_perc', percent(Math.max(used - clients, 0), used)],
    ['allocator_allocated', process_.heapUsed],
    ['allocator_active', process_.heapTotal],
    ['allocator_resident', process_.rss],
    ['allocator_muzzy', 0],
    ...bytes('total_system_memory', TOTAL_MEMORY),
    ['used_memory_scripts_eval', scripts.bytes],
    ['number_of_cached_scripts', scripts.count],
    ['number_of_functions', functions.functionCount],
    ['number_of_libraries', functions.libraries.size],
    ['used_memory_functions', functions.bytes],
    ...bytes('used_memory_scripts', scripts.bytes + functions.bytes),
    ...bytes('used_memory_lua', scripts.bytes),
    ...bytes('used_memory_vm_total', scripts.bytes + functions.bytes),
    ...bytes('maxmemory', limit),
    ['maxmemory_policy', config.text('maxmemory-policy')],
    ['allocator_frag_ratio', ratio(process_.heapTotal, process_.heapUsed)],
    ['allocator_frag_bytes', process_.heapTotal - process_.heapUsed],
    ['allocator_rss_ratio', ratio(process_.rss, process_.heapTotal)],
    ['allocator_rss_bytes', process_.rss - process_.heapTotal],
    ['rss_overhead_ratio', '1.00'],
    ['rss_overhead_bytes', 0],
    ['mem_fragmentation_ratio', ratio(process_.rss, used)],
    ['mem_fragmentation_bytes', process_.rss - used],
    ['mem_not_counted_for_evict', 0],
    ['mem_replication_backlog', 0],
    ['mem_total_replication_buffers', 0],
    ['mem_replica_full_sync_buffer', 0],
    ['mem_clients_slaves', 0],
    ['mem_clients_normal', clients],
    ['mem_cluster_links', 0],
    ['mem_aof_buffer', 0],
    ['mem_allocator', 'v8'],
    ['mem_overhead_db_hashtable_rehashing', 0],
    ['active_defrag_running', 0],
    ['lazyfree_pending_objects', 0],
    ['lazyfreed_objects', server.stats.lazyFreedObjects],
  ]);
}

/** A number of bytes, and beside it the same for people. */
function bytes(name: string, count: number): [string, Field][] {
  return [
    [name, count],
    [`${name}_human`, humanBytes(count)],
  ];
}

const BYTE_UNITS = ['K', 'M', 'G', 'T', 'P'];

function humanBytes(count: number): string {
  if (count < 1024) return `${count}B`;
  let unit = 0;
  let scaled = count / 1024;
  while (scaled >= 1024 && unit < BYTE_UNITS.length - 1) {
    scaled /= 1024;
    unit++;
  }
  return `${scaled.toFixed(2)}${BYTE_UNITS[unit]}`;
}

function percent(part: number, whole: number): string {
  return `${(whole === 0 ? 0 : (part / whole) * 100).toFixed(2)}%`;
}

function ratio(part: number, whole: number): string {
  return (whole === 0 ? 0 : part / whole).toFixed(2);
}

/** Nothing is saved: no file is ever written, and every change since the start is one that a restart loses. */
function persistenceLines(server: Server): string {
  return text([
    ['loading', 0],
    ['async_loading', 0],
    ['current_cow_peak', 0],
    ['current_cow_size', 0],
    ['current_cow_size_age', 0],
    ['current_fork_perc', '0.00'],
    ['current_save_keys_processed', 0],
    ['current_save_keys_total', 0],
    ['rdb_changes_since_last_save', server.changes],
    ['rdb_bgsave_in_progress', 0],
    ['rdb_last_save_time', Math.trunc(server.startedAt / 1000)],
    ['rdb_last_bgsave_status', 'ok'],
    ['rdb_last_bgsave_time_sec', -1],
    ['rdb_current_bgsave_time_sec', -1],
    ['rdb_saves', 0],
    ['rdb_last_cow_size', 0],
    ['rdb_last_load_keys_expired', 0],
    ['rdb_last_load_keys_loaded', 0],
    ['aof_enabled', 0],
    ['aof_rewrite_in_progress', 0],
    ['aof_rewrite_scheduled', 0],
    ['aof_last_rewrite_time_sec', -1],
    ['aof_current_rewrite_time_sec', -1],
    ['aof_last_bgrewrite_status', 'ok'],
    ['aof_rewrites', 0],
    ['aof_rewrites_consecutive_failures', 0],
    ['aof_last_write_status', 'ok'],
    ['aof_last_cow_size', 0],
    ['module_fork_in_progress', 0],
    ['module_fork_last_cow_size', 0],
  ]);
}

/** What HotKV keeps that Redis has not: tags of keys, and the engines' named objects. */
function hotkvLines({ databases, engines, license }: Server): string {
  let tags = 0;
  let taggedKeys = 0;
  for (const db of databases) {
    const counts = db.tagCounts();
    tags += counts.tags;
    taggedKeys += counts.keys;
  }
  return text([
    ['license', license.text],
    ['tags', tags],
    ['tagged_keys', taggedKeys],
    ...engines.counts(),
    ['engine_memory', engines.bytes],
  ]);
}

function threadLines(server: Server): string {
  const { sessions, stats } = server;
  return text([['io_thread_0', `clients=${sessions.size},reads=${stats.reads},writes=${stats.writes}`]]);
}

function statsLines(server: Server): string {
  const { pubsub, sampler, stats, tracking } = server;
  return text([
    ['total_connections_received', stats.connectionsReceived],
    ['total_commands_processed', stats.commandsProcessed],
    ['instantaneous_ops_per_sec', Math.round(sampler.commands.perSecond)],
    ['total_net_input_bytes', stats.netInputBytes],
    ['total_net_output_bytes', stats.netOutputBytes],
    ['total_net_repl_input_bytes', 0],
    ['total_net_repl_output_bytes', 0],
    ['instantaneous_input_kbps', kilobytes(sampler.inputBytes.perSecond)],
    ['instantaneous_output_kbps', kilobytes(sampler.outputBytes.perSecond)],
    ['instantaneous_input_repl_kbps', '0.00'],
    ['instantaneous_output_repl_kbps', '0.00'],
    ['rejected_connections', stats.rejectedConnections],
    ['sync_full', 0],
    ['sync_partial_ok', 0],
    ['sync_partial_err', 0],
    ['expired_subkeys', stats.expiredFields],
    ['expired_keys', stats.expiredKeys],
    ['expired_stale_perc', '0.00'],
    ['expired_time_cap_reached_count', 0],
    ['expire_cycle_cpu_milliseconds', 0],
    ['evicted_keys', stats.evictedKeys],
    ['evicted_clients', stats.evictedClients],
    ['evicted_scripts', server.scripts.evicted],
    ['total_eviction_exceeded_time', 0],
    ['current_eviction_exceeded_time', 0],
    ['keyspace_hits', stats.keyspaceHits],
    ['keyspace_misses', stats.keyspaceMisses],
    ['pubsub_channels', pubsub.channels.size],
    ['pubsub_patterns', pubsub.patternCount],
    ['pubsubshard_channels', pubsub.shardChannels.size],
    ['latest_fork_usec', 0],
    ['total_forks', 0],
    ['migrate_cached_sockets', 0],
    ['slave_expires_tracked_keys', 0],
    ['active_defrag_hits', 0],
    ['active_defrag_misses', 0],
    ['active_defrag_key_hits', 0],
    ['active_defrag_key_misses', 0],
    ['total_active_defrag_time', 0],
    ['current_active_defrag_time', 0],
    ['tracking_total_keys', tracking.keyCount],
    ['tracking_total_items', tracking.itemCount],
    ['tracking_total_prefixes', tracking.prefixCount],
    ['unexpected_error_replies', 0],
    ['total_error_replies', stats.errorReplies],
    ['dump_payload_sanitizations', 0],
    ['total_reads_processed', stats.reads],
    ['total_writes_processed', stats.writes],
    ['io_threaded_reads_processed', 0],
    ['io_threaded_writes_processed', 0],
    ['client_query_buffer_limit_disconnections', stats.queryBufferLimitDisconnections],
    ['client_output_buffer_limit_disconnections', stats.clientOutputLimitDisconnections],
    ['reply_buffer_shrinks', 0],
    ['reply_buffer_expands', 0],
    ['acl_access_denied_auth', stats.accessDenied.auth],
    ['acl_access_denied_cmd', stats.accessDenied.command],
    ['acl_access_denied_key', stats.accessDenied.key],
    ['acl_access_denied_channel', stats.accessDenied.channel],
  ]);
}

function kilobytes(perSecond: number): string {
  return (perSecond / 1024).toFixed(2);
}

const NO_REPLICATION_ID = '0'.repeat(40);

function replicationLines(server: Server): string {
  return text([
    ['role', 'master'],
    ['connected_slaves', 0],
    ['master_failover_state', 'no-failover'],
    ['master_replid', server.runId],
    ['master_replid2', NO_REPLICATION_ID],
    ['master_repl_offset', 0],
    ['second_repl_offset', -1],
    ['repl_backlog_active', 0],
    ['repl_backlog_size', server.config.number('repl-backlog-size')],
    ['repl_backlog_first_byte_offset', 0],
    ['repl_backlog_histlen', 0],
  ]);
}

function cpuLines(): string {
  const { system, user } = process.cpuUsage();
  return text([
    ['used_cpu_sys', seconds(system)],
    ['used_cpu_user', seconds(user)],
    ['used_cpu_sys_children', seconds(0)],
    ['used_cpu_user_children', seconds(0)],
  ]);
}

function seconds(micros: number): string {
  return (micros / 1e6).toFixed(6);
}

/** Every command that was called or refused, subcommands behind their container. */
function countedCommands(server: Server): Command[] {
  return [...server.commands.all()]
    .flatMap((command) => [command, ...(command.subcommands?.values() ?? [])])
    .filter(({ calls, rejectedCalls, failedCalls }) => calls + rejectedCalls + failedCalls > 0);
}

function commandLines(server: Server): string {
  return text(
    countedCommands(server).map(({ fullName, calls, microseconds, rejectedCalls, failedCalls }) => {
      const mean = calls === 0 ? 0 : microseconds / calls;
      return [
        `cmdstat_${fullName}`,
        `calls=${calls},usec=${Math.round(microseconds)},usec_per_call=${mean.toFixed(2)},rejected_calls=${rejectedCalls},failed_calls=${failedCalls}`,
      ];
    }),
  );
}

function errorLines(server: Server): string {
  const codes = [...server.stats.errors].sort(([a], [b]) => (a < b ? -1 : 1));
  return text(codes.map(([code, count]) => [`errorstat_${code}`, `count=${count}`]));
}

function latencyLines(server: Server): string {
  const percentiles = server.config.text('latency-tracking-info-percentiles').split(' ').filter(Boolean);
  const lines: [string, string][] = [];
  for (const { fullName, latency } of countedCommands(server)) {
    if (latency === undefined) continue;
    const values = percentiles.map((p) => `p${p}=${percentileOf(latency, Number(p)).toFixed(3)}`);
    lines.push([`latency_percentiles_usec_${fullName}`, values.join(',')]);
  }
  return text(lines);
}

function keyspaceLines(server: Server): string {
  const lines: [string, string][] = [];
  for (const db of server.databases) {
    if (db.size === 0) continue;
    const { index, size, volatileSize, expiringHashes } = db;
    const facts = `keys=${size},expires=${volatileSize},avg_ttl=${db.averageTtl()},subexpiry=${expiringHashes}`;
    lines.push([`db${index}`, facts]);
  }
  return text(lines);
}

const SIZE_FIELDS = [
  ['string', 'distrib_strings_sizes'],
  ['list', 'distrib_lists_items'],
  ['set', 'distrib_sets_items'],
  ['zset', 'distrib_zsets_items'],
  ['hash', 'distrib_hashes_items'],
] as const;

/** How many keys of a type are how big, in powers of two: `0=`, `1=` for 1, `2=` for 2 and 3, `4=` for 4 to 7 … */
function keySizeLines(server: Server): string {
  const lines: [string, string][] = [];
  for (const db of server.databases) {
    const counts = new Map<string, Map<number, number>>();
    db.forEach((_key, value) => {
      const kind = typeOf(value);
      const size = sizeOf(value);
      const bin = size < 1 ? 0 : 2 ** Math.floor(Math.log2(size));
      const bins = counts.get(kind) ?? new Map<number, number>();
      counts.set(kind, bins.set(bin, (bins.get(bin) ?? 0) + 1));
    });
    for (const [kind, field] of SIZE_FIELDS) {
      const bins = [...(counts.get(kind) ?? [])].sort(([a], [b]) => a - b);
      if (bins.length === 0) continue;
      lines.push([`db${db.index}_${field}`, bins.map(([bin, count]) => `${humanCount(bin)}=${count}`).join(',')]);
    }
  }
  return text(lines);
}

/** Bytes of a string, elements of a collection. */
function sizeOf(value: KeyValue): number {
  if (isString(value)) return lengthOf(value);
  return value.type === 'stream' ? value.length : value.size;
}

/** `512`, `1K`, `64K`, `1M`: powers of two as Redis abbreviates them. */
function humanCount(count: number): string {
  const power = Math.min(Math.floor(Math.log2(Math.max(count, 1)) / 10), BYTE_UNITS.length);
  return power === 0 ? String(count) : `${count / 1024 ** power}${BYTE_UNITS[power - 1]}`;
}
