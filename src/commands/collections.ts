/** What the commands of all collections do alike once elements are gone or a result is known. */

import { NOTIFY } from '../keyspace/notifications.js';
import type { Value } from '../keyspace/value.js';
import type { Bytes } from '../protocol/reply.js';
import type { Session } from '../server/session.js';

/** A value that counts its elements. */
type Collection = Extract<Value, { readonly size: number }>;

/** Elements were removed: tells so, and removes the key with its last element. */
export function elementsRemoved(ctx: Session, name: Bytes, value: Collection, eventClass: number, event: string): void {
  ctx.db.notify(eventClass, event, name);
  if (value.size === 0) ctx.db.removeEmptied(name);
  ctx.db.touch(name);
}

/** Stores a result with its event; an empty one removes what the key held. Returns the number of elements. */
export function storeResult(
  ctx: Session,
  target: Bytes,
  result: Collection,
  eventClass: number,
  event: string,
): number {
  if (result.size === 0) {
    removeTarget(ctx, target);
    return 0;
  }
  ctx.db.replace(target, result);
  ctx.db.changed(target, eventClass, event);
  return result.size;
}

/** There is no result to store: the key goes, if there is one. */
export function removeTarget(ctx: Session, target: Bytes): void {
  if (ctx.db.remove(target)) ctx.db.changed(target, NOTIFY.generic, 'del');
}
