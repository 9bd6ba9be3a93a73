/** The configuration of one server: values by parameter name, their checks, and who is told when one changes. */

import { compileGlob } from '../protocol/glob.js';
import { memoryValue } from '../protocol/memory-size.js';
import { INT64_MAX, parseInteger } from '../protocol/numbers.js';
import { ConfigError } from '../protocol/problems.js';
import type { Bytes, Int64 } from '../protocol/reply.js';
import { PARAMETERS, type Parameter } from './config-parameters.js';

const BY_NAME = new Map<string, Parameter>();
for (const parameter of PARAMETERS) {
  BY_NAME.set(parameter.name, parameter);
  if (parameter.alias !== undefined) BY_NAME.set(parameter.alias, parameter);
}

/** The parameter of a name or alias in any case. */
export function findParameter(name: Bytes): Parameter | undefined {
  return BY_NAME.get(name.toLowerCase());
}

export class Config {
  private readonly texts = new Map<string, Bytes>();
  private readonly numbers = new Map<string, number>();
  private readonly watchers = new Map<string, () => void>();
  private readonly checks = new Map<string, (text: Bytes) => Bytes>();

  constructor() {
    for (const parameter of PARAMETERS) this.store(parameter, parameter.default);
  }

  text(name: string): Bytes {
    return this.texts.get(name)!;
  }

  /** The value of an integer or memory parameter; a percentage is negative. */
  number(name: string): number {
    return this.numbers.get(name)!;
  }

  flag(name: string): boolean {
    return this.texts.get(name) === 'yes';
  }

  /** Calls `apply` now and whenever one of the parameters changes. */
  watch(names: readonly string[], apply: () => void): void {
    for (const name of names) this.watchers.set(name, apply);
    apply();
  }

  /** Gives a `special` parameter a check that depends on the server. */
  checkWith(name: string, check: (text: Bytes) => Bytes): void {
    this.checks.set(name, check);
  }

  /** Sets a parameter from text, fixed ones too: the way of the command line and the config file. Throws a ConfigError. */
  setAtStart(name: Bytes, text: Bytes): void {
    const parameter = findParameter(name);
    if (parameter === undefined) throw new ConfigError(`unknown parameter '${name}'`);
    this.store(parameter, this.checked(parameter, text));
    this.watchers.get(parameter.name)?.();
  }

  /**
   * CONFIG SET of several parameters, all or none.
   * @throws a ConfigError that names the parameter and gives the reason in Redis' words.
   */
  setAll(pairs: readonly (readonly [name: Bytes, text: Bytes])[], mayChangeGuarded: boolean): void {
    const parameters = pairs.map(([name]) => changeable(name, mayChangeGuarded));
    const names = pairs.map(([name]) => name.toLowerCase());
    names.forEach((name, i) => {
      if (names.indexOf(name) !== i) throw refusal(pairs[i]![0], 'duplicate parameter');
    });
    const texts = parameters.map((parameter, i) => {
      try {
        const text = this.checked(parameter, pairs[i]![1]);
        if (parameter.settled !== undefined && text !== this.text(parameter.name)) {
          throw new ConfigError(parameter.settled);
        }
        return text;
      } catch (problem) {
        throw problem instanceof ConfigError ? refusal(names[i]!, problem.message) : problem;
      }
    });
    parameters.forEach((parameter, i) => {
      this.store(parameter, texts[i]!);
    });
    for (const apply of new Set(parameters.map(({ name }) => this.watchers.get(name)))) apply?.();
  }

