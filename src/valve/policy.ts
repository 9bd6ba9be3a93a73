/** The checked rules of a valve: what they are called in the store, and the text that tells one policy from another. */

export type Algorithm = 'gcra' | 'fixed-window';

export interface Rule {
  readonly name: string | undefined;
  /** Dimensions in alphabetical order; empty for a rule with one state. */
  readonly scope: readonly string[];
  readonly algorithm: Algorithm;
  /** Milliseconds. */
  readonly interval: number;
  readonly limit: number;
  readonly burst: number;
}

export interface Lease {
  readonly max: number;
  /** Milliseconds. */
  readonly ttl: number;
}

/** The version of the fingerprint's text and of the states that scripts write. */
const VERSION = 1;

export class Policy {
  /** In the order of the fingerprint, whatever order they were given in. */
  readonly rules: readonly Rule[];
  /** The complete policy as a text: equal texts, equal policies. */
  readonly fingerprint: string;
  readonly policyKey: string;
  readonly leaseKey: string;
  /** All dimensions that rules are scoped by, in alphabetical order. */
  readonly dimensions: readonly string[];
  /** The greatest cost that every rule could admit. */
  readonly greatestCost: number;
  private readonly base: string;

  constructor(
    readonly name: string,
    prefix: string,
    rules: readonly Rule[],
    readonly lease: Lease | undefined,
  ) {
    this.rules = [...rules].sort((a, b) => compare(ruleLabel(a), ruleLabel(b)));
    this.fingerprint = JSON.stringify({ version: VERSION, rules: this.rules.map(canonicalRule), lease: lease ?? null });
    this.base = `${prefix}:{${name}}`;
    this.policyKey = `${this.base}:policy`;
    this.leaseKey = `${this.base}:lease`;
    this.dimensions = [...new Set(this.rules.flatMap((rule) => rule.scope))].sort();
    this.greatestCost = Math.min(...this.rules.map((rule) => (rule.algorithm === 'gcra' ? rule.burst : rule.limit)));
  }

  /** The keys of the rules' states, in their order, for a job of this identity. */
  stateKeys(identity: Readonly<Record<string, string>>): string[] {
    return this.rules.map((rule) => {
      if (rule.name === undefined) return `${this.base}:${rule.algorithm}:${rule.interval}`;
      const key = `${this.base}:rule:${encodeURIComponent(rule.name)}`;
      if (rule.scope.length === 0) return key;
      return `${key}:${rule.scope.map((dimension) => pair(dimension, identity[dimension]!)).join('&')}`;
    });
  }

  /** What differs between the policy that the store holds and this one, a sentence each. */
  differencesFrom(stored: string): string[] {
    const theirs = parseFingerprint(stored);
    if (theirs === undefined) return ['the store holds a policy that this version of the library cannot read'];
    const differences: string[] = [];
    const theirRules = new Map(theirs.rules.map((rule) => [ruleLabel(rule), rule]));
    for (const rule of this.rules) {
      const label = ruleLabel(rule);
      const other = theirRules.get(label);
      theirRules.delete(label);
      if (other === undefined) differences.push(`${label} is not in the store's policy`);
      else differences.push(...fieldDifferences(label, canonicalRule(rule), canonicalRule(other)));
    }
    for (const label of theirRules.keys()) differences.push(`${label} is in the store's policy only`);
    differences.push(...fieldDifferences('lease', { ...this.lease }, { ...theirs.lease }));
    return differences;
  }
}

/** What a rule is known by: its name, or its algorithm and interval. */
export function ruleLabel(rule: Rule): string {
  return rule.name === undefined ? `rule ${rule.algorithm}/${rule.interval}ms` : `rule '${rule.name}'`;
}

interface Canonical {
  readonly rules: readonly Rule[];
  readonly lease: Lease | null;
}

/** The rule with its fields in one order. */
function canonicalRule({ name, scope, algorithm, interval, limit, burst }: Rule): Rule {
  return { name, scope, algorithm, interval, limit, burst };
}

function parseFingerprint(text: string): Canonical | undefined {
  try {
    const { version, rules, lease } = JSON.parse(text) as Canonical & { version: number };
    return version === VERSION ? { rules, lease } : undefined;
  } catch {
    return undefined;
  }
}

function fieldDifferences(label: string, ours: object, theirs: object): string[] {
  const [mine, other] = [new Map(Object.entries(ours)), new Map(Object.entries(theirs))];
  const fields = [...new Set([...mine.keys(), ...other.keys()])];
  return fields
    .map((field) => ({ field, here: word(mine.get(field)), there: word(other.get(field)) }))
    .filter(({ here, there }) => here !== there)
    .map(({ field, here, there }) => `${label}: ${field} is ${here} here and ${there} in the store`);
}

function word(value: unknown): string {
  if (value === undefined) return 'not set';
  return Array.isArray(value) ? `[${value.join(', ')}]` : String(value);
}

function pair(dimension: string, value: string): string {
  return `${encodeURIComponent(dimension)}=${encodeURIComponent(value)}`;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
