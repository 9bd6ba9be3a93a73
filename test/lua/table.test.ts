/** Tables behave as maps with a border, and are walked in the order of PUC Lua. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LuaTable, type LuaValue } from '../../src/lua/index.js';
import { describeWith } from '../support/describe-with.js';
import { seededRandom } from './program-generator.js';
import { runHere, runInLua } from './run-program.js';

const key = fc.oneof(
  { weight: 5, arbitrary: fc.integer({ min: -2, max: 40 }) },
  fc.constantFrom<LuaValue>(0.5, 2 ** 31, 2 ** 53, true, false, 'a', '__proto__', 'length'),
  fc.string({ maxLength: 3 }),
);
const value = fc.option(fc.integer(), { nil: undefined });

/** All pairs, in walking order. */
function walk(table: LuaTable): [LuaValue, LuaValue][] {
  const pairs: [LuaValue, LuaValue][] = [];
  table.arrange();
  for (let place = table.occupiedFrom(1); place >= 0; place = table.occupiedFrom(place + 1)) {
    pairs.push([table.keyAt(place), table.valueAt(place)]);
  }
  return pairs;
}

describe('a table', () => {
  test('holds what was put in, whatever the order of writing, removing and walking', () => {
    const steps = fc.array(fc.tuple(key, value, fc.boolean()), { maxLength: 120 });
    fc.assert(
      fc.property(steps, fc.array(value, { maxLength: 6 }), (writes, items) => {
        const table = LuaTable.ofArray([undefined, ...items]);
        const model = new Map<LuaValue, LuaValue>();
        items.forEach((item, i) => {
          if (item !== undefined) model.set(i + 1, item);
        });
        for (const [k, v, walked] of writes) {
          table.set(k, v);
          if (v === undefined) model.delete(k);
          else model.set(k, v);
          if (walked) expect(new Map(walk(table))).toEqual(model);
          expect(table.get(k)).toBe(v);
        }
        expect(walk(table)).toHaveLength(model.size);
        const border = table.length();
        if (border > 0) expect(table.get(border)).not.toBeUndefined();
        expect(table.get(border + 1)).toBeUndefined();
      }),
    );
  });

  test('may be emptied while it is walked', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(key, fc.integer())), (pairs) => {
        const table = new LuaTable();
        for (const [k, v] of pairs) table.set(k, v);
        const size = walk(table).length;
        let seen = 0;
        let last: LuaValue;
        for (;;) {
          const place = table.occupiedFrom(table.placeOf(last) + 1);
          if (place < 0) break;
          last = table.keyAt(place);
          table.set(last, undefined);
          seen++;
        }
        expect(seen).toBe(size);
        expect(walk(table)).toEqual([]);
      }),
    );
  });
});

describeWith('tables beside Lua 5.1', ['lua5.1'], () => {
  test('the walking order of tables that were filled, walked, filled again and thinned out', () => {
    const programs = Array.from({ length: 150 }, (_, seed) => fillingProgram(seededRandom(seed + 1)));
    const expected = runInLua(programs);
    programs.forEach((program, i) => {
      expect(runHere(program), program).toBe(expected[i]);
    });
  });

  test('the border and the order of tables with holes', () => {
    const programs = Array.from({ length: 600 }, (_, seed) => borderProgram(seededRandom(seed + 1)));
    const expected = runInLua(programs);
    programs.forEach((program, i) => {
      expect(runHere(program), program).toBe(expected[i]);
    });
  });
});

function randomKey(random: () => number): string {
  const kind = random();
  if (kind < 0.1) return `[${Math.floor(random() * 1000) + 0.5}]`;
  if (kind < 0.15) return `[${random() < 0.5}]`;
  if (kind < 0.2) return `[${-1 - Math.floor(random() * 50)}]`;
  const letters = Array.from(
    { length: 1 + Math.floor(random() * 9) },
    () => 'abcdefghijklmnopqrstuvwxyz'[Math.floor(random() * 26)],
  );
  const tail = kind > 0.95 ? 'q'.repeat(Math.floor(random() * 90)) : '';
  return `["${letters.join('')}${tail}"]`;
}

function fillingProgram(random: () => number): string {
  const writes = (most: number): string[] =>
    Array.from({ length: 1 + Math.floor(random() * most) }, (_, i) => `t${randomKey(random)} = ${i}`);
  const fields = Array.from({ length: Math.floor(random() * 6) }, (_, i) => `${randomKey(random)} = ${i}`);
  return [
    'local function show(t) for k, v in pairs(t) do print(k, v) end end',
    `local t = {${fields.join(', ')}}`,
    'show(t)',
    ...writes(40),
    'show(t)',
    ...writes(8),
    'show(t)',
    'for k, v in pairs(t) do if v % 3 == 1 then t[k] = nil end end',
    'show(t)',
  ].join('\n');
}

function borderProgram(random: () => number): string {
  const items = Array.from({ length: Math.floor(random() * 10) }, () => (random() < 0.3 ? 'nil' : '1'));
  const place = (): number => 1 + Math.floor(random() * 14);
  const steps = Array.from({ length: Math.floor(random() * 60) }, () => {
    const kind = random();
    if (kind < 0.15) return `t.${'abcdef'[Math.floor(random() * 6)]} = ${random() < 0.6 ? '1' : 'nil'}`;
    if (kind < 0.2) return 'table.insert(t, 2)';
    if (kind < 0.25) return 'table.remove(t)';
    if (kind < 0.35) return 'show(t)';
    return `t[${place()}] = ${kind < 0.75 ? '1' : 'nil'} print(#t)`;
  });
  return [
    // A collection would make Lua forget the names of removed keys.
    "collectgarbage('stop')",
    'local function show(t) for k, v in pairs(t) do print(k, v) end end',
    `local t = {${items.join(', ')}${random() < 0.3 ? ', x = 1, y = nil' : ''}}`,
    'print(#t)',
    ...steps,
    'show(t)',
  ].join('\n');
}
