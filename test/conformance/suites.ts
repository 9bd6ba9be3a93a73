/** Runs the outside suites of the shared folder against our built server. */
import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { startEmulator } from '../support/emulator.js';
import { freePort } from '../support/oracles.js';
import { LAUNCHER, SHARED_DIR } from '../support/project.js';
import type { Suite } from './ratchet.js';

export interface Count {
  readonly passed: number;
  readonly failed: number;
}

/** Whether the shared folder is beside the repository. */
export function sharedIsThere(): boolean {
  return existsSync(join(SHARED_DIR, 'tools'));
}

/** Runs a suite, printing what it prints, and returns what its last line counts. */
export function runSuite(suite: Suite, extra: readonly string[] = []): Promise<Count> {
  return suite === 'cases' ? runCases(extra) : runTclSuite(extra);
}

async function runCases(extra: readonly string[]): Promise<Count> {
  const folder = join(SHARED_DIR, 'cases');
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => join(folder, name));
  return onFreshServer((port) => runTool('run-cases', ['--port', String(port), ...extra, ...files]));
}

/** A fresh server for every unit: a test that fails half-way leaves its settings behind, and the next unit with them. */
async function runTclSuite(extra: readonly string[]): Promise<Count> {
  const launch = `${process.execPath} ${LAUNCHER} --port {port} --loglevel warning`;
  const port = String(await freePort());
  return runTool('redis-tcl-suite', ['--port', port, '--server-cmd', launch, '--fast', '--verbose', ...extra]);
}

async function onFreshServer(test: (port: number) => Promise<Count>): Promise<Count> {
  const server = await startEmulator();
  try {
    return await test(server.port);
  } finally {
    await server.stop();
  }
}

/** Runs a Python program of the shared tools. Its exit code says less than its count: failures are expected there. */
function runTool(name: string, args: readonly string[]): Promise<Count> {
  return new Promise((resolve, reject) => {
    const child = spawn('python3', [join(SHARED_DIR, 'tools', name), ...args], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      process.stdout.write(text);
      output += text;
    });
    child.on('error', reject);
    child.on('close', (code) => {
      const line = /^(\d+) passed, (\d+) failed$/m.exec(output.trimEnd().split('\n').at(-1) ?? '');
      if (line === null) reject(new Error(`${name} ended with ${code} and without a count`));
      else resolve({ passed: Number(line[1]), failed: Number(line[2]) });
    });
  });
}
