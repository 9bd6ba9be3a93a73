/** The expiry of hash fields: HEXPIRE and its kin, and what reads or writes values together with it. */

import { NOTIFY } from '../keyspace/notifications.js';
import { HashValue } from '../keyspace/values/hash.js';
import { invalidExpire, unknownArgument, wrongArity } from '../protocol/errors.js';
import { parseInteger } from '../protocol/numbers.js';
import { type Bytes, ErrorReply, type Reply } from '../protocol/reply.js';
import type { Session } from '../server/session.js';
import { fetchValue, int64Arg, readValue } from './args.js';
import { elementsRemoved } from './collections.js';
import { type CommandRow, key } from './definition.js';
import type { ExpiryUnit } from './expiry-args.js';
import { fieldsArg } from './hash-fields.js';

export const hashExpiryCommands: readonly CommandRow[] = [
  {
    name: 'hexpire',
    arity: -6,
    flags: ['write', 'fast'],
    group: 'hash',
    keys: [key('RW update')],
    since: '7.4.0',
    complexity: 'O(N), N being the number of fields given',
    summary: 'Lets fields expire after some seconds.',
    syntax: 'key seconds:integer [condition:(NX | XX | GT | LT)] FIELDS fields:(numfields:integer field...)',
    handler: hexpire,
  },
  {
    name: 'hpexpire',
    arity: -6,
    flags: ['write', 'fast'],
    group: 'hash',
    keys: [key('RW update')],
    since: '7.4.0',
    complexity: 'O(N), N being the number of fields given',
    summary: 'Lets fields expire after some milliseconds.',
    syntax: 'key milliseconds:integer [condition:(NX | XX | GT | LT)] FIELDS fields:(numfields:integer field...)',
    handler: hpexpire,
  },
  {
    name: 'hexpireat',
    arity: -6,
    flags: ['write', 'fast'],
    group: 'hash',
    keys: [key('RW update')],
    since: '7.4.0',
    complexity: 'O(N), N being the number of fields given',
    summary: 'Lets fields expire at a time given in seconds.',
    syntax:
      'key unix-time-seconds:unix-time [condition:(NX | XX | GT | LT)] FIELDS fields:(numfields:integer field...)',
    handler: hexpireat,
  },
  {
    name: 'hpexpireat',
    arity: -6,
    flags: ['write', 'fast'],
    group: 'hash',
    keys: [key('RW update')],
    since: '7.4.0',
    complexity: 'O(N), N being the number of fields given',
    summary: 'Lets fields expire at a time given in milliseconds.',
    syntax:
      'key unix-time-milliseconds:unix-time [condition:(NX | XX | GT | LT)] FIELDS fields:(numfields:integer field...)',
    handler: hpexpireat,
  },
  {
    name: 'httl',
    arity: -5,
    flags: ['readonly', 'fast'],
    group: 'hash',
    keys: [key('RO access')],
    since: '7.4.0',
    complexity: 'O(N), N being the number of fields given',
    summary: 'Tells in how many seconds fields expire.',
    syntax: 'key FIELDS fields:(numfields:integer field...)',
    tips: ['nondeterministic_output'],
    handler: httl,
  },
  {
    name: 'hpttl',
    arity: -5,
    flags: ['readonly', 'fast'],
    group: 'hash',
    keys: [key('RO access')],
    since: '7.4.0',
    complexity: 'O(N), N being the number of fields given',
    summary: 'Tells in how many milliseconds fields expire.',
    syntax: 'key FIELDS fields:(numfields:integer field...)',
    tips: ['nondeterministic_output'],
    handler: hpttl,
  },
  {
    name: 'hexpiretime',
    arity: -5,
    flags: ['readonly', 'fast'],
    group: 'hash',
    keys: [key('RO access')],
    since: '7.4.0',
    complexity: 'O(N), N being the number of fields given',
    summary: 'Tells at which time, in seconds, fields expire.',
    syntax: 'key FIELDS fields:(numfields:integer field...)',
    handler: hexpiretime,
  },
  {
    name: 'hpexpiretime',
    arity: -5,
    flags: ['readonly', 'fast'],
    group: 'hash',
    keys: [key('RO access')],
    since: '7.4.0',
    complexity: 'O(N), N being the number of fields given',
    summary: 'Tells at which time, in milliseconds, fields expire.',
    syntax: 'key FIELDS fields:(numfields:integer field...)',
    handler: hpexpiretime,
  },
  {
    name: 'hpersist',
    arity: -5,
    flags: ['write', 'fast'],
    group: 'hash',
    keys: [key('RW update')],
    since: '7.4.0',
    complexity: 'O(N), N being the number of fields given',
    summary: 'Takes the expiry from fields.',
    syntax: 'key FIELDS fields:(numfields:integer field...)',
    handler: hpersist,
  },
  {
    name: 'hgetex',
    arity: -5,
    flags: ['write', 'fast'],
    group: 'hash',
    keys: [key('RW access update')],
    since: '8.0.0',
    complexity: 'O(N), N being the number of fields given',
    summary: 'Tells the values of fields and sets, or takes, their expiry.',
    syntax:
      'key [expiration:(EX seconds:integer | PX milliseconds:integer | EXAT unix-time-seconds:unix-time | PXAT unix-time-milliseconds:unix-time | PERSIST)] FIELDS fields:(numfields:integer field...)',
    handler: hgetex,
  },
  {
    name: 'hsetex',
    arity: -6,
    flags: ['write', 'denyoom', 'fast'],
    group: 'hash',
    keys: [key('RW update')],
    since: '8.0.0',
    complexity: 'O(N), N being the number of fields given',
    summary: 'Sets fields together with their expiry.',
    syntax:
      'key [condition:(FNX | FXX)] [expiration:(EX seconds:integer | PX milliseconds:integer | EXAT unix-time-seconds:unix-time | PXAT unix-time-milliseconds:unix-time | KEEPTTL)] FIELDS fields:(numfields:integer data:(field value)...)',
    handler: hsetex,
  },
];

