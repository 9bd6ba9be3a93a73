import { type Family, family } from '../family.js';
import { many, oneOf, row } from '../grammar.js';
import { anyKey, database, integer, key, unixSeconds, value } from '../values.js';

/** Two connections: what one watches the other changes. */
export const transactions: Family = family(
  'transaction',
  [
    row('MULTI', 8),
    row('EXEC', 8),
    row('DISCARD', 2),
    row('WATCH', 6, many(1, 3, anyKey)),
    row('UNWATCH', 2),
    row('SET', 8, anyKey, value),
    row('GET', 5, anyKey),
    row('INCRBY', 4, key('number'), integer),
    row('DEL', 3, many(1, 2, anyKey)),
    row('RENAME', 2, anyKey, anyKey),
    row('EXPIREAT', 2, anyKey, unixSeconds),
    row('PERSIST', 1, anyKey),
    row('SELECT', 2, database),
    row('SWAPDB', 0.5, database, database),
    row('MOVE', 1, anyKey, database),
    row('COPY', 1, anyKey, anyKey, 'REPLACE'),
    row('FLUSHDB', 0.5),
    row('FLUSHALL', 0.3),
    row('RESET', 0.5),
    row('PING', 1),
    row('NOSUCHCOMMAND', 1),
    row('APPEND', 2, anyKey, value),
    row('SETRANGE', 1, anyKey, oneOf('0', '3'), value),
    row('DBSIZE', 1),
  ],
  { connections: 2 },
);
