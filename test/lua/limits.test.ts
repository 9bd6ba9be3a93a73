/** What a script must not be able to do: run for ever, exhaust memory or the stack, reach JavaScript. */
import { describe, expect, test } from 'vitest';
import { LuaError, LuaState, type LuaStateOptions, LuaTable, type LuaValue, plainError } from '../../src/lua/index.js';

function run(source: string, options?: LuaStateOptions): LuaValue[] {
  const state = new LuaState(options);
  return state.call(state.load(source, '@user_script'), []);
}

/** The message of the Lua error a script ends with. */
function failure(source: string, options?: LuaStateOptions): string {
  try {
    run(source, options);
  } catch (error) {
    if (error instanceof LuaError) return error.message;
    throw error;
  }
  return 'no error';
}

/** A host that stops the script at its first look. */
class Stop extends Error {}
const stopping: LuaStateOptions = {
  onSteps: () => {
    throw new Stop();
  },
  stepInterval: 1000,
};

describe('a script that does not end is stopped by the host', () => {
  test.each([
    ['a loop', 'while true do end'],
    ['a repeat loop', 'repeat until false'],
    ['a numeric loop', 'for i = 1, math.huge do end'],
    ['a generic loop', 'for i in function() return 1 end do end'],
    ['recursion', 'local function f() f() f() end f()'],
    ['tail calls', 'local function f() return f() end f()'],
    ['a loop in pcall', 'while true do pcall(function() while true do end end) end'],
    ['a loop in xpcall', 'xpcall(function() while true do end end, function() while true do end end)'],
    ['a loop in a coroutine', 'coroutine.wrap(function() while true do end end)()'],
    [
      'yields without end',
      'local f = coroutine.wrap(function() while true do coroutine.yield() end end) while true do f() end',
    ],
    ['a pattern', "string.find(string.rep('a', 60), string.rep('a?', 60) .. string.rep('a', 60) .. 'b')"],
    ['a comparison', 'table.sort({1, 2, 3}, function() while true do end end)'],
    ['a metamethod', 'return setmetatable({}, {__index = function() while true do end end}).x'],
  ])('%s', (_, source) => {
    expect(() => run(source, stopping)).toThrow(Stop);
  });
});

