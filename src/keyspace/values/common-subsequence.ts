/** The longest common subsequence of two strings, by the table of the lengths of all pairs of their beginnings. */
import type { Bytes } from '../../protocol/reply.js';

/** A run of bytes that both strings have in the subsequence: where it starts in each, and how long it is. */
export interface CommonRun {
  readonly a: number;
  readonly b: number;
  readonly length: number;
}

/** Cells of the table that the strings need. */
export function tableCells(a: Bytes, b: Bytes): number {
  return (a.length + 1) * (b.length + 1);
}

/** The length alone: two rows of the table are enough for it. */
export function commonLength(a: Bytes, b: Bytes): number {
  let above = new Uint32Array(b.length + 1);
  let row = new Uint32Array(b.length + 1);
  for (let i = 1; i <= a.length; i++) {
    const code = a.charCodeAt(i - 1);
    for (let j = 1; j <= b.length; j++) {
      row[j] = code === b.charCodeAt(j - 1) ? above[j - 1]! + 1 : Math.max(above[j]!, row[j - 1]!);
    }
    [above, row] = [row, above];
  }
  return above[b.length]!;
}

/**
 * The runs of the subsequence, from the last to the first. Of several subsequences of the same length it is the one
 * that LCS answers: on the way back from the ends, `b` gives way where both would.
 */
export function commonRuns(a: Bytes, b: Bytes): CommonRun[] {
  const table = lengthTable(a, b);
  const width = b.length + 1;
  const runs: CommonRun[] = [];
  let i = a.length;
  let j = b.length;
  while (i > 0 && j > 0) {
    let length = 0;
    while (i > 0 && j > 0 && a.charCodeAt(i - 1) === b.charCodeAt(j - 1)) {
      i--;
      j--;
      length++;
    }
    if (length > 0) runs.push({ a: i, b: j, length });
    else if (table[(i - 1) * width + j]! > table[i * width + j - 1]!) i--;
    else j--;
  }
  return runs;
}

/** The length for the first i bytes of `a` and the first j of `b`, at i · (b.length + 1) + j. */
function lengthTable(a: Bytes, b: Bytes): Uint16Array | Uint32Array {
  const width = b.length + 1;
  const cells = tableCells(a, b);
  const table = Math.min(a.length, b.length) < 0x1_0000 ? new Uint16Array(cells) : new Uint32Array(cells);
  for (let i = 1; i <= a.length; i++) {
    const code = a.charCodeAt(i - 1);
    const row = i * width;
    const above = row - width;
    for (let j = 1; j <= b.length; j++) {
      table[row + j] =
        code === b.charCodeAt(j - 1) ? table[above + j - 1]! + 1 : Math.max(table[above + j]!, table[row + j - 1]!);
    }
  }
  return table;
}
