/** The options of a valve as its user writes them, and how they are read: everything that is wrong is named together. */
import { type Duration, LONGEST_DURATION, parseDuration, show } from './duration.js';
import { invalidOptions } from './errors.js';
import { type Algorithm, type Lease, Policy, type Rule, ruleLabel } from './policy.js';
import type { ValveStore } from './store.js';

export interface RuleOptions {
  /** How many cost units an interval allows: a positive integer. */
  readonly limit: number;
  /** `'250ms'`, `'1s'`, `'1m'`, `'7h'`, `'1h30m'`, or ms. */
  readonly interval: Duration;
  /** How many units may start back to back after a quiet time. Default 1. Without meaning for `fixed-window`. */
  readonly burst?: number;
  /** Default `gcra`: starts are spaced evenly. */
  readonly algorithm?: Algorithm;
  /** Tells rules apart that share algorithm and interval; needed with `scope`. */
  readonly name?: string;
  /** One state for each identity that jobs give in these dimensions. */
  readonly scope?: string | readonly string[];
}

export interface LeaseOptions {
  /** How many jobs may run at once, over all workers. */
  readonly max: number;
  /** After how long without a sign of life a worker's place is given back. */
  readonly ttl: Duration;
}

export type StoreErrorMode = 'reject' | 'wait';

export interface ValveOptions {
  /** Workers that share a name (and prefix) in a store share its quota. */
  readonly name: string;
  readonly store: ValveStore;
  readonly rate: RuleOptions | readonly RuleOptions[];
  readonly lease?: LeaseOptions;
  /** What all keys begin with. Default `valve`. */
  readonly prefix?: string;
  /** Whether jobs wait for a store that is away (default), up to their `maxWait`, or are rejected. */
  readonly onStoreError?: StoreErrorMode;
}

export interface CheckedOptions {
  readonly policy: Policy;
  readonly store: ValveStore;
  readonly onStoreError: StoreErrorMode;
}

/** The greatest limit, burst and lease. */
const GREATEST_COUNT = 1e12;
const DEFAULT_PREFIX = 'valve';

const VALVE_KEYS = new Set(['name', 'store', 'rate', 'lease', 'prefix', 'onStoreError']);
const RULE_KEYS = new Set(['limit', 'interval', 'burst', 'algorithm', 'name', 'scope']);
const LEASE_KEYS = new Set(['max', 'ttl']);

const NO_ROLLING =
  'an exact rolling window would have to keep every start and count them at each decision: ' +
  "use 'gcra', whose spacing bounds every window of one interval, or 'fixed-window', whose windows are aligned";
const NO_CALENDAR =
  'windows are aligned to 1970-01-01 00:00:00 UTC and know neither calendar, time zone, offset nor daylight saving: ' +
  "use a plain interval such as '24h', whose windows end at UTC midnight";

/** Names under which other libraries offer what a valve does not do. */
const REFUSED: readonly (readonly [pattern: RegExp, why: string])[] = [
  [/rolling|sliding|log|precise|exact/i, NO_ROLLING],
  [/zone|tz|offset|anchor|calendar|month|week|day|reset|start|align|local|dst|cron/i, NO_CALENDAR],
];

/** Checks the options of a valve. Throws one `INVALID_OPTIONS` that names all that is wrong. */
export function checkOptions(options: ValveOptions): CheckedOptions {
  if (!isRecord(options)) throw invalidOptions([`the options must be an object, not ${show(options)}`]);
  const problems: string[] = [];
  checkKeys(options, VALVE_KEYS, '', problems);
  const name = checkKeyPart(options.name, 'name', problems);
  const prefix = checkKeyPart(options.prefix ?? DEFAULT_PREFIX, 'prefix', problems);
  if (!isRecord(options.store) || typeof options.store.open !== 'function') {
    problems.push('store must be memoryStore(), ioredisStore(client) or nodeRedisStore(client)');
  }
  const onStoreError = options.onStoreError ?? 'wait';
  if (onStoreError !== 'wait' && onStoreError !== 'reject') {
    problems.push(`onStoreError must be 'wait' or 'reject', not ${show(onStoreError)}`);
  }
  const rules = checkRate(options.rate, problems);
  const lease = options.lease === undefined ? undefined : checkLease(options.lease, problems);
  if (problems.length > 0) throw invalidOptions(problems);
  return { policy: new Policy(name, prefix, rules, lease), store: options.store, onStoreError };
}

function checkRate(rate: unknown, problems: string[]): Rule[] {
  const list = Array.isArray(rate) ? rate : [rate];
  if (list.length === 0) problems.push('rate must hold at least one rule');
  const rules: Rule[] = [];
  list.forEach((rule, i) => {
    const before = problems.length;
    const checked = checkRule(rule, Array.isArray(rate) ? `rate[${i}]` : 'rate', problems);
    if (problems.length === before && checked !== undefined) rules.push(checked);
  });
  const seen = new Set<string>();
  for (const rule of rules) {
    const label = ruleLabel(rule);
    if (seen.has(label)) {
      problems.push(
        rule.name === undefined
          ? `two rules without a name share algorithm and interval (${label}): give them names`
          : `two rules share the name '${rule.name}'`,
      );
    }
    seen.add(label);
  }
  return rules;
}

