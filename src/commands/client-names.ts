/** Names that clients give themselves. */
import { untilNul } from '../protocol/errors.js';
import { type Bytes, ErrorReply } from '../protocol/reply.js';
import type { Session } from '../server/session.js';

/** The error for a name with characters that would spoil a line of CLIENT LIST, or undefined. */
export function invalidClientName(name: Bytes, what = 'Client names'): ErrorReply | undefined {
  if (/^[!-~]*$/.test(untilNul(name))) return undefined;
  return new ErrorReply(`ERR ${what} cannot contain spaces, newlines or special characters.`);
}

export function setClientName(ctx: Session, name: Bytes): void {
  ctx.name = name;
}
