/** The official HotKV Python client: its typed methods, sync and asyncio, in RESP2 and RESP3. */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeWith } from '../support/describe-with.js';
import { type Emulator, startEmulator } from '../support/emulator.js';
import { run } from '../support/process.js';
import { requireTool } from '../support/tools.js';

/** Groups of the client's methods, as the script names them: on a clock that stands, and on one that runs. */
const FROZEN = ['gcra', 'core', 'ops', 'agents', 'caches', 'accounting', 'strings', 'keys'];
const RUNNING = [
  ...['hashes', 'lists', 'sets', 'sorted-sets', 'streams', 'bitmaps', 'geo', 'hyperloglog'],
  ...['scans', 'scripts', 'server'],
];
const SCRIPT = join(import.meta.dirname, 'hotkv_client.py');

describeWith('the official Python client', ['python'], () => {
  let frozen: Emulator;
  let running: Emulator;
  beforeAll(async () => {
    frozen = await startEmulator(['--clock', 'frozen']);
    running = await startEmulator();
  });
  afterAll(async () => {
    await frozen?.stop();
    await running?.stop();
  });

  for (const group of [...FROZEN, ...RUNNING]) {
    for (const mode of ['sync', 'asyncio']) {
      for (const resp of ['2', '3']) {
        it(`${group}, ${mode}, RESP${resp}`, async () => {
          const flags = [
            '--port',
            String((FROZEN.includes(group) ? frozen : running).port),
            '--group',
            group,
            '--mode',
            mode,
            '--resp',
            resp,
          ];
          const { code, stdout, stderr } = await run(requireTool('python'), [SCRIPT, ...flags]);
          expect(code, stdout + stderr).toBe(0);
        });
      }
    }
  }
});