  /** Name and value of all parameters (under each of their names) that a pattern fits, without case. */
  matching(patterns: readonly Bytes[]): Map<Bytes, Bytes> {
    const found = new Map<Bytes, Bytes>();
    for (const pattern of patterns) {
      if (!/[*?[]/.test(pattern)) {
        // A whole name is answered as it was asked for.
        const parameter = findParameter(pattern);
        if (parameter !== undefined) found.set(pattern, this.texts.get(parameter.name)!);
        continue;
      }
      const fits = compileGlob(pattern.toLowerCase());
      for (const [name, parameter] of BY_NAME) {
        if (fits(name) && !parameter.hidden) found.set(name, this.texts.get(parameter.name)!);
      }
    }
    return found;
  }

  private store(parameter: Parameter, text: Bytes): void {
    this.texts.set(parameter.name, text);
    if (parameter.kind !== 'integer' && parameter.kind !== 'memory') return;
    this.numbers.set(parameter.name, text.endsWith('%') ? -Number(text.slice(0, -1)) : Number(text));
  }

  private checked(parameter: Parameter, text: Bytes): Bytes {
    switch (parameter.kind) {
      case 'flag':
        return checkedFlag(text);
      case 'choice':
        return checkedChoice(parameter, text);
      case 'integer':
        return checkedInteger(parameter, text);
      case 'memory':
        return checkedMemory(parameter, text);
      case 'text':
        return text;
      case 'special':
        return (this.checks.get(parameter.name) ?? parameter.check)?.(text) ?? text;
    }
  }
}

/** The parameter of a name, if CONFIG SET may change it. */
function changeable(name: Bytes, mayChangeGuarded: boolean): Parameter {
  const parameter = findParameter(name);
  if (parameter === undefined) {
    throw new ConfigError(`Unknown option or number of arguments for CONFIG SET - '${name}'`);
  }
  if (parameter.fixed) throw refusal(name, "can't set immutable config");
  if (parameter.guarded && !mayChangeGuarded) throw refusal(name, "can't set protected config");
  return parameter;
}

function refusal(name: Bytes, reason: string): ConfigError {
  return new ConfigError(`CONFIG SET failed (possibly related to argument '${name}') - ${reason}`);
}

function checkedFlag(text: Bytes): Bytes {
  const lower = text.toLowerCase();
  if (lower !== 'yes' && lower !== 'no') throw new ConfigError("argument must be 'yes' or 'no'");
  return lower;
}

function checkedChoice(parameter: Parameter, text: Bytes): Bytes {
  const lower = text.toLowerCase();
  if (!parameter.choices!.includes(lower)) {
    throw new ConfigError(`argument(s) must be one of the following: ${parameter.choices!.join(', ')}`);
  }
  return lower;
}

function checkedInteger(parameter: Parameter, text: Bytes): Bytes {
  const value = parseInteger(text);
  if (value === undefined) throw new ConfigError("argument couldn't be parsed into an integer");
  return String(inRange(parameter, value));
}

function checkedMemory(parameter: Parameter, text: Bytes): Bytes {
  if (parameter.percent && text.endsWith('%')) {
    const percent = parseInteger(text.slice(0, -1));
    if (percent === undefined || percent < 0) throw new ConfigError('argument must be a memory or percent value');
    if (percent > 100) throw new ConfigError('percentage argument must be less or equal to 100');
    return percent === 0 ? '0' : `${percent}%`;
  }
  const bytes = memoryValue(text);
  if (parameter.percent && bytes !== undefined && bytes > INT64_MAX) {
    throw new ConfigError('percentage argument must be less or equal to 100');
  }
  if (bytes === undefined)
    throw new ConfigError(`argument must be a memory ${parameter.percent ? 'or percent ' : ''}value`);
  return String(inRange(parameter, bytes));
}

function inRange(parameter: Parameter, value: Int64): Int64 {
  const { least = 0, greatest = INT64_MAX, unsigned, clamp } = parameter;
  if (unsigned && (value < 0 || value > INT64_MAX)) throw new ConfigError('argument must be greater or equal to 0');
  if (value < least || value > greatest) {
    throw new ConfigError(`argument must be between ${least} and ${greatest} inclusive`);
  }
  if (clamp === undefined) return value;
  if (value < clamp[0]) return clamp[0];
  return value > clamp[1] ? clamp[1] : value;
}
