/** How sorted sets answer: members with their scores. */

import type { ScoredMembers } from '../keyspace/values/score-order.js';
import { DoubleReply, type Reply } from '../protocol/reply.js';
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
