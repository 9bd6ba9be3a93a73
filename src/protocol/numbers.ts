/** The one door to the number rules of the protocol: integers, doubles, and the 80-bit floats of INCRBYFLOAT. */
export { formatDouble, parseDouble } from './numbers-double.js';
export {
  addInt64,
  INT64_MAX,
  INT64_MIN,
  normaliseInteger,
  parseInteger,
  parseUint64,
  UINT64_MAX,
} from './numbers-integer.js';
export { incrByFloat, LongDouble } from './numbers-long-double.js';
