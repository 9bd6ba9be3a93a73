/** redis-cli as people and scripts use it: commands as arguments, through a pipe, its own modes, and a terminal. */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
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
  let server: Emulator;
  const socket = `hotkv-${randomUUID()}`;
  const tmux = (...args: string[]): Promise<string> => runOk(requireTool('tmux'), ['-L', socket, ...args]);
  const open = (...flags: string[]): Promise<string> =>
    tmux(
      'new-session',
      '-d',
      '-x',
      '120',
      '-y',
      '30',
      [requireTool('redis-cli'), '-p', server.port, ...flags].join(' '),
    );
  const shows = (text: RegExp): Promise<true> =>
    until(() => tmux('capture-pane', '-p').then((screen) => (text.test(screen) ? true : undefined)), 10_000);
  /** Types a line and waits for what it shows: redis-cli drops what is typed before its prompt. */
  const type = async (line: string, text: RegExp): Promise<void> => {
    await tmux('send-keys', line, 'Enter');
    await shows(text);
  };

  beforeAll(async () => {
    server = await startEmulator();
  });
  afterEach(() => tmux('kill-server').catch(() => undefined));
  afterAll(() => server?.stop());

  it('shows its prompt and answers', async () => {
    await open();
    await shows(/^127\.0\.0\.1:\d+>/m);
    await type('GET greeting', /^\(nil\)\n127\.0\.0\.1:\d+>/m);
    await type('SELECT 3', /^OK\n127\.0\.0\.1:\d+\[3\]>/m);
    await type('MULTI', /^127\.0\.0\.1:\d+\[3\]\(TX\)>/m);
    await type('PING', /^QUEUED/m);
    await type('EXEC', /^1\) PONG/m);
  });

  it('shows its statistics', async () => {
    await open('--stat', '-i', '0.1');
    await shows(/^keys\s+mem\s+clients/m);
    await shows(/^0\s+[\d.]+[BKMG]?\s+\d+\s+\d+\s+\d+/m);
  });
});
