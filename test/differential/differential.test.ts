/** The differential runner over a bounded number of commands; `.ci/run` and `npm run differential` send more. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeWith } from '../support/describe-with.js';
import { LACKING } from './expected-differences.js';
import { allFamilies, unknownCommands } from './families/index.js';
import { type RunOptions, runDifferential } from './runner.js';
import { type Servers, startServers } from './servers.js';

const COMMANDS = 2_000;
const SEED = 20_260_101;
/** Fewer where the oracle really waits: 200 commands take it two seconds. */
const COMMANDS_WITH_PAUSES = 400;
/** Families with open differences, named in docs/conformance.md; run them by hand with `npm run differential`. */
const OPEN_FAMILIES = new Set(['introspection']);
// Not hashes: Redis counts due fields until it has removed them, at a time of its own (docs/decisions.md).
const EXPIRING_FAMILIES = ['string', 'keys', 'list', 'set', 'zset', 'stream', 'transaction'];

describeWith('differential against Redis 8.2.3', ['redis-8.2.3'], () => {
  let servers: Servers;
  beforeAll(async () => {
    servers = await startServers();
  });
  afterAll(() => servers?.stop());

  it('both servers have every command of the tables', () => {
    expect(unknownCommands(servers.known)).toEqual(LACKING);
  });

  const differences = async (name: string, options: Pick<RunOptions, 'protocol' | 'multi' | 'clock' | 'count'>) => {
    const { ours, oracle, known } = servers;
    const family = allFamilies(known).find((each) => each.name === name)!;
    const found = await runDifferential({ family, ours, oracle, seed: SEED, most: 3, ...options });
    return found.differences.map(({ what, wireCase }) => `${what}\n${wireCase}`);
  };

  for (const { name } of allFamilies(new Set())) {
    if (OPEN_FAMILIES.has(name)) continue;
    for (const protocol of [2, 3] as const) {
      for (const multi of [false, true]) {
        it(`${name}, RESP${protocol}${multi ? ', in transactions' : ''}`, async () => {
          expect(await differences(name, { protocol, multi, count: COMMANDS })).toEqual([]);
        }, 60_000);
      }
    }
  }

  for (const [i, name] of EXPIRING_FAMILIES.entries()) {
    const protocol = i % 2 === 0 ? 2 : 3;
    it(`${name} while keys expire, RESP${protocol}`, async () => {
      expect(await differences(name, { protocol, multi: false, clock: true, count: COMMANDS_WITH_PAUSES })).toEqual([]);
    }, 120_000);
  }
});
