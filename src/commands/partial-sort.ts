/**
 * The quicksort of Bentley and McIlroy ("Engineering a Sort Function", 1993), cut down to the part of the result that
 * is asked for. Redis answers `GEOSEARCH … COUNT` and `SORT … BY … LIMIT` with it, and it is not stable: which of several
 * equal items are answered follows from its steps, so the same steps are taken here.
 */

/** Negative: a before b; 0: as good as the same. */
type Compare<T> = (a: T, b: T) => number;

/** Ranges up to this size are sorted by insertion; above the other one the pivot is a median of nine. */
const INSERTION_BELOW = 7;
const MEDIAN_OF_NINE_ABOVE = 40;

/** Sorts in place so far that the first `wanted` items are those of the sorted array, in order. */
export function sortFirst<T>(items: T[], wanted: number, compare: Compare<T>): void {
  sortPart(items, 0, wanted, compare);
}

/** Sorts in place so far that the items from `first` to before `end` are those of the sorted array, in order. */
export function sortPart<T>(items: T[], first: number, end: number, compare: Compare<T>): void {
  sortRange(items, 0, items.length, { first, end }, compare);
}

/** The positions whose items are asked for: from `first` to before `end`. */
interface Wanted {
  readonly first: number;
  readonly end: number;
}

/** Sorts the `count` items from `start` on, unless all of them lie before or behind the wanted ones. */
function sortRange<T>(items: T[], start: number, count: number, wanted: Wanted, compare: Compare<T>): void {
  if (start >= wanted.end || start + count <= wanted.first || count < 2) return;
  if (count < INSERTION_BELOW) {
    insertionSort(items, start, count, compare);
    return;
  }
  swap(items, start, pivotOf(items, start, count, compare));

  // Items equal to the pivot are gathered at both ends, smaller ones after the left end, greater ones before the right.
  const last = start + count - 1;
  let equalLeft = start + 1;
  let left = start + 1;
  let right = last;
  let equalRight = last;
  for (;;) {
    for (; left <= right; left++) {
      const order = compare(items[left]!, items[start]!);
      if (order > 0) break;
      if (order === 0) swap(items, equalLeft++, left);
    }
    for (; left <= right; right--) {
      const order = compare(items[right]!, items[start]!);
      if (order < 0) break;
      if (order === 0) swap(items, right, equalRight--);
    }
    if (left > right) break;
    swap(items, left++, right--);
  }

  const smaller = left - equalLeft;
  const greater = equalRight - right;
  swapRuns(items, start, left, Math.min(equalLeft - start, smaller));
  swapRuns(items, left, last + 1, Math.min(greater, last - equalRight));
  sortRange(items, start, smaller, wanted, compare);
  sortRange(items, last + 1 - greater, greater, wanted, compare);
}

function insertionSort<T>(items: T[], start: number, count: number, compare: Compare<T>): void {
  for (let i = start + 1; i < start + count; i++) {
    for (let k = i; k > start && compare(items[k - 1]!, items[k]!) > 0; k--) swap(items, k, k - 1);
  }
}

/** The middle item; of more than 7 items the median of three, of more than 40 the median of three medians. */
function pivotOf<T>(items: T[], start: number, count: number, compare: Compare<T>): number {
  let middle = start + (count >> 1);
  if (count === INSERTION_BELOW) return middle;
  let low = start;
  let high = start + count - 1;
  if (count > MEDIAN_OF_NINE_ABOVE) {
    const step = count >> 3;
    low = medianOf(items, low, low + step, low + 2 * step, compare);
    middle = medianOf(items, middle - step, middle, middle + step, compare);
    high = medianOf(items, high - 2 * step, high - step, high, compare);
  }
  return medianOf(items, low, middle, high, compare);
}

function medianOf<T>(items: T[], a: number, b: number, c: number, compare: Compare<T>): number {
  if (compare(items[a]!, items[b]!) < 0) {
    if (compare(items[b]!, items[c]!) < 0) return b;
    return compare(items[a]!, items[c]!) < 0 ? c : a;
  }
  if (compare(items[b]!, items[c]!) > 0) return b;
  return compare(items[a]!, items[c]!) < 0 ? a : c;
}

/** Exchanges the `count` items from `from` on with the `count` items before `end`. */
function swapRuns<T>(items: T[], from: number, end: number, count: number): void {
  for (let i = 0; i < count; i++) swap(items, from + i, end - count + i);
}

function swap<T>(items: T[], a: number, b: number): void {
  const item = items[a]!;
  items[a] = items[b]!;
  items[b] = item;
}
