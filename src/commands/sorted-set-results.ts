/** What the commands of sorted sets have in common once they know their result: replies, stored results, removals. */

import { NOTIFY } from '../keyspace/notifications.js';
import type { ScoredMembers } from '../keyspace/values/score-order.js';
import type { SortedSet } from '../keyspace/values/sorted-set.js';
import { type Bytes, DoubleReply, type Reply } from '../protocol/reply.js';
import type { Session } from '../server/session.js';

/** Members with their scores: pairs in RESP3, one flat array in RESP2. */
export function scoredReply(ctx: Session, { members, scores }: ScoredMembers): Reply {
  if (ctx.resp === 3) return pairsReply({ members, scores });
  const flat: Reply[] = [];
  for (let i = 0; i < members.length; i++) flat.push(members[i]!, new DoubleReply(scores[i]!));
  return flat;
}

/** Members with their scores as pairs, in both protocols. */
export function pairsReply({ members, scores }: ScoredMembers): Reply {
  return members.map((member, i) => [member, new DoubleReply(scores[i]!)]);
}

/** Stores a result with its event; an empty one removes what the key held. Returns the number of members. */
export function storeResult(ctx: Session, target: Bytes, result: SortedSet, event: string): number {
  if (result.size === 0) {
    removeTarget(ctx, target);
    return 0;
  }
  ctx.db.replace(target, result);
  ctx.db.changed(target, NOTIFY.sortedSet, event);
  return result.size;
}

/** There is no result to store: the key goes, if there is one. */
export function removeTarget(ctx: Session, target: Bytes): void {
  if (ctx.db.remove(target)) ctx.db.changed(target, NOTIFY.generic, 'del');
}

/** Members were removed: tells so, and removes the key with its last member. */
export function membersRemoved(ctx: Session, name: Bytes, set: SortedSet, event: string): void {
  ctx.db.notify(NOTIFY.sortedSet, event, name);
  if (set.size === 0) ctx.db.removeEmptied(name);
  ctx.db.touch(name);
}
