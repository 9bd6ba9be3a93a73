/** The package as npm publishes it: packed, installed into an empty folder, started from there. */
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startEmulator } from '../support/emulator.js';
import { runOk } from '../support/process.js';
import { PROJECT_ROOT } from '../support/project.js';
import { connectRaw } from '../support/resp-client.js';

const LARGEST_INSTALL_BYTES = 8 * 1024 * 1024;
const INSTALL_TIMEOUT_MS = 120_000;

describe('the packed package', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hotkv-package-'));
  const modules = join(folder, 'node_modules');
  const installed = join(modules, 'hotkv-emulator');

  beforeAll(async () => {
    const pack = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder];
    const [{ filename }] = JSON.parse(await runOk('npm', pack, { cwd: PROJECT_ROOT })) as [{ filename: string }];
    writeFileSync(join(folder, 'package.json'), '{ "private": true }');
    const install = ['install', '--prefer-offline', '--no-audit', '--no-fund', join(folder, filename)];
    await runOk('npm', install, { cwd: folder, timeoutMs: INSTALL_TIMEOUT_MS });
  }, INSTALL_TIMEOUT_MS);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('starts a server that answers', async () => {
    const server = await startEmulator([], { launcher: join(installed, 'bin', 'hotkv-emulator.js') });
    const client = await connectRaw(server.port);
    expect((await client.call('PING')).wire).toBe('+PONG\r\n');
    client.close();
    await server.stop();
  });

  it('is a command and a library with declarations', async () => {
    expect(await runOk(join(modules, '.bin', 'hotkv-emulator'), ['--version'])).toMatch(/^\d+\.\d+\.\d+\n$/);
    const program =
      "import { startServer } from 'hotkv-emulator';" +
      "const server = await startServer({ port: 0, clock: 'frozen' });" +
      "console.log(await server.call('SET', 'k', 'v'));" +
      'await server.close();';
    writeFileSync(join(folder, 'use.mjs'), program);
    expect(await runOk(process.execPath, ['use.mjs'], { cwd: folder, timeoutMs: 10_000 })).toBe('OK\n');
    expect(statSync(join(installed, 'dist', 'index.d.ts')).size).toBeGreaterThan(0);
  });

  it('takes at most 8 MB with all that it depends on', () => {
    expect(sizeOf(modules)).toBeLessThanOrEqual(LARGEST_INSTALL_BYTES);
  });

  it('holds what is needed and nothing else', () => {
    const files = readdirSync(installed).sort();
    expect(files).toEqual(expect.arrayContaining(['LICENSE', 'bin', 'dist', 'package.json']));
    expect(files.filter((name) => !['LICENSE', 'README.md', 'bin', 'dist', 'package.json'].includes(name))).toEqual([]);
  });
});

function sizeOf(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.reduce((sum, file) => sum + statSync(join(file.parentPath, file.name)).size, 0);
}