/** What the commands answer for each field. */
const NO_FIELD = -2;
const NO_EXPIRY = -1;
const CONDITION_FAILED = 0;
const DONE = 1;
const DELETED = 2;

/** The latest time a field can expire at, unix ms: Redis keeps 46 bits of it. */
const LATEST_EXPIRY = 2 ** 46 - 1;
const NEGATIVE_EXPIRY = new ErrorReply('ERR invalid expire time, must be >= 0');

// Setting the expiry

function hexpire(ctx: Session, args: Bytes[]): Reply {
  return expireFields(ctx, args, 'EX', 'hexpire');
}

function hpexpire(ctx: Session, args: Bytes[]): Reply {
  return expireFields(ctx, args, 'PX', 'hpexpire');
}

function hexpireat(ctx: Session, args: Bytes[]): Reply {
  return expireFields(ctx, args, 'EXAT', 'hexpireat');
}

function hpexpireat(ctx: Session, args: Bytes[]): Reply {
  return expireFields(ctx, args, 'PXAT', 'hpexpireat');
}

const NO_NUMFIELDS = new ErrorReply('ERR Parameter `numFields` should be greater than 0');
const CONDITIONS: ReadonlySet<string> = new Set(['NX', 'XX', 'GT', 'LT']);

function expireFields(ctx: Session, args: Bytes[], unit: ExpiryUnit, command: Bytes): Reply {
  const hash = fetchValue(ctx, args[1]!, HashValue);
  const at = expiryOf(ctx, args[2]!, unit, command);
  const word = args[3]!.toUpperCase();
  const condition = CONDITIONS.has(word) ? word : undefined;
  const fields = fieldsArg(args, condition === undefined ? 3 : 4, NO_NUMFIELDS);
  if (hash === undefined) return fields.map(() => NO_FIELD);
  hash.prepareExpiry();
  const results = fields.map((field) => {
    if (!hash.has(field)) return NO_FIELD;
    if (!conditionHolds(condition, hash.expireAt(field), at)) return CONDITION_FAILED;
    return expireField(ctx, hash, field, at);
  });
  tellExpiry(ctx, args[1]!, hash, results);
  return results;
}

