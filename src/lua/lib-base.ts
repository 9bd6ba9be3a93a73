import { checkKey, metamethod, metatableOf } from './access.js';
import {
  checkAny,
  checkInt,
  checkNumber,
  checkOption,
  checkString,
  checkTable,
  expectedError,
  optionalInt,
  optionalString,
} from './arguments.js';
import { callable, environmentOf, first, multi } from './calls.js';
import { argumentError, asLuaError, type LuaError, libraryError, plainError, raisedError } from './errors.js';
import { numberToString, parseNumber } from './numbers.js';
import type { LuaState } from './state.js';
import { LuaTable } from './table.js';
import { addressOf, type LuaFunction, type LuaResult, type LuaValue, NONE, typeName } from './values.js';

/** `lua_checkstack` gives no more room than this: the most values `unpack` can return. */
const MAX_STACK = 8000;

/** How often an error handler that fails is called for its own errors. */
const MAX_HANDLER_FAILURES = 200;

const READONLY = 'Attempt to modify a readonly table';

/** The basic functions. */
export function openBase(state: LuaState): void {
  const { globals } = state;
  globals.set('_G', globals);
  globals.set('_VERSION', 'Lua 5.1');
  for (const functions of [values(state), tables(state), calls(state), chunks(state)]) {
    for (const [name, body] of Object.entries(functions)) globals.set(name, state.native(name, body));
  }
  state.next = globals.get('next') as LuaFunction;
}

type Functions = Record<string, (...args: LuaValue[]) => LuaResult>;

function values(state: LuaState): Functions {
  return {
    type: (...args) => typeName(checkAny(args, 0)),
    tostring: (...args) => toText(state, checkAny(args, 0)),
    tonumber(...args) {
      const base = optionalInt(args, 1, 10);
      if (base === 10) {
        const value = checkAny(args, 0);
        if (typeof value === 'number') return value;
        return typeof value === 'string' ? parseNumber(value) : undefined;
      }
      const text = checkString(args, 0);
      if (base < 2 || base > 36) throw argumentError(2, 'base out of range');
      return parseInBase(text, base);
    },
    rawequal: (...args) => checkAny(args, 0) === checkAny(args, 1),
    select(...args) {
      const [which] = args;
      if (typeof which === 'string' && which.charCodeAt(0) === 35) return args.length - 1;
      const n = checkInt(args, 0);
      const from = n < 0 ? args.length + n : n;
      if (from < 1) throw argumentError(1, 'index out of range');
      return args.slice(from);
    },
    collectgarbage(...args) {
      const what = checkOption(args, 0, 'collect', [
        'stop',
        'restart',
        'collect',
        'count',
        'step',
        'setpause',
        'setstepmul',
      ]);
      if (args[1] !== undefined) checkInt(args, 1);
      if (what === 'count') return process.memoryUsage().heapUsed / 1024;
      return what === 'step' ? false : 0;
    },
    gcinfo: () => Math.floor(process.memoryUsage().heapUsed / 1024),
  };
}

function tables(state: LuaState): Functions {
  const ipairsStep = state.native('ipairs_step', (table, i) => {
    const next = (i as number) + 1;
    const value = (table as LuaTable).get(next);
    return value === undefined ? undefined : [next, value];
  });
  state.ipairsStep = ipairsStep;
  return {
    next(...args) {
      const table = checkTable(args, 0);
      if (args[1] === undefined) table.arrange();
      const place = table.placeOf(args[1]);
      if (place < 0) throw plainError("invalid key to 'next'");
      const found = table.occupiedFrom(place + 1);
      return found < 0 ? undefined : [table.keyAt(found), table.valueAt(found)];
    },
    pairs: (...args) => [state.next, checkTable(args, 0), undefined],
    ipairs: (...args) => [ipairsStep, checkTable(args, 0), 0],
    rawget(...args) {
      const table = checkTable(args, 0);
      return table.get(checkAny(args, 1));
    },
    rawset(...args) {
      const table = checkTable(args, 0);
      checkAny(args, 1);
      checkAny(args, 2);
      if (table.readonly) throw plainError(READONLY);
      table.set(checkKey(args[1]), args[2]);
      return table;
    },
    getmetatable(...args) {
      const meta = metatableOf(state, checkAny(args, 0));
      return meta?.get('__metatable') ?? meta;
    },
    setmetatable(...args) {
      const table = checkTable(args, 0);
      const meta = args[1];
      if (args.length < 2 || (meta !== undefined && !(meta instanceof LuaTable))) {
        throw argumentError(2, 'nil or table expected');
      }
      if (table.meta?.get('__metatable') !== undefined) throw libraryError('cannot change a protected metatable');
      if (table.readonly) throw plainError(READONLY);
      table.meta = meta;
      return table;
    },
    unpack(...args) {
      const table = checkTable(args, 0);
      const from = optionalInt(args, 1, 1);
      const to = args[2] === undefined ? table.length() : checkInt(args, 2);
      if (from > to) return NONE;
      const count = to - from + 1;
      if (count + args.length > MAX_STACK) throw libraryError('too many results to unpack');
      const { array } = table;
      if (from >= 1 && to < array.length) return array.slice(from, to + 1);
      const list: LuaValue[] = [];
      for (let i = from; i <= to; i++) list.push(table.get(i));
      return list;
    },
  };
}

