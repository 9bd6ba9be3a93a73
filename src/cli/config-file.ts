/** Reads a file in redis.conf syntax. */
import { readFileSync } from 'node:fs';
import { splitInlineArgs } from '../protocol/quoting.js';
import { findParameter } from '../server/config.js';

export interface ConfigFile {
  /** Values by parameter name; words of one line are joined with a space, a later line wins. */
  readonly values: Record<string, string>;
  readonly warnings: readonly string[];
}

/** @throws an Error that names file and line when a line has unbalanced quotes, or the file cannot be read. */
export function readConfigFile(path: string): ConfigFile {
  const values: Record<string, string> = {};
  const warnings: string[] = [];
  const lines = readFileSync(path, 'latin1').split('\n');
  lines.forEach((line, i) => {
    const text = line.trim();
    if (text === '' || text.startsWith('#')) return;
    const words = splitInlineArgs(text);
    if (words === null) throw new Error(`${path}, line ${i + 1}: unbalanced quotes`);
    const name = words[0]!.toLowerCase();
    const parameter = findParameter(name);
    if (parameter === undefined) warnings.push(`${path}, line ${i + 1}: unknown key '${name}' is ignored`);
    else if (parameter.name === 'save' && values.save !== undefined) values.save += ` ${words.slice(1).join(' ')}`;
    else values[parameter.name] = words.slice(1).join(' ');
  });
  return { values, warnings };
}
