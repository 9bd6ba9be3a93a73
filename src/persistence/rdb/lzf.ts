/** Decompression of LZF (liblzf's format), in which Redis writes strings of more than 20 bytes. */
import { RdbError } from './format.js';

/** A control byte below this is followed by that many literal bytes and one. */
const LITERAL_LIMIT = 32;
/** The three length bits of a back reference when the rest of the length stands in the next byte. */
const LONG_MATCH = 7;

/** @throws RdbError unless `input` decompresses to exactly `length` bytes */
export function decompressLzf(input: Uint8Array, length: number): Buffer {
  const output = Buffer.allocUnsafe(length);
  let from = 0;
  let to = 0;
  while (from < input.length) {
    const control = input[from++]!;
    if (control < LITERAL_LIMIT) {
      const count = control + 1;
      if (from + count > input.length || to + count > length) throw new RdbError('LZF: literal run too long');
      output.set(input.subarray(from, from + count), to);
      from += count;
      to += count;
      continue;
    }
    let count = control >> 5;
    if (count === LONG_MATCH) count += input[from++] ?? 0;
    count += 2;
    const start = to - ((control & 0x1f) << 8) - (input[from++] ?? 0) - 1;
    if (from > input.length || start < 0 || to + count > length) throw new RdbError('LZF: bad back reference');
    // Source and target may overlap: the bytes just written are read again.
    for (let i = 0; i < count; i++) output[to + i] = output[start + i]!;
    to += count;
  }
  if (to !== length) throw new RdbError('LZF: wrong length');
  return output;
}
