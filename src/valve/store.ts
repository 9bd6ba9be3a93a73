/** What a valve asks of the place where its state lives. */
import type { Policy } from './policy.js';

/** Where the time of a store in this process, and of the valves on it, comes from. */
export interface StoreClock {
  /** Unix time in ms. */
  now(): number;
  /** Calls `run` once after so many ms and returns how to prevent it. Default: real time. */
  after?(ms: number, run: () => void): () => void;
}

export interface ValveStore {
  /** Set if valves shall measure their waiting by it. */
  readonly clock?: StoreClock;
  open(policy: Policy): Gate;
}

/** One policy's way to its store. */
export interface Gate {
  /** True if `admit` answers at once, without a promise. */
  readonly immediate: boolean;
  /** Spends the cost on every rule and takes the lease for `holder`, or changes nothing. */
  admit(keys: readonly string[], cost: number, holder: string): Decision | Promise<Decision>;
  /** What `admit` would say, spending nothing. */
  peek(keys: readonly string[], cost: number): Decision | Promise<Decision>;
  /** Gives back what an admission spent that no job could use, as far as nobody has spent since. */
  refund(keys: readonly string[], cost: number, holder: string, admission: Admission): void | Promise<void>;
  /** Prolongs leases; returns the holders whose lease was gone. */
  renew(holders: readonly string[]): readonly string[] | Promise<readonly string[]>;
  release(holder: string): void | Promise<void>;
  resetFingerprint(): void | Promise<void>;
}

export interface Admission {
  readonly outcome: 'admitted';
  /** The store's unix ms. */
  readonly at: number;
  /** What was written for each rule; empty where a refund is never asked for. */
  readonly written: readonly string[];
}

export interface Rejection {
  readonly outcome: 'rejected';
  readonly at: number;
  /** For each rule how many ms it makes the job wait, 0 if it would admit it. */
  readonly ruleWaits: readonly number[];
  /** Ms until the next lease lapses unless it is renewed or freed before; 0 if one is free. */
  readonly leaseWait: number;
}

/** The store holds another policy: its fingerprint. */
export interface Mismatch {
  readonly outcome: 'mismatch';
  readonly stored: string;
}

export type Decision = Admission | Rejection | Mismatch;

/** The longest that any rule or the lease asks to wait. */
export function longestWait({ ruleWaits, leaseWait }: Rejection): number {
  return Math.max(leaseWait, ...ruleWaits);
}
