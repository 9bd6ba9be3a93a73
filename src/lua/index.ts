/** Lua 5.1 for scripts and functions: what the rest of the server uses of it. */
export { LuaError, libraryError, plainError } from './errors.js';
export { RandomSource } from './random.js';
export { LuaState, type LuaStateOptions } from './state.js';
export { LuaTable } from './table.js';
export { type LuaFunction, type LuaResult, LuaThread, LuaUserdata, type LuaValue, NONE, typeName } from './values.js';
