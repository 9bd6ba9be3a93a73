/**
 * Random Lua programs for EVAL: what they compute, what they make of the keyspace and what they return is compared.
 * Nothing in them depends on time, on addresses, on the order of a hash table or on the sign of a NaN (JavaScript does
 * not tell it), and powers have exponents for which JavaScript gives the same digits; all of them end soon.
 */
import type { Random } from './random.js';

/** Prints any value so that equal values, and only those, print alike; tables by sorted keys. */
const PRELUDE = `local out, text = {}, tostring
local function tostring(v) return (type(v) == 'table' or type(v) == 'function') and type(v) or text(v) end
local function show(v, depth)
  if type(v) == 'number' then return string.format('%.14g', v) end
  if type(v) == 'string' then return '"' .. v .. '"' end
  if type(v) ~= 'table' then return (v == cjson.null) and 'null' or (type(v) == 'function' and 'function' or tostring(v)) end
  if depth > 4 then return '...' end
  local keys = {}
  for k, x in pairs(v) do keys[#keys + 1] = show(k, depth + 1) .. '=' .. show(x, depth + 1) end
  table.sort(keys)
  return '{' .. table.concat(keys, ',') .. '}'
end
local function signed(v) -- a NaN has a sign that is not told
  if v ~= v then return 0 end
  if type(v) == 'table' then for k, x in pairs(v) do if x ~= x then v[k] = 0 end end end
  return v
end
local function put(...)
  for i = 1, select('#', ...) do out[#out + 1] = string.gsub(show((select(i, ...)), 0), '%s*%-?nan', 'nan') end
end
local a, b, s, t = 7, -2.5, 'hello world', {3, 1, 2, x = 'y'}
`;

/** How deep expressions are nested. */
const MAX_DEPTH = 3;
/** How often an expression is of another type than its place wants. */
const MISFIT = 0.06;

const NUMBERS = '0 1 2 3 -1 10 255 -7 0.5 -2.5 1e3 1e15 2^31 2^53 -2^31 4294967295 1/0 0/0 a b #s #t'.split(' ');
const EXPONENTS = ['0', '1', '2', '-1', '1/0', '-1/0', '0/0'];
const STRINGS = [
  '""',
  '"a"',
  '"abc"',
  '"10"',
  '" 12 "',
  '"0x1f"',
  '"1e2"',
  '"3.7"',
  '"x y\\r\\nz"',
  '"\\0\\200\\255"',
  '"[1,2,{\\"a\\":null}]"',
  '"{}"',
  '"%d"',
  's',
  'ARGV[1]',
  'ARGV[2]',
  'KEYS[1]',
];
const PATTERNS = ['"%a+"', '"(%w)(%w)"', '"^."', '"[a-l]*"', '".-o"', '"()"', '"%d+$"', '"[^o]"', '"%f[%w]%w"', '"l+"'];
const FORMATS = ['%d', '%5d', '%-5d|', '%05d', '%i', '%x', '%X', '%o', '%c', '%e', '%.3f', '%g', '%10.2f', '%u'];
const LAYOUTS = ['<i4', '>I2', '<h', '>l', 'b', 'B', '<d', '>f', '!4i4', 'c3', 's', '<i8', 'H', 'i1i2'];
const DOCUMENTS = [
  '[1,2.5,"x",null,true,false]',
  '{"a":{"b":[1]}}',
  '[]',
  '{}',
  '[1e3,-0.5,1E-2]',
  '"text"',
  '12',
  '[',
  '{"a":}',
  '[1,]',
  '"\\\\u00e9\\\\n"',
  'nul',
  '',
];

/** Writes one program. */
class ProgramWriter {
  private depth = 0;

  constructor(
    private readonly random: Random,
    private readonly key: () => string,
  ) {}

  program(): string {
    const lines = [PRELUDE];
    if (this.random.chance(0.2)) lines.push('redis.setresp(3)');
    for (let n = this.random.int(1, 5); n > 0; n--) lines.push(this.statement());
    lines.push(this.random.chance(0.75) ? 'return out' : `return ${this.any()}`);
    return lines.join('\n');
  }

