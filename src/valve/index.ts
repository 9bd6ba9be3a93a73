/** `hotkv-emulator/valve`: paces outgoing work by rules whose state lives in a shared store. See docs/valve.md. */
export { type ManualClock, manualClock } from './clock.js';
export type { Duration } from './duration.js';
export { ValveError, type ValveErrorCode } from './errors.js';
export type { JobOptions, RunOptions } from './job-options.js';
export { type MemoryStoreOptions, memoryStore } from './memory-store.js';
export type { LeaseOptions, RuleOptions, StoreErrorMode, ValveOptions } from './options.js';
export type { Algorithm } from './policy.js';
export { type IoredisClient, ioredisStore, type NodeRedisClient, nodeRedisStore } from './redis-store.js';
export type { StoreClock, ValveStore } from './store.js';
export {
  createValve,
  type Job,
  type JobEvent,
  type Outlook,
  type TryResult,
  type Valve,
  type ValveEvents,
} from './valve.js';
