import { type Family, family } from '../family.js';
import { many, maybe, oneOf, options, row, seq } from '../grammar.js';
import { index, integer, key, value } from '../values.js';

const bits = key('bits');
const offset = oneOf('0', '1', '7', '8', '9', '31', '100', '4294967295', '4294967296', '-1', 'x', '63');
const smallOffset = oneOf('0', '1', '7', '8', '9', '31', '100', '63', '5', '-1', 'x');
const bit = oneOf('0', '1', '1', '0', '1', '2', 'x');
const unit = maybe(0.5, oneOf('BYTE', 'BIT', 'bit', 'x'));
const type = oneOf('u1', 'u8', 'i8', 'u16', 'i16', 'u32', 'i64', 'u63', 'i5', 'u4', 'u64', 'i65', 'x8', 'u0', 'i');
const place = oneOf('0', '1', '4', '7', '100', '#0', '#1', '#2', '-1', 'x', '#x');
const overflow = seq('OVERFLOW', oneOf('WRAP', 'SAT', 'FAIL', 'wrap', 'x'));
const fieldGet = seq('GET', type, place);

export const bitmaps: Family = family('bitmap', [
  row('SETBIT', 10, bits, smallOffset, bit),
  row('GETBIT', 5, bits, offset),
  row('SET', 5, bits, value),
  row('BITCOUNT', 5, bits, maybe(0.7, index, index, unit)),
  row('BITPOS', 6, bits, bit, maybe(0.7, index, maybe(0.7, index, unit))),
  row(
    'BITOP',
    8,
    oneOf('AND', 'OR', 'XOR', 'NOT', 'DIFF', 'DIFF1', 'ANDOR', 'ONE', 'and', 'x'),
    bits,
    many(1, 4, bits),
  ),
  row(
    'BITFIELD',
    10,
    bits,
    many(0, 4, oneOf(fieldGet, seq('SET', type, place, integer), seq('INCRBY', type, place, integer), overflow)),
  ),
  row('BITFIELD_RO', 3, bits, options(fieldGet, fieldGet, seq('SET', type, place, integer))),
  row('GET', 3, bits),
  row('STRLEN', 2, bits),
  row('APPEND', 1, bits, value),
  row('DEL', 1, bits),
  row('OBJECT', 1, 'ENCODING', bits),
]);
