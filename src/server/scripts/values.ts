/** Reply values as Lua values and back, by Redis' table (Redis doc, "Lua API reference: data type conversion"). */

import { plainError } from '../../lua/errors.js';
import { type LuaError, LuaTable, type LuaValue } from '../../lua/index.js';
import { formatDouble } from '../../protocol/numbers.js';
import {
  AttributeReply,
  BigNumber,
  DoubleReply,
  ErrorReply,
  MapReply,
  NoReply,
  NullArray,
  PushReply,
  type Reply,
  SetReply,
  SimpleString,
  VerbatimString,
} from '../../protocol/reply.js';

/** Tables in tables beyond this are an error, as on Redis' Lua stack. */
const MAX_DEPTH = 7900;
const TOO_DEEP = new ErrorReply('ERR reached lua stack limit');
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
  if (reply instanceof ErrorReply) return errorTable(reply.text);
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
  if (reply instanceof NoReply) return false;
  return reply satisfies never;
}

/** The table that stands for an error reply. */
export function errorTable(text: string): LuaTable {
  const table = tableOf('err', text);
  table.set('ignore_error_stats_update', true);
  return table;
}

/** The error to throw so that the running script gets an error reply. */
export function raise(table: LuaTable): LuaError {
  return plainError(table);
}

/** What a script's result is as a reply. */
export function replyOf(value: LuaValue, resp: 2 | 3, depth = 0): Reply {
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
      return integerOf(value);
    case 'boolean':
      if (resp === 3) return value;
      return value ? 1 : null;
  }
  if (!(value instanceof LuaTable)) return null;
  if (depth > MAX_DEPTH) return TOO_DEEP;
  return replyOfTable(value, resp, depth);
}

function replyOfTable(table: LuaTable, resp: 2 | 3, depth: number): Reply {
  const error = table.get('err');
  if (typeof error === 'string') return new ErrorReply(error.startsWith('-') ? error.slice(1) : error);
  const status = table.get('ok');
  if (typeof status === 'string') return new SimpleString(status.replace(/[\r\n]/g, ' '));
  const double = table.get('double');
  if (typeof double === 'number') return new DoubleReply(double);
  const map = table.get('map');
  if (map instanceof LuaTable) {
    const flat: Reply[] = [];
    visitPairs(map, (key, item) => flat.push(replyOf(key, resp, depth + 1), replyOf(item, resp, depth + 1)));
    return new MapReply(flat);
  }
  const set = table.get('set');
  if (set instanceof LuaTable) {
    const items: Reply[] = [];
    visitPairs(set, (key) => items.push(replyOf(key, resp, depth + 1)));
    return new SetReply(items);
  }
  const big = table.get('big_number');
  if (typeof big === 'string') return new BigNumber(big.replace(/[\r\n]/g, ' '));
  const verbatim = table.get('verbatim_string');
  if (verbatim instanceof LuaTable) {
    const text = verbatim.get('string');
    const format = verbatim.get('format');
    if (typeof text === 'string' && typeof format === 'string') return new VerbatimString(text, format);
  }
  const items: Reply[] = [];
  for (let i = 1; ; i++) {
    const item = table.get(i);
    if (item === undefined) return items;
    items.push(replyOf(item, resp, depth + 1));
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
