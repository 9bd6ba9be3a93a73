import { type Family, family } from '../family.js';
import { type Gen, many, maybe, oneOf, row, steady } from '../grammar.js';
import { key, member, value } from '../values.js';

const hll = key('hll');
/** Enough different elements to leave the sparse form. */
const elements: Gen = ({ random, large }) => {
  const first = random.int(0, 5_000);
  return Array.from({ length: random.int(1, large ? 600 : 6) }, (_, i) => `e${first + i}`);
};

export const hyperloglog: Family = family('hll', [
  row('PFADD', 12, hll, oneOf(elements, many(0, 3, member))),
  row('PFCOUNT', 6, many(1, 3, hll)),
  row('PFMERGE', 4, hll, many(0, 3, hll)),
  row('GET', 2, hll),
  row('STRLEN', 1, hll),
  row('SET', 0.3, hll, value),
  row('SETRANGE', 0.3, hll, oneOf('0', '4', '15', '16', '20'), value),
  steady('PFDEBUG', 1, oneOf('ENCODING', 'TODENSE', 'DECODE', 'GETREG', 'x'), hll),
  steady('CONFIG', 0.3, 'SET', 'hll-sparse-max-bytes', oneOf('0', '30', '300', '3000')),
  row('TYPE', 1, hll),
  row('COPY', 0.5, hll, hll, maybe(0.5, 'REPLACE')),
  row('DEL', 0.5, hll),
]);
