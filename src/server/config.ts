/** The configuration of one server: values by parameter name, their checks, and who is told when one changes. */
import { compileGlob } from '../protocol/glob.js';
import { parseInteger } from '../protocol/numbers.js';
import type { Bytes } from '../protocol/reply.js';
import { PARAMETERS, type Parameter } from './config-parameters.js';

/** Checks and normalises the text of a parameter whose form is its own; throws a ConfigError. */
export type SpecialCheck = (text: Bytes) => Bytes;

/** A value that a parameter cannot take. The message is the reason as Redis words it. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

const BY_NAME = new Map<string, Parameter>();
for (const parameter of PARAMETERS) {
  BY_NAME.set(parameter.name, parameter);
  if (parameter.alias !== undefined) BY_NAME.set(parameter.alias, parameter);
}

export function findParameter(name: Bytes): Parameter | undefined {
  return BY_NAME.get(name.toLowerCase());
}

export class Config {
  private readonly texts = new Map<string, Bytes>();
  private readonly numbers = new Map<string, number>();
  private readonly watchers = new Map<string, () => void>();
  private readonly checks = new Map<string, SpecialCheck>();

  constructor() {
    for (const parameter of PARAMETERS) this.store(parameter, parameter.default);
  }

  text(name: string): Bytes {
    return this.texts.get(name)!;
  }

  /** The value of an integer or memory parameter. */
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

  /** Gives a `special` parameter its check. */
  checkWith(name: string, check: SpecialCheck): void {
    this.checks.set(name, check);
  }

  /** Sets a parameter from text, fixed ones too: the way of the command line and the config file. Throws a ConfigError. */
  setAtStart(name: Bytes, text: Bytes): void {
    const parameter = findParameter(name);
    if (parameter === undefined) throw new ConfigError(`unknown parameter '${name}'`);
    this.store(parameter, this.checked(parameter, text));
    this.watchers.get(parameter.name)?.();
  }

  /** Sets several parameters, all or none. Throws a ConfigError whose message is preceded by the parameter's name. */
  setAll(pairs: readonly (readonly [Parameter, Bytes])[]): void {
    const values = pairs.map(([parameter, text]) => {
      try {
        return this.checked(parameter, text);
      } catch (problem) {
        if (!(problem instanceof ConfigError)) throw problem;
        throw new ConfigError(
          `CONFIG SET failed (possibly related to argument '${parameter.name}') - ${problem.message}`,
        );
      }
    });
    pairs.forEach(([parameter], i) => {
      this.store(parameter, values[i]!);
    });
    for (const apply of new Set(pairs.map(([parameter]) => this.watchers.get(parameter.name)))) apply?.();
  }

  /** Name and value of all parameters (under each of their names) that a pattern fits, without case. */
  matching(patterns: readonly Bytes[]): Map<Bytes, Bytes> {
    const found = new Map<Bytes, Bytes>();
    for (const pattern of patterns) {
      const fits = compileGlob(pattern.toLowerCase());
      for (const [name, parameter] of BY_NAME) if (fits(name)) found.set(name, this.texts.get(parameter.name)!);
    }
    return found;
  }

  /** Back to the defaults is no command of Redis; a config file line for each value that is not the default is. */
  changedFromDefault(): Map<string, Bytes> {
    const changed = new Map<string, Bytes>();
    for (const { name, default: initial } of PARAMETERS) {
      const text = this.texts.get(name)!;
      if (text !== initial) changed.set(name, text);
    }
    return changed;
  }

  private store(parameter: Parameter, text: Bytes): void {
    this.texts.set(parameter.name, text);
    if (parameter.kind === 'integer' || parameter.kind === 'memory') this.numbers.set(parameter.name, Number(text));
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
        return this.checks.get(parameter.name)?.(text) ?? text;
    }
  }
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
  return String(inRange(parameter, Number(value)));
}

function checkedMemory(parameter: Parameter, text: Bytes): Bytes {
  const value = parseMemory(text);
  if (value === undefined) {
    if (parameter.name === 'maxmemory-clients' && /^\d{1,2}%$|^100%$/.test(text)) return text;
    throw new ConfigError('argument must be a memory value');
  }
  return String(inRange(parameter, value));
}

function inRange(parameter: Parameter, value: number): number {
  const { least = 0, greatest = Number.MAX_SAFE_INTEGER } = parameter;
  if (value < least || value > greatest) {
    throw new ConfigError(`argument must be between ${least} and ${greatest} inclusive`);
  }
  return value;
}

const MEMORY_UNITS: Record<string, number> = {
  '': 1,
  b: 1,
  k: 1000,
  kb: 1024,
  m: 1_000_000,
  mb: 1024 ** 2,
  g: 1_000_000_000,
  gb: 1024 ** 3,
};

/** Bytes from a number with an optional unit (`100mb`, `1g`), or undefined. */
export function parseMemory(text: Bytes): number | undefined {
  const parts = /^(\d+)([a-z]*)$/i.exec(text);
  const unit = MEMORY_UNITS[parts?.[2]?.toLowerCase() ?? 'x'];
  return parts === null || unit === undefined ? undefined : Number(parts[1]) * unit;
}
