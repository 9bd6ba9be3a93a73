/** Quoted text: how an inline command is split into arguments, and how MONITOR and error messages show bytes. */
import type { Bytes } from './reply.js';

const DOUBLE_QUOTE = '"';
const SINGLE_QUOTE = "'";
const BACKSLASH = '\\';
/** What ends an argument, and what else may stand between arguments; a NUL byte ends the line. */
const ARGUMENT_END = ' \n\r\t';
const SPACES = `${ARGUMENT_END}\v\f`;

const ESCAPED: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', a: '\x07' };
const HEX_ESCAPE = /\\x([\da-fA-F]{2})/y;

/** An argument, or a part of one, and the position after it. */
interface Piece {
  readonly text: Bytes;
  readonly end: number;
}

/**
 * The arguments of an inline command or of a line in a config file, as Redis splits them (`sdssplitargs`): spaces
 * between them; `"…"` with `\n \r \t \b \a \xHH`, `'…'` with `\'` alone. Null where a quote is not closed, or
 * something other than a space follows the closing one.
 */
export function splitInlineArgs(line: Bytes): Bytes[] | null {
  const nul = line.indexOf('\0');
  const text = nul < 0 ? line : line.slice(0, nul);
  const args: Bytes[] = [];
  let position = skipSpaces(text, 0);
  while (position < text.length) {
    const argument = readArgument(text, position);
    if (argument === null) return null;
    args.push(argument.text);
    position = skipSpaces(text, argument.end);
  }
  return args;
}

/** Bytes in double quotes, as MONITOR shows them (`sdscatrepr`): what is not printable ASCII is escaped. */
export function quote(s: Bytes): Bytes {
  let out = DOUBLE_QUOTE;
  for (let i = 0; i < s.length; i++) out += quoteByte(s[i]!);
  return out + DOUBLE_QUOTE;
}

function quoteByte(byte: string): string {
  switch (byte) {
    case BACKSLASH:
    case DOUBLE_QUOTE:
      return BACKSLASH + byte;
    case '\n':
      return '\\n';
    case '\r':
      return '\\r';
    case '\t':
      return '\\t';
    case '\x07':
      return '\\a';
    case '\b':
      return '\\b';
  }
  if (byte >= ' ' && byte <= '~') return byte;
  return `\\x${byte.charCodeAt(0).toString(16).padStart(2, '0')}`;
}

function skipSpaces(line: Bytes, from: number): number {
  let i = from;
  while (i < line.length && SPACES.includes(line[i]!)) i++;
  return i;
}

/** An argument up to the space that ends it. A quoted part may follow plain characters, and is always the last one. */
function readArgument(line: Bytes, from: number): Piece | null {
  let end = from;
  for (; end < line.length; end++) {
    const char = line[end]!;
    if (ARGUMENT_END.includes(char)) break;
    if (char !== DOUBLE_QUOTE && char !== SINGLE_QUOTE) continue;
    const quoted = char === DOUBLE_QUOTE ? readDoubleQuoted(line, end + 1) : readSingleQuoted(line, end + 1);
    if (quoted === null) return null;
    if (quoted.end < line.length && !SPACES.includes(line[quoted.end]!)) return null;
    return { text: line.slice(from, end) + quoted.text, end: quoted.end };
  }
  return { text: line.slice(from, end), end };
}

function readDoubleQuoted(line: Bytes, from: number): Piece | null {
  let text = '';
  let i = from;
  while (i < line.length) {
    const char = line[i]!;
    if (char === DOUBLE_QUOTE) return { text, end: i + 1 };
    if (char !== BACKSLASH || i + 1 === line.length) {
      text += char;
      i++;
      continue;
    }
    HEX_ESCAPE.lastIndex = i;
    const hexadecimal = HEX_ESCAPE.exec(line);
    if (hexadecimal !== null) {
      text += String.fromCharCode(Number.parseInt(hexadecimal[1]!, 16));
      i += 4;
    } else {
      const escaped = line[i + 1]!;
      text += ESCAPED[escaped] ?? escaped;
      i += 2;
    }
  }
  return null;
}

function readSingleQuoted(line: Bytes, from: number): Piece | null {
  let text = '';
  let i = from;
  while (i < line.length) {
    if (line[i] === SINGLE_QUOTE) return { text, end: i + 1 };
    if (line.startsWith("\\'", i)) i++;
    text += line[i];
    i++;
  }
  return null;
}
