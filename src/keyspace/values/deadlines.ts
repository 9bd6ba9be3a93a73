/** When things with a name are due, such as the fields of a hash: looked up by name, and taken in order of time. */

import type { Bytes } from '../../protocol/reply.js';

/** Entries of the heap that are out of date are dropped when they outnumber the others by this many. */
const STALE_SLACK = 16;

/** A name and its time in unix ms. */
export interface Deadline {
  readonly name: Bytes;
  readonly time: number;
}

export class Deadlines {
  private at = new Map<Bytes, number>();
  /** A binary heap of (time, name), earliest first. An entry that `at` does not confirm is out of date. */
  private times: number[] = [];
  private names: Bytes[] = [];

  /** How many names have a time. */
  get size(): number {
    return this.at.size;
  }

  /** The time of `name` in unix ms, or undefined. */
  get(name: Bytes): number | undefined {
    return this.at.get(name);
  }

  set(name: Bytes, time: number): void {
    this.at.set(name, time);
    if (this.times.length > 2 * this.at.size + STALE_SLACK) this.rebuild();
    else this.push(time, name);
  }

  /** Takes the time from `name`. Returns whether it had one. */
  remove(name: Bytes): boolean {
    const removed = this.at.delete(name);
    if (this.at.size === 0) this.rebuild();
    return removed;
  }

  /** The earliest time, or undefined when nothing has one. */
  earliest(): number | undefined {
    this.dropStale();
    return this.times[0];
  }

  /** The name that is due first, if its time is at most `now`; it keeps its time. */
  firstDue(now: number): Bytes | undefined {
    this.dropStale();
    return this.times.length > 0 && this.times[0]! <= now ? this.names[0] : undefined;
  }

  /** All names whose time is at most `now`, in any order. */
  allDue(now: number): Deadline[] {
    const due: Deadline[] = [];
    for (const [name, time] of this.at) if (time <= now) due.push({ name, time });
    return due;
  }

  clone(): Deadlines {
    const copy = new Deadlines();
    copy.at = new Map(this.at);
    copy.times = this.times.slice();
    copy.names = this.names.slice();
    return copy;
  }

  private dropStale(): void {
    while (this.times.length > 0 && this.at.get(this.names[0]!) !== this.times[0]) this.popRoot();
  }

  private rebuild(): void {
    this.times = [];
    this.names = [];
    for (const [name, time] of this.at) this.push(time, name);
  }

  private push(time: number, name: Bytes): void {
    const { times, names } = this;
    let index = times.length;
    times.push(time);
    names.push(name);
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (times[parent]! <= time) break;
      times[index] = times[parent]!;
      names[index] = names[parent]!;
      index = parent;
    }
    times[index] = time;
    names[index] = name;
  }

  private popRoot(): void {
    const { times, names } = this;
    const time = times.pop()!;
    const name = names.pop()!;
    const length = times.length;
    if (length === 0) return;
    let index = 0;
    for (let child = 1; child < length; child = 2 * index + 1) {
      if (child + 1 < length && times[child + 1]! < times[child]!) child++;
      if (times[child]! >= time) break;
      times[index] = times[child]!;
      names[index] = names[child]!;
      index = child;
    }
    times[index] = time;
    names[index] = name;
  }
}
