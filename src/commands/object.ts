/** OBJECT: how values are kept, and when keys were used. */

import { encodingOf } from '../keyspace/value.js';
import { type Bytes, ErrorReply, type Reply } from '../protocol/reply.js';
import type { Session } from '../server/session.js';
import { type CommandRow, key } from './definition.js';
import { helpHandler } from './help.js';

export const objectCommands: readonly CommandRow[] = [
  {
    name: 'object',
    arity: -2,
    flags: [],
    group: 'generic',
    acl: [],
    since: '2.2.3',
    complexity: '',
    summary: 'Looks at how values are kept.',
    syntax: '',
    subcommands: [
      {
        name: 'refcount',
        arity: 3,
        flags: ['readonly'],
        group: 'generic',
        keys: [key('RO', 2)],
        since: '2.2.3',
        complexity: 'O(1)',
        summary: 'Tells how many references to the value there are.',
        syntax: 'key',
        tips: ['nondeterministic_output'],
        handler: refcount,
      },
      {
        name: 'encoding',
        arity: 3,
        flags: ['readonly'],
        group: 'generic',
        keys: [key('RO', 2)],
        since: '2.2.3',
        complexity: 'O(1)',
        summary: 'Names the encoding of the value.',
        syntax: 'key',
        tips: ['nondeterministic_output'],
        handler: encoding,
      },
      {
        name: 'help',
        arity: 2,
        flags: ['loading', 'stale'],
        group: 'generic',
        since: '6.2.0',
        complexity: 'O(1)',
        summary: 'Shows the subcommands.',
        syntax: '',
        handler: helpHandler('OBJECT'),
      },
      {
        name: 'idletime',
        arity: 3,
        flags: ['readonly'],
        group: 'generic',
        keys: [key('RO', 2)],
        since: '2.2.3',
        complexity: 'O(1)',
        summary: 'Tells for how many seconds the key has not been used.',
        syntax: 'key',
        tips: ['nondeterministic_output'],
        handler: idletime,
      },
      {
        name: 'freq',
        arity: 3,
        flags: ['readonly'],
        group: 'generic',
        keys: [key('RO', 2)],
        since: '4.0.0',
        complexity: 'O(1)',
        summary: 'Tells how often the key is used, as a logarithmic count.',
        syntax: 'key',
        tips: ['nondeterministic_output'],
        handler: freq,
      },
    ],
  },
];

const POLICY_NOTE =
  'Please note that when switching between policies at runtime LRU and LFU data will take some time to adjust.';
const LFU_SELECTED = new ErrorReply(`ERR An LFU maxmemory policy is selected, idle time not tracked. ${POLICY_NOTE}`);
const LFU_NOT_SELECTED = new ErrorReply(
  `ERR An LFU maxmemory policy is not selected, access frequency not tracked. ${POLICY_NOTE}`,
);

function refcount(ctx: Session, args: Bytes[]): Reply {
  return slotFor(ctx, args[2]!) < 0 ? null : 1;
}

function encoding(ctx: Session, args: Bytes[]): Reply {
  const key = args[2]!;
  const slot = slotFor(ctx, key);
  return slot < 0 ? null : encodingOf(ctx.db.table.valueAt(slot), key, ctx.db.expiryOf(key) !== undefined);
}

function idletime(ctx: Session, args: Bytes[]): Reply {
  const slot = slotFor(ctx, args[2]!);
  if (slot < 0) return null;
  return ctx.db.access.mode === 'lfu' ? LFU_SELECTED : ctx.db.access.idleSeconds(slot);
}

function freq(ctx: Session, args: Bytes[]): Reply {
  const slot = slotFor(ctx, args[2]!);
  if (slot < 0) return null;
  return ctx.db.access.mode === 'lfu' ? ctx.db.access.frequency(slot) : LFU_NOT_SELECTED;
}

/** The slot of a key, or −1. The look counts as hit or miss, but is no access and sends no event. */
function slotFor(ctx: Session, name: Bytes): number {
  const slot = ctx.db.slotOf(name);
  ctx.db.observer.lookedUp(slot >= 0);
  return slot;
}
