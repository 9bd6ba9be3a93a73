/** The official HotKV Python client: its typed methods, sync and asyncio, in RESP2 and RESP3. */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeWith } from '../support/describe-with.js';
import { type Emulator, startEmulator } from '../support/emulator.js';
import { run } from '../support/process.js';
import { requireTool } from '../support/tools.js';

const SCRIPT = join(import.meta.dirname, 'hotkv_client.py');

describeWith('the official Python client', ['python'], () => {
  let server: Emulator;
  beforeAll(async () => {
    server = await startEmulator(['--clock', 'frozen']);
  });
  afterAll(() => server?.stop());

  for (const group of ['gcra', 'strings', 'keys', 'core', 'ops', 'agents', 'caches']) {
    for (const mode of ['sync', 'asyncio']) {
      for (const resp of ['2', '3']) {
        it(`${group}, ${mode}, RESP${resp}`, async () => {
          const flags = ['--port', String(server.port), '--group', group, '--mode', mode, '--resp', resp];
          const { code, stdout, stderr } = await run(requireTool('python'), [SCRIPT, ...flags]);
          expect(code, stdout + stderr).toBe(0);
        });
      }
    }
  }
});
