/** Cutting of texts into overlapping pieces. A character is a code point of valid UTF-8; a byte that belongs to none counts as one. */
import type { Bytes } from '../../protocol/reply.js';

/**
 * Pieces of `size` characters, the last one shorter; each begins `size` − `overlap` characters after the one before, and
 * the last is the first that reaches the end. Undefined when there would be more than `most`. `overlap` is less than `size`.
 */
export function fixedChunks(text: Bytes, size: number, overlap: number, most: number): Bytes[] | undefined {
  const chunks: Bytes[] = [];
  if (text === '') return chunks;
  let start = 0;
  let end = skipCharacters(text, 0, size);
  for (;;) {
    chunks.push(text.slice(start, end));
    if (end === text.length) return chunks;
    if (chunks.length === most) return undefined;
    start = skipCharacters(text, start, size - overlap);
    end = skipCharacters(text, end, size - overlap);
  }
}

/** The place `count` characters further, or the end. */
function skipCharacters(text: Bytes, from: number, count: number): number {
  let at = from;
  for (let left = count; left > 0 && at < text.length; left--) at += characterLength(text, at);
  return at;
}

/** Bytes of the character at a place: those of a valid UTF-8 sequence (RFC 3629, section 4), else 1. */
export function characterLength(text: Bytes, at: number): number {
  const lead = text.charCodeAt(at);
  const length = sequenceLength(lead);
  if (length === 1 || !isSecondByte(lead, text.charCodeAt(at + 1))) return 1;
  for (let i = 2; i < length; i++) if ((text.charCodeAt(at + i) & 0xc0) !== 0x80) return 1;
  return length;
}

function sequenceLength(lead: number): number {
  if (lead < 0xc2 || lead > 0xf4) return 1;
  if (lead < 0xe0) return 2;
  return lead < 0xf0 ? 3 : 4;
}

/** Whether a byte may stand behind this lead: there are neither longer forms than needed, nor surrogates, nor anything beyond U+10FFFF. */
function isSecondByte(lead: number, byte: number): boolean {
  if (lead === 0xe0) return byte >= 0xa0 && byte <= 0xbf;
  if (lead === 0xed) return byte >= 0x80 && byte <= 0x9f;
  if (lead === 0xf0) return byte >= 0x90 && byte <= 0xbf;
  if (lead === 0xf4) return byte >= 0x80 && byte <= 0x8f;
  return byte >= 0x80 && byte <= 0xbf;
}
