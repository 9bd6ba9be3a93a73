import type { Expression, FunctionNode, Local, Statement } from './ast.js';
import { describe, ExpressionEmitter, isMulti, quote } from './emit-expressions.js';

type Assignment = Extract<Statement, { kind: 'assign' }>;
type LocalStatement = Extract<Statement, { kind: 'local' }>;
type IfStatement = Extract<Statement, { kind: 'if' }>;
type NumericFor = Extract<Statement, { kind: 'numericFor' }>;
type GenericFor = Extract<Statement, { kind: 'genericFor' }>;

/** Counts a step; the host looks in when the counter runs out. `K` keeps the chunk's line table alive. */
const STEP = 'if(--S.steps<0)hook(S,K);';

/** Writes statements and function bodies as JavaScript. */
export class StatementEmitter extends ExpressionEmitter {
  protected functionBody(node: FunctionNode): string {
    let head = node.calls || node.parent === undefined ? STEP : '';
    if (node.argTable !== undefined) {
      head += `let ${this.localName(node.argTable)}${node.usesVararg ? '' : '=argTable(va)'};`;
    }
    const statements = this.block(node.body);
    const names = Array.from({ length: this.mostTemporaries }, (_, i) => `t${i + 1}`);
    const temporaries = names.length > 0 ? `let ${names};` : '';
    const last = node.body[node.body.length - 1];
    return temporaries + head + statements + (last?.kind === 'return' ? '' : 'return NONE');
  }

  private block(statements: Statement[]): string {
    let code = '';
    for (const statement of statements) code += this.statement(statement);
    return code;
  }

  private statement(s: Statement): string {
    switch (s.kind) {
      case 'local':
        return this.localStatement(s);
      case 'localFunction': {
        const name = this.localName(s.local);
        const keyword = s.local.assigned ? 'let' : 'const';
        return `${keyword} ${name}=${this.closure(s.node)};`;
      }
      case 'assign':
        return s.targets.length === 1 && s.values.length === 1
          ? `${this.assign(s.targets[0]!, this.value(s.values[0]!), s.line)};`
          : this.multipleAssignment(s);
      case 'call':
        return `drop(${this.call(s.call, false)});`;
      case 'do':
        return `{${this.block(s.body)}}`;
      case 'while':
        return `while(${this.condition(s.condition)}){${STEP}${this.block(s.body)}}`;
      case 'repeat': {
        const body = this.block(s.body);
        return `for(;;){${STEP}${body}if(${this.condition(s.condition)})break}`;
      }
      case 'if':
        return this.ifStatement(s);
      case 'numericFor':
        return this.numericFor(s);
      case 'genericFor':
        return this.genericFor(s);
      case 'return':
        return this.returnStatement(s.values);
      case 'break':
        return 'break;';
    }
  }

  private localStatement({ locals, values }: LocalStatement): string {
    const last = values[values.length - 1];
    if (values.length < locals.length && last !== undefined && isMulti(last)) {
      return this.localsFromMulti(locals, values, last);
    }
    let code = '';
    for (let i = 0; i < Math.max(locals.length, values.length); i++) {
      const local = locals[i];
      const value = values[i];
      if (local === undefined) code += `${this.discarded(value!)};`;
      else if (value === undefined) code += `let ${this.localName(local)};`;
      else {
        const written = this.value(value);
        local.numeric = !local.assigned && this.numeric(value);
        code += `let ${this.localName(local)}=${written};`;
      }
    }
    return code;
  }

  private localsFromMulti(locals: Local[], values: Expression[], last: Expression): string {
    const from = values.length - 1;
    let code = '';
    for (let i = 0; i < from; i++) code += `let ${this.localName(locals[i]!)}=${this.value(values[i]!)};`;
    return this.withTemporary((t) => {
      const source = last.kind === 'vararg' ? 'va' : t;
      if (last.kind === 'call' || last.kind === 'method') code += `${t}=multi(${this.call(last, false)});`;
      for (let i = from; i < locals.length; i++) code += `let ${this.localName(locals[i]!)}=${source}[${i - from}];`;
      return code;
    });
  }

  private discarded(e: Expression): string {
    return e.kind === 'call' || e.kind === 'method' ? `drop(${this.call(e, false)})` : this.value(e);
  }

  private assign(target: Expression, value: string, line: number): string {
    switch (target.kind) {
      case 'local':
        return `${this.localName(target.local)}=${value}`;
      case 'global':
        return `${this.mark(line)}setGlobal(S,${this.globals()},${quote(target.name)},${value},${this.site('')})`;
      case 'index':
        return this.assignElement(target, this.value(target.object), this.keyOf(target), value);
      default:
        return value;
    }
  }

  private keyOf(target: Extract<Expression, { kind: 'index' }>): string {
    return this.value(target.key);
  }

  private assignElement(
    target: Extract<Expression, { kind: 'index' }>,
    object: string,
    key: string,
    value: string,
  ): string {
    const of = describe(target.object);
    const mark = this.mark(target.line);
    if (target.key.kind === 'string') return `${mark}setField(S,${object},${key},${value},${this.site(of)})`;
    return `${mark}setIndex(S,${object},${key},${value},${quote(of)})`;
  }

