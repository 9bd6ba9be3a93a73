/** What took longer than `latency-monitor-threshold`, by kind of event (`command`, `fast-command`, `expire-cycle` …). */

export interface LatencySample {
  /** Unix seconds. */
  readonly at: number;
  ms: number;
}

export interface LatencyEvent {
  /** Oldest first; of one second only the worst. */
  readonly samples: LatencySample[];
  /** The worst since the event was last reset. */
  worst: number;
}

/** Redis keeps so many samples of an event. */
const MAX_SAMPLES = 160;

export class LatencyMonitor {
  /** What takes at least so many ms is noted; Infinity: nothing. */
  thresholdMs = Infinity;
  readonly events = new Map<string, LatencyEvent>();

  /** Notes that an event took so many ms, at unix ms `now`; the caller has compared with the threshold. */
  add(name: string, durationMs: number, now: number): void {
    const ms = Math.trunc(durationMs);
    const at = Math.trunc(now / 1000);
    let event = this.events.get(name);
    if (event === undefined) {
      event = { samples: [], worst: 0 };
      this.events.set(name, event);
    }
    event.worst = Math.max(event.worst, ms);
    const last = event.samples.at(-1);
    if (last?.at === at) last.ms = Math.max(last.ms, ms);
    else event.samples.push({ at, ms });
    if (event.samples.length > MAX_SAMPLES) event.samples.shift();
  }

  /** Forgets some events, or all. Returns how many there were. */
  reset(names: readonly string[] = [...this.events.keys()]): number {
    return names.filter((name) => this.events.delete(name)).length;
  }
}
