/** The syntax tree of a chunk, names resolved. Lines are those Lua would blame for an error of the operation. */

/** A local variable. What the parser learns about it lets the compiler drop checks and copies. */
export interface Local {
  readonly name: string;
  /** Unique within the chunk. */
  readonly id: number;
  readonly owner: FunctionNode;
  /** Read or written by a function inside its owner. */
  captured: boolean;
  /** Assigned after its declaration. */
  assigned: boolean;
  /** Always a number; the compiler finds out when it comes to the declaration. */
  numeric: boolean;
  /** Declared by `local function`. */
  isFunction: boolean;
}

export interface FunctionNode {
  readonly parent: FunctionNode | undefined;
  readonly line: number;
  params: Local[];
  vararg: boolean;
  /** `...` stands in the body. */
  usesVararg: boolean;
  /** The table Lua 5.1 makes for vararg functions that do not use `...`. */
  argTable: Local | undefined;
  /** It calls something, so it might recurse. */
  calls: boolean;
  body: Statement[];
}

export type BinaryOperator =
  | '+'
  | '-'
  | '*'
  | '/'
  | '%'
  | '^'
  | '..'
  | '=='
  | '~='
  | '<'
  | '<='
  | '>'
  | '>='
  | 'and'
  | 'or';

export type Expression =
  | { kind: 'nil' | 'true' | 'false' | 'vararg' }
  | { kind: 'number'; value: number }
  | { kind: 'string'; value: string }
  | { kind: 'function'; node: FunctionNode }
  | { kind: 'local'; local: Local; outer: boolean }
  | { kind: 'global'; name: string; line: number }
  | { kind: 'index'; object: Expression; key: Expression; line: number }
  | CallExpression
  | MethodExpression
  | { kind: 'paren'; inner: Expression }
  | { kind: 'binary'; operator: BinaryOperator; left: Expression; right: Expression; line: number }
  | { kind: 'unary'; operator: 'not' | '-' | '#'; operand: Expression; line: number }
  | TableExpression;

export interface CallExpression {
  kind: 'call';
  callee: Expression;
  args: Expression[];
  line: number;
}

export interface MethodExpression {
  kind: 'method';
  object: Expression;
  name: string;
  args: Expression[];
  line: number;
}

export interface TableExpression {
  kind: 'table';
  /** In source order; a positional entry has no key. */
  entries: { key: Expression | undefined; value: Expression }[];
  line: number;
}

export type Statement =
  | { kind: 'local'; locals: Local[]; values: Expression[]; line: number }
  | { kind: 'localFunction'; local: Local; node: FunctionNode }
  | { kind: 'assign'; targets: Expression[]; values: Expression[]; line: number }
  | { kind: 'call'; call: CallExpression | MethodExpression }
  | { kind: 'do'; body: Statement[] }
  | { kind: 'while'; condition: Expression; body: Statement[] }
  | { kind: 'repeat'; body: Statement[]; condition: Expression }
  | { kind: 'if'; conditions: Expression[]; blocks: Statement[][]; otherwise: Statement[] | undefined }
  | {
      kind: 'numericFor';
      local: Local;
      from: Expression;
      to: Expression;
      step: Expression | undefined;
      body: Statement[];
      line: number;
    }
  | { kind: 'genericFor'; locals: Local[]; values: Expression[]; body: Statement[]; line: number }
  | { kind: 'return'; values: Expression[] }
  | { kind: 'break' };
