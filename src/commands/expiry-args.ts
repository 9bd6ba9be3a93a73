/** Expiry times among the arguments of commands: `EX`, `PX`, `EXAT`, `PXAT`. */
import { invalidExpire } from '../protocol/errors.js';
import { INT64_MAX } from '../protocol/numbers.js';
import type { Bytes, Int64 } from '../protocol/reply.js';
import type { Session } from '../server/session.js';
import { int64Arg } from './args.js';

/** Seconds or milliseconds from now, or the same as a unix time. */
export type ExpiryUnit = 'EX' | 'PX' | 'EXAT' | 'PXAT';

/**
 * The unix ms that an argument in this unit means. Throws unless it is an integer above 0 whose ms fit int64; the
 * error names the command.
 */
export function expiryArg(ctx: Session, text: Bytes, unit: ExpiryUnit, command: Bytes): Int64 {
  const value = int64Arg(text);
  if (value <= 0) throw invalidExpire(command);
  const scale = unit === 'EX' || unit === 'EXAT' ? 1000 : 1;
  const start = unit === 'EX' || unit === 'PX' ? ctx.now : 0;
  const at = Number(value) * scale + start;
  if (Number.isSafeInteger(at)) return at;
  const exact = BigInt(value) * BigInt(scale) + BigInt(start);
  if (exact > INT64_MAX) throw invalidExpire(command);
  return exact;
}
