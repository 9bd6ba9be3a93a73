/** What is built on the official Python client: LangGraph's saver and store, the MCP server, the integrations. */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeWith } from '../support/describe-with.js';
import { type Emulator, startEmulator } from '../support/emulator.js';
import { run } from '../support/process.js';
import { requireTool } from '../support/tools.js';

/** The scripts, each with the number of checks that it makes. */
const SCRIPTS = {
  checkpointer: 2 * 81,
  store: 2 * 5,
  mcp_server: 28 + 3,
  integrations: 12,
} as const;

/** LiteLLM looks for a newer price list in the network otherwise. */
const OFFLINE = { LITELLM_LOCAL_MODEL_COST_MAP: 'True' };

const SCRIPT_TIMEOUT_MS = 120_000;

interface Check {
  readonly check: string;
  readonly error: string | null;
}

describeWith("packages on HotKV's Python client", ['python-packages'], () => {
  let server: Emulator;
  beforeAll(async () => {
    server = await startEmulator(['--clock', 'frozen']);
  });
  afterAll(() => server?.stop());

  for (const [script, count] of Object.entries(SCRIPTS)) {
    it(
      `${script}: ${count} checks`,
      async () => {
        const file = join(import.meta.dirname, 'hotkv-packages', `${script}.py`);
        const flags = [file, '--port', String(server.port)];
        const { code, stdout, stderr } = await run(requireTool('python-packages'), flags, {
          env: { ...process.env, ...OFFLINE },
          timeoutMs: SCRIPT_TIMEOUT_MS,
        });
        const checks = stdout
          .split('\n')
          .filter(Boolean)
          .map((line): Check => JSON.parse(line));
        expect(checks.filter(({ error }) => error !== null)).toEqual([]);
        expect({ code, passed: checks.length }, stderr).toEqual({ code: 0, passed: count });
      },
      SCRIPT_TIMEOUT_MS,
    );
  }
});