  private statement(): string {
    switch (this.random.int(0, 8)) {
      case 0:
        return `${this.pick('a', 'b')} = ${this.number()}`;
      case 1:
        return `put(${this.any()}, ${this.any()})`;
      case 2:
        return `for i = 1, ${this.random.int(1, 4)} do t[${this.pick('i', '#t + 1', 'i * 2')}] = ${this.any()} end put(t)`;
      case 3:
        return `if ${this.boolean()} then put(${this.any()}) else put(${this.any()}) end`;
      case 4:
        return `redis.${this.pick('call', 'pcall')}(${this.command()})`;
      case 5:
        return `put(pcall(function() error(${this.pick('"boom"', '"boom", 0', '"boom", 2', '{err = "CODE text"}', '42', 'nil', '{1}')}) end))`;
      default:
        return `put(pcall(function(...) return ${this.any()}, ${this.any()} end, ${this.any()}))`;
    }
  }

  private any(): string {
    const kinds = [
      () => this.number(),
      () => this.number(),
      () => this.string(),
      () => this.string(),
      () => this.table(),
      () => this.boolean(),
      () => `redis.${this.pick('call', 'pcall')}(${this.command()})`,
      () =>
        this.pick('nil', 'redis.status_reply("S")', 'redis.error_reply("E rr")', '{ok = "fine"}', '{err = "no code"}'),
      () =>
        this.pick(
          '{double = 3.25}',
          '{map = {k = {1}}}',
          '{set = {m = true}}',
          '{big_number = "123"}',
          '{1, {2, nil, 3}}',
        ),
    ];
    return this.random.pick(kinds)();
  }

  private number(): string {
    return this.nested(NUMBERS, [
      () => `(${this.number()} ${this.pick('+', '-', '*', '/', '%')} ${this.number()})`,
      () => `(${this.number()} ^ ${this.pick(...EXPONENTS)})`,
      () => `math.pow(${this.number()}, ${this.pick(...EXPONENTS)})`,
      () => `-${this.number()}`,
      () => `#${this.string()}`,
      () => `math.${this.pick('floor', 'ceil', 'abs', 'sqrt', 'exp')}(${this.number()})`,
      () => `math.${this.pick('max', 'min', 'fmod')}(${this.number()}, ${this.number()})`,
      () => `(math.${this.pick('modf', 'frexp')}(${this.number()}))`,
      () => `tonumber(${this.string()}${this.pick('', '', ', 16', ', 2')})`,
      () =>
        `bit.${this.pick('band', 'bor', 'bxor', 'lshift', 'rshift', 'arshift', 'rol')}(${this.number()}, ${this.number()})`,
      () => `bit.${this.pick('bnot', 'tobit', 'bswap')}(${this.number()})`,
      () => `string.byte(${this.string()}, ${this.number()})`,
      () => `select("#", unpack(${this.table()}))`,
      () => `struct.size(${this.layout()})`,
      () => `select(2, string.gsub(${this.string()}, ${this.random.pick(PATTERNS)}, ""))`,
      () => `table.maxn(${this.table()})`,
    ]);
  }

