/** `npm run docs`: writes docs/commands.md and the table of the README. Runs in the root of the repository. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { commandRows } from '../src/commands/all.js';
import { commandPage, withCommandTable } from './command-page.js';

writeFileSync('docs/commands.md', commandPage(commandRows));
if (existsSync('README.md')) {
  writeFileSync('README.md', withCommandTable(readFileSync('README.md', 'utf8'), commandRows));
}
