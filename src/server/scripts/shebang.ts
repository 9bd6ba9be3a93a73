/** The first line of a script or library: `#!lua name=lib flags=no-writes,allow-oom`. */
import { type Bytes, ErrorReply } from '../../protocol/reply.js';

/** `eval` without a shebang line follows the older rules: flags do not exist for it (Redis' compatibility mode). */
export const SCRIPT_FLAGS = ['no-writes', 'allow-oom', 'allow-stale', 'no-cluster', 'allow-cross-slot-keys'] as const;
export type ScriptFlag = (typeof SCRIPT_FLAGS)[number];

export interface ScriptHeader {
  /** What follows the line, with its line end, so that line numbers stay. */
  readonly body: Bytes;
  /** Undefined without a shebang line. */
  readonly flags: readonly ScriptFlag[] | undefined;
}

/** Reads the header of a script for EVAL; throws an ErrorReply. */
export function readScriptHeader(source: Bytes): ScriptHeader {
  if (!source.startsWith('#!')) return { body: source, flags: undefined };
  const lineEnd = source.indexOf('\n');
  if (lineEnd < 0) throw new ErrorReply('ERR Invalid script shebang');
  const [engine, ...options] = source.slice(0, lineEnd).trim().split(/\s+/);
  if (engine !== '#!lua') throw new ErrorReply(`ERR Unexpected engine in script shebang: ${engine}`);
  let flags: ScriptFlag[] = [];
  for (const option of options) {
    if (!option.startsWith('flags=')) throw new ErrorReply(`ERR Unknown lua shebang option: ${option}`);
    flags = option
      .slice('flags='.length)
      .split(',')
      .filter((word) => word !== '')
      .map(scriptFlag);
  }
  return { body: source.slice(lineEnd), flags };
}

function scriptFlag(word: Bytes): ScriptFlag {
  const flag = SCRIPT_FLAGS.find((known) => known === word);
  if (flag === undefined) throw new ErrorReply(`ERR Unexpected flag in script shebang: ${word}`);
  return flag;
}
