import { formatGeneral } from '../protocol/numbers-printf.js';
import { libraryError } from './errors.js';
import type { CjsonSettings } from './lib-cjson.js';
import { numberToString } from './numbers.js';
import type { LuaState } from './state.js';
import { LuaTable } from './table.js';
import { type LuaValue, NULL_USERDATA, typeName } from './values.js';

const ESCAPED = /[\u0000-\u001f"\\/\u007f]/;
const ESCAPED_ALL = new RegExp(ESCAPED, 'g');
const SHORT = new Map(Object.entries({ '\b': '\\b', '\t': '\\t', '\n': '\\n', '\f': '\\f', '\r': '\\r' }));

/** A Lua value as JSON text, by the rules of lua-cjson: `/` is escaped, an empty table is an object. */
export function encodeJson(value: LuaValue, settings: CjsonSettings, state: LuaState): string {
  const text = encodeValue(value, settings, 0, state);
  if (text.length > 1 << 16) state.chargeString(text.length);
  return text;
}

function encodeValue(value: LuaValue, settings: CjsonSettings, depth: number, state: LuaState): string {
  switch (typeof value) {
    case 'string':
      return encodeString(value);
    case 'number':
      return encodeNumber(value, settings);
    case 'boolean':
      return value ? 'true' : 'false';
    case 'undefined':
      return 'null';
    default:
      if (value instanceof LuaTable) return encodeTable(value, settings, depth + 1, state);
      if (value === NULL_USERDATA) return 'null';
      throw cannot(value, 'type not supported');
  }
}

function cannot(value: LuaValue, why: string): unknown {
  return libraryError(`Cannot serialise ${typeName(value)}: ${why}`);
}

function encodeString(text: string): string {
  if (!ESCAPED.test(text)) return `"${text}"`;
  return `"${text.replace(ESCAPED_ALL, escapeCharacter)}"`;
}

function escapeCharacter(c: string): string {
  if (c === '"' || c === '\\' || c === '/') return `\\${c}`;
  return SHORT.get(c) ?? `\\u00${c.charCodeAt(0).toString(16).padStart(2, '0')}`;
}

function encodeNumber(value: number, settings: CjsonSettings): string {
  if (!Number.isFinite(value)) {
    if (settings.encodeInvalid === 'off') throw cannot(value, 'must not be NaN or Inf');
    if (settings.encodeInvalid === 'null') return 'null';
    return Number.isNaN(value) ? 'nan' : numberToString(value);
  }
  return settings.precision === 14 ? numberToString(value) : formatGeneral(value, settings.precision, false);
}

function encodeTable(table: LuaTable, settings: CjsonSettings, depth: number, state: LuaState): string {
  if (depth > settings.encodeMaxDepth) throw libraryError(`Cannot serialise, excessive nesting (${depth})`);
  state.charge(1);
  const length = arrayLength(table, settings);
  if (length > 0) {
    let text = '[';
    for (let i = 1; i <= length; i++) {
      if (i > 1) text += ',';
      text += encodeValue(table.get(i), settings, depth, state);
    }
    return `${text}]`;
  }
  table.arrange();
  let text = '{';
  for (let place = table.occupiedFrom(1); place >= 0; place = table.occupiedFrom(place + 1)) {
    if (text.length > 1) text += ',';
    const key = table.keyAt(place);
    if (typeof key === 'number') text += `"${encodeNumber(key, settings)}":`;
    else if (typeof key === 'string') text += `${encodeString(key)}:`;
    else throw cannot(key, 'table key must be a number or string');
    text += encodeValue(table.valueAt(place), settings, depth, state);
  }
  return `${text}}`;
}

/** How long the table is as an array; -1: it is none. */
function arrayLength(table: LuaTable, settings: CjsonSettings): number {
  let most = 0;
  let count = 0;
  for (let place = table.occupiedFrom(1); place >= 0; place = table.occupiedFrom(place + 1)) {
    const key = table.keyAt(place);
    if (typeof key !== 'number' || key < 1 || !Number.isInteger(key)) return -1;
    if (key > most) most = key;
    count++;
  }
  const { sparseRatio, sparseSafe } = settings;
  if (sparseRatio > 0 && most > count * sparseRatio && most > sparseSafe) {
    if (!settings.sparseConvert) throw cannot(table, 'excessively sparse array');
    return -1;
  }
  return most;
}
