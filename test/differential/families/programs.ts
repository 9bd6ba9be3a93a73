/** Random Lua programs, and the commands that give their keys something to hold. */
import { type Family, family } from '../family.js';
import { type Draw, many, type Row, row } from '../grammar.js';
import { luaProgram } from '../lua-programs.js';
import { anyKey, integer, key, value } from '../values.js';

const COMMANDS = ['EVAL', 'EVAL', 'EVAL', 'EVAL_RO'];

const program: Row = {
  name: 'EVAL',
  weight: 20,
  steady: true,
  draw(draw: Draw) {
    const { random } = draw;
    const keyName = (): string => anyKey(draw)[0]!;
    return [
      [
        random.pick(COMMANDS),
        luaProgram(random, keyName),
        '1',
        keyName(),
        ...many(0, 2, value)({ ...draw, large: false }),
      ],
    ];
  },
};

export const programs: Family = family('programs', [
  program,
  row('SET', 2, key('string'), value),
  row('SET', 2, key('number'), integer),
  row('RPUSH', 2, key('list'), many(1, 3, value)),
  row('HSET', 2, key('hash'), 'f1', value),
  row('SADD', 1, key('set'), many(1, 3, value)),
  row('ZADD', 1, key('zset'), '1', 'm1', '2.5', 'm2'),
]);
