import { parseNumber } from './numbers.js';

/** A token: punctuation and keywords stand for themselves, the rest by these names. */
export type TokenType = string;
export const NAME = '<name>';
export const STRING = '<string>';
export const NUMBER = '<number>';
export const END_OF_FILE = '<eof>';

const KEYWORDS = new Set(
  'and break do else elseif end false for function if in local nil not or repeat return then true until while'.split(
    ' ',
  ),
);

const BELL = '\x07';
const ESCAPES = new Map(Object.entries({ a: BELL, b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' }));

/** A syntax error: `message` as Lua 5.1 words it, without the position. */
export class LuaSyntaxError extends Error {
  constructor(
    message: string,
    readonly line: number,
  ) {
    super(message);
  }
}

/**
 * Splits a Lua 5.1 source into tokens. `type`, `text` and `number` describe the current token, `line` the line it
 * ends on, `lastLine` the line of the token before. Follows the reference manual §2.1 and the lexer's error texts.
 */
export class Lexer {
  type: TokenType = END_OF_FILE;
  /** A name's or string's content. */
  text = '';
  number = 0;
  line = 1;
  lastLine = 1;
  private at = 0;
  private start = 0;

  constructor(private readonly source: string) {
    this.next();
  }

  next(): void {
    this.lastLine = this.line;
    this.type = this.read();
  }

  /** The type of the token after the current one; the current one stays. */
  peek(): TokenType {
    const { type, text, number, line, lastLine, at, start } = this;
    const ahead = this.read();
    Object.assign(this, { type, text, number, line, lastLine, at, start });
    return ahead;
  }

  /** Raises a syntax error at the current token. */
  fail(message: string): never {
    // A NUL in the source is token 0, which PUC Lua takes for "no token".
    throw new LuaSyntaxError(this.type === '\0' ? message : `${message} near '${this.near()}'`, this.line);
  }

  private near(): string {
    switch (this.type) {
      case NAME:
      case NUMBER:
        return this.source.slice(this.start, this.at);
      case STRING: {
        const quote = this.source[this.start]!;
        return quote === '[' ? this.source.slice(this.start, this.at) : quote + this.text + quote;
      }
      default:
        return describeToken(this.type);
    }
  }

  private failNear(message: string, near: string): never {
    throw new LuaSyntaxError(`${message} near '${near}'`, this.line);
  }

  private read(): TokenType {
    const source = this.source;
    for (;;) {
      this.start = this.at;
      const code = source.charCodeAt(this.at);
      if (Number.isNaN(code)) return END_OF_FILE;
      if (code === 10 || code === 13) {
        this.skipLineEnd();
        continue;
      }
      if (code === 32 || (code >= 9 && code <= 12)) {
        this.at++;
        continue;
      }
      if (isLetter(code)) return this.readName();
      if (isDigit(code)) return this.readNumber();
      switch (code) {
        case 45: // -
          this.at++;
          if (source.charCodeAt(this.at) !== 45) return '-';
          this.skipComment();
          continue;
        case 91: {
          // [
          const level = this.longBracket();
          if (level >= 0) return this.readLongString(level, false);
          if (level === -1) return this.punctuation('[');
          this.failNear('invalid long string delimiter', source.slice(this.start, this.at));
          break;
        }
        case 61:
          return this.punctuation(source.charCodeAt(this.at + 1) === 61 ? '==' : '=');
        case 60:
          return this.punctuation(source.charCodeAt(this.at + 1) === 61 ? '<=' : '<');
        case 62:
          return this.punctuation(source.charCodeAt(this.at + 1) === 61 ? '>=' : '>');
        case 126:
          return this.punctuation(source.charCodeAt(this.at + 1) === 61 ? '~=' : '~');
        case 34:
        case 39:
          return this.readString(code);
        case 46: // .
          if (source.charCodeAt(this.at + 1) === 46) {
            return this.punctuation(source.charCodeAt(this.at + 2) === 46 ? '...' : '..');
          }
          if (isDigit(source.charCodeAt(this.at + 1))) return this.readNumber();
          return this.punctuation('.');
        default:
          return this.punctuation(source[this.at]!);
      }
    }
  }

  private punctuation(text: string): TokenType {
    this.at += text.length;
    return text;
  }

  private skipLineEnd(): void {
    const first = this.source.charCodeAt(this.at++);
    const second = this.source.charCodeAt(this.at);
    if ((second === 10 || second === 13) && second !== first) this.at++;
    this.line++;
  }

  private readName(): TokenType {
    const source = this.source;
    let at = this.at + 1;
    for (let code = source.charCodeAt(at); isLetter(code) || isDigit(code); code = source.charCodeAt(++at));
    this.at = at;
    const name = source.slice(this.start, at);
    if (KEYWORDS.has(name)) return name;
    this.text = name;
    return NAME;
  }

  private readNumber(): TokenType {
    const source = this.source;
    let at = this.at;
    for (let code = source.charCodeAt(at); isDigit(code) || code === 46; code = source.charCodeAt(++at));
    const exponent = source.charCodeAt(at);
    // PUC Lua looks for the exponent with `strchr`, which finds a NUL in every set; the numeral then ends before it.
    if ((exponent | 32) === 101 || exponent === 0) {
      at++;
      const sign = source.charCodeAt(at);
      if (sign === 43 || sign === 45 || sign === 0) at++;
    }
    for (let code = source.charCodeAt(at); isLetter(code) || isDigit(code); code = source.charCodeAt(++at));
    this.at = at;
    const [text] = source.slice(this.start, at).split('\0', 1) as [string];
    const value = parseNumber(text);
    if (value === undefined) this.failNear('malformed number', text);
    this.number = value;
    return NUMBER;
  }

  private readString(quote: number): TokenType {
    const source = this.source;
    let text = '';
    let from = ++this.at;
    for (;;) {
      const code = source.charCodeAt(this.at);
      if (code === quote) break;
      if (Number.isNaN(code)) this.failNear('unfinished string', END_OF_FILE);
      if (code === 10 || code === 13) {
        this.failNear('unfinished string', String.fromCharCode(quote) + text + source.slice(from, this.at));
      }
      if (code !== 92) {
        this.at++;
        continue;
      }
      text += source.slice(from, this.at++);
      text += this.readEscape(String.fromCharCode(quote) + text);
      from = this.at;
    }
    text += source.slice(from, this.at++);
    this.text = text;
    return STRING;
  }

  private readEscape(sofar: string): string {
    const code = this.source.charCodeAt(this.at);
    if (Number.isNaN(code)) return '';
    if (code === 10 || code === 13) {
      this.skipLineEnd();
      return '\n';
    }
    if (!isDigit(code)) {
      const letter = this.source[this.at++]!;
      return ESCAPES.get(letter) ?? letter;
    }
    let value = 0;
    for (let i = 0; i < 3 && isDigit(this.source.charCodeAt(this.at)); i++) {
      value = value * 10 + this.source.charCodeAt(this.at++) - 48;
    }
    if (value > 255) this.failNear('escape sequence too large', sofar);
    return String.fromCharCode(value);
  }

  private skipComment(): void {
    this.at++;
    if (this.source.charCodeAt(this.at) === 91) {
      const level = this.longBracket();
      if (level >= 0) {
        this.readLongString(level, true);
        return;
      }
    }
    const source = this.source;
    for (let code = source.charCodeAt(this.at); code !== 10 && code !== 13; code = source.charCodeAt(++this.at)) {
      if (Number.isNaN(code)) return;
    }
  }

  /**
   * At a `[`: the level of the long bracket it opens (then `at` stands behind it), -1 for a lone bracket (`at` stays),
   * -2 for a `[=` that opens nothing (`at` stands behind the signs).
   */
  private longBracket(): number {
    const source = this.source;
    let at = this.at + 1;
    while (source.charCodeAt(at) === 61) at++;
    const level = at - this.at - 1;
    if (source.charCodeAt(at) === 91) {
      this.at = at + 1;
      return level;
    }
    if (level === 0) return -1;
    this.at = at;
    return -2;
  }

  private readLongString(level: number, comment: boolean): TokenType {
    const source = this.source;
    const first = source.charCodeAt(this.at);
    if (first === 10 || first === 13) this.skipLineEnd();
    const close = `]${'='.repeat(level)}]`;
    let text = '';
    let from = this.at;
    for (;;) {
      const code = source.charCodeAt(this.at);
      if (Number.isNaN(code)) this.failNear(`unfinished long ${comment ? 'comment' : 'string'}`, END_OF_FILE);
      if (code === 93 && source.startsWith(close, this.at)) break;
      if (code === 91 && level === 0 && source.charCodeAt(this.at + 1) === 91) {
        this.failNear('nesting of [[...]] is deprecated', '[');
      }
      if (code === 10 || code === 13) {
        text += `${source.slice(from, this.at)}\n`;
        this.skipLineEnd();
        from = this.at;
      } else this.at++;
    }
    this.text = text + source.slice(from, this.at);
    this.at += close.length;
    return STRING;
  }
}

/** A token type as error messages show it. */
export function describeToken(type: TokenType): string {
  const code = type.charCodeAt(0);
  return type.length === 1 && (code < 32 || code === 127) ? `char(${code})` : type;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

function isLetter(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95;
}
