/** Well-formed commands whose keys stand in different places: what COMMAND GETKEYS is asked about. */
import { many, maybe, oneOf, seq } from '../grammar.js';
import { anyKey, value } from '../values.js';

const numbered = (least: number, most: number) =>
  oneOf(seq('1', anyKey), seq('2', anyKey, anyKey), seq('3', many(least, most, anyKey)));

export const keyCommands = oneOf(
  seq('GET', anyKey),
  seq('SET', anyKey, value, maybe(0.3, oneOf('GET', 'NX'))),
  seq('MSET', many(1, 3, anyKey, value)),
  seq('DEL', many(1, 3, anyKey)),
  seq('BITOP', 'AND', anyKey, many(1, 3, anyKey)),
  seq('BITFIELD', anyKey, oneOf(seq('GET', 'u8', '0'), seq('SET', 'u8', '0', '1'))),
  seq('COPY', anyKey, anyKey),
  seq('RENAME', anyKey, anyKey),
  seq('OBJECT', 'ENCODING', anyKey),
  seq('LCS', anyKey, anyKey),
  seq('EVAL', 'return 1', numbered(1, 4), value),
  seq('FCALL', 'f', numbered(1, 4)),
  seq('ZUNION', numbered(1, 4), maybe(0.3, 'WITHSCORES')),
  seq('ZUNIONSTORE', anyKey, numbered(1, 4)),
  seq('ZINTERCARD', numbered(1, 4)),
  seq('LMPOP', numbered(1, 4), 'LEFT'),
  seq('BLMPOP', '0', numbered(1, 4), 'LEFT'),
  seq('BLPOP', many(1, 3, anyKey), '0'),
  seq('XREAD', maybe(0.4, 'COUNT', '2'), 'STREAMS', anyKey, anyKey, '0', '0'),
  seq('XREADGROUP', 'GROUP', 'g', 'c', maybe(0.4, 'NOACK'), 'STREAMS', anyKey, '>'),
  seq('XGROUP', 'CREATE', anyKey, 'g', '$'),
  seq('SORT', anyKey, maybe(0.4, 'BY', 'w_*'), maybe(0.4, 'GET', '#'), maybe(0.5, 'STORE', anyKey)),
  seq('GEORADIUS', anyKey, '1', '1', '1', 'km', maybe(0.5, oneOf('STORE', 'STOREDIST'), anyKey)),
  seq('GEOSEARCHSTORE', anyKey, anyKey, 'FROMMEMBER', 'a', 'BYRADIUS', '1', 'km'),
  seq('MIGRATE', 'h', '1', oneOf('""', ''), '0', '1', 'KEYS', many(1, 3, anyKey)),
  seq('MEMORY', 'USAGE', anyKey),
  seq('PING'),
  seq('SINTERCARD', numbered(1, 4)),
  seq('SMOVE', anyKey, anyKey, 'a'),
  seq('PFMERGE', anyKey, many(0, 2, anyKey)),
  seq('PFCOUNT', many(1, 2, anyKey)),
  seq('SUBSCRIBE', 'c'),
  seq('SPUBLISH', 'c', 'm'),
);
