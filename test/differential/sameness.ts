/** Ways in which two replies count as the same. */
import { type Frame, itemsOf } from '../support/resp-frame.js';

export type Sameness = (ours: Frame, oracle: Frame) => boolean;

/** The same bytes. */
export const exactly: Sameness = (ours, oracle) => ours.wire === oracle.wire;

/** The same structure and kinds; texts may differ. */
export const sameShape: Sameness = (ours, oracle) => {
  if (ours.kind !== oracle.kind) return false;
  const [a, b] = [itemsOf(ours), itemsOf(oracle)];
  return a.length === b.length && a.every((item, i) => sameShape(item, b[i]!));
};

/** The same kind at the top; what is in it may differ. */
export const sameKind: Sameness = (ours, oracle) => ours.kind === oracle.kind;

/** The same, but numbers above zero may differ by as much as `tolerance`. */
export function within(tolerance: number): Sameness {
  const same: Sameness = (ours, oracle) => {
    if (ours.wire === oracle.wire) return true;
    if (ours.kind !== oracle.kind) return false;
    if (ours.kind === 'int' && oracle.kind === 'int') {
      const [a, b] = [Number(ours.text), Number(oracle.text)];
      return a >= 0 && b >= 0 && Math.abs(a - b) <= tolerance;
    }
    const [a, b] = [itemsOf(ours), itemsOf(oracle)];
    return a.length > 0 && a.length === b.length && a.every((item, i) => same(item, b[i]!));
  };
  return same;
}

/** The same elements in any order, at every depth. */
export const inAnyOrder: Sameness = (ours, oracle) => canonical(ours, 1) === canonical(oracle, 1);

/** The same pairs in any order, of a map or a flat array. */
export const pairsInAnyOrder: Sameness = (ours, oracle) => canonical(ours, 2) === canonical(oracle, 2);

/** A text that is equal for lists with the same groups of `size` neighbours in any order. */
export function canonical(frame: Frame, size: 1 | 2): string {
  if (!('items' in frame)) return frame.wire;
  const parts = frame.items.map((item) => canonical(item, size));
  const step = frame.kind === 'map' ? 2 : size;
  const groups: string[] = [];
  for (let i = 0; i < parts.length; i += step) groups.push(parts.slice(i, i + step).join(''));
  return `${frame.kind}${parts.length}(${groups.sort().join(',')})`;
}
