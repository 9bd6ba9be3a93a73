/** A store in this process: the decisions of the scripts (`scripts.ts`) on plain objects. */
import { GcraState } from '../gcra/state.js';
import { systemClock } from './clock.js';
import { GcraRule } from './gcra-rule.js';
import type { Policy, Rule } from './policy.js';
import type { Admission, Decision, Gate, StoreClock, ValveStore } from './store.js';

export interface MemoryStoreOptions {
  /** Default: real time. */
  readonly clock?: StoreClock;
}

/** A store for one process: valves that share it share their quota. */
export function memoryStore({ clock }: MemoryStoreOptions = {}): ValveStore {
  const memory = new Memory();
  const time = clock ?? systemClock;
  return { ...(clock && { clock }), open: (policy) => new MemoryGate(memory, policy, time) };
}

interface GcraEntry {
  readonly kind: 'gcra';
  readonly state: GcraState;
  /** The limit under which the state was written. */
  limit: number;
  /** Unix ms after which the entry means nothing any more. */
  expiry: number;
}

interface WindowEntry {
  readonly kind: 'window';
  start: number;
  count: number;
  expiry: number;
}

type Entry = GcraEntry | WindowEntry;

/** Below this many entries nobody looks for those that mean nothing any more. */
const SWEEP_AT_LEAST = 1_000;
const NOTHING_WRITTEN: readonly string[] = [];

class Memory {
  readonly policies = new Map<string, string>();
  readonly entries = new Map<string, Entry>();
  /** Lease key → holder → unix ms of expiry. */
  readonly leases = new Map<string, Map<string, number>>();
  private sweepAt = SWEEP_AT_LEAST;

  put(key: string, entry: Entry, now: number): void {
    this.entries.set(key, entry);
    if (this.entries.size < this.sweepAt) return;
    for (const [old, { expiry }] of this.entries) {
      if (expiry < now) this.entries.delete(old);
    }
    this.sweepAt = Math.max(SWEEP_AT_LEAST, 2 * this.entries.size);
  }
}

class MemoryGate implements Gate {
  readonly immediate = true;
  private readonly rules: readonly MemoryRule[];

  constructor(
    private readonly memory: Memory,
    private readonly policy: Policy,
    private readonly clock: StoreClock,
  ) {
    this.rules = policy.rules.map((rule) =>
      rule.algorithm === 'gcra' ? new MemoryGcra(memory, rule) : new MemoryWindow(memory, rule),
    );
  }

  admit(keys: readonly string[], cost: number, holder: string): Decision {
    const now = Math.floor(this.clock.now());
    const decision = this.decide(keys, cost, now);
    if (decision.outcome !== 'admitted') return decision;
    this.memory.policies.set(this.policy.policyKey, this.policy.fingerprint);
    for (let i = 0; i < this.rules.length; i++) this.rules[i]!.spend(keys[i]!, cost, now);
    if (this.policy.lease !== undefined) this.takeLease(holder, now, this.policy.lease.ttl);
    return decision;
  }

  peek(keys: readonly string[], cost: number): Decision {
    return this.decide(keys, cost, Math.floor(this.clock.now()));
  }

  /** Never needed: a job cannot go away while an answer is on its way. */
  refund(): void {}

  renew(holders: readonly string[]): string[] {
    const now = Math.floor(this.clock.now());
    const leases = this.memory.leases.get(this.policy.leaseKey);
    return holders.filter((holder) => {
      if ((leases?.get(holder) ?? 0) <= now) return true;
      leases!.set(holder, now + this.policy.lease!.ttl);
      return false;
    });
  }

  release(holder: string): void {
    this.memory.leases.get(this.policy.leaseKey)?.delete(holder);
  }

  resetFingerprint(): void {
    this.memory.policies.delete(this.policy.policyKey);
  }

