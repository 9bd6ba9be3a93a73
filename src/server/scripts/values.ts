/** Reply values as Lua values and back, by Redis' table (Redis doc, "Lua API reference: data type conversion"). */

import { plainError } from '../../lua/errors.js';
import { type LuaError, LuaTable, type LuaValue } from '../../lua/index.js';
import { formatDouble } from '../../protocol/numbers.js';
import {
  AttributeReply,
  BigNumber,
  CountedErrorReply,
  DoubleReply,
  ErrorReply,
  MapReply,
  Messages,
  NoReply,
  NullArray,
  PushReply,
  type Reply,
  SetReply,
  SimpleString,
  VerbatimString,
} from '../../protocol/reply.js';

/**
 * Redis turns tables into replies on Lua's own stack, and refuses what does not find four more places on it. A reply
 * starts at place 2; how many places an aggregate takes until its items are reached depends on its kind.
 */
const FIRST_PLACE = 2;
const LAST_PLACE = 7996;
const PLACES = { array: 1, mapKey: 4, mapValue: 3, set: 3 } as const;
const TOO_DEEP = new ErrorReply('ERR reached lua stack limit');
/** Elements of a whole reply: tables that hold one another can be unfolded for ever. */
const MAX_ELEMENTS = 1 << 24;
const TOO_LARGE = new ErrorReply('ERR the reply or value is too large for this server');
/** The field that marks an error as counted. */
const COUNTED = 'ignore_error_stats_update';
const INT64_LEAST = -(2n ** 63n);

/** What `redis.call` gives for a reply; `resp` is what `redis.setresp` said. */
export function luaValueOf(reply: Reply, resp: 2 | 3): LuaValue {
  switch (typeof reply) {
    case 'string':
    case 'number':
      return reply;
    case 'bigint':
      return Number(reply);
    case 'boolean':
      return resp === 3 ? reply : reply ? 1 : 0;
  }
  if (reply === null || reply instanceof NullArray) return resp === 3 ? undefined : false;
  if (Array.isArray(reply)) return arrayTable(reply, resp);
  if (reply instanceof SimpleString) return tableOf('ok', reply.text);
  if (reply instanceof ErrorReply) return countedErrorTable(reply.text);
  if (reply instanceof DoubleReply) return resp === 3 ? tableOf('double', reply.value) : formatDouble(reply.value);
  if (reply instanceof MapReply) {
    return resp === 3 ? tableOf('map', pairTable(reply.flat, resp)) : arrayTable(reply.flat, resp);
  }
  if (reply instanceof SetReply) {
    return resp === 3 ? tableOf('set', memberTable(reply.items, resp)) : arrayTable(reply.items, resp);
  }
  if (reply instanceof PushReply) return arrayTable(reply.items, resp);
  if (reply instanceof BigNumber) return resp === 3 ? tableOf('big_number', reply.digits) : reply.digits;
  if (reply instanceof VerbatimString) return resp === 3 ? verbatimTable(reply) : reply.text;
  if (reply instanceof AttributeReply) return luaValueOf(reply.reply, resp);
  if (reply instanceof NoReply || reply instanceof Messages) return false;
  return reply satisfies never;
}

/** The table that stands for an error which the script itself has made. */
export function errorTable(text: string): LuaTable {
  return tableOf('err', text);
}

/** The table of an error that a command gave: the statistics know of it already, and the field tells them so. */
export function countedErrorTable(text: string): LuaTable {
  const table = tableOf(COUNTED, true);
  table.set('err', text);
  return table;
}

/** The error to throw so that the running script gets an error reply. */
export function raise(table: LuaTable): LuaError {
  return plainError(table);
}

/** An error reply from a script; `table` says whether it was counted before. */
export function errorReplyOf(text: string, table: LuaTable | undefined): ErrorReply {
  return table?.get(COUNTED) === true ? new CountedErrorReply(text) : new ErrorReply(text);
}

/** What a script's result is as a reply. */
export function replyOf(value: LuaValue, resp: 2 | 3): Reply {
  return value instanceof LuaTable ? new ReplyBuilder(resp).build(value) : scalarReply(value, resp);
}

function scalarReply(value: LuaValue, resp: 2 | 3): Reply {
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
      return integerOf(value);
    case 'boolean':
      if (resp === 3) return value;
      return value ? 1 : null;
    default:
      return null;
  }
}

/** An aggregate whose items are still to be made from its table. */
interface Unfilled {
  readonly kind: 'array' | 'map' | 'set';
  readonly table: LuaTable;
  readonly items: Reply[];
  readonly place: number;
}

