/**
 * When and how often each key was used: what `OBJECT IDLETIME`, `OBJECT FREQ`, `HOTKEYS` and the LRU and LFU eviction
 * policies read. Two 32-bit numbers in the record of the key's slot. The one for eviction: seconds of the last access in
 * LRU mode; in LFU mode minutes in the upper and Redis' logarithmic counter in the lowest 8 bits. The other counts
 * accesses.
 */
import type { Clock } from './clock.js';
import type { SlotRecords } from './slot-records.js';

/** A new key starts at 5, so that it is not evicted before it had a chance (Redis doc, LFU eviction). */
const LFU_START = 5;

/** The greatest number of accesses that is counted. */
const MAX_COUNT = 0xffff_ffff;

/** What is kept of a key that is renamed or moved. */
export interface AccessState {
  readonly word: number;
  readonly count: number;
}

export class AccessTimes {
  private seconds = 0;
  private lastMs = -1;
  mode: 'lru' | 'lfu' = 'lru';
  /** `lfu-log-factor` and `lfu-decay-time` (minutes). */
  lfuLogFactor = 10;
  lfuDecayMinutes = 1;
  /** True while a client with CLIENT NO-TOUCH runs a command. */
  paused = false;

  constructor(
    private readonly clock: Clock,
    private readonly records: SlotRecords,
  ) {}

  /** The key in this slot has a whole new value, which is an access. */
  replaced(slot: number): void {
    this.count(slot);
    this.records.setAccess(slot, this.mode === 'lru' ? this.nowSeconds() : (this.nowMinutes() << 8) | LFU_START);
  }

  /** A command reads or changes the key in this slot. */
  use(slot: number): void {
    this.count(slot);
    this.touch(slot);
  }

  /** As `use`, once more in a command that has used the key. */
  touch(slot: number): void {
    if (this.paused) return;
    if (this.mode === 'lru') this.records.setAccess(slot, this.nowSeconds());
    else this.records.setAccess(slot, (this.nowMinutes() << 8) | this.incremented(this.frequency(slot)));
  }

  /** What is kept of a slot, to be given to another one by `restore`. */
  stateOf(slot: number): AccessState {
    return { word: this.records.accessOf(slot), count: this.records.countOf(slot) };
  }

  restore(slot: number, { word, count }: AccessState): void {
    this.records.setAccess(slot, word);
    this.records.setCount(slot, count);
  }

  countOf(slot: number): number {
    return this.records.countOf(slot);
  }

  /** Counts the first `size` slots from 0 again. */
  forgetCounts(size: number): void {
    for (let slot = 0; slot < size; slot++) this.records.setCount(slot, 0);
  }

  /** Up to `count` of the first `size` slots that were used and fit, the most used first; equal ones by slot. */
  mostUsed(size: number, count: number, fits: (slot: number) => boolean): number[] {
    const { records } = this;
    const chosen: number[] = [];
    for (let slot = 0; slot < size; slot++) {
      const full = chosen.length === count;
      const uses = records.countOf(slot);
      if (uses === 0 || (full && uses <= records.countOf(chosen[count - 1]!)) || !fits(slot)) continue;
      let place = full ? count - 1 : chosen.length;
      for (; place > 0 && records.countOf(chosen[place - 1]!) < uses; place--) chosen[place] = chosen[place - 1]!;
      chosen[place] = slot;
    }
    return chosen;
  }

  idleSeconds(slot: number): number {
    if (this.mode === 'lru') return Math.max(this.nowSeconds() - this.records.accessOf(slot), 0);
    return ((this.nowMinutes() - (this.records.accessOf(slot) >>> 8)) & 0xff_ffff) * 60;
  }

  /** Sets the last access `seconds` back (`RESTORE … IDLETIME`). */
  setIdle(slot: number, seconds: number): void {
    if (this.mode === 'lru') this.records.setAccess(slot, Math.max(this.nowSeconds() - seconds, 0));
  }

  /** The LFU counter, 0–255, after the decay for the time in which the key was not used. */
  frequency(slot: number): number {
    const word = this.records.accessOf(slot);
    const idle = (this.nowMinutes() - (word >>> 8)) & 0xff_ffff;
    const periods = this.lfuDecayMinutes > 0 ? Math.trunc(idle / this.lfuDecayMinutes) : 0;
    return Math.max((word & 0xff) - periods, 0);
  }

  /** Sets the LFU counter (`RESTORE … FREQ`). */
  setFrequency(slot: number, frequency: number): void {
    if (this.mode === 'lfu') this.records.setAccess(slot, (this.nowMinutes() << 8) | frequency);
  }

  private count(slot: number): void {
    const count = this.records.countOf(slot);
    if (count !== MAX_COUNT && !this.paused) this.records.setCount(slot, count + 1);
  }

  private incremented(counter: number): number {
    if (counter === 255) return 255;
    const base = Math.max(counter - LFU_START, 0);
    return Math.random() < 1 / (base * this.lfuLogFactor + 1) ? counter + 1 : counter;
  }

  private nowSeconds(): number {
    if (this.clock.ms !== this.lastMs) {
      this.lastMs = this.clock.ms;
      this.seconds = Math.trunc(this.lastMs / 1000);
    }
    return this.seconds;
  }

  private nowMinutes(): number {
    return Math.trunc(this.nowSeconds() / 60) & 0xff_ffff;
  }
}
