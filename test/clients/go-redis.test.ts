/** go-redis: the Go tests in `go/`, every family of commands in RESP2 and RESP3. */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeWith } from '../support/describe-with.js';
import { type Emulator, startEmulator } from '../support/emulator.js';
import { run } from '../support/process.js';
import { requireTool } from '../support/tools.js';

const MODULE = join(import.meta.dirname, 'go');
/** The first run downloads and compiles the client. */
const TIMEOUT_MS = 300_000;

describeWith('go-redis', ['go'], () => {
  let server: Emulator;
  beforeAll(async () => {
    server = await startEmulator();
  });
  afterAll(() => server?.stop());

  it(
    'every family of commands',
    async () => {
      const env = { ...process.env, HOTKV_TEST_ADDRESS: `127.0.0.1:${server.port}` };
      const args = ['test', '-count=1', '-v', './...'];
      const { code, stdout, stderr } = await run(requireTool('go'), args, { cwd: MODULE, env, timeoutMs: TIMEOUT_MS });
      expect(code, stdout + stderr).toBe(0);
      expect(stdout.match(/^ {4}--- PASS/gm)).toHaveLength(30);
    },
    TIMEOUT_MS,
  );
});