  private string(): string {
    return this.nested(STRINGS, [
      () => `(${this.string()} .. ${this.pick('""', this.number(), this.string())})`,
      () => `tostring(${this.pick(this.number(), this.boolean(), this.string())})`,
      () => `string.sub(${this.string()}, ${this.number()}, ${this.number()})`,
      () => `string.${this.pick('upper', 'lower', 'reverse')}(${this.string()})`,
      () => `string.rep(${this.string()}, ${this.random.int(-1, 4)})`,
      () => `string.char(${this.random.int(0, 255)}, ${this.random.int(-1, 256)})`,
      () => `string.format("${this.random.pick(FORMATS)}", ${this.number()})`,
      () => `string.format("${this.pick('%s', '%5s', '%-5s|', '%.2s', '%q')}", ${this.string()})`,
      () => `(string.gsub(${this.string()}, ${this.random.pick(PATTERNS)}, ${this.replacement()}))`,
      () => `string.match(${this.string()}, ${this.random.pick(PATTERNS)})`,
      () => `cjson.encode(${this.any()})`,
      () => `cmsgpack.pack(signed(${this.any()})${this.random.chance(0.3) ? `, signed(${this.any()})` : ''})`,
      () => `struct.pack(${this.layout()}, signed(${this.number()}), signed(${this.number()}))`,
      () => `bit.tohex(${this.number()}${this.pick('', ', 4', ', -2')})`,
      () => `redis.sha1hex(${this.string()})`,
      () => `table.concat(${this.table()}, ${this.pick('","', '""', '1')})`,
      () => `(${this.string()}):${this.pick('upper()', 'len()', 'sub(2)', 'byte()', 'rep(2)')}`,
      () => `type(${this.any()})`,
    ]);
  }

  private table(): string {
    return this.nested(
      ['t', '{}', '{1, 2, 3}', '{"a", nil, "b"}', 'KEYS', 'ARGV'],
      [
        () => `{${this.any()}, ${this.any()}}`,
        () => `{x = ${this.any()}}`,
        () => `{[${this.pick('1', '2', '1.5', '"k"', 'true')}] = ${this.any()}}`,
        () => `{string.find(${this.string()}, ${this.random.pick(PATTERNS)}, ${this.number()})}`,
        () => `{string.byte(${this.string()}, 1, 4)}`,
        () => `{unpack(${this.table()}, ${this.random.int(-1, 3)}, ${this.random.int(0, 5)})}`,
        () =>
          `cjson.decode(${this.pick(this.string(), `'${this.random.pick(DOCUMENTS)}'`, `'${this.random.pick(DOCUMENTS)}'`)})`,
        () => `{cmsgpack.unpack(${this.pick(`cmsgpack.pack(signed(${this.any()}))`, this.string())})}`,
        () => `{struct.unpack(${this.layout()}, ${this.pick('struct.pack("<i4i4", 1, 2)', this.string())})}`,
        () => `{pcall(redis.${this.pick('call', 'pcall')}, ${this.command()})}`,
        () =>
          `(function(l) table.sort(l${this.pick('', ', function(x, y) return x > y end')}) return l end)(${this.pick('{3, 1, 2}', '{"b", "a"}', this.table())})`,
        () =>
          `(function(l) ${this.pick(`table.insert(l, ${this.any()})`, `table.insert(l, 1, ${this.any()})`, 'table.remove(l)', 'table.remove(l, 1)')} return l end)(${this.pick('{1, 2}', this.table())})`,
        () => `setmetatable({}, {__index = ${this.pick('{q = 1}', 'function(_, k) return k end')}})`,
      ],
    );
  }

  private boolean(): string {
    return this.nested(
      ['true', 'false'],
      [
        () => `(${this.number()} ${this.pick('<', '<=', '==', '~=', '>', '>=')} ${this.number()})`,
        () => `(${this.string()} ${this.pick('<', '<=', '==')} ${this.string()})`,
        () => `not ${this.any()}`,
        () => `(${this.any()} ${this.pick('and', 'or')} ${this.any()})`,
        () => `rawequal(${this.any()}, ${this.any()})`,
      ],
    );
  }

