/** Replies that need not be equal byte for byte although both servers are right, each with the reason. */
import { type Frame, itemsOf, textOf } from '../support/resp-frame.js';
import { exactly, inAnyOrder, pairsInAnyOrder, type Sameness, sameKind, sameShape, within } from './sameness.js';

export interface Rule {
  /** `NAME` or `NAME SUBCOMMAND`, upper case. */
  readonly commands: readonly string[];
  readonly reason: string;
  readonly same: Sameness;
  /** The rule holds only in sequences in which small ordered encodings may have given way to hash tables. */
  readonly whenOrderIsFree?: boolean;
}

const RULES: readonly Rule[] = [
  {
    commands: ['TTL', 'EXPIRETIME'],
    reason: 'The servers run a command some milliseconds apart.',
    same: within(5),
  },
  {
    commands: ['PTTL', 'PEXPIRETIME', 'HPTTL', 'HPEXPIRETIME', 'OBJECT IDLETIME'],
    reason: 'The servers run a command some milliseconds apart.',
    same: within(5_000),
  },
  {
    commands: ['HTTL', 'HEXPIRETIME', 'OBJECT FREQ'],
    reason: 'The servers run a command some milliseconds apart.',
    same: within(5),
  },
  {
    commands: ['XPENDING', 'XINFO CONSUMERS', 'XINFO STREAM', 'XINFO GROUPS'],
    reason: 'Idle times and times of delivery are those of each server.',
    same: xinfo,
  },
  { commands: ['SPOP'], reason: 'Members are taken in a random order.', same: inAnyOrder },
  { commands: ['TIME', 'LASTSAVE'], reason: 'The time of day.', same: sameShape },
  {
    commands: ['RANDOMKEY', 'SRANDMEMBER', 'HRANDFIELD', 'ZRANDMEMBER'],
    reason: 'A random choice.',
    same: sameKind,
  },
  {
    commands: ['COMMAND INFO'],
    reason: 'Subcommands stand in the order of a hash table with a random seed; notes of key specifications are prose.',
    same: subcommandsInAnyOrder,
  },
  {
    commands: ['KEYS', 'COMMAND LIST', 'COMMAND', 'ACL CAT', 'PUBSUB CHANNELS', 'PUBSUB SHARDCHANNELS'],
    reason: 'The order of a hash table with a random seed.',
    same: inAnyOrder,
  },
  { commands: ['SUNION', 'SDIFF'], reason: 'They are gathered in a hash table with a random seed.', same: inAnyOrder },
  { commands: ['SCAN'], reason: 'The order of a hash table with a random seed.', same: inAnyOrder },
  {
    commands: ['SMEMBERS', 'SINTER', 'HKEYS', 'HVALS', 'SSCAN', 'SORT', 'SORT_RO', 'HSCAN', 'ZSCAN'],
    reason: 'The order of a hash table with a random seed.',
    same: inAnyOrder,
    whenOrderIsFree: true,
  },
  {
    commands: ['HGETALL'],
    reason: 'The order of a hash table with a random seed.',
    same: pairsInAnyOrder,
    whenOrderIsFree: true,
  },
  { commands: ['CONFIG GET'], reason: 'The order of a hash table with a random seed.', same: pairsInAnyOrder },
  { commands: ['CLIENT ID'], reason: 'Each server counts its own connections.', same: sameKind },
  {
    commands: ['CLIENT INFO', 'CLIENT LIST'],
    reason: 'Addresses, ids, ages and memory are those of each server; the fields are compared.',
    same: sameFieldNames,
  },
  { commands: ['MEMORY USAGE'], reason: 'An estimate of memory depends on how data is kept.', same: sameKind },
];

/**
 * Commands that cause several messages, whose order is that of a hash table with a random seed: the channels that are left
 * all at once, the patterns that match one message.
 */
