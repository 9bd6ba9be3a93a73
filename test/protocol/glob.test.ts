import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileGlob, globMatch } from '../../src/protocol/glob.js';

describe('globMatch', () => {
  it.each([
    ['', ''],
    ['*', 'a'],
    ['***', 'a'],
    ['a**', 'a'],
    ['*?', 'a'],
    ['*a*b*', 'xaxbx'],
    ['h[^e]llo', 'hallo'],
    ['[abc', 'a'],
    ['[^', 'a'],
    ['[^]', 'x'],
    ['[^]x', 'ax'],
    ['[a-', '-'],
    ['[a-c]', 'b'],
    ['[z-a]', 'm'],
    ['[a-]]', '^'],
    ['[a-\\]]', '^]'],
    ['[--0]', '.'],
    ['[a^]', '^'],
    ['[\\]]', ']'],
    ['[\\a-c]', '-'],
    ['[\\', '\\'],
    ['[[]', '['],
    ['[a-\xff]', '\x05'],
    ['[\x80-\xff]', '\x90'],
    ['\\a', 'a'],
    ['a\\', 'a\\'],
    ['a\\*', 'a*'],
    ['*a'.repeat(1000), 'a'.repeat(1000)],
    ['*a'.repeat(1000).concat('*'), 'a'.repeat(1001)],
  ])('%j matches %j', (pattern, text) => {
    expect(globMatch(pattern, text)).toBe(true);
    expect(compileGlob(pattern)(text)).toBe(true);
  });

  it.each([
    ['*', ''],
    ['**', ''],
    ['?*', ''],
    ['[', '['],
    ['[^', ''],
    ['[]', ']'],
    ['[]a]', 'a'],
    ['[a-]', 'b'],
    ['[a-]]', 'b'],
    ['[a-\\]]', '\\'],
    ['[^^]', '^'],
    ['[\\a-c]', 'b'],
    ['[a-\xff]', 'b'],
    ['a*[', 'a'],
    ['A', 'a'],
    ['ab', 'a'],
    ['*a'.repeat(1001), 'a'.repeat(1001)],
  ])('%j does not match %j', (pattern, text) => {
    expect(globMatch(pattern, text)).toBe(false);
    expect(compileGlob(pattern)(text)).toBe(false);
  });

  it('takes letters of either case as equal where asked, but not escaped ones in a class', () => {
    expect(globMatch('MAX*', 'maxmemory', true)).toBe(true);
    expect(globMatch('[L-N]ax', 'max', true)).toBe(true);
    expect(globMatch('\\Max', 'max', true)).toBe(true);
    expect(globMatch('[\\M]ax', 'max', true)).toBe(false);
  });

  it('takes a hostile pattern in time proportional to pattern × text', () => {
    const started = performance.now();
    expect(globMatch('*a'.repeat(900).concat('b'), 'a'.repeat(20_000))).toBe(false);
    expect(performance.now() - started).toBeLessThan(2000);
  });

  it('is the same compiled', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '*', '?', '[', ']', '\\', '^', '-'), maxLength: 8 });
    fc.assert(
      fc.property(text, text, (pattern, s) => compileGlob(pattern)(s) === globMatch(pattern, s)),
      { numRuns: 5000 },
    );
  });
});
