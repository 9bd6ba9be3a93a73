/** Starts the servers that tests compare with, each on a port of its own and without persistence. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stopChild, until } from './process.js';
import { connectRaw } from './resp-client.js';
import { type OracleServer, requireTool } from './tools.js';

export interface Oracle {
  readonly port: number;
  stop(): Promise<void>;
}

/** Starts an oracle on a free port of 127.0.0.1, in a folder of its own, without persistence. `extra` are more server flags. */
export async function startOracle(name: OracleServer, extra: readonly string[] = []): Promise<Oracle> {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'hotkv-oracle-'));
  const flags = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', '', '--appendonly', 'no'];
  const debug = ['--enable-debug-command', 'yes'];
  const child = spawn(requireTool(name), [...flags, ...debug, ...extra], {
    argv0: name.startsWith('valkey') ? 'valkey-server' : 'redis-server',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const log = collect(child);
  try {
    await until(() => answers(port, child, log), 10_000);
  } catch (error) {
    await stopChild(child);
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
  return {
    port,
    async stop() {
      await stopChild(child);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A port of 127.0.0.1 on which nothing listens now: HOTKV_TEST_PORTS (`first-last`) bounds the choice. */
export async function freePort(): Promise<number> {
  const range = /^(\d+)-(\d+)$/.exec(process.env.HOTKV_TEST_PORTS ?? '');
  if (range === null) return (await tryListen(0))!;
  const [first, last] = [Number(range[1]), Number(range[2])];
  const start = Math.floor(Math.random() * (last - first + 1));
  for (let i = 0; i <= last - first; i++) {
    const port = await tryListen(first + ((start + i) % (last - first + 1)));
    if (port !== undefined) return port;
  }
  throw new Error(`no free port in ${range[0]}`);
}

function tryListen(port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(undefined));
    probe.listen(port, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' ? address?.port : undefined));
    });
  });
}

function collect(child: ChildProcess): { text: string } {
  const log = { text: '' };
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    log.text += text;
  });
  return log;
}

async function answers(port: number, child: ChildProcess, log: { text: string }): Promise<true | undefined> {
  if (child.exitCode !== null) throw new Error(`the oracle ended with ${child.exitCode}:\n${log.text}`);
  const client = await connectRaw(port).catch(() => undefined);
  if (client === undefined) return undefined;
  const reply = await client.call('PING');
  client.close();
  return reply.wire === '+PONG\r\n' ? true : undefined;
}
