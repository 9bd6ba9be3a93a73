import { type Family, family } from '../family.js';
import { many, maybe, oneOf, options, row, seq, steady } from '../grammar.js';
import {
  anyKey,
  database,
  milliseconds,
  pattern,
  seconds,
  uniqueMilliseconds,
  uniqueSeconds,
  unixMilliseconds,
  unixSeconds,
  value,
} from '../values.js';

const condition = maybe(0.5, options('NX', 'XX', 'GT', 'LT', 'x'));
/** Conditions that compare no times. */
const presence = maybe(0.5, options('NX', 'XX', 'x'));
const typeName = oneOf('string', 'list', 'set', 'zset', 'hash', 'stream', 'STRING', 'nosuchtype');

export const keys: Family = family('keys', [
  row('SET', 10, anyKey, value, maybe(0.2, 'EX', seconds)),
  row('DEL', 3, many(1, 3, anyKey)),
  row('UNLINK', 2, many(1, 3, anyKey)),
  row('EXISTS', 3, many(1, 4, anyKey)),
  row('TYPE', 3, anyKey),
  row('TOUCH', 2, many(1, 3, anyKey)),
  row('RENAME', 4, anyKey, anyKey),
  row('RENAMENX', 3, anyKey, anyKey),
  row('COPY', 4, anyKey, anyKey, options('REPLACE', seq('DB', database))),
  row('MOVE', 3, anyKey, database),
  row('KEYS', 2, pattern),
  steady(
    'SCAN',
    3,
    oneOf('0', '0', ' 0', '-0'),
    'COUNT',
    '10000',
    options(seq('MATCH', pattern), seq('TYPE', typeName)),
  ),
  // One call must return everything: what a part of it holds is chance. The rest are requests that are refused.
  steady('SCAN', 0.5, oneOf('x', '-1', '18446744073709551616', ''), options(seq('COUNT', '1000'), 'MATCH')),
  steady('SCAN', 0.5, '0', oneOf('COUNT', 'MATCH', 'TYPE', 'x', seq('COUNT', oneOf('0', '-1', 'x')))),
  row('RANDOMKEY', 1),
  row('DBSIZE', 2),
  row('EXPIRE', 4, anyKey, oneOf(seq(seconds, presence), seq(uniqueSeconds, condition))),
  row('PEXPIRE', 4, anyKey, oneOf(seq(milliseconds, presence), seq(uniqueMilliseconds, condition))),
  row('EXPIREAT', 4, anyKey, unixSeconds, condition),
  row('PEXPIREAT', 4, anyKey, unixMilliseconds, condition),
  row('TTL', 3, anyKey),
  row('PTTL', 3, anyKey),
  row('EXPIRETIME', 3, anyKey),
  row('PEXPIRETIME', 3, anyKey),
  row('PERSIST', 3, anyKey),
  row('OBJECT', 3, oneOf('ENCODING', 'REFCOUNT', 'IDLETIME', 'FREQ', 'HELP', 'x'), anyKey),
  row('SELECT', 2, database),
  row('SWAPDB', 1, database, database),
  row('FLUSHDB', 0.2, maybe(0.5, oneOf('ASYNC', 'SYNC', 'x'))),
  row('FLUSHALL', 0.1, maybe(0.5, oneOf('ASYNC', 'SYNC', 'x'))),
  row('WAIT', 0.5, '0', '0'),
  row('GET', 2, anyKey),
]);
