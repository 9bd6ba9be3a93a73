/** Listing of keys: KEYS at once, SCAN in steps. */

import { typeOf } from '../keyspace/value.js';
import { compileGlob, isLiteralGlob } from '../protocol/glob.js';
import type { Bytes, Reply } from '../protocol/reply.js';
import type { Session } from '../server/session.js';
import { cursorArg } from './args.js';
import type { CommandRow } from './definition.js';
import { scanOptions } from './scan-options.js';

export const scanCommands: readonly CommandRow[] = [
  {
    name: 'keys',
    arity: 2,
    flags: ['readonly'],
    group: 'generic',
    acl: ['keyspace', 'dangerous'],
    since: '1.0.0',
    complexity: 'O(N), N being the number of keys; O(1) for a pattern without wildcards',
    summary: 'Lists all keys that match a pattern.',
    syntax: 'pattern:pattern',
    tips: ['request_policy:all_shards', 'nondeterministic_output_order'],
    handler: keys,
  },
  {
    name: 'scan',
    arity: -2,
    flags: ['readonly'],
    group: 'generic',
    since: '2.8.0',
    complexity: 'O(1) a step; O(N) for all of them, N being the number of keys',
    summary: 'Lists the keys of the database in steps.',
    syntax: 'cursor:integer [MATCH pattern:pattern] [COUNT count:integer] [TYPE type]',
    tips: ['nondeterministic_output', 'request_policy:special', 'response_policy:special'],
    handler: scan,
  },
];

function keys(ctx: Session, args: Bytes[]): Reply {
  const pattern = args[1]!;
  const { db } = ctx;
  if (isLiteralGlob(pattern)) return db.isLive(pattern) ? [pattern] : [];
  const found: Bytes[] = [];
  if (pattern === '*') db.forEachLive((key) => found.push(key));
  else {
    const matches = compileGlob(pattern);
    db.forEachLive((key) => {
      if (matches(key)) found.push(key);
    });
  }
  return found;
}

function scan(ctx: Session, args: Bytes[]): Reply {
  const cursor = cursorArg(args[1]!);
  const { count, matches, type } = scanOptions(args, 2, ['TYPE']);
  const found: Bytes[] = [];
  const next = ctx.db.scan(cursor, count, (key, value) => {
    if (matches !== undefined && !matches(key)) return;
    if (type === undefined || typeOf(value).toLowerCase() === type) found.push(key);
  });
  return [String(next), found];
}
