import { type Family, family } from '../family.js';
import { many, maybe, oneOf, row, seq, steady } from '../grammar.js';
import { anyKey, value } from '../values.js';

const channel = oneOf('news', 'sport', 'n', '', '__keyevent@0__:set', '__keyspace@0__:string:1');
const pattern = oneOf('n*', '*', 'new?', '[ns]*', '__key*__:*', 'nothing');
const shard = oneOf('shard:1', 'shard:2');

/** Three connections: what one publishes the others get. */
export const pubsub: Family = family(
  'pubsub',
  [
    row('SUBSCRIBE', 5, many(1, 3, channel)),
    row('UNSUBSCRIBE', 3, many(0, 2, channel)),
    row('PSUBSCRIBE', 4, many(1, 2, pattern)),
    row('PUNSUBSCRIBE', 3, many(0, 2, pattern)),
    row('SSUBSCRIBE', 3, shard),
    row('SUNSUBSCRIBE', 2, many(0, 1, shard)),
    row('PUBLISH', 12, channel, value),
    row('SPUBLISH', 4, shard, value),
    row('PUBSUB', 3, oneOf(seq('CHANNELS', maybe(0.5, pattern)), 'NUMPAT', seq('NUMSUB', many(0, 2, channel)))),
    row('PUBSUB', 2, oneOf(seq('SHARDCHANNELS', maybe(0.5, pattern)), seq('SHARDNUMSUB', many(0, 2, shard)), 'x')),
    row('SET', 3, anyKey, value),
    row('DEL', 1, anyKey),
    row('GET', 1, anyKey),
    row('PING', 2, maybe(0.5, value)),
    steady('CONFIG', 0.5, 'SET', 'notify-keyspace-events', oneOf('KEA', '', 'Kg$', 'Ex')),
    steady('RESET', 0.5),
  ],
  { connections: 3, barrier: 'ping' },
);
