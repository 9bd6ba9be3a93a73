/** The group of options that tells the tokens of a call: `MODEL name [INPUT n] [OUTPUT n] …` (official client 1.0.0). */
import type { TokenKind, TokenUsage } from '../../keyspace/hotkv/token-usage.js';
import { type Bytes, ErrorReply } from '../../protocol/reply.js';
import type { OptionReader } from '../args.js';
import { wholeArg } from './names.js';

/** More tokens than any call has, and few enough to add up without rounding. */
export const MAX_TOKENS = 1e12;

/** The group in the notation of `syntax.ts`. */
export const USAGE_SYNTAX =
  '[MODEL model] [INPUT input-tokens:integer] [OUTPUT output-tokens:integer] [CACHEREAD cache-read-tokens:integer] [CACHEWRITE5M cache-write-5m-tokens:integer] [CACHEWRITE1H cache-write-1h-tokens:integer]';

const KINDS: ReadonlyMap<string, TokenKind> = new Map([
  ['INPUT', 'input'],
  ['OUTPUT', 'output'],
  ['CACHEREAD', 'cacheRead'],
  ['CACHEWRITE5M', 'cacheWrite5m'],
  ['CACHEWRITE1H', 'cacheWrite1h'],
]);

/** Takes the group from the options of a command; afterwards `usage` is what it says. */
export class UsageOptions {
  static readonly words: readonly string[] = ['MODEL', ...KINDS.keys()];
  private model: Bytes | undefined;
  private readonly tokens = { input: 0, output: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0 };
  private counted = false;

  /** Reads the argument of `word` if it belongs to the group; false if it does not. Throws for a bad one. */
  take(word: Bytes, reader: OptionReader): boolean {
    const kind = KINDS.get(word);
    if (kind !== undefined) {
      this.tokens[kind] = tokensArg(reader.next(), word);
      this.counted = true;
    } else if (word === 'MODEL') this.model = reader.next();
    else return false;
    return true;
  }

  /** The usage, undefined without a model. Throws when tokens were counted but no model was named. */
  usage(): TokenUsage | undefined {
    if (this.model !== undefined) return { model: this.model, tokens: this.tokens };
    if (this.counted) throw new ErrorReply('ERR MODEL is missing: it goes with numbers of tokens');
    return undefined;
  }
}

/** A number of tokens. */
export function tokensArg(text: Bytes, what: string): number {
  return wholeArg(text, what, 0, MAX_TOKENS);
}