  private decide(keys: readonly string[], cost: number, now: number): Decision {
    const { policies } = this.memory;
    const stored = policies.get(this.policy.policyKey);
    if (stored !== undefined && stored !== this.policy.fingerprint) return { outcome: 'mismatch', stored };
    let ruleWaits: number[] | undefined;
    for (let i = 0; i < this.rules.length; i++) {
      const wait = this.rules[i]!.wait(keys[i]!, cost, now);
      if (wait === 0) continue;
      ruleWaits ??= this.rules.map(() => 0);
      ruleWaits[i] = wait;
    }
    const leaseWait = this.policy.lease === undefined ? 0 : this.leaseWait(now, this.policy.lease.max);
    if (ruleWaits === undefined && leaseWait === 0) return admission(now);
    return { outcome: 'rejected', at: now, ruleWaits: ruleWaits ?? this.rules.map(() => 0), leaseWait };
  }

  private leaseWait(now: number, max: number): number {
    const running = [...(this.memory.leases.get(this.policy.leaseKey)?.values() ?? [])].filter((until) => until > now);
    return running.length < max ? 0 : Math.min(...running) - now;
  }

  private takeLease(holder: string, now: number, ttl: number): void {
    let leases = this.memory.leases.get(this.policy.leaseKey);
    if (leases === undefined) {
      leases = new Map();
      this.memory.leases.set(this.policy.leaseKey, leases);
    }
    for (const [other, until] of leases) {
      if (until <= now) leases.delete(other);
    }
    leases.set(holder, now + ttl);
  }
}

function admission(at: number): Admission {
  return { outcome: 'admitted', at, written: NOTHING_WRITTEN };
}

interface MemoryRule {
  /** Ms to wait; 0 if a job of this cost may start. */
  wait(key: string, cost: number, now: number): number;
  spend(key: string, cost: number, now: number): void;
}

class MemoryGcra implements MemoryRule {
  private readonly arithmetic: GcraRule;
  private readonly fresh = new GcraState();

  constructor(
    private readonly memory: Memory,
    private readonly rule: Rule,
  ) {
    this.arithmetic = new GcraRule(rule);
  }

  wait(key: string, cost: number, now: number): number {
    return this.arithmetic.wait(this.find(key)?.state ?? this.fresh, now, cost);
  }

  spend(key: string, cost: number, now: number): void {
    let entry = this.find(key);
    if (entry === undefined) {
      entry = { kind: 'gcra', state: new GcraState(), limit: this.rule.limit, expiry: Number.POSITIVE_INFINITY };
      this.memory.put(key, entry, now);
    }
    entry.expiry = this.arithmetic.spend(entry.state, now, cost);
  }

  /** The state of a key; one that was written under another limit is first rounded up to a whole ms. */
  private find(key: string): GcraEntry | undefined {
    const entry = this.memory.entries.get(key);
    if (entry?.kind !== 'gcra') return undefined;
    if (entry.limit !== this.rule.limit) {
      entry.state.setUnits(entry.state.unitsOf(1n), 1n);
      entry.limit = this.rule.limit;
    }
    return entry;
  }
}

class MemoryWindow implements MemoryRule {
  constructor(
    private readonly memory: Memory,
    private readonly rule: Rule,
  ) {}

  wait(key: string, cost: number, now: number): number {
    const { interval, limit } = this.rule;
    const entry = this.find(key, now);
    if ((entry?.count ?? 0) + cost <= limit) return 0;
    return (entry?.start ?? now - (now % interval)) + interval - now;
  }

  spend(key: string, cost: number, now: number): void {
    let entry = this.find(key, now);
    if (entry === undefined) {
      entry = { kind: 'window', start: now - (now % this.rule.interval), count: 0, expiry: Number.POSITIVE_INFINITY };
      this.memory.put(key, entry, now);
    }
    entry.count += cost;
    entry.expiry = entry.start + this.rule.interval;
  }

  /** The entry of the window that now is in; of a later one if the clock has gone back. */
  private find(key: string, now: number): WindowEntry | undefined {
    const entry = this.memory.entries.get(key);
    return entry?.kind === 'window' && entry.start >= now - (now % this.rule.interval) ? entry : undefined;
  }
}