  /** The arguments of a `redis.call`. */
  private command(): string {
    const key = `'${this.key()}'`;
    const value = (): string =>
      this.random.chance(0.5) ? `'${this.random.int(-5, 20)}'` : this.pick('"v"', '1', '2.5', 's');
    const commands: (() => string)[] = [
      () => `'GET', ${key}`,
      () => `'SET', ${key}, ${value()}`,
      () => `'SET', ${key}, ${value()}, '${this.pick('NX', 'XX', 'GET', 'KEEPTTL')}'`,
      () => `'${this.pick('INCR', 'DECR', 'STRLEN', 'TYPE', 'TTL', 'EXISTS', 'DEL', 'LLEN', 'SCARD')}', ${key}`,
      () => `'${this.pick('INCRBY', 'APPEND', 'INCRBYFLOAT', 'GETSET')}', ${key}, ${value()}`,
      () => `'${this.pick('LPUSH', 'RPUSH', 'SADD')}', ${key}, ${value()}, ${value()}`,
      () => `'LRANGE', ${key}, 0, ${this.random.int(-2, 3)}`,
      () => `'${this.pick('LPOP', 'RPOP')}', ${key}${this.pick('', ', 2')}`,
      () => `'HSET', ${key}, 'f${this.random.int(0, 3)}', ${value()}`,
      () => `'${this.pick('HGETALL', 'HKEYS', 'HLEN', 'HVALS')}', ${key}`,
      () => `'${this.pick('HGET', 'HEXISTS', 'HDEL')}', ${key}, 'f${this.random.int(0, 3)}'`,
      () => `'HMGET', ${key}, 'f0', 'f1', 'f2'`,
      () => `'ZADD', ${key}, ${this.random.int(-3, 9)}, 'm${this.random.int(0, 3)}'`,
      () => `'ZRANGE', ${key}, 0, -1${this.pick('', ", 'WITHSCORES'", ", 'REV'")}`,
      () => `'${this.pick('ZSCORE', 'ZRANK')}', ${key}, 'm1'`,
      () => `'ZINCRBY', ${key}, 1.5, 'm1'`,
      () => `'SISMEMBER', ${key}, ${value()}`,
      () => `'${this.pick('MGET', 'EXISTS', 'DEL', 'TOUCH')}', ${key}, ${key}`,
      () => `'EXPIRE', ${key}, ${this.pick('1000', "'x'", '-1')}`,
      () => `'${this.pick('PERSIST', 'OBJECT', 'GETDEL')}'${this.pick('', `, ${key}`)}`,
      () => `'XADD', ${key}, '1-${this.random.int(0, 3)}', 'f', ${value()}`,
      () => `'XRANGE', ${key}, '-', '+'`,
      () =>
        `'${this.pick('PING', 'ECHO', 'SELECT', 'SUBSCRIBE', 'NOSUCH', 'MULTI', 'EVAL', 'CLIENT', 'BLPOP')}', ${value()}`,
      () => `'PING'`,
      () => `'SETRANGE', ${key}, 3, ${value()}`,
      () => `'${this.pick('GETRANGE', 'BITCOUNT')}', ${key}, 0, 2`,
      () => `'LPOS', ${key}, ${value()}`,
      () =>
        `'DEBUG', 'PROTOCOL', '${this.pick('double', 'map', 'set', 'true', 'null', 'bignum', 'verbatim', 'attrib')}'`,
      () => this.any(),
    ];
    return this.random.pick(commands)();
  }

  private layout(): string {
    return `"${this.random.pick(LAYOUTS)}"`;
  }

  private replacement(): string {
    return this.pick(
      '"<%0>"',
      '"%1"',
      '""',
      'string.upper',
      '{l = "L", o = false}',
      'function(x) return nil end',
      '"%"',
    );
  }

  /** One of `plain`, or something built of other expressions while there is depth left. */
  private nested(plain: readonly string[], built: readonly (() => string)[]): string {
    if (this.depth >= MAX_DEPTH || this.random.chance(0.35)) return this.random.pick(plain);
    this.depth++;
    const written = this.random.chance(MISFIT) ? this.any() : this.random.pick(built)();
    this.depth--;
    return written;
  }

  private pick(...choices: string[]): string {
    return this.random.pick(choices);
  }
}

/** A program drawn from `random`; `key` draws names of keys that hold no quote or backslash. */
export function luaProgram(random: Random, key: () => string): string {
  return new ProgramWriter(random, key).program();
}
