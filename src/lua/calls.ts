import { metamethod, typeError } from './access.js';
import { runtimeError } from './errors.js';
import type { LuaState } from './state.js';
import { LuaTable } from './table.js';
import { type LuaFunction, type LuaResult, type LuaSteps, type LuaValue, NONE } from './values.js';

/**
 * The first element of a result that is not a result yet but a tail call to be made: `[TAIL, function, arguments]`.
 * A tail call is an ordinary call most of the time; every so often one hands itself back through the frames that only
 * wait to return its result, to the caller who wants the value and makes the call from there. So the stack stays flat.
 */
const TAIL = (() => NONE) as LuaFunction;

type TailCall = [typeof TAIL, LuaFunction, LuaValue[]];

/** A result as one value. */
export function first(result: LuaResult): LuaValue {
  return Array.isArray(result) ? firstOf(result) : result;
}

function firstOf(result: LuaValue[]): LuaValue {
  if (result[0] !== TAIL) return result[0];
  const finished = finish(result);
  return Array.isArray(finished) ? finished[0] : finished;
}

/** A result as the list of its values. Not to be written to. */
export function multi(result: LuaResult): LuaValue[] {
  if (!Array.isArray(result)) return [result];
  if (result[0] !== TAIL) return result;
  const finished = finish(result);
  return Array.isArray(finished) ? finished : [finished];
}

/** Nobody wants the result, but a tail call in it must be made. */
export function drop(result: LuaResult): void {
  if (Array.isArray(result) && result[0] === TAIL) finish(result);
}

function finish(result: LuaValue[]): LuaResult {
  let current: LuaResult = result;
  while (Array.isArray(current) && current[0] === TAIL) {
    const [, callee, args] = current as unknown as TailCall;
    current = callee(...args);
  }
  return current;
}

/**
 * The tail call that unwinds: what to call in place of `callee`. The number of tail calls until the next one varies,
 * lest a loop of fixed length always meets the same call.
 */
export function unwind(state: LuaState, callee: LuaFunction): LuaFunction {
  state.tailSeed = (Math.imul(state.tailSeed, 1103515245) + 12345) & 0x7fffffff;
  state.tailCalls = 40 + ((state.tailSeed >> 16) & 63);
  if (callee.native) return callee;
  return (...args) => [TAIL, callee, args as unknown as LuaFunction];
}

/** What to call for a value that is no function: its `__call`, or something that raises the error. */
export function callable(state: LuaState, value: LuaValue, of: string): LuaFunction {
  if (typeof value === 'function') return value;
  const handler = metamethod(state, value, '__call');
  if (typeof handler === 'function') {
    const bound: LuaFunction = (...args) => handler(value, ...args);
    const { resumable: steps } = handler;
    if (steps !== undefined) bound.resumable = (...args) => steps(value, ...args);
    return bound;
  }
  const error = typeError('call', value, of);
  return () => {
    throw error;
  };
}

// Functions that can yield

const YIELD_BOUNDARY = 'attempt to yield across metamethod/C-call boundary';

/** A function compiled to a generator: called plainly it runs to its end and must not yield. */
export function resumable(steps: (...args: LuaValue[]) => LuaSteps): LuaFunction {
  const plain: LuaFunction = (...args) => {
    const running = steps(...args);
    let step = running.next();
    while (!step.done) step = running.throw(runtimeError(YIELD_BOUNDARY));
    return step.value;
  };
  plain.resumable = steps;
  return plain;
}

/** Calls a function inside a coroutine, its tail calls included. */
export function* callSteps(callee: LuaFunction, args: LuaValue[]): LuaSteps {
  let result = callee.resumable === undefined ? callee(...args) : yield* callee.resumable(...args);
  while (Array.isArray(result) && result[0] === TAIL) {
    const [, next, nextArgs] = result as unknown as TailCall;
    result = next.resumable === undefined ? next(...nextArgs) : yield* next.resumable(...nextArgs);
  }
  return result;
}

/** A tail call inside a coroutine: always handed back. */
export function tailSteps(callee: LuaFunction, args: LuaValue[]): LuaResult {
  return [TAIL, callee, args as unknown as LuaFunction];
}

// Loops and functions

/** What a `for … in` loop runs on. */
export interface LoopIterator {
  key: LuaValue;
  value: LuaValue;
  next(): boolean;
  /** The third and later values. */
  rest(i: number): LuaValue;
}

/** The iterator of `for … in`: tables under `pairs` and `ipairs` are walked directly. */
export function iterate(state: LuaState, source: LuaResult): LoopIterator {
  const values = multi(source);
  const [step, subject, start] = values;
  if (subject instanceof LuaTable) {
    if (step === state.next && start === undefined) return new TableWalk(subject);
    if (step === state.ipairsStep && start === 0) return new ElementWalk(subject);
  }
  return new FunctionWalk(callable(state, step, ''), subject, start);
}

class TableWalk implements LoopIterator {
  key: LuaValue = undefined;
  value: LuaValue = undefined;
  private place = 1;
  private size: number;

  constructor(private readonly table: LuaTable) {
    table.arrange();
    this.size = table.array.length;
  }

  next(): boolean {
    const { table } = this;
    const size = table.array.length;
    // Elements taken off the end of the array part move the hash part's places down.
    if (size < this.size) {
      if (this.place > size) this.place = Math.max(size, this.place - (this.size - size));
      this.size = size;
    }
    const place = table.occupiedFrom(this.place);
    if (place < 0) return false;
    this.key = table.keyAt(place);
    this.value = table.valueAt(place);
    this.place = place + 1;
    return true;
  }

  rest(): LuaValue {
    return undefined;
  }
}

class ElementWalk implements LoopIterator {
  key = 0;
  value: LuaValue = undefined;

  constructor(private readonly table: LuaTable) {}

  next(): boolean {
    const i = ++this.key;
    const { array } = this.table;
    this.value = i < array.length ? array[i] : this.table.get(i);
    return this.value !== undefined;
  }

  rest(): LuaValue {
    return undefined;
  }
}

class FunctionWalk implements LoopIterator {
  key: LuaValue;
  value: LuaValue = undefined;
  private values: LuaValue[] = NONE;

  constructor(
    private readonly step: LuaFunction,
    private readonly subject: LuaValue,
    start: LuaValue,
  ) {
    this.key = start;
  }

  next(): boolean {
    this.values = multi(this.step(this.subject, this.key));
    this.key = this.values[0];
    this.value = this.values[1];
    return this.key !== undefined;
  }

  rest(i: number): LuaValue {
    return this.values[i];
  }
}

/** The `arg` table Lua 5.1 makes for a vararg function. */
export function argTable(args: LuaValue[]): LuaTable {
  return LuaTable.ofMixed([undefined, ...args], ['n', args.length]);
}

/** A box for a function's environment; `setfenv` changes what is in it. */
export interface Environment {
  table: LuaTable;
}

const environments = new WeakMap<LuaFunction, Environment>();

/** Makes a function that has an environment of its own. */
export function inEnvironment(table: LuaTable, make: (environment: Environment) => LuaFunction): LuaFunction {
  const environment = { table };
  const made = make(environment);
  environments.set(made, environment);
  return made;
}

export function environmentOf(callee: LuaFunction): Environment | undefined {
  return environments.get(callee);
}

/** The counter of a chunk's steps has run out: the host decides whether to go on. */
export function hook(state: LuaState): void {
  state.runHook();
}
