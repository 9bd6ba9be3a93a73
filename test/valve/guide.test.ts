/** Every example of docs/valve.md is run as it stands there, from the built package. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Emulator, startEmulator } from '../support/emulator.js';
import { runOk } from '../support/process.js';
import { PROJECT_ROOT } from '../support/project.js';

const GUIDE = join(PROJECT_ROOT, 'docs', 'valve.md');
const examples = [...readFileSync(GUIDE, 'utf8').matchAll(/^```js\n(.*?)^```$/gms)].map((match) => match[1]!);

/** What each example prints, in their order. */
const PRINTED = [
  'what the provider says\n',
  "{ admitted: true, value: 'sent' }\ntrue rule 'each-tenant'\n",
  'WAIT_TOO_LONG\n',
  "2 Set(1) { 'written' }\n",
  'rule gcra/1000ms: limit is 20 here and 10 in the store\npaced by the new rule\n',
  '[ 0, 1, 2 ]\n',
];

describe('the guide', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hotkv-guide-'));
  let server: Emulator;
  beforeAll(async () => {
    writeFileSync(join(folder, 'package.json'), '{ "private": true }');
    mkdirSync(join(folder, 'node_modules'));
    symlinkSync(PROJECT_ROOT, join(folder, 'node_modules', 'hotkv-emulator'));
    symlinkSync(join(PROJECT_ROOT, 'node_modules', 'ioredis'), join(folder, 'node_modules', 'ioredis'));
    server = await startEmulator();
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true });
    await server?.stop();
  });

  it('has as many examples as are expected here', () => expect(examples).toHaveLength(PRINTED.length));

  it.each(PRINTED.map((printed, i) => [i + 1, printed] as const))('example %i', async (number, printed) => {
    const file = join(folder, `example-${number}.mjs`);
    writeFileSync(file, examples[number - 1]!);
    const env = { ...process.env, STORE_URL: `redis://127.0.0.1:${server.port}` };
    expect(await runOk(process.execPath, [file], { env, timeoutMs: 15_000 })).toBe(printed);
  });
});
