import { LuaTable } from './table.js';

/**
 * Lua values as JavaScript sees them: nil is `undefined`, a string a byte string, a number a double, a table a
 * `LuaTable`, a function a JavaScript function. `null` and plain objects never are Lua values.
 */
export type LuaValue = undefined | boolean | number | string | LuaTable | LuaFunction | LuaThread | LuaUserdata;

/** What a function hands back: one value as itself, none or several as an array. Arrays are never Lua values. */
export type LuaResult = LuaValue | LuaValue[];

/** A step of a function that may yield: it yields values out and is resumed with values. */
export type LuaSteps = Generator<LuaValue[], LuaResult, LuaValue[]>;

/** A Lua function. `resumable` is the form to run inside a coroutine, where there is one. */
export interface LuaFunction {
  (...args: LuaValue[]): LuaResult;
  resumable?: (...args: LuaValue[]) => LuaSteps;
  /** Set on functions of the host and the libraries: they take no part in tail-call unwinding. */
  native?: true;
}

/** A light userdata: only its identity counts (`cjson.null`). */
export class LuaUserdata {
  constructor(readonly label: string) {}
}

/** A coroutine; `coroutine.ts` runs it. */
export class LuaThread {
  status: 'suspended' | 'running' | 'normal' | 'dead' = 'suspended';
  steps: LuaSteps | undefined = undefined;
  constructor(readonly body: LuaFunction) {}
}

/** No values. Shared and never written to. */
export const NONE: LuaValue[] = [];

/** The `lua_pushlightuserdata(L, NULL)` of the C libraries. */
export const NULL_USERDATA = new LuaUserdata('(nil)');

/** The name of a value's type as `type` gives it. */
export function typeName(value: LuaValue): string {
  switch (typeof value) {
    case 'undefined':
      return 'nil';
    case 'boolean':
      return 'boolean';
    case 'number':
      return 'number';
    case 'string':
      return 'string';
    case 'function':
      return 'function';
    default:
      if (value instanceof LuaTable) return 'table';
      return value instanceof LuaThread ? 'thread' : 'userdata';
  }
}

const addresses = new WeakMap<object, string>();
let lastAddress = 0x7f3a10000000;

/** An address as `%p` prints it, made up but constant for the object. */
export function addressOf(value: LuaTable | LuaFunction | LuaThread | LuaUserdata): string {
  if (value instanceof LuaUserdata) return value.label;
  let address = addresses.get(value);
  if (address === undefined) {
    lastAddress += 0x40;
    address = `0x${lastAddress.toString(16)}`;
    addresses.set(value, address);
  }
  return address;
}
