import { type Family, family } from '../family.js';
import { type Gen, many, maybe, oneOf, options, row, seq } from '../grammar.js';
import { count, key, lexBound } from '../values.js';

const geo = key('geo');
/** Many members lie at the same few places, so that the order of equally near ones is compared too. */
const place: Gen = ({ random, large }) => [
  large ? `m${random.int(1, 90)}` : random.pick(['Palermo', 'Catania', 'Rome', 'edge', 'Sydney', 'missing']),
];
/** A coordinate anywhere on the map. */
const anywhere =
  (limit: number): Gen =>
  ({ random }) => [String((random.next() * 2 - 1) * limit)];
const longitude = oneOf(
  anywhere(180),
  anywhere(180),
  '13.361389',
  '15.087269',
  '12.5',
  '0',
  '-180',
  '180',
  '151.2',
  '180.1',
  'x',
  '1e-7',
);
const latitude = oneOf(
  anywhere(85),
  anywhere(85),
  '38.115556',
  '37.502669',
  '41.9',
  '0',
  '-85.05112878',
  '85.05112878',
  '-33.86',
  '90',
  'x',
  '-1e-7',
);
const unit = oneOf('m', 'km', 'km', 'ft', 'mi', 'KM', 'x');
const radius = oneOf('5000', '100', '200', '500', '20000', '0', '-1', 'x', '1.5');
const order = maybe(0.5, oneOf('ASC', 'DESC'));
const limit = maybe(0.4, 'COUNT', count, maybe(0.3, 'ANY'));
const details = options('WITHCOORD', 'WITHDIST', 'WITHHASH');
const centre = oneOf(seq('FROMMEMBER', place), seq('FROMLONLAT', longitude, latitude));
const area = oneOf(seq('BYRADIUS', radius, unit), seq('BYBOX', radius, radius, unit));

export const geoFamily: Family = family('geo', [
  row('GEOADD', 12, geo, options('NX', 'XX', 'CH'), many(1, 3, longitude, latitude, place)),
  row('GEOADD', 3, geo, many(1, 20, longitude, latitude, place)),
  row('GEOPOS', 4, geo, many(1, 3, place)),
  row('GEODIST', 4, geo, place, place, maybe(0.6, unit)),
  row('GEOHASH', 3, geo, many(1, 3, place)),
  row('GEOSEARCH', 10, geo, centre, area, order, limit, details),
  row('GEOSEARCHSTORE', 4, geo, geo, centre, area, order, limit, maybe(0.4, 'STOREDIST')),
  row('GEORADIUS', 4, geo, longitude, latitude, radius, unit, order, limit, details),
  row('GEORADIUS', 1, geo, longitude, latitude, radius, unit, oneOf('STORE', 'STOREDIST'), geo, order, limit),
  row('GEORADIUSBYMEMBER', 4, geo, place, radius, unit, order, limit, details),
  row('GEORADIUS_RO', 2, geo, longitude, latitude, radius, unit, details),
  row('GEORADIUSBYMEMBER_RO', 2, geo, place, radius, unit, details),
  row('ZRANGE', 2, geo, '0', '-1', 'WITHSCORES'),
  row('ZRANGEBYLEX', 0.3, geo, lexBound, lexBound),
  row('ZREM', 1, geo, place),
  row('DEL', 1, geo),
]);
