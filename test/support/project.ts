/** Where things stand in the repository, found from any compiled or source file of it. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The repository's top folder. */
export const PROJECT_ROOT = findRoot(import.meta.dirname);

/** What the tests install for themselves: oracles, the Python environment, the compiled tools. Ignored by git. */
export const TOOLS_DIR = join(PROJECT_ROOT, '.tools');

/** The folder with the shared cases and suites, a neighbour of the repository; absent in a bare clone. */
export const SHARED_DIR = join(PROJECT_ROOT, '..', 'shared');

/** The command-line program that `npm run build` makes usable. */
export const LAUNCHER = join(PROJECT_ROOT, 'bin', 'hotkv-emulator.js');

function findRoot(start: string): string {
  let folder = start;
  while (!isProject(folder)) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error(`no package.json of hotkv-emulator above ${start}`);
    folder = parent;
  }
  return folder;
}

function isProject(folder: string): boolean {
  const file = join(folder, 'package.json');
  return existsSync(file) && JSON.parse(readFileSync(file, 'utf8')).name === 'hotkv-emulator';
}
