/** redis-cli as people and scripts use it: commands as arguments, through a pipe, its own modes, and a terminal. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { describeWith } from '../support/describe-with.js';
import { type Emulator, startEmulator } from '../support/emulator.js';
import { run, runOk, until } from '../support/process.js';
import { encodeCommand } from '../support/resp-request.js';
import { requireTool } from '../support/tools.js';

describeWith('redis-cli', ['redis-cli'], () => {
  let server: Emulator;
  beforeAll(async () => {
    server = await startEmulator(['--clock', 'frozen']);
  });
  beforeEach(async () => {
    await cli(['FLUSHALL']);
  });
  afterAll(() => server?.stop());

  const cli = (args: readonly string[], input?: string): Promise<string> =>
    runOk(requireTool('redis-cli'), ['-p', String(server.port), ...args], { input });

  it('sends one command', async () => {
    expect(await cli(['SET', 'k', 'v'])).toBe('OK\n');
    expect(await cli(['GET', 'k'])).toBe('v\n');
  });

  it('reads commands from a pipe', async () => {
    const commands = 'SET k "a b"\nGET k\nINCR n\nNOSUCH 1\nGCRA.LIMIT user:1 60000 10\n';
    expect(await cli(['--no-raw'], commands)).toBe(
      "OK\n\"a b\"\n(integer) 1\n(error) ERR unknown command 'NOSUCH', with args beginning with: '1' \n" +
        '1) (integer) 0\n2) (integer) 10\n3) (integer) 9\n4) (integer) -1\n5) (integer) 6000\n',
    );
  });

  it("shows the vendor's example of GCRA", async () => {
    const commands =
      'GCRA.LIMIT k 60000 10\nGCRA.LIMIT k 60000 10\nGCRA.LIMIT k 60000 10 10\nEMULATOR CLOCK ADVANCE 12000\nGCRA.LIMIT k 60000 10 10\n';
    const lines = (await cli(['--csv'], commands)).trim().split('\n');
    expect(lines.filter((_, i) => i !== 3)).toEqual([
      '0,10,9,-1,6000',
      '0,10,8,-1,12000',
      '1,10,0,12000,12000',
      '0,10,0,-1,60000',
    ]);
  });

  it('says HELLO 3 and reads INFO', async () => {
    const hello = await cli(['-3', '--no-raw'], 'HELLO 3\n');
    expect(hello).toMatch(/"server" => "redis"/);
    expect(hello).toMatch(/"proto" => \(integer\) 3/);
    const info = await cli(['INFO']);
    expect(info).toMatch(/^redis_version:8\.2\.0\r?$/m);
    expect(info).toMatch(/^# Keyspace/m);
  });

  it('writes CSV', async () => {
    expect(await cli(['--csv', 'MGET', 'a', 'b'])).toBe('NULL,NULL\n');
    await cli(['MSET', 'a', '1', 'b', 'x"y']);
    expect(await cli(['--csv', 'MGET', 'a', 'b'])).toBe('"1","x\\"y"\n');
  });

  it('scans', async () => {
    await cli(['MSET', ...Array.from({ length: 300 }, (_, i) => [`key:${i}`, '1']).flat()]);
    expect((await cli(['--scan', '--pattern', 'key:*'])).trim().split('\n')).toHaveLength(300);
  });

  it('shows its statistics', async () => {
    const { stdout } = await run(requireTool('redis-cli'), ['-p', String(server.port), '--stat', '-i', '0.1'], {
      timeoutMs: 600,
    });
    expect(stdout).toMatch(/^keys\s+mem\s+clients/m);
    expect(stdout).toMatch(/^0\s+[\d.]+[KM]?\s+\d+/m);
  });

  it('measures the latency', async () => {
    const args = ['-p', String(server.port), '--raw', '--latency', '-i', '1'];
    const { stdout } = await run(requireTool('redis-cli'), args, { timeoutMs: 5_000 });
    expect(stdout.trim().split(/\s+/).map(Number)).toHaveLength(4);
  });

  it('takes 100,000 commands through --pipe', async () => {
    const commands = Array.from({ length: 100_000 }, (_, i) => encodeCommand(['SET', `key:${i}`, String(i)]));
    expect(await cli(['--pipe'], commands.join(''))).toMatch(/errors: 0, replies: 100000/);
    expect(await cli(['DBSIZE'])).toBe('100000\n');
  });
});

describeWith('redis-cli in a terminal', ['redis-cli', 'tmux'], () => {
  it('shows its prompt and answers', async () => {
    const server = await startEmulator();
    const socket = `hotkv-${randomUUID()}`;
    const tmux = (...args: string[]): Promise<string> => runOk(requireTool('tmux'), ['-L', socket, ...args]);
    const screen = (text: string): Promise<true | undefined> =>
      tmux('capture-pane', '-p').then((seen) => (seen.includes(text) ? true : undefined));
    try {
      await tmux('new-session', '-d', '-x', '120', '-y', '30', `${requireTool('redis-cli')} -p ${server.port}`);
      await until(() => screen(`127.0.0.1:${server.port}>`), 5_000);
      await tmux('send-keys', 'SET greeting "hello"', 'Enter', 'SELECT 3', 'Enter');
      await until(() => screen(`127.0.0.1:${server.port}[3]>`), 5_000);
      await tmux('send-keys', 'MULTI', 'Enter');
      await until(() => screen('(TX)>'), 5_000);
    } finally {
      await tmux('kill-server').catch(() => undefined);
      await server.stop();
    }
  });
});