const CAUSE_MESSAGES = new Set(['UNSUBSCRIBE', 'PUNSUBSCRIBE', 'SUNSUBSCRIBE', 'PUBLISH', 'SET', 'DEL']);

/** Whether the messages that a command causes may come in any order. */
export function mayReorderMessages(args: readonly string[]): boolean {
  return CAUSE_MESSAGES.has(args[0]?.toUpperCase() ?? '');
}

/** By which rule a command's reply is compared; undefined asks for the same bytes. */
export function ruleFor(args: readonly string[], isOrderFree: boolean): Rule | undefined {
  return lookUp(RULES, args, (rule) => !rule.whenOrderIsFree || isOrderFree);
}

/** The first rule of a table that names the command, with its subcommand or without. */
export function lookUp<R extends { readonly commands: readonly string[] }>(
  rules: readonly R[],
  args: readonly string[],
  applies: (rule: R) => boolean = () => true,
): R | undefined {
  const name = (args[0] ?? '').toUpperCase();
  const full = `${name} ${(args[1] ?? '').toUpperCase()}`;
  const named = (text: string): boolean => text === full || text === name;
  return rules.find((rule) => rule.commands.some(named) && applies(rule));
}

function xinfo(ours: Frame, oracle: Frame): boolean {
  return withTimesRemoved(ours) === withTimesRemoved(oracle);
}

const TIME_FIELDS = new Set([
  'idle',
  'inactive',
  'seen-time',
  'active-time',
  'delivery-time',
  'radix-tree-keys',
  'radix-tree-nodes',
]);

/** A frame's text without the numbers that are times: after a field of that name, and in rows of pending entries. */
function withTimesRemoved(frame: Frame): string {
  const items = itemsOf(frame);
  if (items.length === 0) return frame.wire;
  const parts = items.map((item, i) => {
    const isTime = TIME_FIELDS.has(textOf(items[i - 1]) ?? '') || isDeliveryTime(items, i);
    return isTime ? item.kind : withTimesRemoved(item);
  });
  return `${frame.kind}(${parts.join(',')})`;
}

/** Rows of pending entries: id, consumer, time, count; those of one consumer lack its name. */
function isDeliveryTime(row: readonly Frame[], i: number): boolean {
  return (
    row[i]!.kind === 'int' && row[0]!.kind === 'bulk' && row.length >= 3 && i === row.length - 2 && row.length <= 4
  );
}

const SUBCOMMANDS_FIELD = 9;
const KEY_SPECS_FIELD = 8;

function subcommandsInAnyOrder(ours: Frame, oracle: Frame): boolean {
  const [a, b] = [itemsOf(ours), itemsOf(oracle)];
  if (a.length !== b.length) return false;
  return a.every((entry, i) => {
    const [mine, theirs] = [itemsOf(entry), itemsOf(b[i]!)];
    if (mine.length !== theirs.length || mine.length === 0) return exactly(entry, b[i]!);
    return mine.every((field, n) => {
      if (n === KEY_SPECS_FIELD) return sameKeySpecs(field, theirs[n]!);
      return n === SUBCOMMANDS_FIELD ? inAnyOrder(field, theirs[n]!) : exactly(field, theirs[n]!);
    });
  });
}

/** Redis' notes on key specifications are prose of its own, which this server leaves out. */
function sameKeySpecs(ours: Frame, oracle: Frame): boolean {
  const facts = oracle.wire.replace(/(%4|\*8)\r\n\$5\r\nnotes\r\n\$\d+\r\n[^\r]*\r\n/g, (found) =>
    found.startsWith('%') ? '%3\r\n' : '*6\r\n',
  );
  return ours.wire === facts;
}

function sameFieldNames(ours: Frame, oracle: Frame): boolean {
  const names = (frame: Frame): string => (textOf(frame) ?? '').split('\n')[0]!.replace(/=[^ ]*/g, '');
  return ours.kind === oracle.kind && names(ours) === names(oracle);
}
