import { libraryError } from './errors.js';
import type { CjsonSettings } from './lib-cjson.js';
import { parseNumber } from './numbers.js';
import { LuaTable } from './table.js';
import { type LuaValue, NULL_USERDATA } from './values.js';

/** JSON text as a Lua value. Null is `cjson.null`; errors are worded as lua-cjson words them. */
export function decodeJson(text: string, settings: CjsonSettings): LuaValue {
  if (text.length >= 2 && (text.charCodeAt(0) === 0 || text.charCodeAt(1) === 0)) {
    throw libraryError('JSON parser does not support UTF-16 or UTF-32');
  }
  return new Decoder(text, settings).document();
}

type Token =
  | 'T_OBJ_BEGIN'
  | 'T_OBJ_END'
  | 'T_ARR_BEGIN'
  | 'T_ARR_END'
  | 'T_STRING'
  | 'T_NUMBER'
  | 'T_BOOLEAN'
  | 'T_NULL'
  | 'T_COLON'
  | 'T_COMMA'
  | 'T_END'
  | 'T_ERROR';

const PUNCTUATION: ReadonlyMap<string, Token> = new Map([
  ['{', 'T_OBJ_BEGIN'],
  ['}', 'T_OBJ_END'],
  ['[', 'T_ARR_BEGIN'],
  [']', 'T_ARR_END'],
  [':', 'T_COLON'],
  [',', 'T_COMMA'],
]);

const ESCAPES = new Map(
  Object.entries({ '"': '"', '\\': '\\', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }),
);

/** What `strtod` takes for a number. */
const NUMBER =
  /[+-]?(?:0[xX](?:[0-9a-fA-F]+\.?[0-9a-fA-F]*|\.[0-9a-fA-F]+)(?:[pP][+-]?\d+)?|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|inf(?:inity)?|nan(?:\([0-9A-Za-z_]*\))?)/iy;
/** Numbers that JSON does not know. */
const INVALID_NUMBER = /\+|-?(?:0[xX0-9]|inf|nan)/iy;

class Decoder {
  private at = 0;
  private tokenAt = 0;
  private value: LuaValue = undefined;
  private problem = '';
  private depth = 0;

  constructor(
    private readonly text: string,
    private readonly settings: CjsonSettings,
  ) {}

  document(): LuaValue {
    const value = this.read(this.next());
    const token = this.next();
    if (token !== 'T_END') throw this.unexpected('the end', token);
    return value;
  }

  private read(token: Token): LuaValue {
    switch (token) {
      case 'T_STRING':
      case 'T_NUMBER':
      case 'T_BOOLEAN':
        return this.value;
      case 'T_NULL':
        return NULL_USERDATA;
      case 'T_OBJ_BEGIN':
        return this.object();
      case 'T_ARR_BEGIN':
        return this.array();
      default:
        throw this.unexpected('value', token);
    }
  }

  private descend(): void {
    if (++this.depth > this.settings.decodeMaxDepth) {
      throw libraryError(`Found too many nested data structures (${this.depth}) at character ${this.at}`);
    }
  }

  private object(): LuaTable {
    this.descend();
    const table = new LuaTable();
    let token = this.next();
    if (token !== 'T_OBJ_END') {
      for (;;) {
        if (token !== 'T_STRING') throw this.unexpected('object key string', token);
        const key = this.value;
        token = this.next();
        if (token !== 'T_COLON') throw this.unexpected('colon', token);
        table.set(key, this.read(this.next()));
        token = this.next();
        if (token === 'T_OBJ_END') break;
        if (token !== 'T_COMMA') throw this.unexpected('comma or object end', token);
        token = this.next();
      }
    }
    this.depth--;
    return table;
  }

  private array(): LuaTable {
    this.descend();
    const items: LuaValue[] = [undefined];
    let token = this.next();
    if (token !== 'T_ARR_END') {
      for (;;) {
        items.push(this.read(token));
        token = this.next();
        if (token === 'T_ARR_END') break;
        if (token !== 'T_COMMA') throw this.unexpected('comma or array end', token);
        token = this.next();
      }
    }
    this.depth--;
    return LuaTable.ofArray(items);
  }

