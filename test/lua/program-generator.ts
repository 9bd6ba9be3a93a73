/** Random Lua 5.1 programs that end soon, for comparing two machines: most operations fail in interesting ways. */

/** A generator of numbers in [0, 1), the same for the same seed. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const NAMES = ['a', 'b', 'c', 'd', '__proto__', 'constructor', 'await', 'arguments'];
const FIELDS = ['x', 'y', 'n', '__proto__', 'toString', 'length'];
const BINARY = '+ - * / % ^ .. == ~= < <= > >= and or'.split(' ');
const LITERALS = [
  'nil',
  'true',
  'false',
  '0',
  '1',
  '2',
  '-3',
  '0.5',
  '1e15',
  '2^53',
  '0x10',
  '""',
  '"a"',
  '"abc"',
  '"10"',
  '"0x1F"',
  '" 7 "',
  '"1e2"',
  '"%d"',
  "'\\0\\200'",
  '{}',
  '{1,2,3}',
  '{1,nil,3}',
  '{x=1,y=2}',
  '{n=2,5,6}',
];
const CALLS = [
  'tostring',
  'tonumber',
  'type',
  '#select',
  'math.floor',
  'math.abs',
  'math.max',
  'math.fmod',
  'string.len',
  'string.sub',
  'string.rep',
  'string.upper',
  'string.reverse',
  'string.byte',
  'string.format',
  'string.find',
  'string.match',
  'string.gsub',
  'table.concat',
  'table.insert',
  'table.remove',
  'table.maxn',
  'unpack',
  'rawget',
  'rawequal',
  'rawset',
  'next',
  'setmetatable',
  'getmetatable',
  'pcall',
  'error',
  'assert',
  'select',
  'f',
  'g',
];
const METAMETHODS = [
  '__index',
  '__newindex',
  '__call',
  '__add',
  '__concat',
  '__eq',
  '__lt',
  '__le',
  '__unm',
  '__tostring',
];
const PATTERNS = ['"%a+"', '"(%w)(%w)"', '"^."', '"[a-c]*"', '".-b"', '"()"', '"%d?$"', '"[^a]"', '"%f[%w]"', '"%b()"'];

class ProgramWriter {
  private depth = 0;
  private budget = 60;

  constructor(private readonly random: () => number) {}

  program(): string {
    const lines = [
      'local a, b, c, d = 1, "two", {3, 4, x = 5}',
      'local function f(...) local p, q = ... return q, p, select("#", ...) end',
      'function g(x, y) if x == nil then return end return x end',
    ];
    for (let i = 0; i < 8; i++) lines.push(this.guarded());
    lines.push('print(a, b, c, d)');
    return lines.join('\n');
  }

  /** A statement in a `pcall`, whose results are printed. */
  private guarded(): string {
    this.budget = 25;
    return `print(pcall(function(...)\n${this.statement()}\nreturn ${this.expressions()} end, ${this.expression()}))`;
  }

  private pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.random() * list.length)]!;
  }

  private chance(share: number): boolean {
    return this.random() < share;
  }

  private block(): string {
    const count = 1 + Math.floor(this.random() * 2);
    return Array.from({ length: count }, () => this.statement()).join('\n');
  }

  private statement(): string {
    if (--this.budget < 0 || this.depth > 4) return `print(${this.expression()})`;
    this.depth++;
    const written = this.pick(STATEMENTS)(this);
    this.depth--;
    return written;
  }

  localStatement(): string {
    return `local ${this.pick(NAMES)}, ${this.pick(NAMES)} = ${this.expressions()}`;
  }

  assignment(): string {
    const targets = this.chance(0.7) ? this.target() : `${this.target()}, ${this.target()}`;
    return `${targets} = ${this.expressions()}`;
  }

  conditional(): string {
    const otherwise = this.chance(0.5) ? `else\n${this.block()}\n` : '';
    return `if ${this.expression()} then\n${this.block()}\n${otherwise}end`;
  }

  numericLoop(): string {
    const step = this.chance(0.4) ? `, ${this.pick(['1', '-1', '2', '0.5', '"1"'])}` : '';
    return `for ${this.pick(NAMES)} = ${this.pick(['1', '3', '"2"', '0'])}, ${this.pick(['3', '1', '2.5', '"3"'])}${step} do\n${this.block()}\nend`;
  }

  genericLoop(): string {
    const source = this.chance(0.6) ? `ipairs(${this.expression()})` : `pairs({${this.expression()}})`;
    return `for ${this.pick(NAMES)}, ${this.pick(NAMES)} in ${source} do\n${this.block()}\nend`;
  }

  closures(): string {
    const name = this.pick(NAMES);
    return `local fs = {} for ${name} = 1, 3 do fs[${name}] = function() ${name} = ${name} + 1 return ${name} end end\nprint(fs[1](), fs[1](), fs[3]())`;
  }

  repeatLoop(): string {
    return `local count = 0 repeat local seen = count count = count + 1 ${this.statement()} until seen >= 2 or ${this.expression()}`;
  }

  whileLoop(): string {
    return `local turns = 0 while turns < 3 do turns = turns + 1 ${this.statement()} if ${this.expression()} then break end end`;
  }

  functionStatement(): string {
    const vararg = this.chance(0.5) ? ', ...' : '';
    const name = this.pick(NAMES);
    return `local function h(${name}${vararg})\n${this.block()}\nreturn ${this.expressions()} end\nprint(h(${this.expressions()}))`;
  }

  coroutineStatement(): string {
    return `local co = coroutine.wrap(function(...)\n${this.statement()}\nlocal r = coroutine.yield(${this.expressions()})\nreturn r, ${this.expressions()} end)\nprint(co(${this.expression()})) print(co(${this.expression()})) print(pcall(co))`;
  }

  metatableStatement(): string {
    const event = this.pick(METAMETHODS);
    const handler = this.chance(0.8) ? `function(...) return ${this.expressions()} end` : this.expression();
    return `local m = setmetatable({}, {${event} = ${handler}})\nprint(m${this.pick(['.x', '[1]', '(1, 2)', ' + 1', ' .. "s"', ' == {}', ' < m', ' <= m'])}) print(1 ${this.pick(['+', '..', '<'])} m)`;
  }

  private target(): string {
    const name = this.pick(NAMES);
    if (this.chance(0.5)) return name;
    return this.chance(0.5) ? `${name}.${this.pick(FIELDS)}` : `${name}[${this.expression()}]`;
  }

  private expressions(): string {
    const count = this.chance(0.6) ? 1 : 2;
    return Array.from({ length: count }, () => this.expression()).join(', ');
  }

  private expression(): string {
    if (--this.budget < 0 || this.depth > 5) return this.chance(0.5) ? this.pick(NAMES) : this.pick(LITERALS);
    this.depth++;
    const written = this.compound();
    this.depth--;
    return written;
  }

  private compound(): string {
    const kind = this.random();
    if (kind < 0.2) return this.pick(LITERALS);
    if (kind < 0.35) return this.pick(NAMES);
    if (kind < 0.6) return `(${this.expression()} ${this.pick(BINARY)} ${this.expression()})`;
    if (kind < 0.66) return `(${this.pick(['not', '-', '#'])} ${this.expression()})`;
    if (kind < 0.72) return `${this.pick(NAMES)}.${this.pick(FIELDS)}`;
    if (kind < 0.76) return `${this.pick(NAMES)}[${this.expression()}]`;
    if (kind < 0.8) return `{${this.expression()}, ${this.pick(FIELDS)} = ${this.expression()}, ${this.expressions()}}`;
    if (kind < 0.83)
      return `(${this.expression()}):${this.pick(['upper', 'len', 'x', 'rep', 'sub'])}(${this.expressions()})`;
    if (kind < 0.87)
      return `string.${this.pick(['find', 'match', 'gsub'])}(${this.expression()}, ${this.pick(PATTERNS)}, ${this.expression()})`;
    if (kind < 0.9) return `(function(...) return ${this.expressions()} end)(${this.expressions()})`;
    const callee = this.pick(CALLS);
    if (callee === '#select') return `select("#", ${this.expressions()})`;
    return `${callee}(${this.expressions()})`;
  }
}

const STATEMENTS: readonly ((writer: ProgramWriter) => string)[] = [
  (w) => w.localStatement(),
  (w) => w.assignment(),
  (w) => w.assignment(),
  (w) => w.conditional(),
  (w) => w.numericLoop(),
  (w) => w.genericLoop(),
  (w) => w.closures(),
  (w) => w.repeatLoop(),
  (w) => w.whileLoop(),
  (w) => w.functionStatement(),
  (w) => w.coroutineStatement(),
  (w) => w.metatableStatement(),
];

/** The program of a seed. */
export function generateProgram(seed: number): string {
  return new ProgramWriter(seededRandom(seed)).program();
}
