/** What the tests use of redlock 4, which ships without types. */
declare module 'redlock' {
  import type { Redis } from 'ioredis';

  interface Lock {
    readonly value: string;
    unlock(): Promise<void>;
    extend(ttlMs: number): Promise<Lock>;
  }

  class Redlock {
    constructor(clients: Redis[], options?: { retryCount?: number; retryDelay?: number });
    lock(resource: string | string[], ttlMs: number): Promise<Lock>;
  }
  export = Redlock;
}
