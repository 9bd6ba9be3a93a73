/**
 * The rate limiter: GCRA.LIMIT and GCRA.RESET (HotKV documentation of GCRA.LIMIT; the official client).
 *
 * The state of a limit is a string that is a number, TAT, under the key itself. In memory it is kept as the exact
 * fraction that the arithmetic works on (`GcraState`); the text is made when somebody reads it.
 */

import { GcraResult, gcraLimit, MAX_PERIOD } from '../../gcra/limit.js';
import { GcraState } from '../../gcra/state.js';
import { NOTIFY } from '../../keyspace/notifications.js';
import { isString, textOf, type Value } from '../../keyspace/value.js';
import { SYNTAX, WRONG_TYPE } from '../../protocol/errors.js';
import { parseInteger } from '../../protocol/numbers.js';
import { type Bytes, ErrorReply, type Int64, type Reply } from '../../protocol/reply.js';
import type { Session } from '../../server/session.js';
import { type CommandRow, key, keyRange } from '../definition.js';

export const gcraCommands: readonly CommandRow[] = [
  {
    name: 'gcra.limit',
    arity: -4,
    flags: ['write', 'fast'],
    group: 'rate-limiting',
    keys: [key('RW access update')],
    since: '0.3.0',
    complexity: 'O(1)',
    summary: 'Takes tokens from a limit that refills smoothly, or says how long to wait for them.',
    syntax: 'key period:integer burst:integer [count:integer]',
    readings: ['more words than these are a syntax error.'],
    handler: limit,
  },
  {
    name: 'gcra.reset',
    arity: -2,
    flags: ['write'],
    group: 'rate-limiting',
    keys: [keyRange('RM delete', 1, -1)],
    since: '0.3.0',
    complexity: 'O(N), N being the number of keys',
    summary: 'Makes limits full again, and says how many of them had been used.',
    syntax: 'key...',
    readings: ['a key that holds no limit is a WRONGTYPE error, and then no key is touched.'],
    handler: reset,
  },
];

const BAD_PERIOD = new ErrorReply('ERR invalid period: must be a positive integer (milliseconds)');
const BAD_BURST = new ErrorReply('ERR invalid burst: must be a positive integer');
const BAD_COUNT = new ErrorReply('ERR invalid count: must be a positive integer');

/** Serves every call: handlers run one after the other. */
const result = new GcraResult();

function limit(ctx: Session, args: Bytes[]): Reply {
  // Our reading: the documentation is silent about more words than it names.
  if (args.length > 5) return SYNTAX;
  const period = positiveInteger(args[2]!, BAD_PERIOD);
  if (period > MAX_PERIOD) return BAD_PERIOD;
  const burst = positiveInteger(args[3]!, BAD_BURST);
  const count = args.length === 5 ? positiveInteger(args[4]!, BAD_COUNT) : 1;
  const name = args[1]!;
  const { db, now } = ctx;
  const value = db.fetch(name);
  const state = value === undefined ? new GcraState() : stateOf(value);
  gcraLimit(state, now, Number(period), burst, count, result);
  if (result.denied === 0) {
    if (value !== state) db.put(name, state);
    db.setExpiry(name, result.expireAt);
    // The effect is that of SET … PXAT, and so are the events.
    db.changed(name, NOTIFY.string, 'set');
    db.notify(NOTIFY.generic, 'expire', name);
  }
  return [result.denied, result.limit, result.remaining, result.retry, result.reset];
}

function reset(ctx: Session, args: Bytes[]): Reply {
  const { db } = ctx;
  // Our reading: a key that holds no state is somebody's value; then nothing is touched.
  for (let i = 1; i < args.length; i++) {
    const value = db.fetch(args[i]!);
    if (value !== undefined) stateOf(value);
  }
  let removed = 0;
  for (let i = 1; i < args.length; i++) {
    if (!db.remove(args[i]!)) continue;
    db.changed(args[i]!, NOTIFY.generic, 'del');
    removed++;
  }
  return removed;
}

/** The state that a value stands for: any string that is a finite number. Throws WRONGTYPE. */
function stateOf(value: Value): GcraState {
  if (value instanceof GcraState) return value;
  const state = isString(value) ? GcraState.parse(textOf(value)) : undefined;
  if (state === undefined) throw WRONG_TYPE;
  return state;
}

function positiveInteger(text: Bytes, error: ErrorReply): Int64 {
  const value = parseInteger(text);
  if (value === undefined || value <= 0) throw error;
  return value;
}
