import type {
  BinaryOperator,
  CallExpression,
  Expression,
  FunctionNode,
  Local,
  MethodExpression,
  TableExpression,
} from './ast.js';

/** How a chunk is compiled; the plain form is the fast one. */
export interface CompileMode {
  /** Functions become generators that can yield. */
  coroutines: boolean;
  /** Each function has an environment of its own (`setfenv`). */
  environments: boolean;
}

const ARITHMETIC: ReadonlyMap<BinaryOperator, string> = new Map([
  ['+', 'add'],
  ['-', 'subtract'],
  ['*', 'multiply'],
  ['/', 'divide'],
  ['%', 'modulo'],
  ['^', 'power'],
]);

/** Up to this many elements a constructor makes room for just as many. */
const EXACT_ROOM = 15;

/** An operand ready to be named more than once: `setup` (with a trailing comma) comes first. */
interface Operand {
  setup: string;
  name: string;
  numeric: boolean;
}

/**
 * Writes expressions as JavaScript. Every piece it returns can stand as an operand or argument as it is.
 *
 * Lua identifiers never reach the output: a local is `v` and a number, a field or global a string literal. Line marks
 * (`\u0001line\u0002`) stand before what can fail; `compile.ts` turns them into the table from positions to lines.
 */
export abstract class ExpressionEmitter {
  /** Declarations of inline caches and name lists, at the head of the chunk. */
  readonly declarations: string[] = [];
  private temporaries = 0;
  protected mostTemporaries = 0;
  /** The first zero of the function: 0 and -0 share a place among its constants, so all others become this one. */
  private zero: number | undefined;

  constructor(protected readonly mode: CompileMode) {}

  /** The body of a function, from its node. */
  protected abstract functionBody(node: FunctionNode): string;

  /** Names of what calls call, for the messages of argument errors. */
  readonly callees: string[] = [];

  protected mark(line: number): string {
    return `\u0001${line}\u0002`;
  }

  /** The mark of a call proper: it also tells what the callee is called here. */
  private callMark(line: number, callee: string): string {
    this.callees.push(callee);
    return `\u0001${line},${this.callees.length - 1}\u0002`;
  }

  protected localName(local: Local): string {
    return `v${local.id}`;
  }

  /** Runs `write` with a temporary variable that nothing else uses meanwhile. */
  protected withTemporary<T>(write: (name: string) => T): T {
    const name = `t${++this.temporaries}`;
    if (this.temporaries > this.mostTemporaries) this.mostTemporaries = this.temporaries;
    const result = write(name);
    this.temporaries--;
    return result;
  }

  /** Runs `write` with the counters of a new function. */
  protected inFunction<T>(write: () => T): T {
    const { temporaries, mostTemporaries, zero } = this;
    this.temporaries = 0;
    this.mostTemporaries = 0;
    this.zero = undefined;
    const result = write();
    this.temporaries = temporaries;
    this.mostTemporaries = mostTemporaries;
    this.zero = zero;
    return result;
  }

  protected declare(value: string): string {
    const name = `s${this.declarations.length}`;
    this.declarations.push(`${name}=${value}`);
    return name;
  }

  /** An inline cache for a constant key; it also carries how to name the object in an error. */
  protected site(description: string): string {
    return this.declare(`{at:0,of:${quote(description)}}`);
  }

  protected globals(): string {
    return this.mode.environments ? 'E.table' : 'G';
  }

  /** An expression as exactly one value. */
  value(e: Expression): string {
    switch (e.kind) {
      case 'nil':
        return 'undefined';
      case 'true':
      case 'false':
        return e.kind;
      case 'vararg':
        return 'va[0]';
      case 'number':
        return this.numberLiteral(e.value);
      case 'string':
        return quote(e.value);
      case 'function':
        return this.closure(e.node);
      case 'local':
        return this.localName(e.local);
      case 'global':
        return `${this.mark(e.line)}getGlobal(S,${this.globals()},${quote(e.name)},${this.site('')})`;
      case 'index':
        return this.indexed(e.object, e.key, e.line);
      case 'call':
      case 'method':
        return `first(${this.call(e, false)})`;
      case 'paren':
        return this.value(e.inner);
      case 'table':
        return this.table(e);
      case 'unary':
        return this.unary(e.operator, e.operand, e.line);
      case 'binary':
        return this.binary(e.operator, e.left, e.right, e.line);
    }
  }

