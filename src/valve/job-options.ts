/** The options of a job, and how they are read. */
import { type Duration, parseDuration, show } from './duration.js';
import { invalidOptions } from './errors.js';
import { isCount, isObject, isText } from './options.js';

export interface JobOptions {
  /** Cost units of the job: a positive integer. Default 1. */
  readonly cost?: number;
  /** The job's identity in every dimension that a rule's `scope` names. */
  readonly scope?: Readonly<Record<string, string>>;
}

export interface RunOptions extends JobOptions {
  /** Aborting it while the job waits rejects the job with `ABORTED`; nothing is spent. */
  readonly signal?: AbortSignal;
  /** The longest wait for the start. Default: any. */
  readonly maxWait?: Duration;
}

export interface CheckedJobOptions {
  readonly cost: number;
  readonly scope: Readonly<Record<string, string>>;
  readonly signal: AbortSignal | undefined;
  /** Milliseconds. */
  readonly maxWait: number | undefined;
}

const NO_SCOPE: Readonly<Record<string, string>> = {};

/** Checks a job's options; `dimensions` are those it needs an identity in. Throws one `INVALID_OPTIONS` that names all that is wrong. */
export function checkJobOptions(options: RunOptions, dimensions: readonly string[]): CheckedJobOptions {
  if (!isObject(options)) throw invalidOptions([`the options of a job must be an object, not ${show(options)}`]);
  const { cost = 1, scope = NO_SCOPE, signal, maxWait } = options;
  const problems: string[] = [];
  if (!isCount(cost)) problems.push(`cost must be a positive whole number, not ${show(cost)}`);
  if (!isObject(scope)) problems.push(`scope must be an object, not ${show(scope)}`);
  else problems.push(...dimensions.filter((dimension) => !isText(scope[dimension])).map(missingIdentity));
  if (signal !== undefined && !(signal instanceof AbortSignal)) problems.push('signal must be an AbortSignal');
  const longest = maxWait === undefined ? undefined : parseDuration(maxWait, 0);
  if (typeof longest === 'string') problems.push(`maxWait ${longest}`);
  if (problems.length > 0) throw invalidOptions(problems);
  return { cost, scope, signal, maxWait: longest as number | undefined };
}

function missingIdentity(dimension: string): string {
  return `scope.${dimension} must be a text that is not empty: a rule keeps one state for each`;
}
