import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GcraState } from '../../src/gcra/state.js';

const INT64_MAX = 2n ** 63n - 1n;
const burst = fc.oneof(fc.bigInt(1n, 40n), fc.bigInt(1n, INT64_MAX), fc.bigInt(INT64_MAX - 5n, INT64_MAX));

describe('the text of a state', () => {
  it.each([
    ['10', '10'],
    ['1e3', '1000'],
    ['-5', '-5'],
    ['-5.25', '-5.25'],
    ['0.1', '0.1'],
    ['-0.001', '-0.001'],
    ['+.5', '0.5'],
    ['0x1.8p1', '3'],
    ['0e999999', '0'],
    ['1700000000000.1234567', '1700000000000.1234567'],
    ['123456789012345678901234567890.5', '123456789012345678901234567890.5'],
  ])('%s is read exactly and printed as %s', (text, printed) => {
    expect(GcraState.parse(text)?.toText()).toBe(printed);
  });

  it.each(['', ' ', 'nan', 'inf', '-infinity', ' 1', '1 ', 'abc', '1e5000', '1e-5000', '1\n'])(
    '%j is no state',
    (text) => {
      expect(GcraState.parse(text)).toBeUndefined();
    },
  );

  it('needs no more decimals than a finite fraction has', () => {
    const state = new GcraState(1_700_000_000_000, 3, 8);
    expect(state.toText()).toBe('1700000000000.375');
    expect(new GcraState(1_700_000_000_000, 1, 3).toText()).toBe('1700000000000.33333333333333333333');
  });

  it('stands for the same multiple of 1/burst, for the burst it was made with and for every other', () => {
    fc.assert(
      fc.property(burst, fc.bigInt(0n, INT64_MAX), burst, (made, units, asked) => {
        const state = new GcraState();
        state.setUnits(1_700_000_000_000n * made + (units % made), made);
        const read = GcraState.parse(state.toText())!;
        expect(read.unitsOf(made)).toBe(1_700_000_000_000n * made + (units % made));
        expect(read.unitsOf(asked)).toBe(state.unitsOf(asked));
        expect(read.toText()).toBe(state.toText());
      }),
      { numRuns: 5000, seed: 3 },
    );
  });
});
