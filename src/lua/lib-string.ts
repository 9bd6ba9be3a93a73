import { index } from './access.js';
import {
  checkInt,
  checkInteger,
  checkString,
  checkTable,
  expectedError,
  optionalInt,
  optionalInteger,
} from './arguments.js';
import { first } from './calls.js';
import { argumentError, libraryError } from './errors.js';
import { numberToString } from './numbers.js';
import { Matcher } from './pattern.js';
import type { LuaState } from './state.js';
import { formatString } from './string-format.js';
import { type LuaResult, type LuaValue, NONE, typeName } from './values.js';

/** More results than this do not fit Lua's stack. */
const MAX_RESULTS = 8000;
const SPECIALS = /[\^$*+?.([%-]/;

/** What a compiled chunk begins with. More is not needed: as in Redis, no machine here loads compiled code. */
const DUMP_HEADER = '\x1bLuaQ\0\x01\x04\x08\x04\x08\0';

/** The string library, and the metatable that makes its functions methods of strings. */
export function openString(state: LuaState): void {
  const library = state.openLibrary('string', {
    byte(...args) {
      const text = checkString(args, 0);
      const from = fromEnd(optionalInteger(args, 1, 1), text.length);
      const to = fromEnd(optionalInteger(args, 2, from), text.length);
      const start = Math.max(from, 1);
      const end = Math.min(to, text.length);
      if (start > end) return NONE;
      if (start === end) return text.charCodeAt(start - 1);
      if (end - start >= MAX_RESULTS) throw libraryError('string slice too long');
      const codes: LuaValue[] = [];
      for (let i = start - 1; i < end; i++) codes.push(text.charCodeAt(i));
      return codes;
    },
    char(...args) {
      let text = '';
      for (let i = 0; i < args.length; i++) {
        const code = checkInt(args, i);
        if ((code & 255) !== code) throw argumentError(i + 1, 'invalid value');
        text += String.fromCharCode(code);
      }
      return text;
    },
    dump(...args) {
      if (typeof args[0] !== 'function') throw expectedError(args, 0, 'function');
      if (args[0].native) throw libraryError('unable to dump given function');
      return DUMP_HEADER;
    },
    find: (...args) => search(state, args, true),
    match: (...args) => search(state, args, false),
    format: (...args) => formatString(args),
    gmatch: (...args) => gmatch(state, args),
    gsub: (...args) => substitute(state, args),
    len: (...args) => checkString(args, 0).length,
    lower: (...args) => checkString(args, 0).replace(/[A-Z]+/g, (run) => run.toLowerCase()),
    upper: (...args) => checkString(args, 0).replace(/[a-z]+/g, (run) => run.toUpperCase()),
    rep(...args) {
      const text = checkString(args, 0);
      const count = checkInt(args, 1);
      if (count <= 0 || text === '') return '';
      state.chargeString(text.length * count);
      return text.repeat(count);
    },
    reverse(...args) {
      const text = checkString(args, 0);
      return Buffer.from(text, 'latin1').reverse().toString('latin1');
    },
    sub(...args) {
      const text = checkString(args, 0);
      const { length } = text;
      const from = fromEnd(checkInteger(args, 1), length);
      const to = fromEnd(optionalInteger(args, 2, -1), length);
      const start = Math.max(from, 1);
      const end = Math.min(to, length);
      return start <= end ? text.slice(start - 1, end) : '';
    },
  });
  library.set('gfind', library.get('gmatch'));
  state.stringMeta.set('__index', library);
}

/** A position that may count from the end. */
function fromEnd(position: number, length: number): number {
  if (position >= 0) return position;
  return Math.max(position + length + 1, 0);
}

/** PUC Lua reads patterns as C strings: a zero byte ends them. */
function untilZero(pattern: string): string {
  const end = pattern.indexOf('\0');
  return end < 0 ? pattern : pattern.slice(0, end);
}

function search(state: LuaState, args: LuaValue[], find: boolean): LuaResult {
  const subject = checkString(args, 0);
  const pattern = checkString(args, 1);
  let init = fromEnd(optionalInteger(args, 2, 1), subject.length) - 1;
  if (init < 0) init = 0;
  else if (init > subject.length) init = subject.length;
  const plain = args[3] !== undefined && args[3] !== false;
  if (find && (plain || !SPECIALS.test(untilZero(pattern)))) {
    const at = subject.indexOf(pattern, init);
    return at < 0 ? undefined : [at + 1, at + pattern.length];
  }
  const anchored = pattern.charCodeAt(0) === 94;
  const matcher = new Matcher(state, subject, untilZero(pattern));
  for (let at = init; at <= subject.length; at++) {
    matcher.level = 0;
    const end = matcher.match(at, anchored ? 1 : 0);
    if (end >= 0) {
      const captures = matcher.captures(at, end, !find);
      return find ? [at + 1, end, ...captures] : captures;
    }
    if (anchored) break;
  }
  return undefined;
}

function gmatch(state: LuaState, args: LuaValue[]): LuaResult {
  const subject = checkString(args, 0);
  const pattern = checkString(args, 1);
  let from = 0;
  return state.native('gmatch_step', () => {
    const matcher = new Matcher(state, subject, untilZero(pattern));
    for (let at = from; at <= subject.length; at++) {
      matcher.level = 0;
      const end = matcher.match(at, 0);
      if (end >= 0) {
        from = end === at ? end + 1 : end;
        return matcher.captures(at, end, true);
      }
    }
    return undefined;
  });
}

function substitute(state: LuaState, args: LuaValue[]): LuaResult {
  const subject = checkString(args, 0);
  const pattern = checkString(args, 1);
  const replacement = args[2];
  const kind = typeName(replacement);
  if (kind !== 'number' && kind !== 'string' && kind !== 'table' && kind !== 'function') {
    throw argumentError(3, 'string/function/table expected');
  }
  const limit = optionalInt(args, 3, subject.length + 1);
  const anchored = pattern.charCodeAt(0) === 94;
  const replace = replacer(state, args);
  const matcher = new Matcher(state, subject, untilZero(pattern));
  let result = '';
  let at = 0;
  let count = 0;
  while (count < limit) {
    matcher.level = 0;
    const end = matcher.match(at, anchored ? 1 : 0);
    if (end >= 0) {
      count++;
      result += replace(matcher, at, end);
      if (result.length > 1 << 16) state.chargeString(result.length);
    }
    if (end > at) at = end;
    else if (at < subject.length) result += subject[at++];
    else break;
    if (anchored) break;
  }
  return [result + subject.slice(at), count];
}

/** What a match is replaced by, in the three forms `gsub` knows. */
function replacer(state: LuaState, args: LuaValue[]): (matcher: Matcher, start: number, end: number) => string {
  const replacement = args[2];
  if (typeof replacement === 'string' || typeof replacement === 'number') {
    const template = checkString(args, 2);
    if (!template.includes('%')) return () => template;
    return (matcher, start, end) => expandTemplate(template, matcher, start, end);
  }
  return (matcher, start, end) => {
    const value =
      typeof replacement === 'function'
        ? first(replacement(...matcher.captures(start, end, true)))
        : index(state, checkTable(args, 2), matcher.capture(0, start, end), '');
    if (value === undefined || value === false) return matcher.whole(start, end);
    if (typeof value === 'string') return value;
    if (typeof value === 'number') return numberToString(value);
    throw libraryError(`invalid replacement value (a ${typeName(value)})`);
  };
}

function expandTemplate(template: string, matcher: Matcher, start: number, end: number): string {
  let text = '';
  for (let i = 0; i < template.length; i++) {
    const c = template[i]!;
    if (c !== '%') {
      text += c;
      continue;
    }
    const next = template[++i] ?? '\0';
    if (next < '0' || next > '9') text += next;
    else if (next === '0') text += matcher.whole(start, end);
    else {
      const value = matcher.capture(next.charCodeAt(0) - 49, start, end);
      text += typeof value === 'number' ? numberToString(value) : value;
    }
  }
  return text;
}
