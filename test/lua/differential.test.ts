/** Generated programs print the same here and in PUC Lua 5.1. HOTKV_LUA_PROGRAMS: how many; HOTKV_LUA_SEED: the first. */
import { expect, test } from 'vitest';
import { describeWith } from '../support/describe-with.js';
import { generateProgram } from './program-generator.js';
import { runHere, runInLua } from './run-program.js';

const COUNT = Number(process.env.HOTKV_LUA_PROGRAMS ?? 400);
const FIRST = Number(process.env.HOTKV_LUA_SEED ?? 1);
const BATCH = 100;

describeWith('programs beside Lua 5.1', ['lua5.1'], () => {
  test(`${COUNT} generated programs from seed ${FIRST}`, () => {
    for (let from = FIRST; from < FIRST + COUNT; from += BATCH) {
      const seeds = Array.from({ length: Math.min(BATCH, FIRST + COUNT - from) }, (_, i) => from + i);
      const programs = seeds.map(generateProgram);
      const expected = runInLua(programs);
      programs.forEach((program, i) => {
        expect(runHere(program), `seed ${seeds[i]}\n${program}`).toBe(expected[i]);
      });
    }
  }, 120_000);
});
