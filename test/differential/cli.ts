/**
 * `npm run differential -- --seed N --count N --family zset`: sends the same seeded commands to two servers and compares
 * every reply. Prints the shortest sequence of each difference; ends with `N passed, N failed` (sequence runs per family).
 */
import { parseArgs } from 'node:util';
import { allFamilies, unknownCommands } from './families/index.js';
import type { Family } from './family.js';
import type { Address } from './player.js';
import { runDifferential } from './runner.js';
import { startServers } from './servers.js';

const USAGE = `npm run differential -- [options]

  --family NAME   one family, or several with commas (default: all): ${allFamilies(new Set())
    .map((family) => family.name)
    .join(', ')}
  --seed N        the same seed draws the same commands (default: a random one, printed)
  --count N       commands per family and protocol (default 10000)
  --proto 2|3     one protocol (default: both, one after the other)
  --multi         put runs of commands between MULTI and EXEC
  --clock         let keys and fields expire between the commands: the oracle waits, our clock is moved
  --most N        stop a family after N different differences (default 5)
  --ours HOST:PORT, --oracle HOST:PORT
                  servers that run already (default: starts our build and Redis 8.2.3); both are flushed
`;

const { values: flags } = parseArgs({
  options: {
    family: { type: 'string' },
    seed: { type: 'string' },
    count: { type: 'string', default: '10000' },
    proto: { type: 'string' },
    multi: { type: 'boolean', default: false },
    clock: { type: 'boolean', default: false },
    most: { type: 'string', default: '5' },
    ours: { type: 'string' },
    oracle: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

if (flags.help) {
  console.log(USAGE);
} else {
  process.exitCode = (await main()) === 0 ? 0 : 1;
}

/** Runs what the flags ask for and returns the number of differences. */
async function main(): Promise<number> {
  const seed = flags.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(flags.seed);
  const protocols: (2 | 3)[] = flags.proto === undefined ? [2, 3] : [flags.proto === '3' ? 3 : 2];
  const servers = await startServers({ ours: address(flags.ours), oracle: address(flags.oracle) });
  let passed = 0;
  let failed = 0;
  try {
    const unknown = unknownCommands(servers.known);
    if (unknown.length > 0) console.log(`Not sent, because one of the servers lacks them: ${unknown.join(' ')}`);
    for (const family of chosen(allFamilies(servers.known)).filter(({ rows }) => rows.length > 0)) {
      for (const protocol of protocols) {
        const { ours, oracle } = servers;
        const rest = {
          seed,
          count: Number(flags.count),
          multi: flags.multi,
          clock: flags.clock,
          most: Number(flags.most),
        };
        const { commands, differences } = await runDifferential({ family, ours, oracle, protocol, ...rest });
        console.log(
          `${family.name} RESP${protocol} seed ${seed}: ${commands} commands, ${differences.length} differences`,
        );
        for (const { what, wireCase } of differences) console.log(`\n${what}\n${wireCase}\n`);
        if (differences.length === 0) passed++;
        failed += differences.length;
      }
    }
  } finally {
    await servers.stop();
  }
  console.log(`${passed} passed, ${failed} failed`);
  return failed;
}

function chosen(families: readonly Family[]): readonly Family[] {
  if (flags.family === undefined) return families;
  return flags.family.split(',').map((name) => {
    const found = families.find((family) => family.name === name || `${family.name}s` === name);
    if (found === undefined)
      throw new Error(`no family ${name}; there are ${families.map((each) => each.name).join(', ')}`);
    return found;
  });
}

function address(text: string | undefined): Address | undefined {
  if (text === undefined) return undefined;
  const [host, port] = text.includes(':') ? text.split(':') : ['127.0.0.1', text];
  return { host: host!, port: Number(port) };
}
