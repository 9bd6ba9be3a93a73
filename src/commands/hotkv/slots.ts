/**
 * SFLUSH, TRIMSLOTS and CLUSTERSCAN, which HotKV names: what they do is documented for a server in cluster mode (Redis'
 * command files, Valkey 9.1 doc), and this server is none. They answer what those servers answer without cluster mode.
 */
import { CLUSTER_DISABLED } from '../cluster.js';
import { type CommandRow, type Handler, key } from '../definition.js';

const refused: Handler = () => CLUSTER_DISABLED;

export const slotCommands: readonly CommandRow[] = [
  {
    name: 'sflush',
    arity: -3,
    flags: ['write'],
    group: 'cluster',
    acl: ['keyspace', 'dangerous'],
    since: '8.0.0',
    complexity: 'O(1)',
    summary: 'Removes the keys of slots; refused, since cluster mode is off.',
    syntax: 'data:(slot-start:integer slot-last:integer)... [flush-type:(ASYNC | SYNC)]',
    handler: refused,
  },
  {
    name: 'trimslots',
    arity: -5,
    flags: ['write'],
    group: 'cluster',
    acl: ['keyspace', 'dangerous'],
    since: '8.4.0',
    complexity: 'O(1)',
    summary: 'Removes keys of slots that the node no longer has; refused, since cluster mode is off.',
    syntax: 'RANGES ranges:(numranges:integer slots:(startslot:integer endslot:integer)...)',
    handler: refused,
  },
  {
    name: 'clusterscan',
    arity: -2,
    flags: ['readonly'],
    group: 'cluster',
    acl: ['keyspace'],
    keys: [key('not_key')],
    since: '9.1.0',
    complexity: 'O(1)',
    summary: 'Lists the keys of a cluster step by step; refused, since cluster mode is off.',
    syntax: 'cursor [MATCH pattern:pattern] [COUNT count:integer] [TYPE type] [SLOT slot:integer]',
    tips: ['nondeterministic_output', 'request_policy:special', 'response_policy:special'],
    readings: ['since is the version of Valkey that brought it.'],
    handler: refused,
  },
];
