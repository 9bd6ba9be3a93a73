/** The servers that are measured, each a process of its own on 127.0.0.1, and what the system says of them. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { startEmulator } from '../test/support/emulator.js';
import { freePort } from '../test/support/oracles.js';
import { stopChild, until } from '../test/support/process.js';

export interface Measured {
  readonly name: string;
  readonly port: number;
  readonly pid: number;
  stop(): Promise<void>;
}

/** How long a server may take to start, in ms. */
const START_LIMIT_MS = 20_000;

/** Our server as `npm run build` has made it. */
export async function startOurs(): Promise<Measured> {
  const emulator = await startEmulator(['--loglevel', 'warning']);
  return { name: 'ours', port: emulator.port, pid: emulator.process.pid!, stop: () => emulator.stop() };
}

/** The Redis of this machine, without persistence. */
export async function startRedis(): Promise<Measured> {
  const program = onPath('redis-server');
  if (program === undefined) throw new Error('no redis-server on PATH: there is nothing to compare with');
  const folder = mkdtempSync(join(tmpdir(), 'hotkv-bench-'));
  const port = await freePort();
  const flags = ['--port', `${port}`, '--bind', '127.0.0.1', '--dir', folder, '--save', '', '--appendonly', 'no'];
  const server = await started('redis', spawn(program, flags, { stdio: 'ignore' }), port);
  return {
    ...server,
    async stop() {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** `bare-server.ts`, for requests of so many bytes. */
export async function startBare(requestLength: number): Promise<Measured> {
  const port = await freePort();
  const script = join(import.meta.dirname, 'bare-server.js');
  return started(
    'node net',
    spawn(process.execPath, [script, `${port}`, `${requestLength}`], { stdio: 'ignore' }),
    port,
  );
}

async function started(name: string, child: ChildProcess, port: number): Promise<Measured> {
  const stop = () => stopChild(child);
  try {
    await until(async () => ((await accepts(port)) ? true : undefined), START_LIMIT_MS);
  } catch (problem) {
    await stop();
    throw problem;
  }
  return { name, port, pid: child.pid!, stop };
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

/** The path of a program, or undefined when PATH has none of that name. */
export function onPath(name: string): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

/** User and system time that a process has used, in seconds. */
export function cpuSeconds(pid: number): number {
  if (!existsSync('/proc/self/stat')) return cpuSecondsByPs(pid);
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name in parentheses may hold spaces; behind it, the fields 14 and 15 are user and system time.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/** Linux shows times of processes in this unit on every architecture. */
const TICKS_PER_SECOND = 100;

function cpuSecondsByPs(pid: number): number {
  const time = execFileSync('ps', ['-o', 'time=', '-p', `${pid}`], { encoding: 'utf8' }).trim();
  return time.split(/[:-]/).reduce((sum, part) => sum * 60 + Number(part), 0);
}

/** Resident memory of a process in bytes. */
export function residentBytes(pid: number): number {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', `${pid}`], { encoding: 'utf8' })) * 1024;
}