  private unexpected(expected: string, token: Token): unknown {
    const found = token === 'T_ERROR' ? this.problem : token;
    return libraryError(`Expected ${expected} but found ${found} at character ${this.tokenAt + 1}`);
  }

  private fail(problem: string): Token {
    this.problem = problem;
    return 'T_ERROR';
  }

  private next(): Token {
    const { text } = this;
    let code = text.charCodeAt(this.at);
    while (code === 32 || code === 10 || code === 13 || code === 9) code = text.charCodeAt(++this.at);
    this.tokenAt = this.at;
    if (Number.isNaN(code) || code === 0) return 'T_END';
    if (code === 34) return this.string();
    const punctuation = PUNCTUATION.get(text[this.at]!);
    if (punctuation !== undefined) {
      this.at++;
      return punctuation;
    }
    const invalid = matchesAt(INVALID_NUMBER, text, this.at);
    if (code === 45 || (code >= 48 && code <= 57)) {
      return invalid && !this.settings.decodeInvalid ? this.fail('invalid number') : this.number();
    }
    if (text.startsWith('true', this.at)) return this.word(4, true);
    if (text.startsWith('false', this.at)) return this.word(5, false);
    if (text.startsWith('null', this.at)) {
      this.at += 4;
      return 'T_NULL';
    }
    return invalid && this.settings.decodeInvalid ? this.number() : this.fail('invalid token');
  }

  private word(length: number, value: boolean): Token {
    this.at += length;
    this.value = value;
    return 'T_BOOLEAN';
  }

  private number(): Token {
    NUMBER.lastIndex = this.at;
    const match = NUMBER.exec(this.text);
    if (match === null) return this.fail('invalid number');
    this.at += match[0].length;
    this.value = parseNumber(match[0]);
    return 'T_NUMBER';
  }

  private string(): Token {
    const { text } = this;
    let from = ++this.at;
    let value = '';
    for (;;) {
      const code = text.charCodeAt(this.at);
      if (code === 34) break;
      if (Number.isNaN(code) || code === 0) return this.failAt(this.at, 'unexpected end of string');
      if (code !== 92) {
        this.at++;
        continue;
      }
      value += text.slice(from, this.at);
      const letter = text[this.at + 1];
      if (letter === 'u') {
        const character = this.unicodeEscape();
        if (character === undefined) return this.failAt(this.at, 'invalid unicode escape code');
        value += character;
      } else {
        const character = letter === undefined ? undefined : ESCAPES.get(letter);
        if (character === undefined) return this.failAt(this.at, 'invalid escape code');
        value += character;
        this.at += 2;
      }
      from = this.at;
    }
    this.value = value + text.slice(from, this.at++);
    return 'T_STRING';
  }

  private failAt(at: number, problem: string): Token {
    this.tokenAt = at;
    return this.fail(problem);
  }

  /** A `\uXXXX`, or two for a character beyond the basic plane, as UTF-8. */
  private unicodeEscape(): string | undefined {
    const first = hexadecimal(this.text, this.at + 2);
    if (first < 0) return undefined;
    let code = first;
    let length = 6;
    if ((first & 0xf800) === 0xd800) {
      if ((first & 0x400) !== 0 || this.text.substr(this.at + 6, 2) !== '\\u') return undefined;
      const second = hexadecimal(this.text, this.at + 8);
      if (second < 0 || (second & 0xfc00) !== 0xdc00) return undefined;
      code = 0x10000 + ((first & 0x3ff) << 10) + (second & 0x3ff);
      length = 12;
    }
    this.at += length;
    return utf8(code);
  }
}

function matchesAt(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(text);
}

function hexadecimal(text: string, at: number): number {
  const digits = text.substr(at, 4);
  return /^[0-9a-fA-F]{4}$/.test(digits) ? Number.parseInt(digits, 16) : -1;
}

function utf8(code: number): string {
  if (code < 0x80) return String.fromCharCode(code);
  const tail = (shift: number): number => 0x80 | ((code >> shift) & 0x3f);
  if (code < 0x800) return String.fromCharCode(0xc0 | (code >> 6), tail(0));
  if (code < 0x10000) return String.fromCharCode(0xe0 | (code >> 12), tail(6), tail(0));
  return String.fromCharCode(0xf0 | (code >> 18), tail(12), tail(6), tail(0));
}
