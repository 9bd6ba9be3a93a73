/**
 * What a command is: one row of facts and a handler. Dispatch, the arity check, ACL categories, `COMMAND`,
 * `COMMAND INFO/DOCS/GETKEYS` and the generated page of supported commands all come from these rows.
 */

import type { Bytes, Reply } from '../protocol/reply.js';
import type { Session } from '../server/session.js';
import type { BlockRequest } from './block-request.js';

/** A handler knows its arguments (with the command's own name at 0), the database, and the clock. */
export type Handler = (ctx: Session, args: Bytes[]) => Reply | BlockRequest;

export type Flag =
  | 'write'
  | 'readonly'
  | 'denyoom'
  | 'module'
  | 'admin'
  | 'pubsub'
  | 'noscript'
  | 'blocking'
  | 'loading'
  | 'stale'
  | 'skip_monitor'
  | 'skip_slowlog'
  | 'asking'
  | 'fast'
  | 'no_auth'
  | 'may_replicate'
  | 'no_mandatory_keys'
  | 'no_async_loading'
  | 'no_multi'
  | 'movablekeys'
  | 'allow_busy';

export type Group =
  | 'agent-memory'
  | 'bf'
  | 'bitmap'
  | 'cache'
  | 'cluster'
  | 'cms'
  | 'connection'
  | 'embedding'
  | 'emulator'
  | 'feature'
  | 'generic'
  | 'geo'
  | 'hash'
  | 'hyperloglog'
  | 'list'
  | 'llm'
  | 'module'
  | 'observability'
  | 'prompt'
  | 'pubsub'
  | 'rag'
  | 'rate-limiting'
  | 'scripting'
  | 'server'
  | 'set'
  | 'sorted-set'
  | 'stream'
  | 'string'
  | 'tag'
  | 'time-series'
  | 'topk'
  | 'transactions'
  | 'vector';

export interface CommandRow {
  /** Lower case; of a subcommand, its own word only. */
  readonly name: string;
  /** Number of words with the name(s); negative: at least that many. */
  readonly arity: number;
  readonly flags: readonly Flag[];
  readonly group: Group;
  /** ACL categories that follow neither from the flags nor from the group, without `@`. */
  readonly acl?: readonly string[];
  readonly keys?: readonly KeySpec[];
  /** Finds the keys where the key specs do not describe them (`SORT`, `MIGRATE`); see `key-positions.ts`. */
  readonly findKeys?: (args: readonly Bytes[]) => readonly KeyPosition[];
  readonly since: string;
  readonly complexity: string;
  readonly summary: string;
  /** The arguments after the name, in the notation of `syntax.ts`. */
  readonly syntax: string;
  /** What documentation leaves open, and how it is read here. */
  readonly readings?: readonly string[];
  /** Hints for proxies and cluster clients (`COMMAND INFO`'s tips). */
  readonly tips?: readonly string[];
  readonly subcommands?: readonly CommandRow[];
  /** A container without a handler of its own has none. */
  readonly handler?: Handler;
}

/** A key of a request: its place among the arguments, and the flags of a key spec that hold for it. */
export interface KeyPosition {
  readonly index: number;
  readonly flags: readonly string[];
}

/** Where keys stand among the arguments, and what the command does to them (Redis' key specifications). */
export interface KeySpec {
  /** Words of Redis: `RO`, `RW`, `OW`, `RM`, then `access`, `update`, `insert`, `delete`, `not_key`, `incomplete`, `variable_flags`. */
  readonly flags: readonly string[];
  readonly begin: { readonly index: number } | { readonly keyword: string; readonly from: number } | 'unknown';
  readonly find:
    | { readonly last: number; readonly step: number; readonly limit: number }
    | { readonly numkeysAt: number; readonly first: number; readonly step: number }
    | 'unknown';
}

/** One key at a fixed position. */
export function key(flags: string, index = 1): KeySpec {
  return keyRange(flags, index, 0);
}

/** Keys from `index` on; `last` counts from the first (0: only that one) or, when negative, from the end. */
export function keyRange(flags: string, index: number, last: number, step = 1): KeySpec {
  return { flags: flags.split(' '), begin: { index }, find: { last, step, limit: 0 } };
}

/** A count of keys at `index`, then that many keys, `step` words apart. */
export function numberedKeys(flags: string, index: number, step = 1): KeySpec {
  return { flags: flags.split(' '), begin: { index }, find: { numkeysAt: 0, first: 1, step } };
}

/** Keys behind a keyword, which is looked for from argument `from` on (negative: backwards from the end). */
export function keywordKeys(flags: string, keyword: string, from: number, last: number, limit = 0): KeySpec {
  return { flags: flags.split(' '), begin: { keyword, from }, find: { last, step: 1, limit } };
}

/** Keys that are there but cannot be described (`SORT`'s BY and GET patterns). */
export function unknownKeys(flags: string): KeySpec {
  return { flags: flags.split(' '), begin: 'unknown', find: 'unknown' };
}

/** ACL categories in the order in which Redis prints them, with our own families behind. */
export const ACL_CATEGORIES = [
  'keyspace',
  'read',
  'write',
  'set',
  'sortedset',
  'list',
  'hash',
  'string',
  'bitmap',
  'hyperloglog',
  'geo',
  'stream',
  'pubsub',
  'admin',
  'fast',
  'slow',
  'blocking',
  'dangerous',
  'connection',
  'transaction',
  'scripting',
  'hotkv',
  'tag',
  'nanottl',
  'hotkeys',
  'vector',
  'ratelimit',
  'timeseries',
  'feature',
  'prompt',
  'agentmemory',
  'embedding',
  'rag',
  'llm',
  'observability',
  'scache',
  'pcache',
  'toolcache',
  'ncache',
  'guard',
  'rerank',
  'bloom',
  'cms',
  'topk',
  'emulator',
] as const;