/** Whether the time that a field has, if any, allows the new one. A field without one expires later than any other. */
function conditionHolds(condition: string | undefined, current: number | undefined, at: number): boolean {
  switch (condition) {
    case 'NX':
      return current === undefined;
    case 'XX':
      return current !== undefined;
    case 'GT':
      return current !== undefined && at > current;
    case 'LT':
      return current === undefined || at < current;
    default:
      return true;
  }
}

/** Sets when a field expires; one whose time has passed goes at once. */
function expireField(ctx: Session, hash: HashValue, field: Bytes, at: number): number {
  if (at <= ctx.now) {
    hash.delete(field);
    return DELETED;
  }
  hash.setExpireAt(field, at);
  return DONE;
}

/** Sends the events of fields that `expireField` dealt with: one for all that got a time, one for all that went. */
function tellExpiry(ctx: Session, name: Bytes, hash: HashValue, results: number[]): void {
  if (results.includes(DONE)) ctx.db.changed(name, NOTIFY.hash, 'hexpire');
  if (results.includes(DELETED)) elementsRemoved(ctx, name, hash, NOTIFY.hash, 'hdel');
}

function hpersist(ctx: Session, args: Bytes[]): Reply {
  const hash = fetchValue(ctx, args[1]!, HashValue);
  const fields = fieldsArg(args, 2);
  if (hash === undefined) return fields.map(() => NO_FIELD);
  const results = fields.map((field) => {
    if (!hash.has(field)) return NO_FIELD;
    return hash.persist(field) ? DONE : NO_EXPIRY;
  });
  if (results.includes(DONE)) ctx.db.changed(args[1]!, NOTIFY.hash, 'hpersist');
  return results;
}

// Reading the expiry

function httl(ctx: Session, args: Bytes[]): Reply {
  return expiries(ctx, args, (at) => Math.ceil((at - ctx.now) / 1000));
}

function hpttl(ctx: Session, args: Bytes[]): Reply {
  return expiries(ctx, args, (at) => at - ctx.now);
}

function hexpiretime(ctx: Session, args: Bytes[]): Reply {
  return expiries(ctx, args, (at) => Math.ceil(at / 1000));
}

function hpexpiretime(ctx: Session, args: Bytes[]): Reply {
  return expiries(ctx, args, (at) => at);
}

function expiries(ctx: Session, args: Bytes[], shown: (at: number) => number): Reply {
  const hash = readValue(ctx, args[1]!, HashValue);
  return fieldsArg(args, 2).map((field) => {
    if (hash === undefined || !hash.has(field)) return NO_FIELD;
    const at = hash.expireAt(field);
    return at === undefined ? NO_EXPIRY : shown(at);
  });
}

// Values together with their expiry

const UNITS: ReadonlySet<string> = new Set<ExpiryUnit>(['EX', 'PX', 'EXAT', 'PXAT']);

function isUnit(word: string): word is ExpiryUnit {
  return UNITS.has(word);
}

function hgetex(ctx: Session, args: Bytes[]): Reply {
  const hash = fetchValue(ctx, args[1]!, HashValue);
  const word = args[2]!.toUpperCase();
  const persist = word === 'PERSIST';
  const at = isUnit(word) ? expiryOf(ctx, args[3]!, word, 'hgetex') : undefined;
  const fieldsAt = at !== undefined ? 4 : persist ? 3 : 2;
  if (fieldsAt + 1 >= args.length) return wrongArity('hgetex');
  const fields = fieldsArg(args, fieldsAt);
  if (hash === undefined) return fields.map(() => null);
  if (at !== undefined || persist) hash.prepareExpiry();
  const results: number[] = [];
  let persisted = false;
  const values = fields.map((field) => {
    const value = hash.get(field);
    if (value === undefined) return null;
    if (at !== undefined) results.push(expireField(ctx, hash, field, at));
    else if (persist && hash.persist(field)) persisted = true;
    return value;
  });
  tellExpiry(ctx, args[1]!, hash, results);
  if (persisted) ctx.db.changed(args[1]!, NOTIFY.hash, 'hpersist');
  return values;
}

