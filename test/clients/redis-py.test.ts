/** redis-py: every family of commands, sync and asyncio, in RESP2 and RESP3. */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeWith } from '../support/describe-with.js';
import { type Emulator, startEmulator } from '../support/emulator.js';
import { run } from '../support/process.js';
import { requireTool } from '../support/tools.js';

const SCRIPT = join(import.meta.dirname, 'redis_py.py');

describeWith('redis-py', ['python'], () => {
  let server: Emulator;
  beforeAll(async () => {
    server = await startEmulator();
  });
  afterAll(() => server?.stop());

  for (const mode of ['sync', 'asyncio']) {
    for (const resp of ['2', '3']) {
      it(`${mode}, RESP${resp}`, async () => {
        const flags = ['--port', String(server.port), '--mode', mode, '--resp', resp];
        const { code, stdout, stderr } = await run(requireTool('python'), [SCRIPT, ...flags]);
        expect(code, stdout + stderr).toBe(0);
      }, 60_000);
    }
  }
});