  /** Targets' objects and keys are evaluated first, then the values, then the last target is assigned first. */
  private multipleAssignment(s: Assignment): string {
    const count = s.targets.length;
    const steps: string[] = [];
    const stores: string[] = [];
    const fromTarget = (i: number): string => {
      const target = s.targets[i];
      if (target === undefined) return this.valuesInto(s, steps, stores);
      if (target.kind !== 'index') return fromTarget(i + 1);
      return this.withTemporary((object) => {
        steps.push(`${object}=${this.value(target.object)}`);
        if (target.key.kind === 'string' || target.key.kind === 'number') {
          const key = this.value(target.key);
          stores[i] = this.assignElement(target, object, key, '\0');
          return fromTarget(i + 1);
        }
        return this.withTemporary((key) => {
          steps.push(`${key}=${this.value(target.key)}`);
          stores[i] = this.assignElement(target, object, key, '\0');
          return fromTarget(i + 1);
        });
      });
    };
    for (let i = 0; i < count; i++) {
      const target = s.targets[i]!;
      if (target.kind !== 'index') stores[i] = this.assign(target, '\0', s.line);
    }
    return fromTarget(0);
  }

  private valuesInto(s: Assignment, steps: string[], stores: string[]): string {
    const count = s.targets.length;
    const names: string[] = [];
    const fromValue = (i: number): string => {
      const value = s.values[i];
      if (value === undefined) {
        while (names.length < count) names.push('undefined');
        const assigned = stores.map((store, at) => store.replace('\0', () => names[at]!)).reverse();
        return `${[...steps, ...assigned].join(';')};`;
      }
      if (i >= count) {
        steps.push(this.discarded(value));
        return fromValue(i + 1);
      }
      return this.withTemporary((t) => {
        if (i === s.values.length - 1 && i < count - 1 && isMulti(value)) {
          if (value.kind === 'call' || value.kind === 'method') steps.push(`${t}=multi(${this.call(value, false)})`);
          const source = value.kind === 'vararg' ? 'va' : t;
          for (let at = i; at < count; at++) names.push(`${source}[${at - i}]`);
        } else {
          steps.push(`${t}=${this.value(value)}`);
          names.push(t);
        }
        return fromValue(i + 1);
      });
    };
    return fromValue(0);
  }

  private ifStatement(s: IfStatement): string {
    const branches = s.conditions.map((condition, i) => {
      const test = this.condition(condition);
      return `if(${test}){${this.block(s.blocks[i]!)}}`;
    });
    const otherwise = s.otherwise === undefined ? '' : `else{${this.block(s.otherwise)}}`;
    return branches.join('else ') + otherwise;
  }

  private numericFor(s: NumericFor): string {
    const { local } = s;
    const id = local.id;
    const bound = (e: Expression, what: string): string =>
      this.numeric(e) ? this.value(e) : `${this.mark(s.line)}forNumber(${this.value(e)},"${what}")`;
    const from = bound(s.from, 'initial value');
    const to = bound(s.to, 'limit');
    const step = s.step === undefined ? '1' : bound(s.step, 'step');
    local.numeric = !local.assigned;
    const copied = local.captured || local.assigned;
    const counter = copied ? `c${id}` : this.localName(local);
    const known = s.step === undefined || s.step.kind === 'number';
    const up = s.step === undefined || (s.step.kind === 'number' && s.step.value > 0);
    const going = up ? `${counter}<=l${id}` : `l${id}<=${counter}`;
    const test = known ? going : `(d${id}>0?${counter}<=l${id}:l${id}<=${counter})`;
    const copy = copied ? `let ${this.localName(local)}=${counter};` : '';
    return (
      `for(let ${counter}=${from},l${id}=${to},d${id}=${step};${test};${counter}+=d${id})` +
      `{${STEP}${copy}${this.block(s.body)}}`
    );
  }

  private genericFor(s: GenericFor): string {
    const only = s.values.length === 1 ? s.values[0]! : undefined;
    const source =
      only !== undefined && (only.kind === 'call' || only.kind === 'method')
        ? this.call(only, false)
        : `[${this.list(s.values)}]`;
    const iterator = `i${s.locals[0]!.id}`;
    const names = s.locals.map((local, i) => {
      const part = i === 0 ? '.key' : i === 1 ? '.value' : `.rest(${i})`;
      return `${this.localName(local)}=${iterator}${part}`;
    });
    return (
      `for(const ${iterator}=iterate(S,${source});${this.mark(s.line)}${iterator}.next();)` +
      `{${STEP}let ${names};${this.block(s.body)}}`
    );
  }

  private returnStatement(values: Expression[]): string {
    if (values.length === 0) return 'return NONE;';
    if (values.length > 1) return `return [${this.list(values)}];`;
    const value = values[0]!;
    if (value.kind === 'vararg') return 'return va;';
    if (value.kind === 'call' || value.kind === 'method') return `return ${this.call(value, true)};`;
    return `return ${this.value(value)};`;
  }
}
