/** The generated texts are those that are in the repository. */
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { commandPage, withCommandTable } from '../../scripts/command-page.js';
import { commandRows } from '../../src/commands/all.js';

test('docs/commands.md is up to date (npm run docs)', () => {
  expect(readFileSync('docs/commands.md', 'utf8')).toBe(commandPage(commandRows));
});

test.runIf(existsSync('README.md'))('the table of the README is up to date (npm run docs)', () => {
  const readme = readFileSync('README.md', 'utf8');
  expect(withCommandTable(readme, commandRows)).toBe(readme);
});

test('every command is on the page', () => {
  const page = commandPage(commandRows);
  for (const { name, subcommands = [] } of commandRows) {
    const names = [name, ...subcommands.map((sub) => `${name} ${sub.name}`)];
    for (const each of names) expect(page).toMatch(new RegExp(`^- \`${each.toUpperCase()}[\` ]`, 'm'));
  }
});
