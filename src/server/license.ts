/**
 * Which of HotKV's licensed families are there. The real server answers a command that its licence does not include with
 * an error whose first word is NOLICENSE (official client 1.0.0); here everything is included unless a test wants to see
 * the other path: `--license`, `EMULATOR LICENSE`.
 */
import { ConfigError } from '../protocol/problems.js';
import { ErrorReply } from '../protocol/reply.js';
import type { Command } from './command-table.js';

/** What the names of a family's commands begin with. The longer ones stand before those that they begin with. */
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
  'amem.summary',
  'amem',
  'embed.dedup',
  'rag',
  'ratelimit',
  'ts',
  'feature',
  'observe',
  'alerts',
] as const;

/** Commands without a family of their own that need the full licence. */
const VSIM_SNAPSHOTS: readonly string[] = ['vsim.save', 'vsim.load', 'vsim.list', 'vsim.drop'];
const VSIM_FAMILY = 'vsim.snapshots';

export type LicenseFamily = (typeof FAMILIES)[number] | typeof VSIM_FAMILY;

const ALL_FAMILIES: readonly LicenseFamily[] = [...FAMILIES, VSIM_FAMILY];

/** The family that a command needs a licence for; undefined: it needs none. */
export function familyOf(commandName: string): LicenseFamily | undefined {
  if (VSIM_SNAPSHOTS.includes(commandName)) return VSIM_FAMILY;
  return FAMILIES.find((family) => commandName === family || commandName.startsWith(`${family}.`));
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
   * among them. In any case.
   * @throws ConfigError when a name is unknown; it lists those that there are.
   */
  set(text: string): void {
    const names = text.toLowerCase().split(',');
    if (names.length === 1 && names[0] === 'full') this.included = new Set(ALL_FAMILIES);
    else if (names.length === 1 && names[0] === 'none') this.included = new Set();
    else this.included = new Set(names.filter((name) => name !== 'core').map(checkedFamily));
    this.restricted = this.included.size < ALL_FAMILIES.length;
  }

  /** The error for a command that is not included, undefined for all others. */
  refusal(command: Command): ErrorReply | undefined {
    if (!this.restricted) return undefined;
    const { licenseFamily } = command;
    if (licenseFamily === undefined || this.included.has(licenseFamily)) return undefined;
    return new ErrorReply(
      `NOLICENSE '${command.fullName}' needs a license for ${licenseFamily}, which the emulator was told not to have`,
    );
  }
}

function checkedFamily(name: string): LicenseFamily {
  const family = ALL_FAMILIES.find((known) => known === name);
  if (family !== undefined) return family;
  const known = ALL_FAMILIES.join(', ');
  throw new ConfigError(`unknown license '${name}': must be full, none, or any of core, ${known}`);
}
