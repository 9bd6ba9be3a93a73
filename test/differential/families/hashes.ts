import { type Family, family } from '../family.js';
import { counted, freesOrder, type Gen, many, maybe, oneOf, options, row, seq, steady } from '../grammar.js';
import {
  count,
  float,
  integer,
  key,
  member,
  milliseconds,
  pattern,
  seconds,
  uniqueMilliseconds,
  uniqueSeconds,
  unixMilliseconds,
  unixSeconds,
  value,
} from '../values.js';

const hash = key('hash');

export const hashes: Family = family('hash', [
  row('HSET', 12, hash, many(1, 4, member, value)),
  row('HMSET', 2, hash, many(1, 3, member, value)),
  row('HSETNX', 3, hash, member, value),
  row('HGET', 5, hash, member),
  row('HMGET', 4, hash, many(1, 4, member)),
  row('HGETALL', 4, hash),
  row('HKEYS', 2, hash),
  row('HVALS', 2, hash),
  row('HDEL', 5, hash, many(1, 3, member)),
  row('HEXISTS', 2, hash, member),
  row('HLEN', 2, hash),
  row('HSTRLEN', 2, hash, member),
  row('HINCRBY', 4, hash, member, integer),
  freesOrder(row('HINCRBYFLOAT', 4, hash, member, float)),
  row('HINCRBYFLOAT', 3, hash, member, oneOf('0.5', '-3', '10', '1e3', 'x', 'inf', 'nan', '')),
  row('HRANDFIELD', 2, hash, maybe(0.6, count, maybe(0.5, 'WITHVALUES'))),
  row('HGETDEL', 3, hash, 'FIELDS', counted(1, 3, member)),
  steady('HSCAN', 2, hash, '0', 'COUNT', '10000', maybe(0.4, 'MATCH', pattern), maybe(0.3, 'NOVALUES')),
  row('DEL', 1, hash),
  row('OBJECT', 1, 'ENCODING', hash),
  row('SET', 0.3, hash, value),
]);

const condition = maybe(0.4, oneOf('NX', 'XX', 'GT', 'LT', 'x'));
/** Conditions that compare no times. */
const presence = maybe(0.4, oneOf('NX', 'XX', 'x'));
const fields = seq(oneOf('FIELDS', 'FIELDS', 'FIELDS', 'fields', 'x'), counted(1, 3, member));
const absolute = oneOf(seq('EXAT', unixSeconds), seq('PXAT', unixMilliseconds));
const relative = oneOf(seq('EX', seconds), seq('PX', milliseconds));
/** Fields that expire are kept in the order of their expiry: a relative one depends on the moment. */
const expiry: Gen = (draw) => (draw.large ? oneOf(absolute, relative) : absolute)(draw);

export const hashFieldExpiry: Family = family('hash-ttl', [
  row('HSET', 10, hash, many(1, 4, member, value)),
  freesOrder(row('HEXPIRE', 8, hash, oneOf(seq(seconds, presence), seq(uniqueSeconds, condition)), fields)),
  freesOrder(row('HPEXPIRE', 8, hash, oneOf(seq(milliseconds, presence), seq(uniqueMilliseconds, condition)), fields)),
  row('HEXPIRE', 2, hash, oneOf('0', '-1', 'x', '1.5', '9223372036854775807'), condition, fields),
  row('HEXPIREAT', 5, hash, unixSeconds, condition, fields),
  row('HPEXPIREAT', 5, hash, unixMilliseconds, condition, fields),
  row('HTTL', 3, hash, fields),
  row('HPTTL', 3, hash, fields),
  row('HEXPIRETIME', 3, hash, fields),
  row('HPEXPIRETIME', 3, hash, fields),
  row('HPERSIST', 3, hash, fields),
  row('HGETEX', 5, hash, options(expiry, 'PERSIST'), fields),
  row('HSETEX', 6, hash, options('FNX', 'FXX', 'KEEPTTL', expiry), 'FIELDS', counted(1, 3, seq(member, value))),
  row('HSETEX', 6, hash, options('FNX', 'FXX', 'KEEPTTL', expiry), 'FIELDS', '1', member, value),
  row('HSETEX', 6, hash, options('FNX', 'FXX', 'KEEPTTL', expiry), 'FIELDS', '2', member, value, member, value),
  row('HGETDEL', 3, hash, fields),
  row('HDEL', 2, hash, many(1, 2, member)),
  row('HGETALL', 3, hash),
  row('HINCRBY', 1, hash, member, integer),
  freesOrder(row('HINCRBYFLOAT', 1, hash, member, float)),
  row('HSETNX', 1, hash, member, value),
  row('HMGET', 1, hash, many(1, 3, member)),
  row('HLEN', 1, hash),
  row('COPY', 1, hash, hash, 'REPLACE'),
  row('RENAME', 1, hash, hash),
  row('OBJECT', 1, 'ENCODING', hash),
  row('EXISTS', 1, hash),
  row('DEL', 1, hash),
]);
