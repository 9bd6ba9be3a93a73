/** The offset of a bit among the arguments of a command. */
import { type Bytes, ErrorReply } from '../protocol/reply.js';
import type { Session } from '../server/session.js';
import { integerArg } from './args.js';

const OUT_OF_RANGE = new ErrorReply('ERR bit offset is not an integer or out of range');

/** An offset in units of so many bits, as bits: one that a string of at most `proto-max-bulk-len` bytes can have. */
export function bitOffsetArg(ctx: Session, text: Bytes, unitBits = 1): number {
  const offset = integerArg(text, OUT_OF_RANGE) * unitBits;
  if (offset < 0 || Math.floor(offset / 8) >= ctx.server.protocolLimits.maxBulkLength) throw OUT_OF_RANGE;
  return offset;
}
