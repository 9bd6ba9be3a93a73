/** Shortens a failing sequence as long as it still fails: delta debugging over its steps. */
export async function shrink<T>(
  steps: readonly T[],
  fails: (steps: readonly T[]) => Promise<boolean>,
): Promise<readonly T[]> {
  let current = steps;
  let size = Math.ceil(current.length / 2);
  while (size >= 1) {
    let start = 0;
    let shortened = false;
    while (start < current.length) {
      const candidate = [...current.slice(0, start), ...current.slice(start + size)];
      if (candidate.length > 0 && (await fails(candidate))) {
        current = candidate;
        shortened = true;
      } else {
        start += size;
      }
    }
    if (size === 1 && !shortened) break;
    size = Math.max(1, Math.floor(size / 2));
    if (size === 1 && current.length === 1) break;
  }
  return current;
}
