/** Error replies that more than one command gives, in Redis' words, since clients match them. */
import { type Bytes, ErrorReply } from './reply.js';

export const WRONG_TYPE = new ErrorReply('WRONGTYPE Operation against a key holding the wrong kind of value');
export const SYNTAX = new ErrorReply('ERR syntax error');
export const NOT_AN_INTEGER = new ErrorReply('ERR value is not an integer or out of range');
export const NOT_A_FLOAT = new ErrorReply('ERR value is not a valid float');
export const NO_SUCH_KEY = new ErrorReply('ERR no such key');
export const SAME_OBJECT = new ErrorReply('ERR source and destination objects are the same');
export const OUT_OF_RANGE = new ErrorReply('ERR value is out of range');
export const NOT_POSITIVE = new ErrorReply('ERR value is out of range, must be positive');
export const INDEX_OUT_OF_RANGE = new ErrorReply('ERR index out of range');
export const INVALID_CURSOR = new ErrorReply('ERR invalid cursor');
export const WOULD_OVERFLOW = new ErrorReply('ERR increment or decrement would overflow');
export const NAN_OR_INFINITY = new ErrorReply('ERR increment would produce NaN or Infinity');
export const STRING_TOO_LONG = new ErrorReply('ERR string exceeds maximum allowed size (proto-max-bulk-len)');
export const DB_OUT_OF_RANGE = new ErrorReply('ERR DB index is out of range');
export const INVALID_DB_INDEX = new ErrorReply('ERR invalid DB index');
export const NO_AUTH = new ErrorReply('NOAUTH Authentication required.');
export const WRONG_PASS = new ErrorReply('WRONGPASS invalid username-password pair or user is disabled.');
export const OUT_OF_MEMORY = new ErrorReply("OOM command not allowed when used memory > 'maxmemory'.");
export const NO_REPLICAS = new ErrorReply('NOREPLICAS Not enough good replicas to write.');
export const NO_SCRIPT = new ErrorReply('NOSCRIPT No matching script. Please use EVAL.');
export const EXEC_ABORT = new ErrorReply('EXECABORT Transaction discarded because of previous errors.');

export function wrongArity(fullName: Bytes): ErrorReply {
  return new ErrorReply(`ERR wrong number of arguments for '${fullName}' command`);
}

/** `ERR unknown command 'x', with args beginning with: 'a' 'b' `: at most 128 bytes of name and of arguments are shown. */
export function unknownCommand(args: Bytes[]): ErrorReply {
  let shown = '';
  for (let i = 1; i < args.length && shown.length < 128; i++) shown += `'${untilNul(args[i]!, 128 - shown.length)}' `;
  return new ErrorReply(`ERR unknown command '${untilNul(args[0]!, 128)}', with args beginning with: ${shown}`);
}

/** A container got a word that is none of its subcommands. `container` is printed in upper case. */
export function unknownSubcommand(container: Bytes, word: Bytes): ErrorReply {
  return new ErrorReply(`ERR unknown subcommand '${untilNul(word, 128)}'. Try ${container.toUpperCase()} HELP.`);
}

export function unsupportedOption(word: Bytes): ErrorReply {
  return new ErrorReply(`ERR Unsupported option ${untilNul(word)}`);
}

export function unknownArgument(word: Bytes): ErrorReply {
  return new ErrorReply(`ERR unknown argument: ${untilNul(word, word.length)}`);
}

/** At most so many bytes, and none from a NUL on: how C prints a string. */
export function untilNul(text: Bytes, length = text.length): Bytes {
  const end = text.indexOf('\0');
  return text.slice(0, end < 0 ? length : Math.min(end, length));
}

export function invalidExpire(fullName: Bytes): ErrorReply {
  return new ErrorReply(`ERR invalid expire time in '${fullName}' command`);
}

/** What subcommands of variable length answer to too many words. `container` is in upper case. */
export function wrongSubcommand(container: string, word: Bytes): ErrorReply {
  return new ErrorReply(`ERR unknown subcommand or wrong number of arguments for '${word}'. Try ${container} HELP.`);
}
