/** XXH3 on the values of the reference library (libxxhash 0.8.1), a length of each of its ways of hashing. */
import { expect, test } from 'vitest';
import { xxh3Hex } from '../../../src/keyspace/values/xxh3.js';

const HASHES: readonly (readonly [length: number, hash: string])[] = [
  [0, '2d06800538d394c2'],
  [1, '4c5cca45d0f4811f'],
  [2, 'cd32887c1142aecb'],
  [3, 'de31dc6f857de05c'],
  [4, '0dfb7f5dcaea57d0'],
  [7, '569d486bf175c53d'],
  [8, '3a6b46895063c2da'],
  [9, '76fc2df5dbb9c539'],
  [15, '028ced3a2f33a743'],
  [16, '76c61b74a2a7e85d'],
  [17, '7262c7be1c15e5e2'],
  [32, '603c344572eb0da1'],
  [33, 'f0eb1cea4a76b5f3'],
  [64, 'ed7d36121dd6cc03'],
  [65, '248f04588fe6606b'],
  [96, 'ab6a5b906c411250'],
  [97, '9ba940fc3b3a52a6'],
  [128, '2b913a0400c77985'],
  [129, '1e4c2549874fa1bd'],
  [144, '08ae7d5b7dd30dd3'],
  [239, '84af8f3bcba4bb55'],
  [240, '3121fed64b851482'],
  [241, '072ce3e1e407e383'],
  [256, '6435cdc2f29de629'],
  [1024, '020f28733978155a'],
  [1025, 'accb317a6183ccc0'],
  [2049, '51bfc2b379077e43'],
  [100_000, 'e2b5420d430fa2de'],
];

test.each(HASHES)('%i bytes', (length, hash) => {
  let text = '';
  for (let i = 0; i < length; i++) text += String.fromCharCode((i * 131 + length * 7 + ((i * i) >> 3)) & 255);
  expect(xxh3Hex(text)).toBe(hash);
});
