/**
 * What a database keeps of each slot in numbers: the estimated bytes of the key, its last access, and how often it was
 * used. They stand side by side, since nearly every command looks at all of them: among many keys each array of its own
 * would cost a command one more wait for memory.
 */

/** Numbers to a slot. */
const STRIDE = 3;
const SIZE = 0;
const ACCESS = 1;
const COUNT = 2;
/** Slots that there is room for at first. */
const SMALLEST = 16;

export class SlotRecords {
  private numbers = new Uint32Array(SMALLEST * STRIDE);

  /** Makes room for a slot and sets its numbers to 0. */
  create(slot: number): void {
    const at = slot * STRIDE;
    if (at >= this.numbers.length) this.grow(at + STRIDE);
    this.numbers[at + SIZE] = 0;
    this.numbers[at + ACCESS] = 0;
    this.numbers[at + COUNT] = 0;
  }

  /** Estimated bytes. */
  sizeOf(slot: number): number {
    return this.numbers[slot * STRIDE + SIZE]!;
  }

  setSize(slot: number, bytes: number): void {
    this.numbers[slot * STRIDE + SIZE] = bytes;
  }

  /** What `AccessTimes` notes of the last access, 32 bits. */
  accessOf(slot: number): number {
    return this.numbers[slot * STRIDE + ACCESS]!;
  }

  setAccess(slot: number, word: number): void {
    this.numbers[slot * STRIDE + ACCESS] = word;
  }

  /** Accesses, up to 2^32 − 1. */
  countOf(slot: number): number {
    return this.numbers[slot * STRIDE + COUNT]!;
  }

  setCount(slot: number, count: number): void {
    this.numbers[slot * STRIDE + COUNT] = count;
  }

  /** The key of slot `from` now lives in slot `to`. */
  move(from: number, to: number): void {
    this.setSize(to, this.sizeOf(from));
    this.setAccess(to, this.accessOf(from));
    this.setCount(to, this.countOf(from));
  }

  clear(): void {
    this.numbers = new Uint32Array(SMALLEST * STRIDE);
  }

  swapWith(other: SlotRecords): void {
    const { numbers } = this;
    this.numbers = other.numbers;
    other.numbers = numbers;
  }

  private grow(length: number): void {
    const numbers = new Uint32Array(Math.max(this.numbers.length * 2, length));
    numbers.set(this.numbers);
    this.numbers = numbers;
  }
}
