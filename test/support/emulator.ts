/** Our server as a process of its own, started through the launcher as a user starts it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stopChild, until } from './process.js';
import { LAUNCHER } from './project.js';

export interface Emulator {
  readonly port: number;
  readonly process: ChildProcess;
  /** What it has written so far to stdout and stderr. */
  output(): string;
  stop(): Promise<void>;
}

export interface StartOptions {
  /** The program to start instead of the built one of the repository. */
  readonly launcher?: string;
  /** Environment variables beside the inherited ones. */
  readonly env?: NodeJS.ProcessEnv;
}

/** Starts `hotkv-emulator` on a free port and waits for its port file. */
export async function startEmulator(
  flags: readonly string[] = [],
  { launcher = LAUNCHER, env = {} }: StartOptions = {},
): Promise<Emulator> {
  const folder = mkdtempSync(join(tmpdir(), 'hotkv-emulator-'));
  const portFile = join(folder, 'port');
  const child = spawn(process.execPath, [launcher, '--port', '0', '--port-file', portFile, ...flags], {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const stop = async (): Promise<void> => {
    await stopChild(child);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const port = await until(() => readPort(portFile, child, () => output), 15_000);
    return { port, process: child, output: () => output, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function readPort(file: string, child: ChildProcess, output: () => string): number | undefined {
  if (child.exitCode !== null) throw new Error(`hotkv-emulator ended with ${child.exitCode}:\n${output()}`);
  if (!existsSync(file)) return undefined;
  const port = Number(readFileSync(file, 'utf8').trim());
  return port > 0 ? port : undefined;
}