function calls(state: LuaState): Functions {
  return {
    assert(...args) {
      const value = checkAny(args, 0);
      if (value !== undefined && value !== false) return args;
      throw libraryError(optionalString(args, 1, 'assertion failed!'));
    },
    error(...args) {
      throw raisedError(args[0], optionalInt(args, 1, 1));
    },
    pcall(...args) {
      // Redis' Lua has pushed the `true` of the result by the time it misses the function.
      const callee = args.length === 0 ? true : args[0];
      try {
        return [true, ...multi(callable(state, callee, '')(...args.slice(1)))];
      } catch (thrown) {
        return [false, caught(thrown).value];
      }
    },
    xpcall(...args) {
      if (args.length < 2) throw argumentError(2, 'value expected');
      try {
        return [true, ...multi(callable(state, args[0], '')())];
      } catch (thrown) {
        return handle(args[1], caught(thrown));
      }
    },
  };
}

function handle(handler: LuaValue, error: LuaError): LuaValue[] {
  let { value } = error;
  for (let failures = 0; failures < MAX_HANDLER_FAILURES; failures++) {
    if (typeof handler !== 'function') break;
    try {
      return [false, first(handler(value))];
    } catch (thrown) {
      value = caught(thrown).value;
    }
  }
  return [false, 'error in error handling'];
}

/** A thrown Lua error; what a host throws to stop the script goes on. */
function caught(thrown: unknown): LuaError {
  const error = asLuaError(thrown);
  if (error === undefined) throw thrown;
  return error;
}

function chunks(state: LuaState): Functions {
  const compile = (source: string, chunkName: string): LuaResult => {
    try {
      return state.loadInner(source, chunkName);
    } catch (thrown) {
      return [undefined, caught(thrown).value];
    }
  };
  return {
    loadstring(...args) {
      const source = checkString(args, 0);
      return compile(source, optionalString(args, 1, source));
    },
    load(...args) {
      const reader = args[0];
      if (typeof reader !== 'function') throw expectedError(args, 0, 'function');
      const chunkName = optionalString(args, 1, '=(load)');
      let source = '';
      try {
        for (;;) {
          const piece = first(reader());
          if (piece === undefined || piece === '') break;
          if (typeof piece !== 'string' && typeof piece !== 'number') {
            throw libraryError('reader function must return a string');
          }
          source += typeof piece === 'number' ? numberToString(piece) : piece;
        }
      } catch (thrown) {
        return [undefined, caught(thrown).value];
      }
      return compile(source, chunkName);
    },
    getfenv(...args) {
      const target = args[0];
      if (typeof target === 'function') return environmentOf(target)?.table ?? state.globals;
      const level = optionalInt(args, 0, 1);
      if (level < 0) throw argumentError(1, 'level must be non-negative');
      return (level === 1 ? state.environment?.table : undefined) ?? state.globals;
    },
    setfenv(...args) {
      const table = checkTable(args, 1);
      const target = args[0];
      if (typeof target !== 'function') checkNumber(args, 0);
      const environment = typeof target === 'function' ? environmentOf(target) : state.environment;
      if (environment === undefined || (typeof target !== 'function' && checkInt(args, 0) !== 1)) {
        throw libraryError("'setfenv' cannot change environment of given object");
      }
      environment.table = table;
      return target;
    },
  };
}

/** `tostring`: by `__tostring` where there is one. */
export function toText(state: LuaState, value: LuaValue): LuaValue {
  const handler = metamethod(state, value, '__tostring');
  if (handler !== undefined) return first(callable(state, handler, '')(value));
  switch (typeof value) {
    case 'number':
      return numberToString(value);
    case 'string':
      return value;
    case 'boolean':
      return value ? 'true' : 'false';
    case 'undefined':
      return 'nil';
    default:
      return `${typeName(value)}: ${addressOf(value)}`;
  }
}

/** A numeral in a base other than ten, as `strtoul` reads it: a minus sign wraps around 2^64. */
function parseInBase(text: string, base: number): number | undefined {
  const match = /^[ \t\n\v\f\r]*([+-]?)(.*?)[ \t\n\v\f\r]*$/s.exec(text.split('\0', 1)[0]!)!;
  let digits = match[2]!;
  if (base === 16 && /^0[xX]/.test(digits)) digits = digits.slice(2);
  if (digits === '') return undefined;
  let value = 0n;
  for (const digit of digits) {
    const size = Number.parseInt(digit, 36);
    if (Number.isNaN(size) || size >= base) return undefined;
    value = value * BigInt(base) + BigInt(size);
  }
  const limit = 2n ** 64n;
  if (value >= limit) return Number(limit - 1n);
  return Number(match[1] === '-' && value > 0n ? limit - value : value);
}
