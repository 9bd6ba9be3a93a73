import { type Family, family } from '../family.js';
import { counted, type Gen, many, maybe, oneOf, options, row, seq, steady } from '../grammar.js';
import { count, index, key, lexBound, member, pattern, score, scoreBound, value } from '../values.js';

const zset = key('zset');
const source = oneOf(zset, zset, zset, key('set'));
const limit = maybe(0.4, 'LIMIT', index, index);
const withScores = maybe(0.5, oneOf('WITHSCORES', 'withscores', 'x'));
const aggregate = maybe(0.4, 'AGGREGATE', oneOf('SUM', 'MIN', 'MAX', 'max', 'x'));
const weights = maybe(0.4, 'WEIGHTS', many(1, 3, score));
const combination = seq(counted(1, 3, source), weights, aggregate);
const weighted = seq('2', source, source, maybe(0.6, 'WEIGHTS', score, score), aggregate);
const range = oneOf(seq(index, index), seq(scoreBound, scoreBound, oneOf('BYSCORE', 'byscore', '')));
const lexRange = seq(lexBound, lexBound, 'BYLEX');
/**
 * Lexicographic ranges of members with different scores are undefined: a skip list answers by its random levels, while a
 * small set answers as it stands. So large sequences ask for them only where all scores are equal.
 */
const lexical: Gen = (draw) => (draw.large ? oneOf('equal:1', 'equal:2') : zset)(draw);
const end = oneOf('MIN', 'MAX', 'min', 'x');
const timeout = oneOf('0.01', '-1', 'x');

export const zsets: Family = family('zset', [
  row('ZADD', 14, zset, options('NX', 'XX', 'GT', 'LT', 'CH'), many(1, 4, score, member)),
  steady('ZADD', 5, lexical, many(1, 5, '0', member)),
  row('ZADD', 2, zset, options('INCR', 'NX', 'XX', 'GT'), score, member),
  row('SADD', 3, key('set'), many(1, 3, member)),
  row('ZINCRBY', 5, zset, score, member),
  row('ZREM', 3, zset, many(1, 3, member)),
  row('ZCARD', 2, zset),
  row('ZSCORE', 3, zset, member),
  row('ZMSCORE', 3, zset, many(1, 4, member)),
  row('ZRANK', 3, zset, member, maybe(0.4, 'WITHSCORE')),
  row('ZREVRANK', 3, zset, member, maybe(0.4, 'WITHSCORE')),
  row('ZRANGE', 8, zset, range, maybe(0.4, 'REV'), limit, withScores),
  row('ZRANGESTORE', 3, zset, zset, range, maybe(0.4, 'REV'), limit),
  row('ZRANGE', 4, lexical, lexRange, maybe(0.4, 'REV'), limit),
  row('ZRANGESTORE', 1, zset, lexical, lexRange, maybe(0.4, 'REV'), limit),
  row('ZREVRANGE', 2, zset, index, index, withScores),
  row('ZRANGEBYSCORE', 3, zset, scoreBound, scoreBound, withScores, limit),
  row('ZREVRANGEBYSCORE', 3, zset, scoreBound, scoreBound, withScores, limit),
  row('ZRANGEBYLEX', 3, lexical, lexBound, lexBound, limit),
  row('ZREVRANGEBYLEX', 2, lexical, lexBound, lexBound, limit),
  row('ZCOUNT', 3, zset, scoreBound, scoreBound),
  row('ZLEXCOUNT', 2, lexical, lexBound, lexBound),
  row('ZREMRANGEBYRANK', 1, zset, index, index),
  row('ZREMRANGEBYSCORE', 1, zset, scoreBound, scoreBound),
  row('ZREMRANGEBYLEX', 1, lexical, lexBound, lexBound),
  row('ZPOPMIN', 2, zset, maybe(0.5, count)),
  row('ZPOPMAX', 2, zset, maybe(0.5, count)),
  row('ZUNION', 3, oneOf(combination, weighted), withScores),
  row('ZINTER', 3, oneOf(combination, weighted), withScores),
  row('ZDIFF', 3, counted(1, 3, source), withScores),
  row('ZUNIONSTORE', 3, zset, oneOf(combination, weighted)),
  row('ZINTERSTORE', 3, zset, oneOf(combination, weighted)),
  row('ZDIFFSTORE', 2, zset, counted(1, 3, source)),
  row('ZINTERCARD', 2, counted(1, 3, source), maybe(0.5, 'LIMIT', count)),
  row('ZMPOP', 3, counted(1, 3, zset), end, maybe(0.5, 'COUNT', count)),
  steady('BZPOPMIN', 1, many(1, 2, zset), timeout),
  steady('BZPOPMAX', 1, many(1, 2, zset), timeout),
  steady('BZMPOP', 1, timeout, counted(1, 2, zset), end),
  row('ZRANDMEMBER', 2, zset, maybe(0.6, count, maybe(0.5, 'WITHSCORES'))),
  steady('ZSCAN', 2, zset, '0', 'COUNT', '10000', maybe(0.4, 'MATCH', pattern)),
  row('DEL', 1, zset),
  row('OBJECT', 1, 'ENCODING', zset),
  row('SET', 0.3, zset, value),
]);
