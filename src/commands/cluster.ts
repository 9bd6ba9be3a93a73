/**
 * CLUSTER, with cluster mode off: this server holds all slots, and says so to those who ask. What would change or
 * inspect a cluster is refused as Redis refuses it without cluster mode.
 */
import { CLUSTER_SLOTS, keySlot } from '../protocol/crc.js';
import { type Bytes, ErrorReply, MapReply, type Reply, VerbatimString } from '../protocol/reply.js';
import type { Session } from '../server/session.js';
import { integerArg } from './args.js';
import type { CommandRow, Flag, Handler } from './definition.js';

export const CLUSTER_DISABLED = new ErrorReply('ERR This instance has cluster support disabled');
const BAD_SLOT = new ErrorReply('ERR Invalid slot');

const UNSTABLE = ['nondeterministic_output'] as const;
const CHANGING = ['admin', 'stale', 'no_async_loading'] as const;

const disabled: Handler = () => CLUSTER_DISABLED;

/** A subcommand that only a server in cluster mode runs. */
function refused(
  name: string,
  arity: number,
  flags: readonly Flag[],
  since: string,
  summary: string,
  more: Partial<CommandRow> = {},
): CommandRow {
  return {
    name,
    arity,
    flags,
    group: 'cluster',
    since,
    complexity: 'O(1)',
    summary,
    syntax: '',
    handler: disabled,
    ...more,
  };
}

export const clusterCommands: readonly CommandRow[] = [
  {
    name: 'cluster',
    arity: -2,
    flags: [],
    group: 'cluster',
    since: '3.0.0',
    complexity: '',
    summary: 'Tells about slots and nodes; cluster mode itself is off.',
    syntax: '',
    subcommands: [
      {
        name: 'info',
        arity: 2,
        flags: ['stale'],
        group: 'cluster',
        since: '3.0.0',
        complexity: 'O(1)',
        summary: 'Tells the state of the cluster: this one node with all slots.',
        syntax: '',
        tips: UNSTABLE,
        handler: info,
      },
      {
        name: 'slots',
        arity: 2,
        flags: ['loading', 'stale'],
        group: 'cluster',
        since: '3.0.0',
        complexity: 'O(1)',
        summary: 'Maps slots to nodes: all of them to this one.',
        syntax: '',
        tips: UNSTABLE,
        handler: slots,
      },
      refused('slot-stats', -4, ['loading', 'stale'], '8.2.0', 'Counts what slots hold; refused.', {
        syntax:
          'filter:(SLOTSRANGE slotsrange:(start-slot:integer end-slot:integer) | ORDERBY orderby:(metric [LIMIT limit:integer] [order:(ASC | DESC)]))',
        tips: ['nondeterministic_output', 'request_policy:all_shards'],
      }),
      refused('replicas', 3, ['admin', 'stale'], '5.0.0', 'Lists the replicas of a node; refused.', {
        syntax: 'node-id',
        tips: UNSTABLE,
      }),
      {
        name: 'shards',
        arity: 2,
        flags: ['loading', 'stale'],
        group: 'cluster',
        since: '7.0.0',
        complexity: 'O(1)',
        summary: 'Maps slots to shards: all of them to the one of this node.',
        syntax: '',
        tips: UNSTABLE,
        handler: shards,
      },
      refused('saveconfig', 2, CHANGING, '3.0.0', 'Saves the configuration of the cluster; refused.'),
      refused('getkeysinslot', 4, ['stale'], '3.0.0', 'Lists keys of a slot; refused.', {
        syntax: 'slot:integer count:integer',
        tips: UNSTABLE,
      }),
      {
        name: 'countkeysinslot',
        arity: 3,
        flags: ['stale'],
        group: 'cluster',
        since: '3.0.0',
        complexity: 'O(N), N being the number of keys',
        summary: 'Counts the keys of a slot.',
        syntax: 'slot:integer',
        handler: countKeysInSlot,
      },
      refused('delslots', -3, CHANGING, '3.0.0', 'Takes slots from the node; refused.', { syntax: 'slot:integer...' }),
      refused('reset', -2, ['admin', 'noscript', 'stale'], '3.0.0', 'Makes the node forget the cluster; refused.', {
        syntax: '[reset-type:(HARD | SOFT)]',
      }),
      refused('addslots', -3, CHANGING, '3.0.0', 'Gives slots to the node; refused.', { syntax: 'slot:integer...' }),
      refused('links', 2, ['stale'], '7.0.0', 'Lists the links to other nodes; refused.', { tips: UNSTABLE }),
      refused('addslotsrange', -4, CHANGING, '7.0.0', 'Gives ranges of slots to the node; refused.', {
        syntax: 'range:(start-slot:integer end-slot:integer)...',
      }),
      refused('failover', -2, CHANGING, '3.0.0', 'Makes a replica the master; refused.', {
        syntax: '[options:(FORCE | TAKEOVER)]',
      }),
      refused('set-config-epoch', 3, CHANGING, '3.0.0', 'Sets the epoch of a new node; refused.', {
        syntax: 'config-epoch:integer',
      }),
      refused('bumpepoch', 2, CHANGING, '3.0.0', 'Moves the epoch on; refused.', { tips: UNSTABLE }),
      refused('replicate', 3, CHANGING, '3.0.0', 'Makes the node a replica; refused.', { syntax: 'node-id' }),
      refused('help', 2, ['loading', 'stale'], '5.0.0', 'Shows the subcommands; refused, as Redis does.'),
      refused('myshardid', 2, ['stale'], '7.2.0', 'Tells the id of the shard; refused.', { tips: UNSTABLE }),
      refused('flushslots', 2, CHANGING, '3.0.0', 'Takes all slots from the node; refused.'),
      refused('forget', 3, CHANGING, '3.0.0', 'Removes a node from the table; refused.', { syntax: 'node-id' }),
      {
        name: 'nodes',
        arity: 2,
        flags: ['stale'],
        group: 'cluster',
        since: '3.0.0',
        complexity: 'O(1)',
        summary: 'Describes the nodes of the cluster: this one.',
        syntax: '',
        tips: UNSTABLE,
        handler: nodes,
      },
      refused('slaves', 3, ['admin', 'stale'], '3.0.0', 'The old name of CLUSTER REPLICAS; refused.', {
        syntax: 'node-id',
        tips: UNSTABLE,
      }),
      {
        name: 'myid',
        arity: 2,
        flags: ['stale'],
        group: 'cluster',
        since: '3.0.0',
        complexity: 'O(1)',
        summary: 'Tells the id of this node.',
        syntax: '',
        handler: (ctx) => ctx.server.runId,
      },
      refused('delslotsrange', -4, CHANGING, '7.0.0', 'Takes ranges of slots from the node; refused.', {
        syntax: 'range:(start-slot:integer end-slot:integer)...',
      }),
      refused('count-failure-reports', 3, ['admin', 'stale'], '3.0.0', 'Counts reports of a failed node; refused.', {
        syntax: 'node-id',
        tips: UNSTABLE,
      }),
      {
        name: 'keyslot',
        arity: 3,
        flags: ['stale'],
        group: 'cluster',
        since: '3.0.0',
        complexity: 'O(N), N being the length of the key',
        summary: 'Tells the slot of a key.',
        syntax: 'key:string',
        handler: (_ctx, args) => keySlot(args[2]!),
      },
      refused('meet', -4, CHANGING, '3.0.0', 'Makes the acquaintance of a node; refused.', {
        syntax: 'ip port:integer [cluster-bus-port:integer]',
      }),
      refused('setslot', -4, CHANGING, '3.0.0', 'Binds a slot to a node; refused.', {
        syntax: 'slot:integer subcommand:(IMPORTING importing | MIGRATING migrating | NODE node | STABLE)',
      }),
    ],
  },
  refused('asking', 1, ['fast'], '3.0.0', 'Announces a request after an ASK redirection; refused.', {
    acl: ['connection'],
  }),
  refused('readonly', 1, ['loading', 'stale', 'fast'], '3.0.0', 'Lets a replica answer reads; refused.', {
    acl: ['connection'],
  }),
  refused('readwrite', 1, ['loading', 'stale', 'fast'], '3.0.0', 'Takes READONLY back; refused.', {
    acl: ['connection'],
  }),
];

