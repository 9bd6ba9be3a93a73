/** The words in which the tables of commands are written: how arguments are drawn, and what a row is. */
import type { Random } from './random.js';

/** What a sequence is drawn with. */
export interface Draw {
  readonly random: Random;
  /**
   * Large values, many elements and commands that free the order occur too: such a sequence may turn small encodings,
   * which answer in the order of insertion, into hash tables.
   */
  readonly large: boolean;
}

/** Draws arguments: none, one or several. */
export type Gen = (draw: Draw) => readonly string[];
export type Item = string | Gen;

/** One command of a table. */
export interface Row {
  readonly name: string;
  readonly weight: number;
  /** The commands of one draw: usually one. */
  draw(draw: Draw): string[][];
  /** Left out of sequences in which the order of replies must be equal. */
  readonly freesOrder?: boolean;
  /** Its arguments must stay as they were drawn: a changed one would block for ever or answer at random. */
  readonly steady: boolean;
}

/** A command with its arguments. */
export function row(name: string, weight: number, ...items: Item[]): Row {
  return { name, weight, steady: false, draw: (draw) => [[name, ...expand(items, draw)]] };
}

/** A command whose arguments are never spoiled. */
export function steady(name: string, weight: number, ...items: Item[]): Row {
  return { ...row(name, weight, ...items), steady: true };
}

/** A row after which the order of a set or hash is that of a hash table, or of the moment: kept to large sequences. */
export function freesOrder(kept: Row): Row {
  return { ...kept, freesOrder: true };
}

/** Several commands that make sense only together. */
export function script(name: string, weight: number, ...commands: Item[][]): Row {
  return { name, weight, steady: true, draw: (draw) => commands.map((items) => expand(items, draw)) };
}

/** All items, one after the other. */
export function seq(...items: Item[]): Gen {
  return (draw) => expand(items, draw);
}

/** One of the items. */
export function oneOf(...items: Item[]): Gen {
  return (draw) => expand([draw.random.pick(items)], draw);
}

/** All of the items, or nothing. */
export function maybe(probability: number, ...items: Item[]): Gen {
  return (draw) => (draw.random.chance(probability) ? expand(items, draw) : []);
}

/** The items, from `least` to `most` times. */
export function many(least: number, most: number, ...items: Item[]): Gen {
  return (draw) => {
    const out: string[] = [];
    for (let n = draw.random.int(least, most); n > 0; n--) out.push(...expand(items, draw));
    return out;
  };
}

/** A number of repetitions, and then the repetitions: `2 a b`. */
export function counted(least: number, most: number, item: Item): Gen {
  return (draw) => {
    const items = many(least, most, item)(draw);
    const wrong = draw.random.chance(0.04);
    return [String(items.length + (wrong ? draw.random.pick([-1, 1, -100]) : 0)), ...items];
  };
}

/** Some of the items in any order, each at most once as a rule: options as users write them, and sometimes as they should not. */
export function options(...items: Item[]): Gen {
  return (draw) => {
    const { random } = draw;
    const most = random.chance(0.5) ? 1 : random.chance(0.8) ? 2 : items.length;
    const chosen = random.shuffle(items).slice(0, random.int(0, most));
    if (chosen.length > 0 && random.chance(0.03)) chosen.push(random.pick(chosen));
    return expand(chosen, draw);
  };
}

function expand(items: readonly Item[], draw: Draw): string[] {
  const out: string[] = [];
  for (const item of items) {
    if (typeof item === 'string') out.push(item);
    else out.push(...item(draw));
  }
  return out;
}