function checkRule(rule: unknown, path: string, problems: string[]): Rule | undefined {
  if (!isRecord(rule)) {
    problems.push(`${path} must be a rule { limit, interval }, not ${show(rule)}`);
    return undefined;
  }
  checkKeys(rule, RULE_KEYS, `${path}.`, problems);
  const algorithm = checkAlgorithm(rule.algorithm ?? 'gcra', path, problems);
  const limit = checkCount(rule.limit, `${path}.limit`, problems);
  const burst = checkCount(rule.burst ?? 1, `${path}.burst`, problems);
  const interval = checkDuration(rule.interval, `${path}.interval`, problems);
  if (algorithm === 'gcra' && interval * Math.ceil(burst / limit) > LONGEST_DURATION) {
    problems.push(`${path}.burst takes longer than ${LONGEST_DURATION} ms to recover`);
  }
  const name = rule.name === undefined ? undefined : checkText(rule.name, `${path}.name`, problems);
  const scope = checkScope(rule.scope, path, problems);
  if (scope.length > 0 && name === undefined) problems.push(`${path}.scope needs a name beside it`);
  // The burst of a fixed window changes nothing, so policies that differ in it alone are the same.
  return { name, scope, algorithm, interval, limit, burst: algorithm === 'gcra' ? burst : 1 };
}

function checkAlgorithm(value: unknown, path: string, problems: string[]): Algorithm {
  if (value === 'gcra' || value === 'fixed-window') return value;
  const why = typeof value === 'string' ? refusal(value) : undefined;
  problems.push(`${path}.algorithm must be 'gcra' or 'fixed-window', not ${show(value)}${appended(why)}`);
  return 'gcra';
}

function checkScope(value: unknown, path: string, problems: string[]): string[] {
  if (value === undefined) return [];
  const dimensions: unknown[] = Array.isArray(value) ? value : [value];
  if (dimensions.length === 0) problems.push(`${path}.scope must name at least one dimension`);
  const checked = dimensions.map((dimension) => checkText(dimension, `${path}.scope`, problems)).sort();
  if (new Set(checked).size < checked.length) problems.push(`${path}.scope names a dimension twice`);
  return checked;
}

function checkLease(lease: unknown, problems: string[]): Lease | undefined {
  if (!isRecord(lease)) {
    problems.push(`lease must be { max, ttl }, not ${show(lease)}`);
    return undefined;
  }
  checkKeys(lease, LEASE_KEYS, 'lease.', problems);
  return {
    max: checkCount(lease.max, 'lease.max', problems),
    ttl: checkDuration(lease.ttl, 'lease.ttl', problems),
  };
}

function checkKeys(options: object, known: ReadonlySet<string>, path: string, problems: string[]): void {
  for (const key of Object.keys(options)) {
    if (known.has(key)) continue;
    problems.push(`${path}${key} is no option of a valve${appended(refusal(key))}`);
  }
}

function appended(why: string | undefined): string {
  return why === undefined ? '' : `: ${why}`;
}

/** Why a valve does not offer what this option or algorithm asks for, if it is one of those. */
function refusal(name: string): string | undefined {
  return REFUSED.find(([pattern]) => pattern.test(name))?.[1];
}

function checkCount(value: unknown, path: string, problems: string[]): number {
  if (isCount(value)) return value;
  problems.push(`${path} must be a whole number from 1 to ${GREATEST_COUNT}, not ${show(value)}`);
  return 1;
}

/** Whether a value is a positive integer that limits and costs may have. */
export function isCount(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 1 && (value as number) <= GREATEST_COUNT;
}

function checkDuration(value: unknown, path: string, problems: string[]): number {
  const ms = parseDuration(value);
  if (typeof ms === 'number') return ms;
  problems.push(`${path} ${ms}`);
  return 1;
}

function checkText(value: unknown, path: string, problems: string[]): string {
  if (isText(value)) return value;
  problems.push(`${path} must be a text that is not empty, not ${show(value)}`);
  return '';
}

/** Whether a value may be a name or an identity: a string, not empty, that UTF-8 can express. */
export function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && !/\p{Surrogate}/u.test(value);
}

/** A part of key names: without braces, so that the hash tag is where the valve puts it. */
function checkKeyPart(value: unknown, path: string, problems: string[]): string {
  const text = checkText(value, path, problems);
  if (/[{}]/.test(text)) problems.push(`${path} must be without braces, not ${show(text)}`);
  return text;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return isObject(value);
}

export function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
