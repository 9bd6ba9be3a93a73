/** The command-line program: flags, environment, config file, port file, taken ports, signals. */
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type Emulator, startEmulator } from '../support/emulator.js';
import { freePort } from '../support/oracles.js';
import { run, until } from '../support/process.js';
import { LAUNCHER } from '../support/project.js';
import { connectRaw } from '../support/resp-client.js';
import { itemsOf, textOf } from '../support/resp-frame.js';

const running: Emulator[] = [];

/** Starts the program and sees to its end. */
async function start(flags: readonly string[] = [], env: NodeJS.ProcessEnv = {}): Promise<Emulator> {
  const server = await startEmulator(flags, { env });
  running.push(server);
  return server;
}

/** What a new connection to the server is answered with. */
async function ask(port: number, ...commands: string[][]): Promise<string[]> {
  const client = await connectRaw(port);
  const replies: string[] = [];
  for (const args of commands) replies.push((await client.call(...args)).wire.trim());
  client.close();
  return replies;
}

const program = (...flags: string[]) => run(process.execPath, [LAUNCHER, ...flags], { timeoutMs: 10_000 });

afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.stop()));
});

describe('start', () => {
  it('takes a free port, writes it to the port file and says how to connect', async () => {
    const server = await start();
    expect(await ask(server.port, ['PING'])).toEqual(['+PONG']);
    await until(() => (server.output().includes(`redis-cli -p ${server.port}`) ? true : undefined), 2_000);
    expect(server.output()).toContain(`127.0.0.1:${server.port}`);
  });

  it('says which port is taken and how to choose another', async () => {
    const holder = createServer().listen(await freePort(), '127.0.0.1');
    await once(holder, 'listening');
    const address = holder.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    const { code, stderr } = await program('--port', String(port));
    holder.close();
    expect(code).toBe(1);
    expect(stderr).toContain(`port ${port}`);
    expect(stderr).toContain('--port');
  });

  it('prints version and help', async () => {
    expect((await program('--version')).stdout.trim()).toMatch(/^\d+\.\d+\.\d+$/);
    const { stdout, code } = await program('--help');
    expect(code).toBe(0);
    for (const flag of ['--port', '--bind', '--clock', '--port-file', '--config']) expect(stdout).toContain(flag);
    expect(stdout).toContain('Examples:');
  });

  it.each([['--port', '70000'], ['--port', 'x'], ['--clock', 'slow'], ['--nosuch']])(
    'refuses %s %s',
    async (...flags) => {
      const { code, stderr } = await program(...flags.filter((flag) => flag !== undefined));
      expect(code).toBe(1);
      expect(stderr).toContain(flags[0]!);
    },
  );
});

describe('flags and environment', () => {
  it('reads flags from HOTKV_ variables; a flag wins', async () => {
    const server = await start(['--databases', '4'], { HOTKV_REQUIREPASS: 'secret', HOTKV_DATABASES: '8' });
    expect(await ask(server.port, ['PING'], ['AUTH', 'secret'], ['SELECT', '3'], ['SELECT', '4'])).toEqual([
      '-NOAUTH Authentication required.',
      '+OK',
      '+OK',
      '-ERR DB index is out of range',
    ]);
  });

  it('knows further users', async () => {
    const server = await start(['--user', 'ci:pw', '--user', 'other:a:b']);
    expect(await ask(server.port, ['AUTH', 'ci', 'pw'], ['AUTH', 'other', 'a:b'])).toEqual(['+OK', '+OK']);
    expect((await ask(server.port, ['AUTH', 'ci', 'no']))[0]).toMatch(/^-WRONGPASS /);
  });

  it('freezes the clock where it is told', async () => {
    const server = await start(['--clock', 'frozen:1700000000000']);
    expect(await ask(server.port, ['TIME'], ['EMULATOR', 'CLOCK', 'ADVANCE', '1500'], ['TIME'])).toEqual([
      '*2\r\n$10\r\n1700000000\r\n$1\r\n0',
      ':1700000001500',
      '*2\r\n$10\r\n1700000001\r\n$6\r\n500000',
    ]);
  });

  it('leaves out the EMULATOR commands', async () => {
    const server = await start(['--no-emulator-commands']);
    expect((await ask(server.port, ['EMULATOR', 'INFO']))[0]).toMatch(/^-ERR unknown command/);
  });

  it('reads a config file and names what it does not know', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'hotkv-config-'));
    const file = join(folder, 'redis.conf');
    writeFileSync(file, '# a comment\nmaxmemory 100mb\nno-such-key yes\nrequirepass "with space"\n');
    try {
      const server = await start(['--config', file]);
      const client = await connectRaw(server.port);
      expect((await client.call('AUTH', 'with space')).wire).toBe('+OK\r\n');
      expect(itemsOf(await client.call('CONFIG', 'GET', 'maxmemory')).map(textOf)).toEqual(['maxmemory', '104857600']);
      client.close();
      expect(server.output()).toContain('no-such-key');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('logs JSON lines', async () => {
    const server = await start(['--log-format', 'json']);
    await until(() => (server.output().includes('\n') ? true : undefined), 2_000);
    for (const line of server.output().trim().split('\n')) expect(() => JSON.parse(line)).not.toThrow();
  });
});

describe('stop', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    '%s ends the program with 0 within two seconds, clients connected',
    async (signal) => {
      const server = await start();
      const client = await connectRaw(server.port);
      await client.call('PING');
      client.send(['BLPOP', 'nothing', '0']);
      const started = performance.now();
      server.process.kill(signal);
      const [code] = await once(server.process, 'exit');
      expect(code).toBe(0);
      expect(performance.now() - started).toBeLessThan(2_100);
      client.close();
    },
  );
});
