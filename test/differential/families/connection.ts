import { type Family, family } from '../family.js';
import { many, maybe, oneOf, options, row, seq, steady } from '../grammar.js';
import { anyKey, database, value } from '../values.js';

const name = oneOf('worker', 'a b', '', 'x\n', 'name-1', '\xff');
const protocol = oneOf('2', '3', '2', '3', '1', '4', 'x', '-1', '');

export const connection: Family = family('connection', [
  row('PING', 4, maybe(0.5, value)),
  row('ECHO', 3, value),
  row('SELECT', 3, database),
  row(
    'HELLO',
    3,
    maybe(0.8, protocol, options(seq('SETNAME', name), seq('AUTH', oneOf('default', 'nobody'), 'secret'), 'x')),
  ),
  row('AUTH', 2, oneOf('secret', seq('default', 'secret'), seq('nobody', ''))),
  row('RESET', 1),
  steady('QUIT', 0.3),
  row('TIME', 1),
  row('CLIENT', 3, 'SETNAME', name),
  row('CLIENT', 3, 'GETNAME'),
  row('CLIENT', 1, 'ID'),
  row('CLIENT', 1, 'INFO'),
  row('CLIENT', 2, 'SETINFO', oneOf('LIB-NAME', 'lib-ver', 'x'), name),
  row('CLIENT', 1, 'LIST', options(seq('TYPE', oneOf('normal', 'x')), seq('ID', '99999999'))),
  row('CLIENT', 2, 'NO-EVICT', oneOf('ON', 'off', 'x')),
  row('CLIENT', 2, 'NO-TOUCH', oneOf('on', 'OFF', 'x')),
  steady(
    'CLIENT',
    2,
    'KILL',
    oneOf(seq('ID', '99999999'), '1.2.3.4:5', seq('ADDR', '1.2.3.4:5'), seq('ID', 'x'), seq('TYPE', 'x')),
  ),
  row('CLIENT', 1, 'UNBLOCK', '99999999', maybe(0.5, oneOf('TIMEOUT', 'ERROR', 'x'))),
  row('CLIENT', 1, 'GETREDIR'),
  row('CLIENT', 1, 'TRACKINGINFO'),
  row('CLIENT', 1, 'CACHING', oneOf('YES', 'NO', 'x')),
  steady('CLIENT', 1, 'REPLY', oneOf('ON', 'x')),
  row('CLIENT', 1, oneOf('HELP', 'nosuch', 'UNPAUSE')),
  row(
    'CONFIG',
    2,
    'GET',
    oneOf('maxmemory', 'MAXMEMORY-policy', 'databases', 'nosuch', 'hash-max-*', 'proto-max-bulk-len'),
  ),
  row(
    'CONFIG',
    1,
    'SET',
    oneOf(seq('nosuch', '1'), seq('maxmemory', 'x'), seq('maxmemory-policy', 'x'), seq('databases', '3')),
  ),
  row('CONFIG', 0.5, 'RESETSTAT'),
  row('OBJECT', 1, 'HELP'),
  row('NOSUCHCOMMAND', 2, many(0, 4, value)),
  row('SET', 2, anyKey, value),
  row('GET', 2, anyKey),
]);
