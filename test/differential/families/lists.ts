import { type Family, family } from '../family.js';
import { counted, many, maybe, oneOf, options, row, seq, steady } from '../grammar.js';
import { count, index, key, member, value } from '../values.js';

const list = key('list');
const element = oneOf(member, value);
const side = oneOf('LEFT', 'RIGHT', 'left', 'Right', 'x');
const limit = maybe(0.5, 'COUNT', oneOf('1', '2', '10', '0', '-1', 'x'));
/** Blocking commands are sent with a short limit, or one that is refused. */
const timeout = oneOf('0.01', '0.001', '-1', 'x', '1e400', 'nan');

export const lists: Family = family('list', [
  row('RPUSH', 10, list, many(1, 5, element)),
  row('LPUSH', 8, list, many(1, 4, element)),
  row('RPUSHX', 2, list, many(1, 2, element)),
  row('LPUSHX', 2, list, many(1, 2, element)),
  row('LPOP', 4, list, maybe(0.4, count)),
  row('RPOP', 4, list, maybe(0.4, count)),
  row('LLEN', 3, list),
  row('LRANGE', 6, list, index, index),
  row('LINDEX', 4, list, index),
  row('LSET', 4, list, index, element),
  row('LINSERT', 4, list, oneOf('BEFORE', 'AFTER', 'before', 'x'), element, element),
  row('LREM', 4, list, index, element),
  row('LTRIM', 2, list, index, index),
  row('LPOS', 5, list, element, options(seq('RANK', index), seq('COUNT', count), seq('MAXLEN', count))),
  row('RPOPLPUSH', 3, list, list),
  row('LMOVE', 4, list, list, side, side),
  row('LMPOP', 4, counted(1, 3, list), side, limit),
  steady('BLPOP', 1, many(1, 2, list), timeout),
  steady('BRPOP', 1, many(1, 2, list), timeout),
  steady('BLMOVE', 1, list, list, side, side, timeout),
  steady('BRPOPLPUSH', 1, list, list, timeout),
  steady('BLMPOP', 1, timeout, counted(1, 2, list), side, limit),
  row('DEL', 1, list),
  row('OBJECT', 1, 'ENCODING', list),
  row('SET', 0.3, list, value),
]);
