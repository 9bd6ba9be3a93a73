/**
 * The notation in which a command row writes its arguments, and its reading into the tree that COMMAND DOCS shows.
 *
 *     key                      an argument of type key
 *     value                    of type string; `name:type` names another type (integer, double, pattern, unix-time, key)
 *     NX                       a word to be written as it is; `name=NX` when the argument is called otherwise
 *     COUNT count:integer      an argument behind a word
 *     [ … ]                    optional        x...     one or more
 *     [ … ]...  { … }...       repeated together with its word
 *     name:(a | b)             one of          name:(a b)   all, in this order
 */

export interface Argument {
  readonly name: string;
  readonly type: string;
  readonly token?: string;
  readonly optional: boolean;
  readonly multiple: boolean;
  readonly multipleToken: boolean;
  readonly parts: readonly Argument[];
}

export function parseSyntax(syntax: string): Argument[] {
  return new SyntaxReader(
    syntax.match(/\[|\]\.\.\.|\]|\{|\}\.\.\.|\(|\)\.\.\.|\)|\||[^\s[\](){}|]+/g) ?? [],
  ).sequence();
}

/** The usage line that a person reads: the notation without names and types. */
export function usage(syntax: string): string {
  return parseSyntax(syntax).map(usageOf).join(' ');
}

class SyntaxReader {
  private position = 0;

  constructor(private readonly words: readonly string[]) {}

  sequence(): Argument[] {
    const found: Argument[] = [];
    while (this.position < this.words.length && !/^[\])}|]/.test(this.words[this.position]!))
      found.push(this.argument());
    return found;
  }

  private argument(): Argument {
    const word = this.words[this.position++]!;
    if (word === '[' || word === '{') {
      const inner = this.argument();
      const end = this.words[this.position++]!;
      const repeated = end.endsWith('...');
      return {
        ...inner,
        optional: word === '[',
        multiple: inner.multiple || repeated,
        multipleToken: repeated,
      };
    }
    const isToken = isWrittenWord(word);
    const next = this.words[this.position];
    if (isToken && next !== undefined && !word.includes('=') && this.belongsTo(next)) {
      return { ...this.argument(), token: word === '""' ? '' : word };
    }
    if (isToken) return tokenArgument(word);
    if (word.endsWith(':') && next === '(') return this.group(word.slice(0, -1));
    return plainArgument(word);
  }

  /** Whether what follows a word is its argument: a name, or a named group, but not another word to be written. */
  private belongsTo(next: string): boolean {
    return /^[a-z]/.test(next) && !isWrittenWord(next);
  }

  private group(name: string): Argument {
    this.position++;
    const parts = this.sequence();
    let type = 'block';
    while (this.words[this.position] === '|') {
      type = 'oneof';
      this.position++;
      parts.push(...this.sequence());
    }
    const end = this.words[this.position++]!;
    return { name, type, optional: false, multiple: end === ')...', multipleToken: false, parts };
  }
}

/** `NX`, `name=NX`, `=`, `~`, `""`. */
function isWrittenWord(word: string): boolean {
  return /^[a-z0-9_-]*=./.test(word) || !/[a-z]/.test(word);
}

function tokenArgument(word: string): Argument {
  const equals = /^([a-z0-9_-]+)=(.+)$/.exec(word);
  const token = (equals?.[2] ?? word).replace('""', '');
  const name = equals?.[1] ?? token.toLowerCase();
  return { name, type: 'pure-token', token, optional: false, multiple: false, multipleToken: false, parts: [] };
}

function plainArgument(word: string): Argument {
  const multiple = word.endsWith('...');
  const [name, type] = (multiple ? word.slice(0, -3) : word).split(':') as [string, string?];
  return {
    name,
    type: type ?? (name === 'key' ? 'key' : 'string'),
    optional: false,
    multiple,
    multipleToken: false,
    parts: [],
  };
}

function usageOf(argument: Argument): string {
  const { name, type, token, parts } = argument;
  let text = name;
  if (type === 'pure-token') text = token === '' ? '""' : token!;
  else {
    if (type === 'oneof') text = parts.map(usageOf).join(' | ');
    if (type === 'block') text = parts.map(usageOf).join(' ');
    if (token !== undefined) text = `${token} ${text}`;
  }
  if (argument.multiple) text += ` [${text} …]`;
  if (argument.optional) return `[${text}]`;
  return type === 'oneof' ? `<${text}>` : text;
}
