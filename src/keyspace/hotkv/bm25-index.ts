/**
 * Okapi BM25 over short texts, kept up to date as texts come and go. The scores depend on the texts that are there and on
 * nothing else: not on the order in which they came, nor on those that went.
 */
import type { Bytes } from '../../protocol/reply.js';

/** How soon further occurrences of a word count less, and how much the length of a text matters: the usual values. */
const K1 = 1.2;
const B = 0.75;
/** Estimated bytes of a word in a text, and of a text. */
const POSTING_BYTES = 40;
const TEXT_BYTES = 50;

export class Bm25Index<T> {
  /** For each word, how often it stands in the texts that have it. */
  private readonly postings = new Map<string, Map<T, number>>();
  /** Words of each text, repeated ones too. */
  private readonly lengths = new Map<T, number>();
  private totalLength = 0;
  private postingCount = 0;

  /** Estimated bytes, without the texts. */
  get bytes(): number {
    return this.postingCount * POSTING_BYTES + this.lengths.size * TEXT_BYTES;
  }

  /** Adds a text under an id that is not there yet. */
  add(id: T, text: Bytes): void {
    const words = wordsOf(text);
    this.lengths.set(id, words.length);
    this.totalLength += words.length;
    for (const word of words) {
      const texts = this.postings.get(word) ?? new Map<T, number>();
      this.postings.set(word, texts);
      const count = texts.get(id) ?? 0;
      if (count === 0) this.postingCount++;
      texts.set(id, count + 1);
    }
  }

  /** Removes an id, which was added with this text. */
  remove(id: T, text: Bytes): void {
    this.totalLength -= this.lengths.get(id)!;
    this.lengths.delete(id);
    for (const word of new Set(wordsOf(text))) {
      const texts = this.postings.get(word)!;
      texts.delete(id);
      this.postingCount--;
      if (texts.size === 0) this.postings.delete(word);
    }
  }

  /**
   * The score of every text that has a word of the query: for each different word, ln(1 + (N − n + 0.5) / (n + 0.5)), where n
   * of N texts have it, times f · (k1 + 1) / (f + k1 · (1 − b + b · length / average length)), f being how often the text has it.
   */
  scores(query: Bytes): Map<T, number> {
    const scores = new Map<T, number>();
    const averageLength = this.totalLength / this.lengths.size;
    for (const word of new Set(wordsOf(query))) {
      const texts = this.postings.get(word);
      if (texts === undefined) continue;
      const rarity = Math.log(1 + (this.lengths.size - texts.size + 0.5) / (texts.size + 0.5));
      for (const [id, count] of texts) {
        const damping = K1 * (1 - B + (B * this.lengths.get(id)!) / averageLength);
        const part = (rarity * count * (K1 + 1)) / (count + damping);
        scores.set(id, (scores.get(id) ?? 0) + part);
      }
    }
    return scores;
  }
}

/** A character of a script that writes no blanks between words, or a run of letters and digits of the others. */
const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])[\p{L}\p{M}\p{N}])+/gu;
const ONLY_ASCII = /^[\0-\x7f]*$/;

/** The words of a text in UTF-8, in lower case and one form (NFKC), as often as they stand there. */
export function wordsOf(text: Bytes): string[] {
  const characters = ONLY_ASCII.test(text) ? text : Buffer.from(text, 'latin1').toString('utf8').normalize('NFKC');
  return characters.toLowerCase().match(WORD) ?? [];
}
