import { numberToString } from './numbers.js';
import { callStack, type Frame, positionOf } from './positions.js';
import { TableOverflow } from './table.js';
import { type LuaValue, typeName } from './values.js';

/** A Lua error on its way: `value` is what `pcall` will hand to the script. */
export class LuaError {
  /** The chunk name and line of the Lua function that raised it, as `debug.getinfo` would give them to a handler. */
  readonly source: string | undefined;
  readonly line: number;

  constructor(
    readonly value: LuaValue,
    raisedIn?: Frame,
  ) {
    this.source = raisedIn?.chunkName;
    this.line = raisedIn?.line ?? -1;
  }

  /** The message, for hosts: a string or number as it is, anything else by its type. */
  get message(): string {
    const { value } = this;
    return typeof value === 'string' || typeof value === 'number'
      ? `${value}`
      : `(error object is a ${typeName(value)} value)`;
  }
}

/** An error of the language itself, raised in the function that is running: `luaG_runerror`. */
export function runtimeError(message: string): LuaError {
  const frames = callStack(2);
  return new LuaError(positionOf(frames[0]) + message, innermostLua(frames));
}

/** An error raised by a library function on behalf of its caller: `luaL_error`. */
export function libraryError(message: string): LuaError {
  const frames = callStack(2);
  return new LuaError(positionOf(frames[1]) + message, innermostLua(frames));
}

/** An error with any value; a string or number gets the position of the function at `level` before it (0: none). */
export function raisedError(value: LuaValue, level: number): LuaError {
  const frames = callStack(Math.max(2, level + 1));
  const text = typeof value === 'number' ? numberToString(value) : value;
  const at = typeof text === 'string' && level > 0 ? positionOf(frames[level]) : '';
  return new LuaError(typeof text === 'string' && level > 0 ? at + text : value, innermostLua(frames));
}

/** An error without a position (`lua_error` with a plain message). */
export function plainError(value: LuaValue): LuaError {
  return new LuaError(value, innermostLua(callStack(2)));
}

/** "bad argument #n to 'f' (why)": named as the caller calls the function, as `luaL_argerror` does. */
export function argumentError(position: number, why: string): LuaError {
  const frames = callStack(2);
  const caller = frames[1];
  const [, kind, name] = /^(\w+) '(.*)'$/s.exec(caller?.callee ?? '') ?? [];
  let number = position;
  let message: string;
  if (kind === 'method') number--;
  if (kind === 'method' && number === 0) message = `calling '${name}' on bad self (${why})`;
  else message = `bad argument #${number} to '${name ?? '?'}' (${why})`;
  return new LuaError(positionOf(caller) + message, innermostLua(frames));
}

/**
 * What `pcall` and the host see of something thrown: a Lua error as it is, exhaustion of V8's stack, string or table
 * limits as Lua errors. Anything else (a host that stops the script) is undefined and must be thrown on.
 */
export function asLuaError(thrown: unknown): LuaError | undefined {
  if (thrown instanceof LuaError) return thrown;
  if (!(thrown instanceof RangeError)) return undefined;
  if (thrown instanceof TableOverflow || !/call stack/.test(thrown.message)) return new LuaError('not enough memory');
  // The stack ran out as a function was entered: the one that called it gets the blame, as in PUC Lua.
  const frames = callStack(8, thrown).filter(isLua);
  const caller = frames[1] ?? frames[0];
  return new LuaError(`${positionOf(caller)}stack overflow`, caller);
}

function innermostLua(frames: Frame[]): Frame | undefined {
  const [first, second] = frames;
  return first !== undefined && isLua(first) ? first : second;
}

function isLua(frame: Frame): boolean {
  return frame.chunkName !== undefined;
}
