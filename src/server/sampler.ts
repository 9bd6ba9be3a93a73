/** What is measured ten times a second while a server runs: rates of the last moments, and the peak of memory. */
import type { Server } from './server.js';

const PERIOD_MS = 100;
/** Samples that a rate is the mean of. */
const SAMPLES = 16;

/** The mean growth of a counter per second over the last samples. */
class Rate {
  private readonly samples = new Float64Array(SAMPLES);
  private next = 0;
  private last = 0;

  add(counter: number, seconds: number): void {
    // After CONFIG RESETSTAT the counter is below what it was.
    this.samples[this.next] = seconds > 0 ? Math.max(counter - this.last, 0) / seconds : 0;
    this.last = counter;
    this.next = (this.next + 1) % SAMPLES;
  }

  get perSecond(): number {
    return this.samples.reduce((sum, sample) => sum + sample, 0) / SAMPLES;
  }
}

export class Sampler {
  readonly commands = new Rate();
  readonly inputBytes = new Rate();
  readonly outputBytes = new Rate();
  /** Most bytes that `memory.used` has been, and when (unix seconds). */
  peakMemory = 0;
  peakMemoryAt = 0;
  private timer: NodeJS.Timeout | undefined;
  private sampledAt = 0;

  constructor(private readonly server: Server) {}

  start(): void {
    this.sampledAt = this.server.clock.elapsed();
    this.timer = setInterval(() => this.sample(), PERIOD_MS);
    this.timer.unref();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  /** Notes how much memory is in use, and returns it. */
  noteMemory(): number {
    const { used } = this.server.memory;
    if (used > this.peakMemory) {
      this.peakMemory = used;
      this.peakMemoryAt = Math.trunc(this.server.clock.now() / 1000);
    }
    return used;
  }

  private sample(): void {
    const { clock, stats } = this.server;
    const now = clock.elapsed();
    const seconds = (now - this.sampledAt) / 1000;
    this.sampledAt = now;
    this.commands.add(stats.commandsProcessed, seconds);
    this.inputBytes.add(stats.netInputBytes, seconds);
    this.outputBytes.add(stats.netOutputBytes, seconds);
    this.noteMemory();
  }
}
