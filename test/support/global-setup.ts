/** Before the first test: the oracles where they may be installed, and a build that is not older than the sources. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { installOracles } from './install-oracles.js';
import { run } from './process.js';
import { PROJECT_ROOT } from './project.js';

export async function setup(): Promise<void> {
  if (process.env.CI === 'true' || process.env.HOTKV_TEST_INSTALL === '1') await installOracles();
  if (isBuildStale()) await build();
}

/** Tests of the command line and of clients run what is built, also when vitest is started by hand. */
async function build(): Promise<void> {
  const tsc = join(PROJECT_ROOT, 'node_modules', '.bin', 'tsc');
  const { code, stdout } = await run(tsc, ['-p', 'tsconfig.build.json'], { cwd: PROJECT_ROOT });
  if (code !== 0) console.warn(`The build has errors:\n${stdout}`);
}

function isBuildStale(): boolean {
  const built = join(PROJECT_ROOT, 'dist', 'index.js');
  return !existsSync(built) || statSync(built).mtimeMs < newest(join(PROJECT_ROOT, 'src'));
}

function newest(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Math.max(0, ...files.map((file) => statSync(join(file.parentPath, file.name)).mtimeMs));
}
