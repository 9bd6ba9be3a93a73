/** How long a start takes, and how much the installed package weighs. */
import { execFileSync, spawnSync } from 'node:child_process';
import { lstatSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PROJECT_ROOT } from '../test/support/project.js';
import { connectRaw } from '../test/support/resp-client.js';
import { startOurs } from './processes.js';
import { median, type Result, type Row } from './report.js';

export async function benchStart(quick: boolean): Promise<Result> {
  const rounds = quick ? 5 : 15;
  const empty: number[] = [];
  const serving: number[] = [];
  const inProcess: number[] = [];
  for (let round = 0; round < rounds; round++) {
    empty.push(timeOf(() => spawnSync(process.execPath, ['-e', '0'])));
    serving.push(await timeToPing());
    inProcess.push(timeToStartServer());
  }
  const rows: Row[] = [
    { what: '`node -e 0`, ms', measured: median(empty), goal: '' },
    { what: 'process start to PING answered, ms', measured: median(serving), goal: '' },
    { what: 'the same as a multiple of `node -e 0`', measured: median(serving) / median(empty), goal: '≤ 4' },
    { what: 'startServer() in a process that has loaded it, ms', measured: median(inProcess), goal: '≤ 20' },
    { what: 'installed package with dependencies, MB', measured: installedBytes() / 1e6, goal: '≤ 8' },
  ];
  return { title: 'Start and size', rows };
}

function timeOf(run: () => void): number {
  const started = performance.now();
  run();
  return performance.now() - started;
}

async function timeToPing(): Promise<number> {
  const started = performance.now();
  const server = await startOurs();
  const client = await connectRaw(server.port);
  await client.call('PING');
  const took = performance.now() - started;
  client.close();
  await server.stop();
  return took;
}

/** The first `startServer()` of a process: nothing of it has been compiled or run before. */
function timeToStartServer(): number {
  const library = pathToFileURL(join(PROJECT_ROOT, 'dist', 'index.js'));
  const script = `
    import { startServer } from '${library}';
    const started = performance.now();
    const server = await startServer({ port: 0 });
    console.log(performance.now() - started);
    await server.close();`;
  return Number(execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' }));
}

/** Packs the project, installs the tarball into an empty folder and adds up what is there then. */
function installedBytes(): number {
  const folder = mkdtempSync(join(tmpdir(), 'hotkv-bench-'));
  try {
    const packed = execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], {
      cwd: PROJECT_ROOT,
      encoding: 'utf8',
    });
    writeFileSync(join(folder, 'package.json'), '{"private":true}');
    const flags = ['install', '--silent', '--no-audit', '--no-fund', '--omit=dev', '--prefer-offline'];
    execFileSync('npm', [...flags, join(folder, packed.trim())], { cwd: folder });
    return sizeOf(join(folder, 'node_modules'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function sizeOf(path: string): number {
  const stat = lstatSync(path);
  if (!stat.isDirectory()) return stat.size;
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0);
}