  private numberLiteral(value: number): string {
    if (value !== 0) return value < 0 ? `(${value})` : `${value}`;
    this.zero ??= value;
    return Object.is(this.zero, -0) ? '(-0)' : '0';
  }

  /** An expression as a JavaScript boolean: its truth. */
  condition(e: Expression): string {
    switch (e.kind) {
      case 'nil':
      case 'false':
        return 'false';
      case 'true':
      case 'number':
      case 'string':
        return 'true';
      case 'paren':
        return this.condition(e.inner);
      case 'local': {
        const name = this.localName(e.local);
        return e.local.numeric ? 'true' : `(${name}!==undefined&&${name}!==false)`;
      }
      case 'unary':
        if (e.operator === 'not') return `(!${this.condition(e.operand)})`;
        break;
      case 'binary':
        if (e.operator === 'and') return `(${this.condition(e.left)}&&${this.condition(e.right)})`;
        if (e.operator === 'or') return `(${this.condition(e.left)}||${this.condition(e.right)})`;
        if (isComparison(e.operator)) return this.value(e);
        break;
      default:
    }
    return this.withTemporary((t) => `((${t}=${this.value(e)})!==undefined&&${t}!==false)`);
  }

  /** An expression as the list of all its values, in the form `a,b,...c`. */
  list(expressions: Expression[]): string {
    const parts = expressions.map((e, i) => {
      if (i < expressions.length - 1) return this.value(e);
      if (e.kind === 'vararg') return '...va';
      if (e.kind === 'call' || e.kind === 'method') return `...multi(${this.call(e, false)})`;
      return this.value(e);
    });
    return parts.join(',');
  }

  /** A call as it comes back: one value, or an array of any number. A tail call may unwind the stack. */
  call(e: CallExpression | MethodExpression, tail: boolean): string {
    if (this.mode.coroutines) return this.resumableCall(e, tail);
    if (e.kind === 'method') {
      return this.withTemporary((self) => {
        const callee = this.methodCallee(e, self);
        const args = e.args.length > 0 ? `,${this.list(e.args)}` : '';
        return `${this.unwinding(callee, tail)}${this.callMark(e.line, nameOfCallee(e))}(${self}${args})`;
      });
    }
    const callee = this.callee(e);
    return `${this.unwinding(callee, tail)}${this.callMark(e.line, nameOfCallee(e))}(${this.list(e.args)})`;
  }

  private unwinding(callee: string, tail: boolean): string {
    return tail ? this.withTemporary((t) => `(${t}=${callee},--S.tailCalls<0?unwind(S,${t}):${t})`) : callee;
  }

  private resumableCall(e: CallExpression | MethodExpression, tail: boolean): string {
    return this.withTemporary((f) =>
      this.withTemporary((args) => {
        let setup: string;
        if (e.kind === 'method') {
          setup = this.withTemporary((self) => {
            const callee = this.methodCallee(e, self);
            return `${f}=${callee},${args}=[${self}${e.args.length > 0 ? `,${this.list(e.args)}` : ''}]`;
          });
        } else setup = `${f}=${this.callee(e)},${args}=[${this.list(e.args)}]`;
        const resume = tail ? `tailSteps(${f},${args})` : `yield* callSteps(${f},${args})`;
        const native = `${this.callMark(e.line, nameOfCallee(e))}${f}(...${args})`;
        return `(${setup},${f}.resumable===undefined?${native}:${this.mark(e.line)}${resume})`;
      }),
    );
  }

