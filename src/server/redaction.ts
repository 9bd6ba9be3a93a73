/** Which arguments of a command are secrets, and must not show in MONITOR and the slow log. */
import type { Bytes } from '../protocol/reply.js';
import type { Command } from './command-table.js';

const REDACTED = '(redacted)';
const SECRET_PARAMETERS: ReadonlySet<string> = new Set(['requirepass', 'masterauth', 'masteruser']);

/** The arguments as others may see them. */
export function redacted(command: Command, args: Bytes[]): Bytes[] {
  switch (command.fullName) {
    case 'auth':
      return args.map((arg, i) => (i === 0 ? arg : REDACTED));
    case 'acl|setuser':
    case 'acl|deluser':
    case 'acl|getuser':
      return args.map((arg, i) => (i < 2 ? arg : REDACTED));
    case 'config|set':
      return args.map((arg, i) => (i > 2 && i % 2 === 1 && isSecretParameter(args[i - 1]!) ? REDACTED : arg));
    case 'hello':
      return hiddenAfter(args, args.findIndex(isAuth), 2);
    case 'migrate':
      return args.reduce((shown, arg, i) => (isAuth(arg, i) ? hiddenAfter(shown, i, wordsOfAuth(arg)) : shown), args);
    default:
      return args;
  }
}

function isSecretParameter(name: Bytes): boolean {
  return SECRET_PARAMETERS.has(name.toLowerCase());
}

function isAuth(arg: Bytes, index: number): boolean {
  return index > 0 && /^auth2?$/i.test(arg);
}

function wordsOfAuth(option: Bytes): number {
  return option.endsWith('2') ? 2 : 1;
}

/** Hides so many arguments after an index; none when the index is negative. */
function hiddenAfter(args: Bytes[], index: number, count: number): Bytes[] {
  return args.map((arg, i) => (index >= 0 && i > index && i <= index + count ? REDACTED : arg));
}
