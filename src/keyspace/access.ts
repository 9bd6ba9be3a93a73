/**
 * When and how often each key was used: what `OBJECT IDLETIME`, `OBJECT FREQ`, `HOTKEYS` and the LRU and LFU eviction
 * policies read. Two 32-bit numbers a key, by slot. The one for eviction: seconds of the last access in LRU mode; in LFU
 * mode minutes in the upper and Redis' logarithmic counter in the lowest 8 bits. The other counts accesses.
 */
import type { Clock } from './clock.js';

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
  private words = new Uint32Array(16);
  private counts = new Uint32Array(16);
  private seconds = 0;
  private lastMs = -1;
  mode: 'lru' | 'lfu' = 'lru';
  /** `lfu-log-factor` and `lfu-decay-time` (minutes). */
  lfuLogFactor = 10;
  lfuDecayMinutes = 1;
  /** True while a client with CLIENT NO-TOUCH runs a command. */
  paused = false;

  constructor(private readonly clock: Clock) {}

  /** A key was added in this slot. */
  created(slot: number): void {
    if (slot >= this.words.length) this.grow(slot);
    this.counts[slot] = 0;
    this.replaced(slot);
  }

  /** The key in this slot has a whole new value, which is an access. */
  replaced(slot: number): void {
    this.count(slot);
    this.words[slot] = this.mode === 'lru' ? this.nowSeconds() : (this.nowMinutes() << 8) | LFU_START;
  }

  /** A command reads or changes the key in this slot. */
  use(slot: number): void {
    this.count(slot);
    this.touch(slot);
  }

  /** As `use`, once more in a command that has used the key. */
  touch(slot: number): void {
    if (this.paused) return;
    if (this.mode === 'lru') this.words[slot] = this.nowSeconds();
    else this.words[slot] = (this.nowMinutes() << 8) | this.incremented(this.frequency(slot));
  }

  /** The key of slot `from` now lives in slot `to`. */
  moved(from: number, to: number): void {
    this.words[to] = this.words[from]!;
    this.counts[to] = this.counts[from]!;
  }

  clear(): void {
    this.words = new Uint32Array(16);
    this.counts = new Uint32Array(16);
  }

  /** What is kept of a slot, to be given to another one by `restore`. */
  stateOf(slot: number): AccessState {
    return { word: this.words[slot]!, count: this.counts[slot]! };
  }

  restore(slot: number, { word, count }: AccessState): void {
    this.words[slot] = word;
    this.counts[slot] = count;
  }

  countOf(slot: number): number {
    return this.counts[slot]!;
  }

  forgetCounts(): void {
    this.counts.fill(0);
  }

  /** Up to `count` of the first `size` slots that were used and fit, the most used first; equal ones by slot. */
  mostUsed(size: number, count: number, fits: (slot: number) => boolean): number[] {
    const { counts } = this;
    const chosen: number[] = [];
    for (let slot = 0; slot < size; slot++) {
      const full = chosen.length === count;
      if (counts[slot] === 0 || (full && counts[slot]! <= counts[chosen[count - 1]!]!) || !fits(slot)) continue;
      let place = full ? count - 1 : chosen.length;
      for (; place > 0 && counts[chosen[place - 1]!]! < counts[slot]!; place--) chosen[place] = chosen[place - 1]!;
      chosen[place] = slot;
    }
    return chosen;
  }

  /** Exchanges everything with the access times of another database (SWAPDB). */
  swapWith(other: AccessTimes): void {
    const { words, counts } = this;
    this.words = other.words;
    this.counts = other.counts;
    other.words = words;
    other.counts = counts;
  }

  idleSeconds(slot: number): number {
    if (this.mode === 'lru') return Math.max(this.nowSeconds() - this.words[slot]!, 0);
    return ((this.nowMinutes() - (this.words[slot]! >>> 8)) & 0xff_ffff) * 60;
  }

  /** Sets the last access `seconds` back (`RESTORE … IDLETIME`). */
  setIdle(slot: number, seconds: number): void {
    if (this.mode === 'lru') this.words[slot] = Math.max(this.nowSeconds() - seconds, 0);
  }

  /** The LFU counter, 0–255, after the decay for the time in which the key was not used. */
  frequency(slot: number): number {
    const word = this.words[slot]!;
    const idle = (this.nowMinutes() - (word >>> 8)) & 0xff_ffff;
    const periods = this.lfuDecayMinutes > 0 ? Math.trunc(idle / this.lfuDecayMinutes) : 0;
    return Math.max((word & 0xff) - periods, 0);
  }

  /** Sets the LFU counter (`RESTORE … FREQ`). */
  setFrequency(slot: number, frequency: number): void {
    if (this.mode === 'lfu') this.words[slot] = (this.nowMinutes() << 8) | frequency;
  }

  private count(slot: number): void {
    const { counts } = this;
    if (counts[slot] !== MAX_COUNT && !this.paused) counts[slot]!++;
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

  private grow(slot: number): void {
    const words = new Uint32Array(Math.max(this.words.length * 2, slot + 1));
    words.set(this.words);
    this.words = words;
    const counts = new Uint32Array(words.length);
    counts.set(this.counts);
    this.counts = counts;
  }
}