  private callee(e: CallExpression): string {
    const { callee } = e;
    if (callee.kind === 'local') {
      const name = this.localName(callee.local);
      if (callee.local.isFunction && !callee.local.assigned) return `${this.mark(e.line)}${name}`;
      return `(typeof ${name}==="function"?${name}:${this.mark(e.line)}callable(S,${name},${quote(describe(callee))}))`;
    }
    const note =
      this.mode.environments && callee.kind === 'global' && /^[gs]etfenv$/.test(callee.name) ? 'S.environment=E,' : '';
    return this.withTemporary(
      (t) =>
        `(${note}typeof (${t}=${this.value(callee)})==="function"?${t}:` +
        `${this.mark(e.line)}callable(S,${t},${quote(describe(callee))}))`,
    );
  }

  private methodCallee(e: MethodExpression, self: string): string {
    const site = this.site(describe(e.object));
    return this.withTemporary(
      (t) =>
        `(${self}=${this.value(e.object)},typeof (${t}=${this.mark(e.line)}getField(S,${self},${quote(e.name)},${site}))` +
        `==="function"?${t}:${this.mark(e.line)}callable(S,${t},${quote(nameOfCallee(e))}))`,
    );
  }

  closure(node: FunctionNode): string {
    const params = node.params.map((p) => this.localName(p));
    if (node.vararg) params.push('...va');
    const body = this.inFunction(() => this.functionBody(node));
    const list = `(${params.join(',')})`;
    const code = this.mode.coroutines ? `resumable(function*${list}{${body}})` : `(${list}=>{${body}})`;
    return this.mode.environments ? `inEnvironment(E.table,(E)=>${code})` : code;
  }

  private indexed(object: Expression, key: Expression, line: number): string {
    const of = this.value(object);
    if (key.kind === 'string') {
      return `${this.mark(line)}getField(S,${of},${quote(key.value)},${this.site(describe(object))})`;
    }
    return `${this.mark(line)}index(S,${of},${this.value(key)},${quote(describe(object))})`;
  }

  private table({ entries, line }: TableExpression): string {
    if (entries.length === 0) return 'new LuaTable()';
    const values = entries.map((entry) => entry.value);
    const keys = entries.map((entry) => entry.key);
    if (keys.every((key) => key === undefined)) {
      const fixed = isMulti(values[values.length - 1]!) ? values.length - 1 : values.length;
      const room = fixed > EXACT_ROOM ? `,${roomFor(fixed)}` : '';
      return `LuaTable.ofArray([undefined,${this.list(values)}]${room})`;
    }
    const names = new Set(keys.map((key) => (key?.kind === 'string' ? key.value : undefined)));
    const fields = names.size === keys.length && !names.has(undefined);
    const last = entries.length - 1;
    const parts = entries.map(({ key, value }, i) => {
      if (key === undefined) return i === last ? this.list([value]) : this.value(value);
      const written = key.kind === 'string' ? quote(key.value) : `${this.mark(line)}checkKey(${this.value(key)})`;
      return `${written},${this.value(value)}`;
    });
    if (fields) return `LuaTable.ofFields([${parts}])`;
    // Keyed and positional entries are evaluated in the order they stand.
    const layout = keys.map((key) => (key === undefined ? 'i' : 'k')).join('');
    return `LuaTable.ofEntries("${layout}",[${parts}])`;
  }

  private unary(operator: 'not' | '-' | '#', operand: Expression, line: number): string {
    if (operator === 'not') return `(!${this.condition(operand)})`;
    const name = quote(describe(operand));
    if (operator === '#') return `${this.mark(line)}lengthOf(S,${this.value(operand)},${name})`;
    if (this.numeric(operand)) return `(-${this.value(operand)})`;
    return this.withTemporary(
      (t) => `(typeof (${t}=${this.value(operand)})==="number"?-${t}:${this.mark(line)}negate(S,${t},${name}))`,
    );
  }

