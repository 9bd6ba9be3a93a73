/** DEBUG RELOAD: every value goes through its RDB form and back, as if the server had been started anew. */
import type { Database } from '../../keyspace/database.js';
import type { EncodingLimits } from '../../keyspace/values/encoding-limits.js';
import { dumpValue, restoreValue } from './payload.js';

/** Dumps and restores all values of a database in place. Keys that are due go; nobody is told of the rest. */
export function reloadDatabase(db: Database, limits: EncodingLimits): void {
  db.forEach((key, value) => {
    const restored = restoreValue(dumpValue(value, 'exact'), limits);
    if (restored === 'footer' || restored === 'data') throw new Error(`value of '${key}' does not survive its dump`);
    db.table.setValue(db.table.find(key), restored);
  });
}
