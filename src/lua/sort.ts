import { libraryError } from './errors.js';
import type { LuaTable } from './table.js';
import type { LuaValue } from './values.js';

/** Whether the first value goes before the second. */
export type Before = (a: LuaValue, b: LuaValue) => boolean;

/**
 * Sorts the elements of a table as Lua 5.1's `table.sort` does. With a comparison of the script's own the quicksort of
 * Lua is followed step by step, since equal elements end up in an order that scripts can see; numbers alone or strings
 * alone under the default order have only one sorted order, which V8 finds faster.
 */
export function sortValues(table: LuaTable, compare: Before | undefined, natural: Before): void {
  const size = table.length();
  if (size < 2) return;
  const inArray = !table.holes && size === table.array.length - 1;
  const list: LuaValue[] = inArray ? table.array : [undefined];
  if (!inArray) for (let i = 1; i <= size; i++) list.push(table.get(i));
  try {
    if (compare !== undefined) quicksort(list, 1, size, compare);
    else if (!sortUniform(list, size)) quicksort(list, 1, size, natural);
  } finally {
    if (!inArray) for (let i = 1; i <= size; i++) table.set(i, list[i]);
    // A comparison that fails half-way may leave the array as it is, but not longer.
    else if (list[size] === undefined) table.holes = true;
  }
}

/** Sorts a list of nothing but numbers or nothing but strings; false if it is neither. */
function sortUniform(list: LuaValue[], size: number): boolean {
  const type = typeof list[1];
  if (type !== 'number' && type !== 'string') return false;
  for (let i = 1; i <= size; i++) {
    const value = list[i];
    if (typeof value !== type || Number.isNaN(value)) return false;
  }
  if (type === 'number') {
    const numbers = new Float64Array(size);
    for (let i = 0; i < size; i++) numbers[i] = list[i + 1] as number;
    numbers.sort();
    for (let i = 0; i < size; i++) list[i + 1] = numbers[i];
    return true;
  }
  const strings = (list as string[]).slice(1, size + 1).sort();
  for (let i = 0; i < size; i++) list[i + 1] = strings[i];
  return true;
}

function quicksort(list: LuaValue[], from: number, to: number, before: Before): void {
  let low = from;
  let high = to;
  while (low < high) {
    order(list, low, high, before);
    if (high - low === 1) return;
    const middle = (low + high) >> 1;
    if (before(list[middle], list[low])) swap(list, middle, low);
    else order(list, middle, high, before);
    if (high - low === 2) return;
    const pivot = list[middle];
    swap(list, middle, high - 1);
    let i = low;
    let j = high - 1;
    for (;;) {
      while (before(list[++i], pivot)) if (i > high) throw libraryError(INVALID);
      while (before(pivot, list[--j])) if (j < low) throw libraryError(INVALID);
      if (j < i) break;
      swap(list, i, j);
    }
    swap(list, high - 1, i);
    // The smaller part by recursion, the larger in this loop.
    if (i - low < high - i) {
      quicksort(list, low, i - 1, before);
      low = i + 1;
    } else {
      quicksort(list, i + 1, high, before);
      high = i - 1;
    }
  }
}

const INVALID = 'invalid order function for sorting';

function order(list: LuaValue[], low: number, high: number, before: Before): void {
  if (before(list[high], list[low])) swap(list, low, high);
}

function swap(list: LuaValue[], i: number, j: number): void {
  const value = list[i];
  list[i] = list[j];
  list[j] = value;
}
