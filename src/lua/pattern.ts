import { libraryError } from './errors.js';
import type { LuaState } from './state.js';

/** Most captures a pattern may have. */
const MAX_CAPTURES = 32;
const OPEN = -1;
const POSITION = -2;

const PERCENT = 37;
const CARET = 94;
const BRACKET = 91;
const CLOSE_BRACKET = 93;
const DOLLAR = 36;

/**
 * One pattern at work on one subject: Lua 5.1's own backtracking matcher. Positions count from 0. Every few thousand
 * single steps are charged to the state, so a pattern that backtracks without end can be stopped.
 */
export class Matcher {
  /** Captures so far: where each begins, and its length or `POSITION`. */
  level = 0;
  private readonly starts: number[] = [];
  private readonly lengths: number[] = [];
  private work = 0;

  constructor(
    private readonly state: LuaState,
    private readonly subject: string,
    private readonly pattern: string,
  ) {}

  /** Matches the pattern from `p` on at `s`: the end of the match, or -1. */
  match(start: number, from: number): number {
    const { pattern, subject } = this;
    let s = start;
    let p = from;
    for (;;) {
      if (++this.work > 1000) {
        this.work = 0;
        this.state.charge(500);
      }
      if (p >= pattern.length) return s;
      switch (pattern.charCodeAt(p)) {
        case 40: // (
          return pattern.charCodeAt(p + 1) === 41
            ? this.startCapture(s, p + 2, POSITION)
            : this.startCapture(s, p + 1, OPEN);
        case 41: // )
          return this.endCapture(s, p + 1);
        case PERCENT: {
          const next = pattern.charCodeAt(p + 1);
          if (next === 98) {
            s = this.matchBalance(s, p + 2);
            if (s < 0) return -1;
            p += 4;
            continue;
          }
          if (next === 102) {
            p += 2;
            if (pattern.charCodeAt(p) !== BRACKET) throw libraryError("missing '[' after '%f' in pattern");
            const end = this.classEnd(p);
            const before = s === 0 ? 0 : subject.charCodeAt(s - 1);
            const here = s < subject.length ? subject.charCodeAt(s) : 0;
            if (this.inSet(before, p, end - 1) || !this.inSet(here, p, end - 1)) return -1;
            p = end;
            continue;
          }
          if (isDigit(next)) {
            s = this.matchCapture(s, next);
            if (s < 0) return -1;
            p += 2;
            continue;
          }
          break;
        }
        case DOLLAR:
          if (p + 1 === pattern.length) return s === subject.length ? s : -1;
          break;
        default:
      }
      const end = this.classEnd(p);
      const suffix = pattern.charCodeAt(end);
      if (suffix === 42) return this.expandMost(s, p, end, 0); // *
      if (suffix === 43) return this.expandMost(s, p, end, 1); // +
      if (suffix === 45) return this.expandLeast(s, p, end); // -
      const matches = s < subject.length && this.single(subject.charCodeAt(s), p, end);
      if (suffix === 63) {
        // ?
        if (matches) {
          const result = this.match(s + 1, end + 1);
          if (result >= 0) return result;
        }
        p = end + 1;
        continue;
      }
      if (!matches) return -1;
      s++;
      p = end;
    }
  }

  whole(start: number, end: number): string {
    return this.subject.slice(start, end);
  }

  /** The value of a capture; the whole match stands for capture 0 of a pattern without any. */
  capture(i: number, start: number, end: number): string | number {
    if (i >= this.level) {
      if (i !== 0) throw libraryError('invalid capture index');
      return this.subject.slice(start, end);
    }
    const length = this.lengths[i]!;
    if (length === OPEN) throw libraryError('unfinished capture');
    const from = this.starts[i]!;
    return length === POSITION ? from + 1 : this.subject.slice(from, from + length);
  }

  /** All captures; `whole` asks for the whole match where there are none. */
  captures(start: number, end: number, whole: boolean): (string | number)[] {
    const count = this.level === 0 && whole ? 1 : this.level;
    const list: (string | number)[] = [];
    for (let i = 0; i < count; i++) list.push(this.capture(i, start, end));
    return list;
  }

  private startCapture(s: number, p: number, kind: number): number {
    if (this.level >= MAX_CAPTURES) throw libraryError('too many captures');
    this.starts[this.level] = s;
    this.lengths[this.level] = kind;
    this.level++;
    const result = this.match(s, p);
    if (result < 0) this.level--;
    return result;
  }

  private endCapture(s: number, p: number): number {
    let i = this.level - 1;
    while (i >= 0 && this.lengths[i] !== OPEN) i--;
    if (i < 0) throw libraryError('invalid pattern capture');
    this.lengths[i] = s - this.starts[i]!;
    const result = this.match(s, p);
    if (result < 0) this.lengths[i] = OPEN;
    return result;
  }

