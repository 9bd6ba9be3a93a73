/** Picking several different members of a collection at random. */

/**
 * `count` different indexes below `size`, ascending; every choice is equally likely. `random` gives numbers in [0, 1).
 * All of them when `count` is at least `size`. (Floyd's algorithm: as many draws as indexes.)
 */
export function distinctIndexes(size: number, count: number, random: () => number): number[] {
  if (count >= size) return Array.from({ length: size }, (_, index) => index);
  const chosen = new Set<number>();
  for (let top = size - count; top < size; top++) {
    const index = Math.floor(random() * (top + 1));
    chosen.add(chosen.has(index) ? top : index);
  }
  return [...chosen].sort((a, b) => a - b);
}

/** `count` indexes below `size`, each picked on its own, so that they may repeat. */
export function repeatedIndexes(size: number, count: number, random: () => number): number[] {
  return Array.from({ length: count }, () => Math.floor(random() * size));
}
