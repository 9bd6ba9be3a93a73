/** How long the latest calls took, and their median. */

/** As many calls are remembered. */
const REMEMBERED = 256;

export class RecentDurations {
  private micros: Float64Array | undefined;
  private count = 0;

  /** Notes a duration in ms, as whole µs. */
  add(ms: number): void {
    this.micros ??= new Float64Array(REMEMBERED);
    this.micros[this.count++ % REMEMBERED] = Math.round(ms * 1000);
  }

  /** The median in whole µs (the lower one of two); 0 before the first call. */
  get median(): number {
    const known = Math.min(this.count, REMEMBERED);
    if (this.micros === undefined || known === 0) return 0;
    return this.micros.slice(0, known).sort()[(known - 1) >> 1]!;
  }
}
