/** `TTL seconds` or `PXAT unix-ms` among the options of entries that end by themselves (official client 1.0.0). */
import { type Bytes, ErrorReply } from '../../protocol/reply.js';
import type { OptionReader } from '../args.js';
import { wholeArg } from './names.js';

/** No entry lasts longer: 100 years of 365.25 days. */
export const LONGEST_TTL_SECONDS = 100 * 365.25 * 86_400;

/** Takes the two options from those of a command; afterwards `expiresAt` is what they say. */
export class ExpiryOptions {
  static readonly words: readonly string[] = ['TTL', 'PXAT'];
  private at: number | undefined;

  constructor(private readonly now: number) {}

  /** Reads the argument of `word` if it is one of the two; false if it is not. Throws for a bad one. */
  take(word: Bytes, reader: OptionReader): boolean {
    if (!ExpiryOptions.words.includes(word)) return false;
    if (this.at !== undefined) throw new ErrorReply('ERR TTL and PXAT exclude each other, and only one may be given');
    this.at = word === 'TTL' ? this.now + ttlArg(reader.next()) * 1000 : this.pxat(reader.next());
    return true;
  }

  /** Unix ms from which on the entry is gone; without an option `otherwise`, seconds from now (Infinity: never). */
  expiresAt(otherwise = Number.POSITIVE_INFINITY): number {
    return this.at ?? this.now + otherwise * 1000;
  }

  /** A time that has passed is taken: the entry is gone at once. */
  private pxat(text: Bytes): number {
    return wholeArg(text, 'PXAT', 0, this.now + LONGEST_TTL_SECONDS * 1000);
  }
}

/** Seconds that an entry lasts. */
export function ttlArg(text: Bytes): number {
  return wholeArg(text, 'TTL', 1, LONGEST_TTL_SECONDS);
}