  private binary(operator: BinaryOperator, left: Expression, right: Expression, line: number): string {
    switch (operator) {
      case 'and':
        return this.withTemporary((t) => {
          const test = `(${t}=${this.value(left)})`;
          return `(${test}===undefined||${t}===false?${t}:${this.value(right)})`;
        });
      case 'or':
        return this.withTemporary((t) => {
          const test = `(${t}=${this.value(left)})`;
          return `(${test}!==undefined&&${t}!==false?${t}:${this.value(right)})`;
        });
      case '..':
        return this.concatenation(left, right, line);
      case '==':
      case '~=':
        return this.equality(operator, left, right, line);
      case '<':
      case '<=':
      case '>':
      case '>=':
        return this.comparison(operator, left, right, line);
      default:
        return this.arithmetic(operator, left, right, line);
    }
  }

  private arithmetic(operator: BinaryOperator, left: Expression, right: Expression, line: number): string {
    const method = ARITHMETIC.get(operator)!;
    const names = `${quote(describe(left))},${quote(describe(right))}`;
    // Of two numerals that are not folded, PUC Lua notes the right one first.
    if (left.kind === 'number' && right.kind === 'number' && right.value === 0) this.numberLiteral(right.value);
    return this.operands(left, right, (a, b) => {
      let fast = `${a.name}${operator}${b.name}`;
      if (operator === '%') fast = `remainder(${a.name},${b.name})`;
      else if (operator === '^') fast = `raise(${a.name},${b.name})`;
      else if (operator === '/' && right.kind === 'number' && right.value === 0) fast = `quotient(${a.name},${b.name})`;
      if (a.numeric && b.numeric) return `(${a.setup}${b.setup}${fast})`;
      const slow = `${this.mark(line)}${method}(S,${a.name},${b.name},${names})`;
      return `(${a.setup}${b.setup}${bothNumbers(a, b)}?${fast}:${slow})`;
    });
  }

  private comparison(operator: '<' | '<=' | '>' | '>=', left: Expression, right: Expression, line: number): string {
    return this.operands(left, right, (a, b) => {
      const fast = `${a.name}${operator}${b.name}`;
      if (a.numeric && b.numeric) return `(${a.setup}${b.setup}${fast})`;
      const method = operator === '<' || operator === '>' ? 'lessThan' : 'lessEqual';
      const order = operator === '<' || operator === '<=' ? `${a.name},${b.name}` : `${b.name},${a.name}`;
      return `(${a.setup}${b.setup}${bothNumbers(a, b)}?${fast}:${this.mark(line)}${method}(S,${order}))`;
    });
  }

  private equality(operator: '==' | '~=', left: Expression, right: Expression, line: number): string {
    const sign = operator === '==' ? '===' : '!==';
    if (isPlain(left) || isPlain(right) || this.numeric(left) || this.numeric(right)) {
      return `(${this.value(left)}${sign}${this.value(right)})`;
    }
    return this.operands(left, right, (a, b) => {
      const test = `${a.name}===${b.name}||${this.mark(line)}equal(S,${a.name},${b.name})`;
      return operator === '==' ? `(${a.setup}${b.setup}${test})` : `(${a.setup}${b.setup}!(${test}))`;
    });
  }

  /** `a..b..c` is one operation, as in Lua: all operands first, then joined from the right. */
  private concatenation(left: Expression, right: Expression, line: number): string {
    const parts = [left];
    let rest = right;
    while (rest.kind === 'binary' && rest.operator === '..') {
      parts.push(rest.left);
      rest = rest.right;
    }
    parts.push(rest);
    const names = this.declare(`[${parts.map((part) => quote(describe(part)))}]`);
    const method = parts.length === 2 ? 'concat' : parts.length === 3 ? 'concat3' : 'concatMany';
    return `${this.mark(line)}${method}(S,${names},${parts.map((part) => this.value(part))})`;
  }

