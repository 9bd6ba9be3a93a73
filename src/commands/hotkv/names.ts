/** Lookup of the named objects of HotKV's engines, and the options that they share, with the errors that name what is wrong. */
import { parseDouble, parseInteger } from '../../protocol/numbers.js';
import { type Bytes, ErrorReply } from '../../protocol/reply.js';

/** The object of a name; `kind` names it in the error. */
export function existing<T>(objects: ReadonlyMap<Bytes, T>, name: Bytes, kind: string): T {
  const found = objects.get(name);
  if (found === undefined) throw new ErrorReply(`ERR ${kind} '${name}' not found`);
  return found;
}

/** Throws when there is an object of this name. */
export function expectNew(objects: ReadonlyMap<Bytes, unknown>, name: Bytes, kind: string): void {
  if (objects.has(name)) throw new ErrorReply(`ERR ${kind} '${name}' already exists`);
}

/** A whole number from `least` to `greatest`; the error names the argument and the range. */
export function wholeArg(text: Bytes, what: string, least: number, greatest: number): number {
  const value = Number(parseInteger(text) ?? Number.NaN);
  if (value >= least && value <= greatest) return value;
  throw new ErrorReply(`ERR invalid ${what}: must be a whole number from ${least} to ${greatest}`);
}

/** A finite number above 0. */
export function positiveArg(text: Bytes, what: string): number {
  const value = parseDouble(text);
  if (value !== undefined && value > 0 && value < Number.POSITIVE_INFINITY) return value;
  throw new ErrorReply(`ERR invalid ${what}: must be a number above 0`);
}

/** One of a few words, in any case; the error names them. */
export function choiceArg<T extends string>(text: Bytes, what: string, choices: readonly T[]): T {
  const word = text.toLowerCase();
  const found = choices.find((choice) => choice === word);
  if (found === undefined) throw new ErrorReply(`ERR invalid ${what}: must be one of ${choices.join(', ')}`);
  return found;
}

/** An option that the command does not know; the error names those that it does. */
export function unknownOption(word: Bytes, options: readonly string[]): ErrorReply {
  return new ErrorReply(`ERR unknown option '${word}': must be one of ${options.join(', ')}`);
}
