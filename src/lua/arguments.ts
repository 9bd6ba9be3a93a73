import { argumentError } from './errors.js';
import { numberToString, parseNumber } from './numbers.js';
import { LuaTable } from './table.js';
import { type LuaFunction, type LuaValue, typeName } from './values.js';

/** Checks of a library function's arguments, `at` counted from 0, with the errors of Lua's auxiliary library. */

export function checkAny(args: LuaValue[], at: number): LuaValue {
  if (at >= args.length) throw argumentError(at + 1, 'value expected');
  return args[at];
}

export function checkTable(args: LuaValue[], at: number): LuaTable {
  const value = args[at];
  if (value instanceof LuaTable) return value;
  throw expectedError(args, at, 'table');
}

export function checkFunction(args: LuaValue[], at: number): LuaFunction {
  const value = args[at];
  if (typeof value === 'function') return value;
  throw expectedError(args, at, 'function');
}

export function checkNumber(args: LuaValue[], at: number): number {
  const value = args[at];
  if (typeof value === 'number') return value;
  const number = typeof value === 'string' ? parseNumber(value) : undefined;
  if (number === undefined) throw expectedError(args, at, 'number');
  return number;
}

/** A `lua_Integer`: truncated to 64 bits. */
export function checkInteger(args: LuaValue[], at: number): number {
  return toInteger(checkNumber(args, at));
}

/** A C `int`: the low 32 bits of the integer. */
export function checkInt(args: LuaValue[], at: number): number {
  return toInt(checkNumber(args, at));
}

export function optionalInteger(args: LuaValue[], at: number, otherwise: number): number {
  return args[at] === undefined ? otherwise : checkInteger(args, at);
}

export function optionalInt(args: LuaValue[], at: number, otherwise: number): number {
  return args[at] === undefined ? otherwise : checkInt(args, at);
}

export function checkString(args: LuaValue[], at: number): string {
  const value = args[at];
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return numberToString(value);
  throw expectedError(args, at, 'string');
}

export function optionalString(args: LuaValue[], at: number, otherwise: string): string {
  return args[at] === undefined ? otherwise : checkString(args, at);
}

/** One of a list of words: `luaL_checkoption`. */
export function checkOption<T extends string>(args: LuaValue[], at: number, otherwise: T, words: readonly T[]): T {
  const word = optionalString(args, at, otherwise);
  const found = words.find((candidate) => candidate === word);
  if (found === undefined) throw argumentError(at + 1, `invalid option '${word}'`);
  return found;
}

/** "table expected, got nil". */
export function expectedError(args: LuaValue[], at: number, expected: string): unknown {
  const got = at < args.length ? typeName(args[at]) : 'no value';
  return argumentError(at + 1, `${expected} expected, got ${got}`);
}

const INT64_MIN = -(2 ** 63);

export function toInteger(value: number): number {
  return value >= INT64_MIN && value < -INT64_MIN ? Math.trunc(value) : INT64_MIN;
}

export function toInt(value: number): number {
  return toInteger(value) | 0;
}
