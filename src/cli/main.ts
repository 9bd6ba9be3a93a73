/** The command-line program: flags to options, a banner, signals. */

import { writeFileSync } from 'node:fs';
import { ConfigError } from '../protocol/problems.js';
import { EMULATOR_VERSION, HOTKV_VERSION, REDIS_VERSION } from '../protocol/versions.js';
import { type RunningServer, type ServerOptions, startServer } from '../server/start.js';
import { type ProgramOptions, parseCommandLine } from './options.js';

/** How long a stopping server waits for its clients, in ms; the process is gone within 2 s. */
const STOP_LIMIT_MS = 1900;

/** Runs the program; the process lives as long as the server does. */
export async function main(argv: readonly string[]): Promise<void> {
  let options: ProgramOptions;
  try {
    options = parseCommandLine(argv);
  } catch (problem) {
    fail(messageOf(problem));
    return;
  }
  for (const warning of options.warnings) process.stderr.write(`warning: ${warning}\n`);
  const server = await start(options.server);
  if (server === undefined) return;
  if (options.portFile !== undefined) writeFileSync(options.portFile, `${server.port}\n`);
  if (options.server.logFormat !== 'json') process.stdout.write(banner(server, options.server));
  else process.stdout.write(`${JSON.stringify({ event: 'ready', url: server.url, port: server.port })}\n`);
  stopOnSignals(server);
  await server.closed;
}

async function start(options: ServerOptions): Promise<RunningServer | undefined> {
  try {
    return await startServer(options);
  } catch (problem) {
    const { code } = problem as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') {
      fail(`port ${options.port} is taken. Choose another with --port N, or --port 0 for any free one.`);
    } else if (code === 'EACCES') {
      fail(`port ${options.port} may not be used by this user. Choose one above 1023 with --port N.`);
    } else if (problem instanceof ConfigError || code !== undefined) fail(messageOf(problem));
    else throw problem;
    return undefined;
  }
}

function banner(server: RunningServer, options: ServerOptions): string {
  const lines = [
    `hotkv-emulator ${EMULATOR_VERSION} (HotKV ${HOTKV_VERSION}, Redis ${REDIS_VERSION}) is ready at ${server.url}`,
  ];
  if (server.port > 0) lines.push(`  connect:  redis-cli -p ${server.port}`);
  if (options.unixsocket !== undefined) lines.push(`  or:       redis-cli -s ${options.unixsocket}`);
  if (options.clock !== undefined && options.clock !== 'real') {
    lines.push(`  clock:    frozen at ${server.clock.now()} ms; move it with EMULATOR CLOCK ADVANCE n`);
  }
  lines.push('  stop:     Ctrl-C');
  return `${lines.join('\n')}\n`;
}

/** The first signal ends the server in good order, a second one at once. */
function stopOnSignals(server: RunningServer): void {
  let stopping = false;
  const stop = () => {
    if (stopping) process.exit(1);
    stopping = true;
    setTimeout(() => process.exit(0), STOP_LIMIT_MS).unref();
    void server.close();
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  void server.closed.then(() => process.exit(0));
}

function messageOf(problem: unknown): string {
  return problem instanceof Error ? problem.message : String(problem);
}

function fail(message: string): void {
  process.stderr.write(`hotkv-emulator: ${message}\n`);
  process.exitCode = 1;
}
