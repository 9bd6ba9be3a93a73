/** Chunks and BM25, beside the plainest way to cut and to count. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Bm25Index, wordsOf } from '../../../src/keyspace/hotkv/bm25-index.js';
import { characterLength, fixedChunks } from '../../../src/keyspace/hotkv/text-chunks.js';

const toBytes = (text: string) => Buffer.from(text, 'utf8').toString('latin1');

describe('fixed chunks', () => {
  const characters = fc.array(fc.constantFrom('a', 'é', 'ß', '€', '😀', '\u{10ffff}', '\0', '\ud7ff'), {
    maxLength: 40,
  });
  const sizes = fc.integer({ min: 1, max: 12 }).chain((size) => fc.tuple(fc.constant(size), fc.nat(size - 1)));

  it('are slices of the characters', () => {
    fc.assert(
      fc.property(characters, sizes, (text, [size, overlap]) => {
        const expected: string[] = [];
        for (let start = 0; start < text.length; start += size - overlap) {
          expected.push(text.slice(start, start + size).join(''));
          if (start + size >= text.length) break;
        }
        expect(fixedChunks(toBytes(text.join('')), size, overlap, 100)).toEqual(expected.map(toBytes));
      }),
    );
  });

  it('lose and add nothing, whatever the bytes are', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), fc.integer({ min: 1, max: 7 }), (bytes, size) => {
        const text = Buffer.from(bytes).toString('latin1');
        expect(fixedChunks(text, size, 0, 100)!.join('')).toBe(text);
      }),
    );
  });

  it('see a character where a strict decoder sees one, else a byte', () => {
    const byte = fc.oneof(
      fc.integer({ min: 0x80, max: 0xff }),
      fc.constantFrom(0x41, 0x90, 0x9f, 0xa0, 0xc1, 0xe0, 0xed, 0xf0, 0xf4),
    );
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    const isOneCharacter = (bytes: Uint8Array) => {
      try {
        return [...decoder.decode(bytes)].length === 1;
      } catch {
        return false;
      }
    };
    fc.assert(
      fc.property(fc.array(byte, { minLength: 1, maxLength: 5 }), (bytes) => {
        const expected = [1, 2, 3, 4].find(
          (n) => n <= bytes.length && isOneCharacter(Uint8Array.from(bytes.slice(0, n))),
        );
        expect(characterLength(Buffer.from(bytes).toString('latin1'), 0)).toBe(expected ?? 1);
      }),
      { numRuns: 2000 },
    );
  });

  it('are refused when they are too many', () => {
    expect(fixedChunks('abcdef', 2, 1, 5)).toHaveLength(5);
    expect(fixedChunks('abcdef', 2, 1, 4)).toBeUndefined();
  });
});

describe('words', () => {
  it.each([
    ['Hello, WORLD-wide 2nd', ['hello', 'world', 'wide', '2nd']],
    ['Éclair ﬁn straße', ['éclair', 'fin', 'straße']],
    ['東京 tower カメラ', ['東', '京', 'tower', 'カ', 'メ', 'ラ']],
    ['हिन्दी', ['हिन्दी']],
    ['', []],
  ])('%s', (text, words) => {
    expect(wordsOf(toBytes(text))).toEqual(words);
  });

  it('end at bytes that are no UTF-8', () => {
    expect(wordsOf('ab\xffcd\xe2\x82')).toEqual(['ab', 'cd']);
  });
});

describe('BM25', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { maxLength: 8 }).map((words) => words.join(' '));
  const edits = fc.array(fc.tuple(fc.nat(9), fc.option(text)), { maxLength: 40 });

  it('is the formula over the texts that are there, whatever came and went before', () => {
    fc.assert(
      fc.property(edits, text, (changes, query) => {
        const index = new Bm25Index<number>();
        const texts = new Map<number, string>();
        for (const [id, added] of changes) {
          if (texts.has(id)) index.remove(id, texts.get(id)!);
          texts.delete(id);
          if (added === null) continue;
          index.add(id, added);
          texts.set(id, added);
        }
        const scores = index.scores(query);
        const split = new Map([...texts].map(([id, own]) => [id, own.split(' ').filter((word) => word !== '')]));
        const wanted = new Set(query.split(' ').filter((word) => word !== ''));
        expect([...scores.keys()].sort()).toEqual(
          [...split]
            .filter(([, words]) => words.some((word) => wanted.has(word)))
            .map(([id]) => id)
            .sort(),
        );
        for (const [id, score] of scores)
          expect(score).toBeCloseTo(plainBm25(wanted, split.get(id)!, [...split.values()]), 10);
        const fresh = new Bm25Index<number>();
        for (const [id, own] of [...texts].reverse()) fresh.add(id, own);
        expect(new Map([...fresh.scores(query)].sort())).toEqual(new Map([...scores].sort()));
        expect(fresh.bytes).toBe(index.bytes);
      }),
    );
  });
});

function plainBm25(wanted: ReadonlySet<string>, words: readonly string[], texts: readonly string[][]): number {
  const average = texts.reduce((sum, other) => sum + other.length, 0) / texts.length;
  let score = 0;
  for (const word of wanted) {
    const frequency = words.filter((other) => other === word).length;
    const having = texts.filter((other) => other.includes(word)).length;
    const idf = Math.log(1 + (texts.length - having + 0.5) / (having + 0.5));
    score += (idf * frequency * 2.2) / (frequency + 1.2 * (1 - 0.75 + (0.75 * words.length) / average));
  }
  return score;
}