/** Makes replies of tables without recursion: they may hold each other, and go deeper than JavaScript's stack. */
class ReplyBuilder {
  private readonly unfilled: Unfilled[] = [];
  private elements = 0;

  constructor(private readonly resp: 2 | 3) {}

  build(table: LuaTable): Reply {
    const reply = this.convert(table, FIRST_PLACE);
    for (let next = this.unfilled.pop(); next !== undefined; next = this.unfilled.pop()) {
      this.fill(next);
      this.elements += next.items.length;
      if (this.elements > MAX_ELEMENTS) return TOO_LARGE;
    }
    return reply;
  }

  private convert(value: LuaValue, place: number): Reply {
    if (place > LAST_PLACE) return TOO_DEEP;
    return value instanceof LuaTable ? this.open(value, place) : scalarReply(value, this.resp);
  }

  /** The reply of a table, which its fields decide; one with items is filled later. */
  private open(table: LuaTable, place: number): Reply {
    if (table.hash.length > 0) {
      const error = table.get('err');
      if (typeof error === 'string') return errorReplyOf(error.startsWith('-') ? error.slice(1) : error, table);
      const status = table.get('ok');
      if (typeof status === 'string') return new SimpleString(status.replace(/[\r\n]/g, ' '));
      const double = table.get('double');
      if (typeof double === 'number') return new DoubleReply(double);
      const map = table.get('map');
      if (map instanceof LuaTable) return new MapReply(this.later('map', map, place));
      const set = table.get('set');
      if (set instanceof LuaTable) return new SetReply(this.later('set', set, place));
      const big = table.get('big_number');
      if (typeof big === 'string') return new BigNumber(big.replace(/[\r\n]/g, ' '));
      const verbatim = table.get('verbatim_string');
      if (verbatim instanceof LuaTable) {
        const text = verbatim.get('string');
        const format = verbatim.get('format');
        if (typeof text === 'string' && typeof format === 'string') return new VerbatimString(text, format);
      }
    }
    return this.later('array', table, place);
  }

  private later(kind: Unfilled['kind'], table: LuaTable, place: number): Reply[] {
    const items: Reply[] = [];
    this.unfilled.push({ kind, table, items, place });
    return items;
  }

  private fill({ kind, table, items, place }: Unfilled): void {
    if (kind === 'array') {
      for (let i = 1; ; i++) {
        const item = table.get(i);
        if (item === undefined) return;
        items.push(this.convert(item, place + PLACES.array));
      }
    }
    visitPairs(table, (key, item) => {
      if (kind === 'set') items.push(this.convert(key, place + PLACES.set));
      else items.push(this.convert(key, place + PLACES.mapKey), this.convert(item, place + PLACES.mapValue));
    });
  }
}

/** Numbers lose their fraction; what no 64-bit integer can hold becomes the least one, as the C cast does. */
function integerOf(value: number): number | bigint {
  if (Number.isSafeInteger(value)) return value + 0;
  const whole = Math.trunc(value);
  if (Number.isSafeInteger(whole)) return whole + 0;
  return Math.abs(whole) < 2 ** 63 ? BigInt(whole) : INT64_LEAST;
}

function tableOf(key: string, value: LuaValue): LuaTable {
  const table = new LuaTable();
  table.set(key, value);
  return table;
}

function arrayTable(items: Reply[], resp: 2 | 3): LuaTable {
  const table = new LuaTable();
  for (let i = 0; i < items.length; i++) table.set(i + 1, luaValueOf(items[i]!, resp));
  return table;
}

function pairTable(flat: Reply[], resp: 2 | 3): LuaTable {
  const table = new LuaTable();
  for (let i = 0; i < flat.length; i += 2) table.set(luaValueOf(flat[i]!, resp), luaValueOf(flat[i + 1]!, resp));
  return table;
}

function memberTable(items: Reply[], resp: 2 | 3): LuaTable {
  const table = new LuaTable();
  for (const item of items) table.set(luaValueOf(item, resp), true);
  return table;
}

function verbatimTable(reply: VerbatimString): LuaTable {
  const inner = tableOf('string', reply.text);
  inner.set('format', reply.format);
  return tableOf('verbatim_string', inner);
}

function visitPairs(table: LuaTable, visit: (key: LuaValue, value: LuaValue) => void): void {
  for (let place = table.occupiedFrom(0); place >= 0; place = table.occupiedFrom(place + 1)) {
    visit(table.keyAt(place), table.valueAt(place));
  }
}