function info(): Reply {
  const fields = [
    'cluster_state:ok',
    `cluster_slots_assigned:${CLUSTER_SLOTS}`,
    `cluster_slots_ok:${CLUSTER_SLOTS}`,
    'cluster_slots_pfail:0',
    'cluster_slots_fail:0',
    'cluster_known_nodes:1',
    'cluster_size:1',
    'cluster_current_epoch:0',
    'cluster_my_epoch:0',
    'cluster_stats_messages_sent:0',
    'cluster_stats_messages_received:0',
    'total_cluster_links_buffer_limit_exceeded:0',
  ];
  return new VerbatimString(fields.map((field) => `${field}\r\n`).join(''));
}

function slots(ctx: Session): Reply {
  const { host, port } = hereFor(ctx);
  return [[0, CLUSTER_SLOTS - 1, [host, port, ctx.server.runId, new MapReply([])]]];
}

function shards(ctx: Session): Reply {
  const { host, port } = hereFor(ctx);
  const node = new MapReply([
    'id',
    ctx.server.runId,
    'port',
    port,
    'ip',
    host,
    'endpoint',
    host,
    'role',
    'master',
    'replication-offset',
    0,
    'health',
    'online',
  ]);
  return [new MapReply(['slots', [0, CLUSTER_SLOTS - 1], 'nodes', [node]])];
}

function nodes(ctx: Session): Reply {
  const { host, port } = hereFor(ctx);
  const line = `${ctx.server.runId} ${host}:${port}@0 myself,master - 0 0 0 connected 0-${CLUSTER_SLOTS - 1}\n`;
  return new VerbatimString(line);
}

/** The address under which the client has reached this server; without a TCP connection the host is empty. */
function hereFor(ctx: Session): { host: Bytes; port: number } {
  const host = /^\[?([^\]/]*?)\]?:\d+$/.exec(ctx.localAddress)?.[1] ?? '';
  return { host, port: ctx.server.config.number('port') };
}

function countKeysInSlot(ctx: Session, args: Bytes[]): Reply {
  const slot = integerArg(args[2]!);
  if (slot < 0 || slot >= CLUSTER_SLOTS) return BAD_SLOT;
  let count = 0;
  ctx.db.forEach((key) => {
    if (keySlot(key) === slot) count++;
  });
  return count;
}
