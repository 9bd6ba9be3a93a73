import { type Family, family } from '../family.js';
import { counted, freesOrder, many, maybe, oneOf, row, script, seq, steady } from '../grammar.js';
import { count, integerMember, key, member, pattern, value } from '../values.js';

const set = key('set');
const element = oneOf(member, member, integerMember);

export const sets: Family = family('set', [
  row('SADD', 12, set, many(1, 5, element)),
  row('SADD', 4, set, many(1, 5, integerMember)),
  row('SREM', 5, set, many(1, 3, element)),
  row('SISMEMBER', 3, set, element),
  row('SMISMEMBER', 3, set, many(1, 4, element)),
  row('SCARD', 3, set),
  row('SMEMBERS', 4, set),
  row('SMOVE', 3, set, set, element),
  row('SINTER', 4, many(1, 3, set)),
  row('SUNION', 4, many(1, 3, set)),
  row('SDIFF', 4, many(1, 3, set)),
  freesOrder(row('SINTERSTORE', 6, set, many(1, 3, set))),
  freesOrder(row('SUNIONSTORE', 6, set, many(1, 3, set))),
  freesOrder(row('SDIFFSTORE', 6, set, many(1, 3, set))),
  freesOrder(row('SDIFFSTORE', 2, 'set:1', 'set:1', many(3, 5, oneOf('set:2', 'set:3', 'missing')))),
  row('SINTERCARD', 4, counted(1, 3, set), maybe(0.5, 'LIMIT', count)),
  row('SRANDMEMBER', 2, set, maybe(0.5, count)),
  // Which members SPOP takes is chance, unless it takes all of them.
  steady('SPOP', 1, set, '100000'),
  steady('SPOP', 0.5, set, oneOf('0', '-1', 'x', seq('1', '2'))),
  script('SPOP', 1, ['DEL', 'set:1'], ['SADD', 'set:1', 'only'], ['SPOP', 'set:1'], ['EXISTS', 'set:1']),
  steady('SSCAN', 2, set, '0', 'COUNT', '10000', maybe(0.4, 'MATCH', pattern)),
  row('DEL', 1, set),
  row('OBJECT', 2, 'ENCODING', set),
  row('EXPIREAT', 0.5, set, '4000000000'),
  row('SET', 0.3, set, value),
]);
