/** MIGRATE: keys are dumped, restored on another server, and removed here. */

import type { Database } from '../keyspace/database.js';
import { NOTIFY } from '../keyspace/notifications.js';
import type { Value } from '../keyspace/value.js';
import { dumpValue } from '../persistence/rdb/payload.js';
import { SYNTAX } from '../protocol/errors.js';
import { parseInteger } from '../protocol/numbers.js';
import { type Bytes, ErrorReply, OK, type Reply, SimpleString } from '../protocol/reply.js';
import type { Session } from '../server/session.js';
import { int64Arg, OptionReader } from './args.js';
import { BlockRequest } from './block-request.js';
import { type CommandRow, key, keywordKeys } from './definition.js';
import { findMigrateKeys } from './key-positions.js';
import { exchange, type MigrateOutcome } from './migrate-link.js';

export const migrateCommands: readonly CommandRow[] = [
  {
    name: 'migrate',
    arity: -6,
    flags: ['write', 'movablekeys'],
    group: 'generic',
    acl: ['keyspace', 'dangerous'],
    keys: [key('RW access delete', 3), keywordKeys('RW access delete incomplete', 'KEYS', -2, -1, 0)],
    findKeys: findMigrateKeys,
    since: '2.6.0',
    complexity: 'O(N), N being the number of keys and of the bytes in their values',
    summary: 'Moves keys to another server.',
    syntax:
      'host port:integer key-selector:(key | empty-string="") destination-db:integer timeout:integer [COPY] [REPLACE] [authentication:(AUTH auth | AUTH2 auth2:(username password))] [KEYS keys:key...]',
    tips: ['nondeterministic_output'],
    handler: migrate,
  },
];

const NO_KEY = new SimpleString('NOKEY');
const KEY_AND_KEYS = new ErrorReply(
  'ERR When using MIGRATE KEYS option, the key argument must be set to the empty string',
);
const MUST_NOT_WAIT = new ErrorReply('ERR MIGRATE cannot wait for its target inside a transaction or script');

/** Redis takes a second where the time limit is not above zero. */
const DEFAULT_TIMEOUT_MS = 1000;

interface MigrateOptions {
  readonly keys: readonly Bytes[];
  readonly copy: boolean;
  readonly replace: boolean;
  /** The words of the AUTH command to send first. */
  readonly credentials: readonly Bytes[] | undefined;
}

/** A key on its way, with the value that was sent. */
interface Migrant {
  readonly name: Bytes;
  readonly value: Value;
  readonly payload: Bytes;
}

/**
 * The other clients are served while the target answers. A key that changes meanwhile stays here: what was sent is not
 * what it holds any more.
 */
function migrate(ctx: Session, args: Bytes[]): Reply | BlockRequest {
  const { db, server } = ctx;
  const options = migrateOptions(args);
  const timeout = int64Arg(args[5]!);
  const database = int64Arg(args[4]!);
  const migrants = migrantsOf(db, options.keys);
  if (migrants.length === 0) return NO_KEY;
  if (server.callDepth > 1) return MUST_NOT_WAIT;
  const requests: Bytes[][] = [];
  if (options.credentials !== undefined) requests.push(['AUTH', ...options.credentials]);
  requests.push(['SELECT', String(database)]);
  const preludes = requests.length;
  for (const { name, payload } of migrants) {
    const at = db.expiryOf(name);
    const ttl = at === undefined ? 0 : Math.max(at - ctx.now, 1);
    requests.push(['RESTORE', name, String(ttl), payload, ...(options.replace ? ['REPLACE'] : [])]);
  }
  const target = {
    host: args[1]!,
    port: Number(parseInteger(args[2]!) ?? 0),
    timeoutMs: timeout > 0 ? Number(timeout) : DEFAULT_TIMEOUT_MS,
  };
  exchange(target, requests, (outcome) => {
    server.clock.refresh();
    const reply = settle(db, migrants, outcome, preludes, options.copy);
    server.blocking.finish(ctx, reply);
    if (server.blocking.hasReady) server.blocking.serveReady();
  });
  return new BlockRequest('none', [], Infinity, MUST_NOT_WAIT);
}

function migrateOptions(args: Bytes[]): MigrateOptions {
  let copy = false;
  let replace = false;
  let credentials: Bytes[] | undefined;
  let keys: readonly Bytes[] = [args[3]!];
  for (const reader = new OptionReader(args, 6); reader.more; ) {
    const option = reader.keyword();
    if (option === 'COPY') copy = true;
    else if (option === 'REPLACE') replace = true;
    else if (option === 'AUTH' && reader.more) credentials = [reader.next()];
    else if (option === 'AUTH2' && reader.left >= 2) credentials = [reader.next(), reader.next()];
    else if (option === 'KEYS') {
      if (args[3] !== '') throw KEY_AND_KEYS;
      keys = reader.rest();
    } else throw SYNTAX;
  }
  return { keys, copy, replace, credentials };
}

function migrantsOf(db: Database, keys: readonly Bytes[]): Migrant[] {
  const found: Migrant[] = [];
  for (const name of keys) {
    const value = db.read(name);
    if (value !== undefined) found.push({ name, value, payload: dumpValue(value) });
  }
  return found;
}

/** Removes the keys that have arrived, and makes the reply. The first error of the target is told. */
function settle(
  db: Database,
  migrants: readonly Migrant[],
  outcome: MigrateOutcome,
  preludes: number,
  copy: boolean,
): Reply {
  if (outcome.kind === 'failed') return new ErrorReply(`IOERR error or timeout ${outcome.while}`);
  const { replies } = outcome;
  const refused = replies.slice(0, preludes).some((reply) => reply !== undefined);
  if (!refused && !copy) {
    migrants.forEach((migrant, i) => {
      if (replies[preludes + i] === undefined) removeUnchanged(db, migrant);
    });
  }
  const error = replies.find((reply) => reply !== undefined);
  return error === undefined ? OK : new ErrorReply(`ERR Target instance replied with error: ${error.message}`);
}

function removeUnchanged(db: Database, { name, value, payload }: Migrant): void {
  const present = db.peek(name);
  if (present !== value || dumpValue(present) !== payload) return;
  db.remove(name);
  db.changed(name, NOTIFY.generic, 'del');
}
