import { checkFunction, checkInt, checkTable, optionalInt, optionalString } from './arguments.js';
import { first } from './calls.js';
import { libraryError } from './errors.js';
import { numberToString } from './numbers.js';
import { lessThan } from './operators.js';
import { sortValues } from './sort.js';
import type { LuaState } from './state.js';
import type { LuaTable } from './table.js';
import { type LuaValue, NONE, typeName } from './values.js';

/** The table library of Lua 5.1, all of it raw: it asks no metamethods except for comparing. */
export function openTable(state: LuaState): void {
  state.openLibrary('table', {
    concat: (...args) => concatTable(state, args),
    insert(...args) {
      const table = checkTable(args, 0);
      const end = table.length() + 1;
      let at = end;
      if (args.length === 3) {
        at = checkInt(args, 1);
        for (let i = Math.max(end, at); i > at; i--) put(table, i, table.get(i - 1));
      } else if (args.length !== 2) throw libraryError("wrong number of arguments to 'insert'");
      put(table, at, args[args.length - 1]);
      return NONE;
    },
    remove(...args) {
      const table = checkTable(args, 0);
      const end = table.length();
      const at = optionalInt(args, 1, end);
      if (at < 1 || at > end) return NONE;
      const removed = table.get(at);
      for (let i = at; i < end; i++) put(table, i, table.get(i + 1));
      put(table, end, undefined);
      return removed;
    },
    sort(...args) {
      const table = checkTable(args, 0);
      const compare = args[1] === undefined ? undefined : checkFunction(args, 1);
      if (table.readonly) throw libraryError('Attempt to modify a readonly table');
      sortValues(
        table,
        compare === undefined
          ? undefined
          : (a, b) => {
              const before = first(compare(a, b));
              return before !== undefined && before !== false;
            },
        (a, b) => lessThan(state, a, b),
      );
      return NONE;
    },
    getn: (...args) => checkTable(args, 0).length(),
    setn(...args) {
      checkTable(args, 0);
      throw libraryError("'setn' is obsolete");
    },
    maxn(...args) {
      const table = checkTable(args, 0);
      let most = 0;
      for (let place = table.occupiedFrom(1); place >= 0; place = table.occupiedFrom(place + 1)) {
        const key = table.keyAt(place);
        if (typeof key === 'number' && key > most) most = key;
      }
      return most;
    },
    foreachi(...args) {
      const table = checkTable(args, 0);
      const callee = checkFunction(args, 1);
      const end = table.length();
      for (let i = 1; i <= end; i++) {
        const result = first(callee(i, table.get(i)));
        if (result !== undefined) return result;
      }
      return NONE;
    },
    foreach(...args) {
      const table = checkTable(args, 0);
      const callee = checkFunction(args, 1);
      table.arrange();
      for (let place = table.occupiedFrom(1); place >= 0; place = table.occupiedFrom(place + 1)) {
        const result = first(callee(table.keyAt(place), table.valueAt(place)));
        if (result !== undefined) return result;
      }
      return NONE;
    },
  });
}

function put(table: LuaTable, at: number, value: LuaValue): void {
  if (table.readonly) throw libraryError('Attempt to modify a readonly table');
  table.set(at, value);
}

function concatTable(state: LuaState, args: LuaValue[]): LuaValue {
  const separator = optionalString(args, 1, '');
  const table = checkTable(args, 0);
  const from = optionalInt(args, 2, 1);
  const to = args[3] === undefined ? table.length() : checkInt(args, 3);
  let text = '';
  for (let i = from; i <= to; i++) {
    const value = table.get(i);
    if (typeof value === 'string') text += value;
    else if (typeof value === 'number') text += numberToString(value);
    else throw libraryError(`invalid value (${typeName(value)}) at index ${i} in table for 'concat'`);
    if (i < to) text += separator;
    if ((i & 0xfff) === 0) state.chargeString(text.length);
  }
  if (text.length > 1 << 16) state.chargeString(text.length);
  return text;
}
