import { callSteps } from './calls.js';
import { argumentError, asLuaError, LuaError, libraryError } from './errors.js';
import { numberToString } from './numbers.js';
import { callStack, positionOf } from './positions.js';
import type { LuaState } from './state.js';
import { type LuaFunction, LuaThread, type LuaValue } from './values.js';

/**
 * Coroutines. A chunk whose text mentions `coroutine` is compiled to generators; `resume` steps them. Functions in
 * the plain form run in a coroutine too but cannot yield, like functions called through C in PUC Lua.
 */
export function openCoroutine(state: LuaState): void {
  const library = state.openLibrary('coroutine', {
    create: (...args) => new LuaThread(checkBody(args[0])),
    resume(...args) {
      const thread = checkThread(args[0]);
      try {
        return [true, ...resume(state, thread, args.slice(1))];
      } catch (thrown) {
        const error = asLuaError(thrown);
        if (error === undefined) throw thrown;
        return [false, error.value];
      }
    },
    wrap(...args) {
      const thread = new LuaThread(checkBody(args[0]));
      return state.native('wrapped', (...values) => {
        try {
          return resume(state, thread, values);
        } catch (thrown) {
          const error = asLuaError(thrown);
          if (error === undefined) throw thrown;
          const { value } = error;
          if (typeof value !== 'string' && typeof value !== 'number') throw error;
          const text = typeof value === 'number' ? numberToString(value) : value;
          throw new LuaError(positionOf(callStack(2)[1]) + text);
        }
      });
    },
    status: (...args) => checkThread(args[0]).status,
    running: () => state.thread,
    yield() {
      throw libraryError('attempt to yield across metamethod/C-call boundary');
    },
  });
  const yieldFunction = library.get('yield');
  if (typeof yieldFunction === 'function') {
    yieldFunction.resumable = function* (...values) {
      return yield values;
    };
  }
}

function checkBody(value: LuaValue): LuaFunction {
  if (typeof value !== 'function' || value.native) throw argumentError(1, 'Lua function expected');
  return value;
}

function checkThread(value: LuaValue): LuaThread {
  if (!(value instanceof LuaThread)) throw argumentError(1, 'coroutine expected');
  return value;
}

function resume(state: LuaState, thread: LuaThread, values: LuaValue[]): LuaValue[] {
  if (thread.status !== 'suspended') throw new LuaError(`cannot resume ${thread.status} coroutine`);
  const outer = state.thread;
  if (outer !== undefined) outer.status = 'normal';
  thread.status = 'running';
  state.thread = thread;
  let ended = true;
  try {
    let step: IteratorResult<LuaValue[], LuaValue | LuaValue[]>;
    if (thread.steps === undefined) {
      thread.steps = callSteps(thread.body, values);
      step = thread.steps.next();
    } else step = thread.steps.next(values);
    ended = step.done === true;
    return Array.isArray(step.value) ? step.value : [step.value];
  } finally {
    thread.status = ended ? 'dead' : 'suspended';
    state.thread = outer;
    if (outer !== undefined) outer.status = 'running';
  }
}