function hsetex(ctx: Session, args: Bytes[]): Reply {
  const { condition, keepTtl, at, fieldsFrom } = hsetexOptions(ctx, args);
  const name = args[1]!;
  const limits = ctx.server.encodingLimits;
  const found = fetchValue(ctx, name, HashValue);
  if (condition !== undefined) {
    const wanted = condition === 'FXX';
    for (let i = fieldsFrom; i < args.length; i += 2) if ((found?.has(args[i]!) ?? false) !== wanted) return 0;
  }
  const hash = found ?? new HashValue();
  hash.expectFields((args.length - fieldsFrom) / 2, limits);
  for (let i = fieldsFrom; i < args.length; i += 2) hash.set(args[i]!, args[i + 1]!, limits, keepTtl);
  if (found === undefined) ctx.db.put(name, hash);
  ctx.db.changed(name, NOTIFY.hash, 'hset');
  if (at === undefined) return 1;
  hash.prepareExpiry();
  const results: number[] = [];
  for (let i = fieldsFrom; i < args.length; i += 2) results.push(expireField(ctx, hash, args[i]!, at));
  tellExpiry(ctx, name, hash, results);
  return 1;
}

interface HsetexOptions {
  readonly condition: 'FNX' | 'FXX' | undefined;
  readonly keepTtl: boolean;
  readonly at: number | undefined;
  /** Where the first field stands; fields and values are the rest of the command. */
  readonly fieldsFrom: number;
}

const TWO_CONDITIONS = new ErrorReply('ERR Only one of FXX or FNX arguments can be specified');
const TWO_EXPIRIES = new ErrorReply('ERR Only one of EX, PX, EXAT, PXAT or KEEPTTL arguments can be specified');
const BAD_NUMBER_OF_FIELDS = new ErrorReply('ERR invalid number of fields');
const MOST_FIELDS = 2 ** 31 - 1;

/** Options in any order, then `FIELDS numfields field value …`, which ends the command. */
function hsetexOptions(ctx: Session, args: Bytes[]): HsetexOptions {
  let condition: HsetexOptions['condition'];
  let keepTtl = false;
  let at: number | undefined;
  for (let i = 2; i < args.length; i++) {
    const word = args[i]!.toUpperCase();
    if (word === 'FIELDS') {
      checkPairs(args, i + 1);
      return { condition, keepTtl, at, fieldsFrom: i + 2 };
    }
    if (word === 'FNX' || word === 'FXX') {
      if (condition !== undefined) throw TWO_CONDITIONS;
      condition = word;
    } else if (word === 'KEEPTTL') {
      if (keepTtl || at !== undefined) throw TWO_EXPIRIES;
      keepTtl = true;
    } else if (isUnit(word)) {
      if (keepTtl || at !== undefined) throw TWO_EXPIRIES;
      if (++i >= args.length) throw wrongArity('hsetex');
      at = expiryOf(ctx, args[i]!, word, 'hsetex');
    } else throw unknownArgument(args[i]!);
  }
  throw wrongArity('hsetex');
}

/** Checks the number of fields at argument `at`, and that so many pairs follow it. */
function checkPairs(args: Bytes[], at: number): void {
  if (at + 2 >= args.length) throw wrongArity('hsetex');
  const count = parseInteger(args[at]!);
  if (count === undefined || count < 1 || count > MOST_FIELDS) throw BAD_NUMBER_OF_FIELDS;
  if (args.length - at - 1 !== Number(count) * 2) throw wrongArity('hsetex');
}

/** The unix ms that an argument in this unit means, from 0 to what a field can keep; the error names the command. */
function expiryOf(ctx: Session, text: Bytes, unit: ExpiryUnit, command: Bytes): number {
  const value = int64Arg(text);
  if (value < 0) throw NEGATIVE_EXPIRY;
  const scale = unit === 'EX' || unit === 'EXAT' ? 1000 : 1;
  const start = unit === 'EX' || unit === 'PX' ? ctx.now : 0;
  const at = Number(value) * scale + start;
  if (at > LATEST_EXPIRY) throw invalidExpire(command);
  return at;
}
