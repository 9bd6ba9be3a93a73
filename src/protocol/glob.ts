/**
 * Glob patterns as KEYS, SCAN, PSUBSCRIBE and CONFIG GET match them (Redis' `stringmatchlen`): `*`, `?`, `[abc]`,
 * `[^a-z]`, and `\` before a character taken as it is. Time is at most pattern × text: only the last `*` is retried,
 * since an earlier one taking more could not help.
 */
import type { Bytes } from './reply.js';

const STAR = 42;
const QUESTION = 63;
const OPEN = 91;
const BACKSLASH = 92;
const CLOSE = 93;
const CARET = 94;
const DASH = 45;

/** Redis gives up on a pattern once more stars than this have something to match after them. */
const MAX_STARS = 1000;

const NO_MATCH = -1;

/** Whether the whole of `s` matches the pattern; `nocase` takes ASCII letters of either case as equal. */
export function globMatch(pattern: Bytes, s: Bytes, nocase = false): boolean {
  const patternEnd = pattern.length;
  const end = s.length;
  let p = 0;
  let i = 0;
  let stars = 0;
  let retryPattern = -1;
  let retryText = 0;
  while (i < end) {
    if (p < patternEnd && pattern.charCodeAt(p) === STAR) {
      p = skipStars(pattern, p);
      if (p === patternEnd) return true;
      stars++;
      if (stars > MAX_STARS) return false;
      retryPattern = p;
      retryText = i;
      continue;
    }
    const next = p < patternEnd ? matchElement(pattern, p, s.charCodeAt(i), nocase) : NO_MATCH;
    if (next !== NO_MATCH) {
      p = next;
      i++;
      continue;
    }
    if (retryPattern < 0) return false;
    retryText++;
    p = retryPattern;
    i = retryText;
  }
  // Stars at the end match nothing, but only after something was matched: the empty text matches no `*`.
  return (end === 0 ? p : skipStars(pattern, p)) === patternEnd;
}

/**
 * A matcher for one pattern used often: without special characters, or with one `*` at its end, it only compares.
 * As in Redis no `*` matches the empty text; KEYS and SCAN take the pattern `*` as "all" without matching.
 */
export function compileGlob(pattern: Bytes): (s: Bytes) => boolean {
  const special = firstSpecial(pattern);
  if (special === pattern.length) return (s) => s === pattern;
  if (special === pattern.length - 1 && pattern.charCodeAt(special) === STAR) {
    const prefix = pattern.slice(0, special);
    return (s) => s.length > 0 && s.startsWith(prefix);
  }
  return (s) => globMatch(pattern, s);
}

/** Whether a pattern has no special character: it matches the one text that is equal to it. */
export function isLiteralGlob(pattern: Bytes): boolean {
  return firstSpecial(pattern) === pattern.length;
}

/** Where the pattern goes on after its element at `p` (anything but a star) has matched the byte, or NO_MATCH. */
function matchElement(pattern: Bytes, p: number, byte: number, nocase: boolean): number {
  const code = pattern.charCodeAt(p);
  if (code === QUESTION) return p + 1;
  if (code === OPEN) return matchClass(pattern, p + 1, byte, nocase);
  const escaped = code === BACKSLASH && p + 1 < pattern.length;
  const literal = escaped ? pattern.charCodeAt(p + 1) : code;
  if (!sameByte(literal, byte, nocase)) return NO_MATCH;
  return escaped ? p + 2 : p + 1;
}

/**
 * The same for a class whose `[` stands before `from`. A class that is never closed ends with the pattern. Bounds may
 * stand in either order and may be `]`; they are compared as signed bytes, so `[a-\xff]` runs from −1 to 97.
 */
function matchClass(pattern: Bytes, from: number, byte: number, nocase: boolean): number {
  const end = pattern.length;
  const negated = from < end && pattern.charCodeAt(from) === CARET;
  let p = negated ? from + 1 : from;
  let found = false;
  while (p < end && pattern.charCodeAt(p) !== CLOSE) {
    const code = pattern.charCodeAt(p);
    if (code === BACKSLASH && p + 1 < end) {
      found ||= pattern.charCodeAt(p + 1) === byte;
      p += 2;
    } else if (p + 2 < end && pattern.charCodeAt(p + 1) === DASH) {
      found ||= inRange(code, pattern.charCodeAt(p + 2), byte, nocase);
      p += 3;
    } else {
      found ||= sameByte(code, byte, nocase);
      p++;
    }
  }
  if (found === negated) return NO_MATCH;
  return p < end ? p + 1 : end;
}

function inRange(first: number, last: number, byte: number, nocase: boolean): boolean {
  const a = signed(first);
  const b = signed(last);
  const low = Math.min(a, b);
  const high = Math.max(a, b);
  const value = signed(byte);
  if (!nocase) return value >= low && value <= high;
  return lower(value) >= lower(low) && lower(value) <= lower(high);
}

function sameByte(a: number, b: number, nocase: boolean): boolean {
  return a === b || (nocase && lower(a) === lower(b));
}

function signed(byte: number): number {
  return byte < 128 ? byte : byte - 256;
}

function lower(code: number): number {
  return code >= 65 && code <= 90 ? code + 32 : code;
}

function firstSpecial(pattern: Bytes): number {
  for (let i = 0; i < pattern.length; i++) {
    const code = pattern.charCodeAt(i);
    if (code === STAR || code === QUESTION || code === OPEN || code === BACKSLASH) return i;
  }
  return pattern.length;
}

function skipStars(pattern: Bytes, from: number): number {
  let p = from;
  while (p < pattern.length && pattern.charCodeAt(p) === STAR) p++;
  return p;
}
