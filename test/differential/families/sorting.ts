import { type Family, family } from '../family.js';
import { many, oneOf, options, row, seq } from '../grammar.js';
import { index, integerMember, key, member, score } from '../values.js';

const listOrSet = oneOf('list:1', 'list:2', 'list:3', 'set:1', 'set:2', 'set:3', 'missing', 'w_1');
const sortedSet = oneOf('zset:1', 'zset:2', 'zset:3');
const weightKey = oneOf('w_1', 'w_2', 'w_3', 'w_a', 'w_b', 'w_c');
const by = seq('BY', oneOf('w_*', 'nosort', 'h_*->weight', 'hash:1->*', 'w_', 'number:*'));
const get = seq('GET', oneOf('#', 'w_*', 'h_*->weight', '*', 'x'));
const direction = oneOf('ASC', 'DESC', 'desc');
const limit = seq('LIMIT', index, index);
const arrangement = options(by, get, get, limit, direction, 'ALPHA', 'ALPHA');
/** Members of a sorted set are taken from a hash table, and texts of equal weight stay as they come: BY without ALPHA. */
const sortedSetArrangement = oneOf(options(by, get, limit, direction), options(get, limit, direction, 'ALPHA'));
const request = oneOf(seq(listOrSet, arrangement), seq(listOrSet, arrangement), seq(sortedSet, sortedSetArrangement));

export const sorting: Family = family('sort', [
  row('RPUSH', 5, key('list'), many(1, 5, integerMember)),
  row('RPUSH', 1, key('list'), many(1, 3, member)),
  row('SADD', 4, key('set'), many(1, 5, integerMember)),
  // Under no other name: SORT of what is drawn as a list or set may have texts of equal weight.
  row('ZADD', 4, sortedSet, many(1, 4, score, integerMember)),
  row('SET', 4, weightKey, score),
  row('HSET', 3, oneOf('h_1', 'h_2', 'h_3', 'h_a'), 'weight', score),
  row('SORT', 10, request),
  row('SORT_RO', 5, request),
  row('SORT', 4, request, 'STORE', oneOf(key('list'), 'sorted')),
  row('LRANGE', 2, 'sorted', '0', '-1'),
  row('DEL', 1, oneOf(listOrSet, sortedSet, weightKey)),
]);