describe('what runs out becomes a Lua error', () => {
  test('the stack', () => {
    expect(failure('local function f() return 1 + f() end f()')).toBe('user_script:1: stack overflow');
    expect(failure('local t = {} setmetatable(t, {__index = function(s, k) return s[k] end}) return t.x')).toMatch(
      /stack overflow/,
    );
    expect(
      run("local function f() return 1 + f() end local ok, why = pcall(f) return ok, (why:gsub('^.*: ', ''))"),
    ).toEqual([false, 'stack overflow']);
  });

  test('a tail call needs no stack', () => {
    const source = 'local function f(n) if n == 0 then return "end" end return f(n - 1) end return f(300000)';
    expect(run(source)).toEqual(['end']);
    expect(run(`return coroutine.wrap(function() ${source} end)()`)).toEqual(['end']);
  });

  test('mutual tail calls beside a call that makes one itself', () => {
    const source = `local even, odd
      local function noise() return tostring(1) end
      local function relay() return noise() end
      function even(n) if n == 0 then return true end relay() return odd(n - 1) end
      function odd(n) if n == 0 then return false end relay() return even(n - 1) end
      return even(200000)`;
    expect(run(source)).toEqual([true]);
  });

  test('strings', () => {
    const limited = { maxString: 1 << 20 };
    expect(failure("return string.rep('x', 2000000)", limited)).toBe('not enough memory');
    expect(failure("local s = 'x' while true do s = s .. s end", limited)).toBe('not enough memory');
    expect(
      failure("local t = {} for i = 1, 3000 do t[i] = string.rep('x', 1000) end return table.concat(t)", limited),
    ).toBe('not enough memory');
    expect(failure("return (string.rep('x', 1000):gsub('.', string.rep('y', 2000)))", limited)).toBe(
      'not enough memory',
    );
    expect(failure("local s = 'x' while true do s = s .. s end")).toBe('not enough memory');
  });

  test('the heap', () => {
    expect(failure('local t = {} while true do t = {t, {}, {}} end', { maxHeapShare: 0.02 })).toBe('not enough memory');
    expect(run('return pcall(function() local t = {} while true do t = {t} end end)', { maxHeapShare: 0.02 })).toEqual([
      false,
      'not enough memory',
    ]);
  });

  test('results', () => {
    expect(failure('return unpack({}, 1, 1e6)')).toBe('user_script:1: too many results to unpack');
    expect(failure("return string.byte(string.rep('x', 100000), 1, -1)")).toBe('user_script:1: string slice too long');
  });

  test.each([
    ['parentheses', `return ${'('.repeat(5000)}1${')'.repeat(5000)}`],
    ['tables', `return ${'{'.repeat(5000)}${'}'.repeat(5000)}`],
    ['functions', 'return function() '.repeat(5000)],
    ['blocks', 'do '.repeat(5000)],
    ['concatenation', `return ${'a..'.repeat(5000)}a`],
    ['negation', `return ${'not '.repeat(5000)}a`],
  ])('nested source: %s', (_, source) => {
    expect(failure(source)).toMatch(/^user_script:1: chunk has too many syntax levels$/);
  });

  test('long chains of operators and calls compile or fail cleanly', () => {
    expect(run(`return ${'1+'.repeat(500)}1`)).toEqual([501]);
    expect(['no error', 'user_script:1: chunk has too many syntax levels']).toContain(
      failure(`return ${'1+'.repeat(200000)}1`),
    );
    expect(failure(`return a${'()'.repeat(200000)}`)).toMatch(/^user_script:1: /);
  });

  test('deep JSON and MessagePack', () => {
    expect(failure("return cjson.decode(string.rep('[', 100000))")).toMatch(/Found too many nested data structures/);
    expect(failure("cjson.decode_max_depth(1e6) return cjson.decode(string.rep('[', 900000))")).toMatch(
      /stack overflow/,
    );
    expect(failure("return cmsgpack.unpack(string.rep('\\145', 900000))")).toMatch(/stack overflow/);
  });
});

describe('a stop by the host cannot be caught', () => {
  test.each([
    'pcall(host)',
    'xpcall(host, function() return 1 end)',
    'pcall(pcall, host)',
    'coroutine.resume(coroutine.create(function() host() end))',
    'pcall(coroutine.wrap(function() host() end))',
    'pcall(table.sort, {1, 2}, function() host() end)',
    "pcall(string.gsub, 'x', 'x', function() host() end)",
    'load(function() host() end)',
  ])('%s', (source) => {
    const state = new LuaState();
    state.globals.set(
      'host',
      state.native('host', () => {
        throw new Stop();
      }),
    );
    expect(() => state.call(state.load(`${source} return 'caught'`, '@s'), [])).toThrow(Stop);
    expect(state.call(state.load('return coroutine.running() == nil', '@s'), [])).toEqual([true]);
  });
});