  /** Names both operands; a local that cannot change meanwhile stands for itself. */
  private operands(left: Expression, right: Expression, write: (a: Operand, b: Operand) => string): string {
    const rightIsSimple = isPlain(right) || right.kind === 'local';
    const leftIsSimple = isPlain(left) || (left.kind === 'local' && (rightIsSimple || !left.outer));
    const withRight = (a: Operand): string => {
      if (rightIsSimple) return write(a, this.simpleOperand(right));
      return this.withTemporary((t) => write(a, this.temporaryOperand(t, right)));
    };
    if (leftIsSimple) return withRight(this.simpleOperand(left));
    return this.withTemporary((t) => withRight(this.temporaryOperand(t, left)));
  }

  private simpleOperand(e: Expression): Operand {
    return { setup: '', name: this.value(e), numeric: this.numeric(e) };
  }

  private temporaryOperand(name: string, e: Expression): Operand {
    return { setup: `${name}=${this.value(e)},`, name, numeric: this.numeric(e) };
  }

  /** The expression yields a number, whatever happens at run time. */
  protected numeric(e: Expression): boolean {
    switch (e.kind) {
      case 'number':
        return true;
      case 'paren':
        return this.numeric(e.inner);
      case 'local':
        return e.local.numeric;
      case 'unary':
        return e.operator === '-' && this.numeric(e.operand);
      case 'binary':
        return ARITHMETIC.has(e.operator) && this.numeric(e.left) && this.numeric(e.right);
      default:
        return false;
    }
  }
}

/** A literal that is neither evaluated nor compared by metamethod. */
function isPlain(e: Expression): boolean {
  return e.kind === 'nil' || e.kind === 'true' || e.kind === 'false' || e.kind === 'number' || e.kind === 'string';
}

function isComparison(operator: BinaryOperator): boolean {
  return operator === '==' || operator === '~=' || operator[0] === '<' || operator[0] === '>';
}

function bothNumbers(a: Operand, b: Operand): string {
  const tests: string[] = [];
  if (!a.numeric) tests.push(`typeof ${a.name}==="number"`);
  if (!b.numeric) tests.push(`typeof ${b.name}==="number"`);
  return tests.join('&&');
}

/** What Lua calls a value in an error: "local 'x'", "field 'y'"; empty where it has no name. */
export function describe(e: Expression): string {
  switch (e.kind) {
    case 'local':
      return `${e.outer ? 'upvalue' : 'local'} '${e.local.name}'`;
    case 'global':
      return `global '${e.name}'`;
    case 'index':
      // The C library prints a name up to its first zero byte.
      return `field '${e.key.kind === 'string' ? e.key.value.split('\0', 1)[0] : '?'}'`;
    case 'paren':
      return describe(e.inner);
    case 'binary':
      // Lua drops a constant that decides nothing and names what is left.
      if (e.operator === 'and' && (e.left.kind === 'true' || e.left.kind === 'number' || e.left.kind === 'string')) {
        return describe(e.right);
      }
      return e.operator === 'or' && (e.left.kind === 'nil' || e.left.kind === 'false') ? describe(e.right) : '';
    default:
      return '';
  }
}

function nameOfCallee(e: CallExpression | MethodExpression): string {
  return e.kind === 'method' ? `method '${e.name}'` : describe(e.callee);
}

/** A byte string as a JavaScript literal. JSON escapes all control characters, so no line mark can be forged. */
export function quote(text: string): string {
  return JSON.stringify(text);
}

/** Ends in any number of values where it stands last. */
export function isMulti(e: Expression): boolean {
  return e.kind === 'call' || e.kind === 'method' || e.kind === 'vararg';
}

/** A constructor's size as PUC Lua keeps it in its instruction: four digits and an exponent, rounded up. */
function roomFor(size: number): number {
  let digits = size;
  let scale = 1;
  while (digits > EXACT_ROOM) {
    digits = (digits + 1) >> 1;
    scale *= 2;
  }
  return digits * scale;
}
