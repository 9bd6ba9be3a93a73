import { first } from './calls.js';
import { runtimeError } from './errors.js';
import type { LuaState } from './state.js';
import { LuaTable } from './table.js';
import { type LuaValue, typeName } from './values.js';

/** An inline cache of a constant key: where it was found last in a hash part. `of` names the object in errors. */
export interface Site {
  at: number;
  readonly of: string;
}

/** A chain of `__index` or `__newindex` longer than this is taken for a loop. */
const MAX_CHAIN = 100;

export function metatableOf(state: LuaState, value: LuaValue): LuaTable | undefined {
  if (value instanceof LuaTable) return value.meta;
  return typeof value === 'string' ? state.stringMeta : undefined;
}

export function metamethod(state: LuaState, value: LuaValue, event: string): LuaValue {
  return metatableOf(state, value)?.get(event);
}

/** `object[key]`. */
export function index(state: LuaState, object: LuaValue, key: LuaValue, of: string): LuaValue {
  if (object instanceof LuaTable) {
    if (typeof key === 'number') {
      const { array } = object;
      if ((key | 0) === key && key > 0 && key < array.length) {
        const value = array[key];
        if (value !== undefined) return value;
      }
    }
    const value = object.get(key);
    if (value !== undefined || object.meta === undefined) return value;
  }
  return indexByMeta(state, object, key, of);
}

/** `object.key` for a constant string key. */
export function getField(state: LuaState, object: LuaValue, key: string, site: Site): LuaValue {
  if (object instanceof LuaTable) {
    const { hash } = object;
    const { at } = site;
    if (at < hash.length && hash[at] === key) {
      const value = hash[at + 1];
      if (value !== undefined) return value;
    }
  }
  return findField(state, object, key, site);
}

/** `getField` past the cache: along the chain of `__index` tables, noting where the key was found. */
function findField(state: LuaState, start: LuaValue, key: string, site: Site): LuaValue {
  let object = start;
  for (let i = 0; i < MAX_CHAIN; i++) {
    let handler: LuaValue;
    if (object instanceof LuaTable) {
      const { hash } = object;
      let { at } = site;
      if (at >= hash.length || hash[at] !== key) at = object.find(key);
      if (at >= 0 && hash[at + 1] !== undefined) {
        site.at = at;
        return hash[at + 1];
      }
      handler = object.meta?.indexHandler();
      if (handler === undefined) return undefined;
    } else {
      handler = typeof object === 'string' ? state.stringMeta.indexHandler() : metamethod(state, object, '__index');
      if (handler === undefined) throw typeError('index', object, i === 0 ? site.of : '');
    }
    if (typeof handler === 'function') return first(handler(object, key));
    object = handler;
  }
  throw runtimeError('loop in gettable');
}

/** Reads a global through its inline cache. */
export function getGlobal(state: LuaState, globals: LuaTable, name: string, site: Site): LuaValue {
  const { hash } = globals;
  const { at } = site;
  if (at < hash.length && hash[at] === name) {
    const value = hash[at + 1];
    if (value !== undefined) return value;
  }
  return findField(state, globals, name, site);
}

function indexByMeta(state: LuaState, start: LuaValue, key: LuaValue, of: string): LuaValue {
  let object = start;
  for (let i = 0; i < MAX_CHAIN; i++) {
    let handler: LuaValue;
    if (object instanceof LuaTable) {
      const value = object.get(key);
      if (value !== undefined) return value;
      handler = object.meta?.indexHandler();
      if (handler === undefined) return undefined;
    } else {
      handler = metamethod(state, object, '__index');
      if (handler === undefined) throw typeError('index', object, i === 0 ? of : '');
    }
    if (typeof handler === 'function') return first(handler(object, key));
    object = handler;
  }
  throw runtimeError('loop in gettable');
}

/** `object[key] = value`. */
export function setIndex(state: LuaState, object: LuaValue, key: LuaValue, value: LuaValue, of: string): void {
  if (object instanceof LuaTable && typeof key === 'number' && value !== undefined && !object.readonly) {
    const { array } = object;
    if ((key | 0) === key && key > 0) {
      if (key < array.length) {
        if (array[key] !== undefined || object.meta === undefined) {
          array[key] = value;
          return;
        }
      } else if (object.meta === undefined && object.appendAt(key, value)) return;
    }
  }
  store(state, object, key, value, of);
}

/** `object.key = value` for a constant string key. */
export function setField(state: LuaState, object: LuaValue, key: string, value: LuaValue, site: Site): void {
  if (object instanceof LuaTable && value !== undefined) {
    const { hash } = object;
    const { at } = site;
    if (at < hash.length && hash[at] === key && hash[at + 1] !== undefined && !object.readonly) {
      hash[at + 1] = value;
      return;
    }
    if (object.meta === undefined && !object.readonly) {
      object.set(key, value);
      site.at = object.find(key);
      return;
    }
  }
  store(state, object, key, value, site.of);
}

export function setGlobal(state: LuaState, globals: LuaTable, name: string, value: LuaValue, site: Site): void {
  setField(state, globals, name, value, site);
}

function store(state: LuaState, start: LuaValue, key: LuaValue, value: LuaValue, of: string): void {
  let object = start;
  for (let i = 0; i < MAX_CHAIN; i++) {
    let handler: LuaValue;
    if (object instanceof LuaTable) {
      if (object.meta === undefined || object.get(key) !== undefined) handler = undefined;
      else handler = object.meta.get('__newindex');
      if (handler === undefined) {
        rawStore(object, key, value);
        return;
      }
    } else {
      handler = metamethod(state, object, '__newindex');
      if (handler === undefined) throw typeError('index', object, i === 0 ? of : '');
    }
    if (typeof handler === 'function') {
      first(handler(object, key, value));
      return;
    }
    object = handler;
  }
  throw runtimeError('loop in settable');
}

function rawStore(table: LuaTable, key: LuaValue, value: LuaValue): void {
  if (table.readonly) throw runtimeError('Attempt to modify a readonly table');
  table.set(checkKey(key), value);
}

/** Refuses the two values that cannot be keys. */
export function checkKey(key: LuaValue): LuaValue {
  if (key === undefined) throw runtimeError('table index is nil');
  if (typeof key === 'number' && Number.isNaN(key)) throw runtimeError('table index is NaN');
  return key;
}

/** "attempt to OPERATION local 'x' (a nil value)": `luaG_typeerror`. */
export function typeError(operation: string, value: LuaValue, of: string): unknown {
  const type = typeName(value);
  const what = of === '' ? `a ${type} value` : `${of} (a ${type} value)`;
  return runtimeError(`attempt to ${operation} ${what}`);
}