describe('no name leads out of Lua', () => {
  const NAMES = [
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'valueOf',
    'hasOwnProperty',
    'arguments',
    'eval',
    'await',
    'yield',
    'async',
    'this',
    'self',
    'globalThis',
    'process',
    'require',
    'undefined',
    'NaN',
    'null',
    'let',
    'class',
    'new',
    'S',
    'G',
    'K',
    'E',
    't1',
    'v1',
    'va',
    's0',
    'LuaTable',
    'first',
    'index',
  ];

  test.each(NAMES)('%s', (name) => {
    expect(run(`return ${name}`)).toEqual([undefined]);
    expect(run(`local ${name} = 5 return ${name}, (function(${name}) return ${name} end)(6)`)).toEqual([5, 6]);
    expect(run(`${name} = 7 return ${name}, _G['${name}']`)).toEqual([7, 7]);
    expect(run(`local t = {} return t.${name}, t['${name}'], ({${name} = 1}).${name}`)).toEqual([
      undefined,
      undefined,
      1,
    ]);
    expect(run(`local t = {} t.${name} = 2 return t.${name}, next(t)`)).toEqual([2, name, 2]);
    expect(run(`return math.${name}`)).toEqual([undefined]);
    expect(run(`local s = ('x').${name} return s == nil or type(s) == 'function'`)).toEqual([true]);
    expect(failure(`return print.${name}.x`)).toMatch(/^user_script:1: attempt to index/);
    expect(failure(`return (function() end).${name}`)).toBe('user_script:1: attempt to index a function value');
    expect(failure(`return (5):${name}()`)).toBe('user_script:1: attempt to index a number value');
    expect(run(`for ${name} = 1, 2 do end for ${name} in pairs({1}) do end function ${name}() end return 1`)).toEqual([
      1,
    ]);
  });

  test('strings and comments cannot break out of the generated code', () => {
    const nasty = ['\u0001 9\u0002', '"', "'", '`', '$', '{S}', '\\', '*/', '//', '\r', '\u0085', '</script>'];
    for (const text of nasty) {
      const state = new LuaState();
      const escaped = [...text].map((c) => `\\${String(c.charCodeAt(0)).padStart(3, '0')}`).join('');
      const chunk = state.load(`--[==[${text}]==] local t = {["${escaped}"] = 1} return next(t)`, `@${text}`);
      expect(state.call(chunk, [])).toEqual([text, 1]);
    }
  });

  test('values that come out are Lua values', () => {
    const [table, callee, thread] = run('return {}, function() end, coroutine.create(function() end)');
    expect(table).toBeInstanceOf(LuaTable);
    expect(typeof callee).toBe('function');
    expect(thread).toBeTypeOf('object');
  });
});

describe('read-only tables', () => {
  const state = new LuaState();
  state.globals.readonly = true;
  const library = state.globals.get('string');
  if (library instanceof LuaTable) library.readonly = true;
  const refused = 'Attempt to modify a readonly table';

  test.each([
    ['x = 1', `user_script:1: ${refused}`],
    ['string.x = 1', `user_script:1: ${refused}`],
    ['string.rep = nil', `user_script:1: ${refused}`],
    ["_G['x'] = 1", `user_script:1: ${refused}`],
    ["rawset(_G, 'x', 1)", refused],
    ['setmetatable(_G, {})', refused],
    ['table.insert(string, 1)', refused],
  ])('%s', (source, message) => {
    let caught: unknown;
    try {
      state.call(state.load(source, '@user_script'), []);
    } catch (error) {
      caught = error;
    }
    expect(caught).toBeInstanceOf(LuaError);
    expect((caught as LuaError).message).toContain(message);
  });

  test('the host may write', () => {
    state.globals.set('KEYS', LuaTable.ofArray([undefined, 'k']));
    expect(state.call(state.load('return KEYS[1]', '@user_script'), [])).toEqual(['k']);
  });
});

describe('errors carry where they were raised', () => {
  test.each([
    ['error("x")', 1],
    ['\nerror({})', 2],
    ['\n\nlocal x = nil + 1', 3],
    ['\nhost()', 2],
    ['local function f()\nhost()\nend\n\nf()', 2],
  ])('%j', (source, line) => {
    const state = new LuaState();
    state.globals.set(
      'host',
      state.native('host', () => {
        throw plainError('from the host');
      }),
    );
    let caught: unknown;
    try {
      state.call(state.load(source, '@user_script'), []);
    } catch (error) {
      caught = error;
    }
    expect(caught).toMatchObject({ source: '@user_script', line });
  });
});
