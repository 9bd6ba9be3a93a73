import { NEGATIVE_NAN } from '../protocol/numbers-printf.js';
import { metamethod, typeError } from './access.js';
import { first } from './calls.js';
import { runtimeError } from './errors.js';
import { numberToString, parseNumber, raise, remainder } from './numbers.js';
import type { LuaState } from './state.js';
import { LuaTable } from './table.js';
import { type LuaValue, typeName } from './values.js';

/** A value as a number, by Lua's coercion; undefined where it is none. */
export function toNumber(value: LuaValue): number | undefined {
  if (typeof value === 'number') return value;
  return typeof value === 'string' ? parseNumber(value) : undefined;
}

/** Division by a literal 0. V8 folds 0/0 to a positive NaN; the processor makes a negative one, which C prints. */
export function quotient(a: number, zero: number): number {
  return a === 0 ? NEGATIVE_NAN : a / zero;
}

// Arithmetic on anything

type Operation = (a: number, b: number) => number;

const plus: Operation = (a, b) => a + b;
const minus: Operation = (a, b) => a - b;
const times: Operation = (a, b) => a * b;
const over: Operation = (a, b) => a / b;

export function add(state: LuaState, a: LuaValue, b: LuaValue, ofA: string, ofB: string): LuaValue {
  return arithmetic(state, '__add', plus, a, b, ofA, ofB);
}

export function subtract(state: LuaState, a: LuaValue, b: LuaValue, ofA: string, ofB: string): LuaValue {
  return arithmetic(state, '__sub', minus, a, b, ofA, ofB);
}

export function multiply(state: LuaState, a: LuaValue, b: LuaValue, ofA: string, ofB: string): LuaValue {
  return arithmetic(state, '__mul', times, a, b, ofA, ofB);
}

export function divide(state: LuaState, a: LuaValue, b: LuaValue, ofA: string, ofB: string): LuaValue {
  return arithmetic(state, '__div', over, a, b, ofA, ofB);
}

export function modulo(state: LuaState, a: LuaValue, b: LuaValue, ofA: string, ofB: string): LuaValue {
  return arithmetic(state, '__mod', remainder, a, b, ofA, ofB);
}

export function power(state: LuaState, a: LuaValue, b: LuaValue, ofA: string, ofB: string): LuaValue {
  return arithmetic(state, '__pow', raise, a, b, ofA, ofB);
}

export function negate(state: LuaState, a: LuaValue, of: string): LuaValue {
  return arithmetic(state, '__unm', (x) => -x, a, a, of, of);
}

function arithmetic(
  state: LuaState,
  event: string,
  operation: Operation,
  a: LuaValue,
  b: LuaValue,
  ofA: string,
  ofB: string,
): LuaValue {
  const x = toNumber(a);
  const y = toNumber(b);
  if (x !== undefined && y !== undefined) return operation(x, y);
  const handler = metamethod(state, a, event) ?? metamethod(state, b, event);
  if (handler !== undefined) return callHandler(state, handler, a, b);
  throw x === undefined ? typeError('perform arithmetic on', a, ofA) : typeError('perform arithmetic on', b, ofB);
}

function callHandler(state: LuaState, handler: LuaValue, a: LuaValue, b: LuaValue): LuaValue {
  if (typeof handler === 'function') return first(handler(a, b));
  const inner = metamethod(state, handler, '__call');
  if (typeof inner === 'function') return first(inner(handler, a, b));
  throw typeError('call', handler, '');
}

/** `#value`: Lua 5.1 asks no metamethod for tables and strings. */
export function lengthOf(state: LuaState, value: LuaValue, of: string): LuaValue {
  if (value instanceof LuaTable) return value.length();
  if (typeof value === 'string') return value.length;
  const handler = metamethod(state, value, '__len');
  if (handler === undefined) throw typeError('get length of', value, of);
  return callHandler(state, handler, value, undefined);
}

// Comparison

/** Equality of two values that are not the same. */
export function equal(state: LuaState, a: LuaValue, b: LuaValue): boolean {
  if (!(a instanceof LuaTable && b instanceof LuaTable)) return false;
  const handler = commonHandler(a, b, '__eq');
  return handler !== undefined && truth(callHandler(state, handler, a, b));
}

