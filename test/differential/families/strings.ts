import { type Family, family } from '../family.js';
import { many, maybe, oneOf, options, row, seq } from '../grammar.js';
import {
  count,
  float,
  index,
  integer,
  key,
  milliseconds,
  seconds,
  unixMilliseconds,
  unixSeconds,
  value,
} from '../values.js';

const text = key('string');
const number = key('number');
const anyText = oneOf(text, number);
const expiry = oneOf(
  seq('EX', seconds),
  seq('PX', milliseconds),
  seq('EXAT', unixSeconds),
  seq('PXAT', unixMilliseconds),
);

export const strings: Family = family('string', [
  row('SET', 12, text, value, options('NX', 'XX', 'GET', 'KEEPTTL', expiry, expiry)),
  row('SET', 6, number, oneOf(integer, float)),
  row('GET', 8, anyText),
  row('GETSET', 2, anyText, value),
  row('GETDEL', 2, anyText),
  row('GETEX', 4, anyText, options('PERSIST', expiry)),
  row('SETNX', 2, text, value),
  row('SETEX', 2, text, seconds, value),
  row('PSETEX', 2, text, milliseconds, value),
  row('MSET', 3, many(1, 4, text, value)),
  row('MSETNX', 2, many(1, 3, text, value)),
  row('MGET', 3, many(1, 5, anyText)),
  row('APPEND', 5, anyText, value),
  row('STRLEN', 3, anyText),
  row('SETRANGE', 5, text, oneOf(index, '20', '536870912', '300'), value),
  row('GETRANGE', 5, anyText, index, index),
  row('SUBSTR', 2, anyText, index, index),
  row('INCR', 3, number),
  row('DECR', 3, number),
  row('INCRBY', 4, number, integer),
  row('DECRBY', 4, number, integer),
  row('INCRBYFLOAT', 6, number, float),
  row('LCS', 4, text, text, options('LEN', 'IDX', seq('MINMATCHLEN', count), 'WITHMATCHLEN')),
  row('TTL', 2, anyText),
  row('PEXPIRETIME', 1, anyText),
  row('OBJECT', 2, 'ENCODING', anyText),
  row('DEL', 2, many(1, 2, anyText)),
  row('EXISTS', 1, many(1, 3, anyText)),
  row('EXPIREAT', 1, text, unixSeconds, maybe(0.3, oneOf('NX', 'XX', 'GT', 'LT'))),
]);
