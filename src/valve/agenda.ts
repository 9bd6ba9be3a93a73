/** Everything a valve waits for, on one timer: a heap of moments, the earliest of which the timer is set to. */
import { afterRealTime, steadyNow } from './clock.js';
import type { StoreClock } from './store.js';

export interface Appointment {
  readonly at: number;
  readonly run: () => void;
  /** Position in the heap; −1 when it has run or was cancelled. */
  position: number;
}

export class Agenda {
  private readonly heap: Appointment[] = [];
  private readonly after: (ms: number, run: () => void) => () => void;
  private cancelTimer: (() => void) | undefined;
  private timerAt = 0;
  /** A steady count of ms. */
  readonly now: () => number;

  /** By a clock that has timers of its own, or else by real time. */
  constructor(clock: StoreClock | undefined) {
    if (clock?.after === undefined) {
      this.now = steadyNow;
      this.after = afterRealTime;
    } else {
      this.now = () => clock.now();
      this.after = (ms, run) => clock.after!(ms, run);
    }
  }

  schedule(afterMs: number, run: () => void): Appointment {
    const appointment: Appointment = { at: this.now() + afterMs, run, position: this.heap.length };
    this.heap.push(appointment);
    this.rise(appointment.position);
    this.setTimer();
    return appointment;
  }

  cancel(appointment: Appointment | undefined): void {
    if (appointment === undefined || appointment.position < 0) return;
    this.removeAt(appointment.position);
    this.setTimer();
  }

  private setTimer(): void {
    const at = this.heap[0]?.at;
    if (this.cancelTimer !== undefined) {
      if (at === this.timerAt) return;
      this.cancelTimer();
      this.cancelTimer = undefined;
    }
    if (at === undefined) return;
    this.timerAt = at;
    this.cancelTimer = this.after(at - this.now(), () => this.runDue());
  }

  private runDue(): void {
    this.cancelTimer = undefined;
    const now = this.now();
    while (this.heap.length > 0 && this.heap[0]!.at <= now) {
      const appointment = this.heap[0]!;
      this.removeAt(0);
      appointment.run();
    }
    this.setTimer();
  }

  private removeAt(position: number): void {
    const { heap } = this;
    heap[position]!.position = -1;
    const last = heap.pop()!;
    if (position === heap.length) return;
    heap[position] = last;
    last.position = position;
    this.sink(position);
    this.rise(last.position);
  }

  private rise(from: number): void {
    const { heap } = this;
    let position = from;
    while (position > 0) {
      const parent = (position - 1) >> 1;
      if (heap[parent]!.at <= heap[position]!.at) return;
      this.swap(parent, position);
      position = parent;
    }
  }

  private sink(from: number): void {
    const { heap } = this;
    let position = from;
    for (;;) {
      let child = 2 * position + 1;
      if (child >= heap.length) return;
      if (child + 1 < heap.length && heap[child + 1]!.at < heap[child]!.at) child++;
      if (heap[position]!.at <= heap[child]!.at) return;
      this.swap(position, child);
      position = child;
    }
  }

  private swap(a: number, b: number): void {
    const { heap } = this;
    const [first, second] = [heap[a]!, heap[b]!];
    heap[a] = second;
    heap[b] = first;
    second.position = a;
    first.position = b;
  }
}