export function lessThan(state: LuaState, a: LuaValue, b: LuaValue): boolean {
  if (typeof a === 'number' && typeof b === 'number') return a < b;
  if (typeof a === 'string' && typeof b === 'string') return a < b;
  const handler = commonHandler(a, b, '__lt');
  if (handler !== undefined) return truth(callHandler(state, handler, a, b));
  throw compareError(a, b);
}

export function lessEqual(state: LuaState, a: LuaValue, b: LuaValue): boolean {
  if (typeof a === 'number' && typeof b === 'number') return a <= b;
  if (typeof a === 'string' && typeof b === 'string') return a <= b;
  const handler = commonHandler(a, b, '__le');
  if (handler !== undefined) return truth(callHandler(state, handler, a, b));
  const reverse = commonHandler(b, a, '__lt');
  if (reverse !== undefined) return !truth(callHandler(state, reverse, b, a));
  throw compareError(a, b);
}

/** Lua 5.1 compares two tables by metamethod only if both have the same one. */
function commonHandler(a: LuaValue, b: LuaValue, event: string): LuaValue {
  if (!(a instanceof LuaTable && b instanceof LuaTable)) return undefined;
  const handler = a.meta?.get(event);
  if (handler === undefined || a.meta === b.meta) return handler;
  return b.meta?.get(event) === handler ? handler : undefined;
}

function compareError(a: LuaValue, b: LuaValue): unknown {
  const left = typeName(a);
  const right = typeName(b);
  return runtimeError(
    left === right ? `attempt to compare two ${left} values` : `attempt to compare ${left} with ${right}`,
  );
}

function truth(value: LuaValue): boolean {
  return value !== undefined && value !== false;
}

// Concatenation

/** Strings longer than this are reported to the host's memory check as they are made. */
const LARGE_STRING = 1 << 16;

/** `a .. b`. */
export function concat(state: LuaState, names: string[], a: LuaValue, b: LuaValue): LuaValue {
  if (typeof a === 'string' && typeof b === 'string') {
    const joined = a + b;
    if (joined.length > LARGE_STRING) state.chargeString(joined.length);
    return joined;
  }
  return concatAny(state, a, b, names[0]!, names[1]!);
}

/** `a .. b .. c`. */
export function concat3(state: LuaState, names: string[], a: LuaValue, b: LuaValue, c: LuaValue): LuaValue {
  if (typeof a === 'string' && typeof b === 'string' && typeof c === 'string') {
    const joined = a + b + c;
    if (joined.length > LARGE_STRING) state.chargeString(joined.length);
    return joined;
  }
  return concatMany(state, names, a, b, c);
}

/** `a .. b .. c …`, joined from the right. */
export function concatMany(state: LuaState, names: string[], ...parts: LuaValue[]): LuaValue {
  let at = parts.length - 1;
  let joined = parts[at];
  while (--at >= 0) {
    const part = parts[at];
    joined =
      typeof part === 'string' && typeof joined === 'string'
        ? concat(state, names, part, joined)
        : concatAny(state, part, joined, names[at]!, at === parts.length - 2 ? names[at + 1]! : '');
  }
  return joined;
}

function concatAny(state: LuaState, a: LuaValue, b: LuaValue, ofA: string, ofB: string): LuaValue {
  const left = typeof a === 'number' ? numberToString(a) : a;
  const right = typeof b === 'number' ? numberToString(b) : b;
  if (typeof left === 'string' && typeof right === 'string') {
    const joined = left + right;
    if (joined.length > LARGE_STRING) state.chargeString(joined.length);
    return joined;
  }
  const handler = metamethod(state, a, '__concat') ?? metamethod(state, b, '__concat');
  if (handler !== undefined) return callHandler(state, handler, a, b);
  throw typeof left === 'string' ? typeError('concatenate', b, ofB) : typeError('concatenate', a, ofA);
}

/** A bound of a numeric `for`. */
export function forNumber(value: LuaValue, what: string): number {
  const number = toNumber(value);
  if (number === undefined) throw runtimeError(`'for' ${what} must be a number`);
  return number;
}
