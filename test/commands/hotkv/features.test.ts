/** FEATURE.*: values by schema, and how old they are. */
import { describe, expect, it } from 'vitest';
import { startServer } from '../../../src/server/start.js';
import { run } from '../../support/run-lines.js';

const NOW = 1_700_000_000_000;
const frozen = () => startServer({ port: 0, clock: NOW });
const CREATE = 'FEATURE.CREATE users about SCHEMA age int64 score double name string ids int_array emb double_array';

describe('FEATURE', () => {
  it('sets and reads values with their age', async () => {
    await using server = await frozen();
    expect(await run(server, CREATE)).toBe('OK');
    expect(await run(server, 'FEATURE.SET users bob age 30 name Bob')).toBe('OK');
    server.clock.advance(250);
    expect(await run(server, 'FEATURE.GET users bob')).toEqual([['age', '30', 'name', 'Bob'], NOW, 250]);
    expect(await run(server, 'FEATURE.GET users bob name score')).toEqual([['name', 'Bob'], NOW, 250]);
    expect(await run(server, 'FEATURE.GET users nobody')).toBeNull();
    await run(server, 'FEATURE.SET users bob score 0.5 ids 1,2 emb 0.5,1e3');
    expect(await run(server, 'FEATURE.GET users bob ids emb')).toEqual([
      ['ids', '1,2', 'emb', '0.5,1e3'],
      NOW + 250,
      0,
    ]);
    await run(server, `FEATURE.SETAT users ann ${NOW - 1000} age 20`);
    expect(await run(server, 'FEATURE.BATCH users ann nobody bob FEATURES age')).toEqual([
      [['age', '20'], NOW - 1000, 1250],
      null,
      [['age', '30'], NOW + 250, 0],
    ]);
    const stats = (await run(server, 'FEATURE.STATS users')) as unknown[];
    expect(stats.slice(0, 6)).toEqual(['entities', 2, 'totalReads', 7, 'totalWrites', 3]);
  });

  it('tells its schema, lists and drops', async () => {
    await using server = await frozen();
    await run(server, CREATE, 'FEATURE.CREATE b x SCHEMA f DOUBLE');
    expect(await run(server, 'FEATURE.SCHEMA b')).toEqual([['f', 'double']]);
    expect(await run(server, 'FEATURE.LIST')).toEqual(['users', 'b']);
    expect(await run(server, 'FEATURE.DROP b')).toBe('OK');
    await run(server, 'FLUSHALL');
    expect(await run(server, 'FEATURE.LIST')).toEqual([]);
  });

  it.each([
    [CREATE, "ERR feature group 'users' already exists"],
    ['FEATURE.CREATE b x SCHEMA f float', 'must be one of int64, double, string, int_array, double_array'],
    ['FEATURE.CREATE b x SCHEMA f double f string', "ERR feature 'f' is named twice"],
    ['FEATURE.CREATE b x SCHEMA f double g', 'wrong number of arguments'],
    ['FEATURE.CREATE b x FIELDS f double', "ERR unknown option 'FIELDS'"],
    ['FEATURE.SET users bob age x', "ERR invalid value of feature 'age': must be of type int64"],
    ['FEATURE.SET users bob name Bob score nan', 'must be of type double'],
    ['FEATURE.SET users bob ids 1,x', 'must be of type int_array'],
    ['FEATURE.SET users bob emb 1,', 'must be of type double_array'],
    ['FEATURE.SET users bob height 1', 'must be one of age, score, name, ids, emb'],
    ['FEATURE.SET users bob name Bob age', 'wrong number of arguments'],
    ['FEATURE.SETAT users bob -1 age 1', 'ERR invalid time'],
    ['FEATURE.GET users bob height', "ERR unknown feature 'height'"],
    ['FEATURE.SET missing bob age 1', "ERR feature group 'missing' not found"],
    ['FEATURE.DROP missing', 'not found'],
  ])('%s is refused', async (line, error) => {
    await using server = await frozen();
    await run(server, CREATE);
    await expect(run(server, line)).rejects.toThrow(error);
    expect(await run(server, 'FEATURE.LIST')).toEqual(['users']);
    expect(await run(server, 'FEATURE.GET users bob')).toBeNull();
  });
});