  private matchCapture(s: number, digit: number): number {
    const i = digit - 49;
    if (i < 0 || i >= this.level || this.lengths[i] === OPEN) throw libraryError('invalid capture index');
    const length = Math.max(this.lengths[i]!, 0);
    const captured = this.subject.substr(this.starts[i]!, length);
    return this.subject.startsWith(captured, s) ? s + length : -1;
  }

  private matchBalance(s: number, p: number): number {
    if (p + 1 >= this.pattern.length) throw libraryError('unbalanced pattern');
    const { subject } = this;
    const open = this.pattern.charCodeAt(p);
    const close = this.pattern.charCodeAt(p + 1);
    if (subject.charCodeAt(s) !== open) return -1;
    let depth = 1;
    for (let at = s + 1; at < subject.length; at++) {
      const code = subject.charCodeAt(at);
      if (code === close) {
        if (--depth === 0) return at + 1;
      } else if (code === open) depth++;
    }
    return -1;
  }

  private expandMost(s: number, p: number, end: number, least: number): number {
    const { subject } = this;
    let count = 0;
    while (s + count < subject.length && this.single(subject.charCodeAt(s + count), p, end)) count++;
    for (; count >= least; count--) {
      const result = this.match(s + count, end + 1);
      if (result >= 0) return result;
    }
    return -1;
  }

  private expandLeast(start: number, p: number, end: number): number {
    for (let s = start; ; s++) {
      const result = this.match(s, end + 1);
      if (result >= 0) return result;
      if (s >= this.subject.length || !this.single(this.subject.charCodeAt(s), p, end)) return -1;
    }
  }

  /** Where the single-character class at `p` ends. */
  private classEnd(start: number): number {
    const { pattern } = this;
    let p = start + 1;
    const code = pattern.charCodeAt(start);
    if (code === PERCENT) {
      if (p >= pattern.length) throw libraryError("malformed pattern (ends with '%')");
      return p + 1;
    }
    if (code !== BRACKET) return p;
    if (pattern.charCodeAt(p) === CARET) p++;
    do {
      if (p >= pattern.length) throw libraryError("malformed pattern (missing ']')");
      if (pattern.charCodeAt(p++) === PERCENT && p < pattern.length) p++;
    } while (pattern.charCodeAt(p) !== CLOSE_BRACKET);
    return p + 1;
  }

  private single(code: number, p: number, end: number): boolean {
    const class_ = this.pattern.charCodeAt(p);
    if (class_ === 46) return true;
    if (class_ === PERCENT) return inClass(code, this.pattern.charCodeAt(p + 1));
    if (class_ === BRACKET) return this.inSet(code, p, end - 1);
    return class_ === code;
  }

  /** Whether the set that begins at `start` and whose `]` stands at `end` holds the character. */
  private inSet(code: number, start: number, end: number): boolean {
    const { pattern } = this;
    let p = start + 1;
    let found = true;
    if (pattern.charCodeAt(p) === CARET) {
      found = false;
      p++;
    }
    for (; p < end; p++) {
      const here = pattern.charCodeAt(p);
      if (here === PERCENT) {
        p++;
        if (inClass(code, pattern.charCodeAt(p))) return found;
      } else if (pattern.charCodeAt(p + 1) === 45 && p + 2 < end) {
        if (here <= code && code <= pattern.charCodeAt(p + 2)) return found;
        p += 2;
      } else if (here === code) return found;
    }
    return !found;
  }
}

/** The members of `%a`, `%c` … in the C locale, as a bit for each class in a table of all characters. */
const CLASS_MEMBERS: Record<string, (code: number) => boolean> = {
  a: isLetter,
  c: (code) => code < 32 || code === 127,
  d: isDigit,
  l: (code) => code >= 97 && code <= 122,
  p: (code) => code > 32 && code < 127 && !isLetter(code) && !isDigit(code),
  s: (code) => code === 32 || (code >= 9 && code <= 13),
  u: (code) => code >= 65 && code <= 90,
  w: (code) => isLetter(code) || isDigit(code),
  x: (code) => isDigit(code) || (code >= 97 && code <= 102) || (code >= 65 && code <= 70),
  z: (code) => code === 0,
};
const classBits = new Uint16Array(256);
/** The bit of each class letter, lower or upper case. */
const letterBit = new Uint16Array(256);
Object.entries(CLASS_MEMBERS).forEach(([letter, isMember], i) => {
  letterBit[letter.charCodeAt(0)] = 1 << i;
  letterBit[letter.toUpperCase().charCodeAt(0)] = 1 << i;
  for (let code = 0; code < 256; code++) if (isMember(code)) classBits[code] = classBits[code]! | (1 << i);
});

/** Whether a character is in the class `%letter`: upper case is the complement, anything else stands for itself. */
function inClass(code: number, letter: number): boolean {
  const bit = letterBit[letter];
  if (bit === undefined || bit === 0) return letter === code;
  return ((classBits[code]! & bit) !== 0) === letter > 96;
}

function isLetter(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}
