import { type Family, family } from '../family.js';
import { counted, many, maybe, oneOf, options, row, seq, steady } from '../grammar.js';
import { count, integer, key, member, value } from '../values.js';

const stream = key('stream');
const group = oneOf('g1', 'g1', 'g2', 'missing');
const consumer = oneOf('alice', 'bob', 'carol');
const id = oneOf(
  '1-1',
  '1-2',
  '2-0',
  '3',
  '5-1',
  '0',
  '0-0',
  '7-7',
  '10-1',
  '18446744073709551615-18446744073709551615',
  'x',
  '1-x',
  '-',
  '',
);
/** Ids that a server does not take from its clock. */
const newId = oneOf(
  '1-1',
  '1-*',
  '2-*',
  '3-1',
  '5-*',
  '7-*',
  '8-1',
  '9-*',
  '10-*',
  '12-*',
  '20-*',
  '20-5',
  '0-0',
  '0-1',
  'x',
  '1-x',
);
const from = oneOf('-', '0', '1', '1-1', '(1-1', '2', '(2-0', 'x', '(', '(-');
const to = oneOf('+', '5', '2-0', '(5', '10', '1-1', 'x', '(+', '18446744073709551615');
const strategy = oneOf('KEEPREF', 'DELREF', 'ACKED', 'x');
const trim = seq(oneOf(seq('MAXLEN', maybe(0.3, '='), count), seq('MINID', maybe(0.3, '='), id)), maybe(0.2, strategy));
/** Nodes of a stream hold 100 entries, so this needs many to remove any. */
const trimNodes = seq(
  oneOf(seq('MAXLEN', '~', count), seq('MINID', '~', id)),
  maybe(0.4, 'LIMIT', count),
  maybe(0.2, strategy),
);
const ids = seq('IDS', counted(1, 3, id));
const claim = options(
  seq('IDLE', '100000'),
  seq('RETRYCOUNT', count),
  'FORCE',
  'JUSTID',
  seq('LASTID', id),
  seq('TIME', '1000'),
);

export const streams: Family = family('stream', [
  row(
    'XADD',
    14,
    stream,
    options('NOMKSTREAM', oneOf(trim, trim, trimNodes), strategy),
    newId,
    many(1, 2, member, value),
  ),
  row('XLEN', 3, stream),
  row('XRANGE', 5, stream, from, to, maybe(0.4, 'COUNT', count)),
  row('XREVRANGE', 4, stream, to, from, maybe(0.4, 'COUNT', count)),
  row('XDEL', 3, stream, many(1, 2, id)),
  row('XDELEX', 3, stream, maybe(0.5, strategy), ids),
  row('XTRIM', 2, stream, oneOf(trim, trimNodes)),
  steady(
    'CONFIG',
    0.3,
    'SET',
    oneOf('stream-node-max-entries', 'stream-node-max-bytes'),
    oneOf('0', '1', '3', '100', '4096'),
  ),
  steady('XREADGROUP', 1, 'GROUP', group, consumer, 'BLOCK', '1', 'STREAMS', stream, '>'),
  row('XSETID', 1, stream, id, maybe(0.4, 'ENTRIESADDED', integer, 'MAXDELETEDID', id)),
  row('XGROUP', 4, 'CREATE', stream, group, oneOf('0', '$', id), options('MKSTREAM', seq('ENTRIESREAD', integer))),
  row('XGROUP', 1, 'SETID', stream, group, oneOf('0', '$', id), maybe(0.3, 'ENTRIESREAD', integer)),
  row('XGROUP', 1, 'DESTROY', stream, group),
  row('XGROUP', 2, 'CREATECONSUMER', stream, group, consumer),
  row('XGROUP', 1, 'DELCONSUMER', stream, group, consumer),
  steady(
    'XREAD',
    4,
    maybe(0.4, 'COUNT', count),
    oneOf(seq('STREAMS', stream, id), seq('STREAMS', stream, stream, id, '$'), seq('STREAMS', stream, '+')),
  ),
  steady(
    'XREADGROUP',
    7,
    'GROUP',
    group,
    consumer,
    maybe(0.4, 'COUNT', count),
    maybe(0.2, 'NOACK'),
    'STREAMS',
    oneOf(seq(stream, oneOf('>', '0', id)), seq(stream, stream, '>', '0')),
  ),
  steady('XREAD', 0.5, 'BLOCK', '5', 'STREAMS', stream, '$'),
  row('XACK', 3, stream, group, many(1, 3, id)),
  row('XACKDEL', 3, stream, group, maybe(0.5, strategy), ids),
  row('XPENDING', 3, stream, group, maybe(0.6, maybe(0.2, 'IDLE', '0'), from, to, count, maybe(0.4, consumer))),
  row('XCLAIM', 4, stream, group, consumer, oneOf('0', '100000000', '-1', 'x'), many(1, 2, id), claim),
  row(
    'XAUTOCLAIM',
    3,
    stream,
    group,
    consumer,
    oneOf('0', '100000000', 'x'),
    oneOf('0', '-', id),
    maybe(0.4, 'COUNT', count),
    maybe(0.3, 'JUSTID'),
  ),
  row('XINFO', 2, 'STREAM', stream, maybe(0.4, 'FULL', maybe(0.4, 'COUNT', count))),
  row('XINFO', 2, 'GROUPS', stream),
  row('XINFO', 2, 'CONSUMERS', stream, group),
  row('DEL', 0.5, stream),
  row('COPY', 0.5, stream, stream, 'REPLACE'),
]);
