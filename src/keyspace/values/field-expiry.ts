/** When fields of a hash expire: looked up by field, and taken in order of time. */

import type { Bytes } from '../../protocol/reply.js';

/** Entries of the heap that are out of date are dropped when they outnumber the others by this many. */
const STALE_SLACK = 16;

export class FieldExpiry {
  private at = new Map<Bytes, number>();
  /** A binary heap of (time, field), earliest first. An entry that `at` does not confirm is out of date. */
  private times: number[] = [];
  private fields: Bytes[] = [];

  /** How many fields have a time. */
  get size(): number {
    return this.at.size;
  }

  /** The time `field` expires at, in unix ms, or undefined. */
  get(field: Bytes): number | undefined {
    return this.at.get(field);
  }

  set(field: Bytes, expireAt: number): void {
    this.at.set(field, expireAt);
    if (this.times.length > 2 * this.at.size + STALE_SLACK) this.rebuild();
    else this.push(expireAt, field);
  }

  /** Takes the time from `field`. Returns whether it had one. */
  remove(field: Bytes): boolean {
    const removed = this.at.delete(field);
    if (this.at.size === 0) this.rebuild();
    return removed;
  }

  /** The earliest time, or undefined when no field has one. */
  earliest(): number | undefined {
    this.dropStale();
    return this.times[0];
  }

  /** The field that expires first, if its time is at most `now`; it keeps its time. */
  firstDue(now: number): Bytes | undefined {
    this.dropStale();
    return this.times.length > 0 && this.times[0]! <= now ? this.fields[0] : undefined;
  }

  clone(): FieldExpiry {
    const copy = new FieldExpiry();
    copy.at = new Map(this.at);
    copy.times = this.times.slice();
    copy.fields = this.fields.slice();
    return copy;
  }

  private dropStale(): void {
    while (this.times.length > 0 && this.at.get(this.fields[0]!) !== this.times[0]) this.popRoot();
  }

  private rebuild(): void {
    this.times = [];
    this.fields = [];
    for (const [field, expireAt] of this.at) this.push(expireAt, field);
  }

  private push(time: number, field: Bytes): void {
    const { times, fields } = this;
    let index = times.length;
    times.push(time);
    fields.push(field);
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (times[parent]! <= time) break;
      times[index] = times[parent]!;
      fields[index] = fields[parent]!;
      index = parent;
    }
    times[index] = time;
    fields[index] = field;
  }

  private popRoot(): void {
    const { times, fields } = this;
    const time = times.pop()!;
    const field = fields.pop()!;
    const length = times.length;
    if (length === 0) return;
    let index = 0;
    for (let child = 1; child < length; child = 2 * index + 1) {
      if (child + 1 < length && times[child + 1]! < times[child]!) child++;
      if (times[child]! >= time) break;
      times[index] = times[child]!;
      fields[index] = fields[child]!;
      index = child;
    }
    times[index] = time;
    fields[index] = field;
  }
}
