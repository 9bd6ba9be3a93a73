/** Pools that arguments are drawn from: few keys, few values, and the edges where servers differ. */
import { type Gen, oneOf } from './grammar.js';

export type KeyType = 'string' | 'list' | 'set' | 'hash' | 'zset' | 'stream' | 'geo' | 'hll' | 'number' | 'bits';

const KEY_TYPES: readonly KeyType[] = [
  'string',
  'list',
  'set',
  'hash',
  'zset',
  'stream',
  'geo',
  'hll',
  'number',
  'bits',
];
const KEYS_PER_TYPE = 3;

/** A key that usually holds this type, and now and then another one's key. */
export function key(type: KeyType): Gen {
  return ({ random }) => {
    const actual = random.chance(0.06) ? random.pick(KEY_TYPES) : type;
    return [`${actual}:${random.int(1, KEYS_PER_TYPE)}`];
  };
}

/** A key of any type, or one that is never written. */
export const anyKey: Gen = ({ random }) =>
  random.chance(0.05) ? ['missing'] : [`${random.pick(KEY_TYPES)}:${random.int(1, KEYS_PER_TYPE)}`];

/** A short value: text, number, empty or binary; in large sequences also one beyond every small encoding's limit. */
export const value: Gen = ({ random, large }) => {
  if (large && random.chance(0.2)) return [random.pick(['x', 'yz', '\x00\xff']).repeat(random.int(20, 120))];
  return [
    random.pick(['', 'a', 'b', 'abc', 'foobar', 'Hello World', '0', '1', '10', '-5', '3.5', '1e3', '\x00\xff\r\n']),
  ];
};

/** A member or field: from a pool small enough that commands meet each other's. */
export const member: Gen = ({ random, large }) => {
  if (large && random.chance(0.4)) return [`m${random.int(1, 400)}`];
  if (large && random.chance(0.05)) return ['w'.repeat(random.int(60, 70))];
  return [random.pick(['a', 'b', 'c', 'd', 'e', 'f', '1', '2', '3', '-7', '1.5', '', 'Z\x00', 'abc', 'abd', '\xff'])];
};

/** A member that is an integer, for sets that stay intsets. */
export const integerMember: Gen = ({ random }) => [
  String(random.pick([1, 2, 3, 5, 100, -1, 40_000, 3_000_000_000, -70_000, random.int(1, 50)])),
];

/** Integers with the edges of 64 bits and what is no integer. */
export const integer: Gen = ({ random }) =>
  random.chance(0.7)
    ? [String(random.int(-20, 100))]
    : [
        random.pick([
          '9223372036854775807',
          '-9223372036854775808',
          '9223372036854775808',
          '4294967296',
          '-0',
          '+1',
          '01',
          ' 1',
          '1.0',
          '1e2',
          '',
          'abc',
          '0x10',
          '9007199254740993',
        ]),
      ];

/** An index into something short. */
export const index: Gen = ({ random }) =>
  random.chance(0.9)
    ? [String(random.int(-8, 8))]
    : [random.pick(['100', '-100', '9223372036854775807', '-9223372036854775808', 'x', '1.5'])];

/** A count of elements. */
export const count: Gen = ({ random }) =>
  random.chance(0.85) ? [String(random.int(0, 5))] : [random.pick(['-1', '-3', '100', '9223372036854775807', 'x', ''])];

/** Floats as users write them. */
export const float: Gen = ({ random }) =>
  random.chance(0.6)
    ? [String(random.int(-50, 50) / random.pick([1, 2, 4, 10]))]
    : [
        random.pick([
          '0.1',
          '1e3',
          '1.0e-2',
          '-0',
          '3.00000000000001',
          '123456789.123456789',
          '1e17',
          '1e21',
          'inf',
          '-inf',
          '+inf',
          'nan',
          '5.0',
          ' 1',
          '1 ',
          '0x1p3',
          'abc',
          '',
          '1e400',
          '1e-400',
          '9007199254740993',
        ]),
      ];

/** A sorted-set score. */
export const score: Gen = ({ random }) =>
  random.chance(0.8)
    ? [String(random.pick([0, 1, 2, 3, 5, 1.5, -1, -2.25, 10, 100, 0.1, 1e10]))]
    : [
        random.pick([
          'inf',
          '-inf',
          '+inf',
          '1e300',
          '-0',
          '1e-5',
          'nan',
          'abc',
          '3.0',
          '17179869184',
          '0.30000000000000004',
        ]),
      ];

/** An end of a score range. */
export const scoreBound: Gen = ({ random }) =>
  random.chance(0.85)
    ? [random.pick(['-inf', '+inf', '0', '1', '(1', '2', '(2', '5', '1.5', '(inf', '(-inf', '-2.25', '100'])]
    : [random.pick(['(', 'x', '(x', '', 'nan', '( 1'])];

/** An end of a lexicographic range. */
export const lexBound: Gen = ({ random }) =>
  random.chance(0.9)
    ? [random.pick(['-', '+', '[a', '(a', '[b', '(c', '[', '(', '[abc', '(abd', '[\xff'])]
    : [random.pick(['a', '', '*', '[-'])];

/** Seconds to live: long enough not to pass while the sequence runs, or already over. */
export const seconds: Gen = ({ random }) =>
  random.chance(0.85)
    ? [random.pick(['100', '1000', '5000', '100000'])]
    : [
        random.pick([
          '0',
          '-1',
          '9223372036854775',
          '9223372036854775807',
          '-9223372036854775808',
          'x',
          '1.5',
          '99999999999',
        ]),
      ];

/**
 * Seconds to live that hardly ever occur twice: whether a time to live is greater than an equal one, drawn before, depends
 * on the milliseconds between the two.
 */
export const uniqueSeconds: Gen = ({ random }) => [String(random.int(200, 9_000_000))];

/** Milliseconds to live; the same in milliseconds. */
export const uniqueMilliseconds: Gen = ({ random }) => [`${random.int(200, 9_000_000)}000`];

/** Milliseconds to live. */
export const milliseconds: Gen = ({ random }) =>
  random.chance(0.85)
    ? [random.pick(['100000', '1000000', '5000001', '100000999'])]
    : [random.pick(['0', '-1', '9223372036854775807', '-9223372036854775808', 'x', '1.5'])];

/** A point in time in seconds, far from now on either side. */
export const unixSeconds: Gen = ({ random }) =>
  random.chance(0.85)
    ? [random.pick(['4000000000', '4000000001', '9999999999', '1', '1000000000'])]
    : [random.pick(['0', '-1', '9223372036854775807', '9223372036854776', 'x'])];

/** A point in time in milliseconds, far from now on either side. */
export const unixMilliseconds: Gen = ({ random }) =>
  random.chance(0.85)
    ? [random.pick(['4000000000000', '4000000000999', '9999999999999', '1', '1000000000000'])]
    : [random.pick(['0', '-1', '9223372036854775807', 'x'])];

/** A glob pattern over keys or members. */
export const pattern: Gen = oneOf(
  '*',
  '',
  's*',
  '?',
  '[ab]',
  '[^a]',
  '[a-c]*',
  'string:[12]',
  '*:1',
  'h??h:*',
  '\\*',
  '[',
  'a\\',
);

/** A database that exists, or not. */
export const database: Gen = ({ random }) =>
  random.chance(0.9) ? [random.pick(['0', '1'])] : [random.pick(['-1', '16', 'x', '99999999999'])];
