import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { quote, splitInlineArgs } from '../../src/protocol/quoting.js';

describe('splitInlineArgs', () => {
  it.each([
    ['', []],
    ['  \t ', []],
    ['PING', ['PING']],
    [' SET  k\tv\r', ['SET', 'k', 'v']],
    ['a "b c" \'d e\'', ['a', 'b c', 'd e']],
    ['"" \'\'', ['', '']],
    ['a"b" c\'d\'', ['ab', 'cd']],
    ['"a\\x41\\n\\r\\t\\b\\a\\q\\"\\\\"', ['aA\n\r\t\b\x07q"\\']],
    ['"\\x4g\\xfF"', ['x4g\xff']],
    ["'a\\'b\\n\\x41'", ["a'b\\n\\x41"]],
    ['a\\nb', ['a\\nb']],
    ['a\vb', ['a\vb']],
    ['\va "x"\vy', ['a', 'x', 'y']],
    ['a\0b', ['a']],
    ['\xa0 \x85', ['\xa0', '\x85']],
  ])('splits %j', (line, args) => {
    expect(splitInlineArgs(line)).toEqual(args);
  });

  it.each(['"a', "'a", '"a"b', "'a'b", '"a\\', '"a\\"', "'\\\\'", 'x "', '"a""b"'])('refuses %j', (line) => {
    expect(splitInlineArgs(line)).toBeNull();
  });
});

describe('quote', () => {
  it('escapes what is not printable ASCII', () => {
    expect(quote('aA\n\r\t\b\x07"\\ !~\'')).toBe('"aA\\n\\r\\t\\b\\a\\"\\\\ !~\'"');
    expect(quote('\0\v\x1f\x7f\x80\xff')).toBe('"\\x00\\x0b\\x1f\\x7f\\x80\\xff"');
    expect(quote('')).toBe('""');
  });

  it('is undone by splitInlineArgs', () => {
    const byte = fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code));
    fc.assert(fc.property(fc.string({ unit: byte }), (s) => splitInlineArgs(quote(s))?.[0] === s));
  });
});
