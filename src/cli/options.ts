/** Flags, HOTKV_ environment variables and the config file, as options of `startServer`. Flags win, then the environment. */
import { resolve } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { EMULATOR_VERSION } from '../protocol/versions.js';
import { LOG_LEVELS } from '../server/config-parameters.js';
import type { LogLevel } from '../server/log.js';
import type { ServerOptions } from '../server/start.js';
import { readConfigFile } from './config-file.js';

export interface ProgramOptions {
  readonly server: ServerOptions;
  readonly portFile: string | undefined;
  /** What the user should know before the start: keys of the config file that nobody knows. */
  readonly warnings: readonly string[];
}

const EXAMPLES = `
Examples:
  hotkv-emulator                                   serve on 127.0.0.1:6379
  hotkv-emulator --port 0 --port-file port.txt     any free port, written to a file when ready
  hotkv-emulator --clock frozen                    time stands still until EMULATOR CLOCK ADVANCE
  hotkv-emulator --license core,ratelimit          other licensed commands answer NOLICENSE
  hotkv-emulator --requirepass secret --user ci:pw passwords for the default and a further user
  HOTKV_PORT=7000 hotkv-emulator                   any flag as an environment variable
`;

interface Flags {
  port: number;
  bind?: string[];
  unixsocket?: string;
  requirepass?: string;
  user?: string[];
  databases?: number;
  maxclients?: number;
  maxmemory?: string;
  timeout?: number;
  loglevel: LogLevel;
  logFormat: 'text' | 'json';
  clock: 'real' | 'frozen' | number;
  license: string;
  deliverAlerts?: boolean;
  portFile?: string;
  config?: string;
  emulatorCommands: boolean;
}

/** Reads the command line. Prints and exits for `--help`, `--version` and wrong flags. */
export function parseCommandLine(argv: readonly string[]): ProgramOptions {
  const program = new Command('hotkv-emulator')
    .description('A local HotKV: Redis-compatible, with GCRA.LIMIT and a clock that can be frozen and moved.')
    .version(EMULATOR_VERSION)
    .addHelpText('after', EXAMPLES)
    .addOption(flag('--port <port>', 'TCP port; 0 for any free one').argParser(portNumber).default(6379))
    .addOption(
      flag('--bind <address>', 'address to listen on, repeatable (default: 127.0.0.1 and ::1)').argParser(collect),
    )
    .addOption(flag('--unixsocket <path>', 'listen on a Unix socket as well'))
    .addOption(flag('--requirepass <password>', 'password of the default user'))
    .addOption(flag('--user <name:password>', 'a further user, repeatable').argParser(collect))
    .addOption(flag('--databases <n>', 'number of databases (default: 16)').argParser(wholeNumber))
    .addOption(flag('--maxclients <n>', 'greatest number of clients (default: 10000)').argParser(wholeNumber))
    .addOption(flag('--maxmemory <bytes>', 'limit of the data, e.g. 100mb (default: none)'))
    .addOption(
      flag('--timeout <seconds>', 'close clients that are idle for so long (default: never)').argParser(wholeNumber),
    )
    .addOption(
      flag('--loglevel <level>', 'what is logged to standard error')
        .choices([...LOG_LEVELS])
        .default('notice'),
    )
    .addOption(flag('--log-format <format>', 'form of log lines').choices(['text', 'json']).default('text'))
    .addOption(flag('--clock <mode>', 'real, frozen, or frozen:UNIX-MS').argParser(clockMode).default('real'))
    .addOption(
      flag('--license <families>', "HotKV's licensed families: full, none, or names such as core,ratelimit").default(
        'full',
      ),
    )
    .addOption(flag('--deliver-alerts', 'send alerts to their webhook instead of only counting them'))
    .addOption(flag('--port-file <file>', 'write the port there when ready'))
    .addOption(flag('--config <file>', 'read a redis.conf'))
    .option('--no-emulator-commands', 'leave out the EMULATOR commands (env: HOTKV_NO_EMULATOR_COMMANDS)');
  program.parse(argv);
  const flags = program.opts<Flags>();
  if (process.env.HOTKV_NO_EMULATOR_COMMANDS) flags.emulatorCommands = false;
  const file = flags.config === undefined ? { values: {}, warnings: [] } : readConfigFile(flags.config);
  const given = (name: string) => program.getOptionValueSource(name) !== 'default';
  const filePort = file.values.port === undefined ? undefined : portNumber(file.values.port);
  return {
    portFile: flags.portFile,
    warnings: file.warnings,
    server: {
      port: given('port') ? flags.port : (filePort ?? flags.port),
      bind: listOf(flags.bind) ?? file.values.bind?.split(/\s+/),
      unixsocket: flags.unixsocket ?? file.values.unixsocket,
      requirepass: flags.requirepass,
      users: usersOf(listOf(flags.user) ?? []),
      databases: flags.databases,
      maxclients: flags.maxclients,
      maxmemory: flags.maxmemory,
      loglevel: given('loglevel') ? flags.loglevel : ((file.values.loglevel as LogLevel) ?? flags.loglevel),
      logFormat: flags.logFormat,
      clock: flags.clock,
      emulatorCommands: flags.emulatorCommands,
      license: flags.license,
      deliverAlerts: flags.deliverAlerts,
      configFile: flags.config === undefined ? undefined : resolve(flags.config),
      config: { ...file.values, ...(flags.timeout === undefined ? {} : { timeout: flags.timeout }) },
    },
  };
}

/** A flag that is also an environment variable: `--port-file` is HOTKV_PORT_FILE. */
function flag(flags: string, description: string): Option {
  const option = new Option(flags, description);
  return option.env(`HOTKV_${option.name().toUpperCase().replaceAll('-', '_')}`);
}

function collect(value: string, before: string[] | undefined): string[] {
  return [...(before ?? []), value];
}

/** An environment variable names several values in one, separated by commas. */
function listOf(values: string[] | undefined): string[] | undefined {
  return values?.flatMap((value) => value.split(','));
}

function wholeNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}

function portNumber(text: string): number {
  const port = wholeNumber(text);
  if (port > 65535) throw new InvalidArgumentError('It must be at most 65535.');
  return port;
}

function clockMode(text: string): 'real' | 'frozen' | number {
  if (text === 'real' || text === 'frozen') return text;
  const ms = /^frozen:(\d{1,15})$/.exec(text)?.[1];
  if (ms === undefined) throw new InvalidArgumentError('It must be real, frozen or frozen:UNIX-MS.');
  return Number(ms);
}

function usersOf(pairs: readonly string[]): Record<string, string> {
  const users: Record<string, string> = {};
  for (const pair of pairs) {
    const colon = pair.indexOf(':');
    if (colon <= 0) throw new Error(`--user '${pair}': it must be name:password`);
    users[pair.slice(0, colon)] = pair.slice(colon + 1);
  }
  return users;
}
