/** Cases recorded from Redis 8.2.3; `oracle.test.ts` compares random ones with it where it is installed. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addInt64,
  formatDouble,
  INT64_MAX,
  INT64_MIN,
  incrByFloat,
  LongDouble,
  parseDouble,
  parseInteger,
  parseUint64,
} from '../../src/protocol/numbers.js';

describe('parseInteger', () => {
  it.each([
    ['0', 0],
    ['-1', -1],
    ['999999999999999', 999999999999999],
    ['9007199254740991', 9007199254740991],
    ['9007199254740992', 9007199254740992n],
    ['9223372036854775807', INT64_MAX],
    ['-9223372036854775808', INT64_MIN],
  ])('reads %s', (text, value) => {
    expect(parseInteger(text)).toBe(value);
  });

  it.each(
    [
      ['', '-', '-0', '00', '01', '-01', '+1', ' 1', '1 ', '1.0', '1e3', '0x1', '1\0', '9223372036854775808'],
      ['-9223372036854775809', '99999999999999999999', '123456789012345678901'],
    ].flat(),
  )('refuses %j', (text) => {
    expect(parseInteger(text)).toBeUndefined();
  });

  it('reads back every int64', () => {
    fc.assert(fc.property(fc.bigInt(INT64_MIN, INT64_MAX), (n) => BigInt(parseInteger(String(n))!) === n));
  });
});

describe('parseUint64', () => {
  it.each([
    ['007', 7],
    ['+5', 5],
    [' 8', 8],
    ['\t12', 12],
    ['13\0a', 13],
    ['18446744073709551615', 18446744073709551615n],
    ['0000000000000000000000000000001', 1],
    [' -1', 18446744073709551615n],
    ['-05', 18446744073709551611n],
  ])('reads %j', (text, value) => {
    expect(parseUint64(text)).toBe(value);
  });

  it.each(['', '-5', '5 ', '0x11', 'a', '18446744073709551616', '+', '*'])('refuses %j', (text) => {
    expect(parseUint64(text)).toBeUndefined();
  });
});

describe('addInt64', () => {
  it('adds exactly, and says where the sum leaves int64', () => {
    const int64 = fc.bigInt(INT64_MIN, INT64_MAX);
    const short = (n: bigint) => parseInteger(String(n))!;
    fc.assert(
      fc.property(int64, int64, (a, b) => {
        const inside = a + b >= INT64_MIN && a + b <= INT64_MAX;
        expect(addInt64(short(a), short(b))).toBe(inside ? short(a + b) : undefined);
      }),
    );
    expect(addInt64(2 ** 53 - 1, 2 ** 53 - 1)).toBe(2n ** 54n - 2n);
    expect(addInt64(INT64_MAX, -(2 ** 53 - 1))).toBe(INT64_MAX - 2n ** 53n + 1n);
  });
});

describe('parseDouble', () => {
  it.each([
    ['3.0', 3],
    ['+1', 1],
    ['-0', -0],
    ['00012', 12],
    ['.5', 0.5],
    ['5.', 5],
    ['-.5', -0.5],
    ['1e3', 1000],
    ['INF', Infinity],
    ['+Infinity', Infinity],
    ['-iNf', -Infinity],
    ['0x10', 16],
    ['-0x1.8p1', -3],
    ['0X1P-3', 0.125],
    ['0x.8', 0.5],
    ['0x1.', 1],
    ['0e-400', 0],
    ['-0x0p99999', -0],
    ['1e-320', 1e-320],
    ['2.5e-324', 5e-324],
    ['1.7976931348623158e308', Number.MAX_VALUE],
    ['0x1.00000000000008p0', 1],
    ['0x1.00000000000018p0', 1 + 2 ** -51],
    ['9007199254740993', 9007199254740992],
  ])('reads %s', (text, value) => {
    expect(parseDouble(text)).toBe(value);
  });

  it.each(
    [
      [
        '',
        '.',
        '-.',
        '+',
        'nan',
        '-nan',
        'nan(1)',
        ' 1',
        '1 ',
        '1\n',
        '+-1',
        '0x',
        '0x1p',
        '0x.p1',
        '1e',
        '1e+',
        '1_0',
        '1,5',
      ],
      [
        '1f',
        '1\0',
        'infinit',
        '1e400',
        '-1e400',
        '1e-400',
        '2e-324',
        '2.4e-324',
        '1.7976931348623159e308',
        '0b1',
        '0o7',
      ],
      ['0x1p1024', '0x1p-1080', '0x1p99999', '0x1p-99999', '1e5000000000000', '1e-5000000000000'],
    ].flat(),
  )('refuses %j', (text) => {
    expect(parseDouble(text)).toBeUndefined();
  });
});

describe('formatDouble', () => {
  it.each([
    [0, '0'],
    [-0, '-0'],
    [Infinity, 'inf'],
    [-Infinity, '-inf'],
    [Number.NaN, 'nan'],
    [3, '3'],
    [0.1, '0.1'],
    [1e-5, '0.00001'],
    [1e-6, '0.000001'],
    [1e-7, '1e-7'],
    [0.00012345, '1.2345e-4'],
    [1234567.125, '1234567.125'],
    [1e17, '100000000000000000'],
    [2 ** 53, '9007199254740992'],
    [2 ** 60, '1152921504606846976'],
    [-(2 ** 62), '-4611686018427387904'],
    [2 ** 62 * 1.5, '6917529027641082000'],
    [2 ** 63, '9223372036854776000'],
    [5e18, '5e+18'],
    [1e20, '1e+20'],
    [1e21, '1e+21'],
    [123456789012345680000, '123456789012345680000'],
    [2.1373671311289895e22, '21373671311289895000000'],
    [82827.30059255833, '8.282730059255833e+4'],
    [5e-324, '5e-324'],
    [-1.2345678901234567e-308, '-1.2345678901234567e-308'],
    [Number.MAX_VALUE, '1.7976931348623157e+308'],
  ])('prints %d as %s', (value, text) => {
    expect(formatDouble(value)).toBe(text);
  });

  it.each([
    [386537.1906819008, '3.8653719068190083e+5'],
    [226738656698347.38, '226738656698347.37'],
    [954799012594623.2, '954799012594623.3'],
    [-243097870135957.88, '-243097870135957.87'],
    [18323706861169.562, '18323706861169.563'],
    [679964021910357.8, '679964021910357.7'],
  ])('prints %d as Grisu2 does, not as JavaScript', (value, text) => {
    expect(formatDouble(value)).toBe(text);
  });

  it('prints what reads back as the same double', () => {
    const double = fc.double({ noNaN: true });
    fc.assert(
      fc.property(double, (value) => Object.is(parseDouble(formatDouble(value)), value)),
      { numRuns: 5000 },
    );
  });
});

describe('incrByFloat', () => {
  it.each([
    ['1', '2', '3'],
    ['-5', '5', '0'],
    ['10.5', '0.1', '10.6'],
    ['0.1', '0.2', '0.3'],
    ['1000.1', '0', '1000.09999999999999998'],
    ['5.0e3', '200', '5200'],
    ['3.0', '1.000000000000000005', '4.00000000000000001'],
    ['1e17', '0.3', '100000000000000000.296875'],
    ['-0.1', '0.1', '0'],
    ['-0', '0', '0'],
    ['123456789.123456789', '987654321.987654321', '1111111111.11111110995989293'],
    ['1e-17', '0', '0.00000000000000001'],
    ['5e-18', '0', '0'],
    ['6e-18', '0', '0.00000000000000001'],
    ['-1e-30', '0', '0'],
    ['0x1.8p3', '0x.8', '12.5'],
    ['18446744073709551615', '1', '18446744073709551616'],
    ['18446744073709551615', '2', '18446744073709551616'],
    ['36893488147419103233', '0', '36893488147419103232'],
    ['1e30', '1', '1000000000000000000024696061952'],
    ['-7.77', '1e5', '99992.22999999999999687'],
    ['1e-4950', '0', '0'],
    ['0x1.8p-16446', '1', '1'],
    ['123456.789', '-123456.788', '0.00100000000000477'],
  ])('%s + %s = %s', (a, b, sum) => {
    expect(incrByFloat(a, b)).toEqual({ sum });
  });

  it('goes up to the largest long double', () => {
    expect(LongDouble.parse('1.18973149535723176502e4932')?.toText()).toHaveLength(4933);
    expect(incrByFloat('1e4932', '1.1e4932')).toEqual({ failure: 'not finite' });
  });

  it.each(
    [
      ['', ' 1', '1 ', 'abc', 'nan', '1e', '1\0', '1e4933', '-1e4933', '1.1897314953572317651e4932', '1e-4951'],
      ['0x1p16384', '0x1p-16446', '1e99999999999999999999999', '1e-99999999999999999999'],
    ].flat(),
  )('takes %j for no float', (text) => {
    expect(incrByFloat('1', text)).toEqual({ failure: 'not a float' });
    expect(incrByFloat(text, '1')).toEqual({ failure: 'not a float' });
  });

  it('reads at most 5119 bytes', () => {
    expect(incrByFloat('0'.repeat(5118).concat('1'), '1')).toEqual({ sum: '2' });
    expect(incrByFloat('0'.repeat(5119).concat('1'), '1')).toEqual({ failure: 'not a float' });
  });

  it('reads infinities, and has no sum of them', () => {
    expect(LongDouble.parse('-INF')?.isFinite()).toBe(false);
    expect(incrByFloat('inf', '1')).toEqual({ failure: 'not finite' });
    expect(incrByFloat('inf', '-inf')).toEqual({ failure: 'not finite' });
  });
});
