/**
 * Which of HotKV's licensed families are there. The real server answers a command that its licence does not include with
 * an error whose first word is NOLICENSE (official client 1.0.0); here everything is included unless a test wants to see
 * the other path: `--license`, `EMULATOR LICENSE`.
 */
import { ConfigError } from '../protocol/problems.js';
import { ErrorReply } from '../protocol/reply.js';
import type { Command } from './command-table.js';

/** The families that a licence may name: what the names of their commands begin with. */
const FAMILIES = [
  'scache',
  'pcache',
  'tool.cache',
  'ncache',
  'guard',
  'rerank',
  'llmstats',
  'llmbudget',
  'prompt',
  'amem',
  'rag',
  'ratelimit',
  'ts',
  'feature',
  'observe',
  'alerts',
] as const;

const VSIM_FAMILY = 'vsim.snapshots';
/** The snapshots' names have no beginning of their own. */
const VSIM_SNAPSHOTS: readonly string[] = ['vsim.save', 'vsim.load', 'vsim.list', 'vsim.drop'];

/** Only the full licence includes these (official client 1.0.0). */
const FULL_ONLY = [VSIM_FAMILY, 'amem.summary', 'embed.dedup'] as const;

export type LicenseFamily = (typeof FAMILIES)[number] | (typeof FULL_ONLY)[number];

/** Those of the full licence come first: AMEM.SUMMARY is not of the family of AMEM. */
const ALL_FAMILIES: readonly LicenseFamily[] = [...FULL_ONLY, ...FAMILIES];

/** The family that a command needs a licence for; undefined: it needs none. */
export function familyOf(commandName: string): LicenseFamily | undefined {
  if (VSIM_SNAPSHOTS.includes(commandName)) return VSIM_FAMILY;
  return ALL_FAMILIES.find((family) => commandName === family || commandName.startsWith(`${family}.`));
}

export class License {
  private included: ReadonlySet<string> = new Set(ALL_FAMILIES);
  /** Whether there is anything that it does not include. */
  restricted = false;

  /** `full`, `none`, or the families with commas between. */
  get text(): string {
    if (!this.restricted) return 'full';
    return this.included.size === 0 ? 'none' : ALL_FAMILIES.filter((family) => this.included.has(family)).join(',');
  }

  /**
   * Takes `full`, `none`, or names of families separated by commas; `core`, the commands that need no licence, may stand
   * among them. In any case. Families of the full licence cannot be named.
   * @throws ConfigError when a name is unknown; it lists those that there are.
   */
  set(text: string): void {
    const names = text.toLowerCase().split(',');
    if (names.length === 1 && names[0] === 'full') this.included = new Set(ALL_FAMILIES);
    else if (names.length === 1 && names[0] === 'none') this.included = new Set();
    else this.included = new Set(names.filter((name) => name !== 'core').map(checkedFamily));
    this.restricted = this.included.size < ALL_FAMILIES.length;
  }

  /** The error for a command that is not included, which tells what would include it; undefined for all others. */
  refusal(command: Command): ErrorReply | undefined {
    if (!this.restricted) return undefined;
    const { licenseFamily } = command;
    if (licenseFamily === undefined || this.included.has(licenseFamily)) return undefined;
    const fullOnly = FULL_ONLY.some((family) => family === licenseFamily);
    const license = fullOnly ? 'the full license' : 'a license';
    const remedy = fullOnly ? 'full' : [...this.included, licenseFamily].join(',');
    return new ErrorReply(
      `NOLICENSE '${command.fullName}' needs ${license} for ${licenseFamily}: EMULATOR LICENSE ${remedy} or --license ${remedy} switches it on`,
    );
  }
}

function checkedFamily(name: string): LicenseFamily {
  const family = FAMILIES.find((known) => known === name);
  if (family !== undefined) return family;
  throw new ConfigError(
    `unknown license '${name}': must be full or none alone, or any of core, ${FAMILIES.join(', ')}; only full includes ${FULL_ONLY.join(', ')}`,
  );
}
