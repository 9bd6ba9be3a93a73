/** The differential runner over a bounded number of commands; `.ci/run` and `npm run differential` send more. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeWith } from '../support/describe-with.js';
import { LACKING } from './expected-differences.js';
import { allFamilies, unknownCommands } from './families/index.js';
import { runDifferential } from './runner.js';
import { type Servers, startServers } from './servers.js';

const COMMANDS = 2_000;
const SEED = 20_260_101;

describeWith('differential against Redis 8.2.3', ['redis-8.2.3'], () => {
  let servers: Servers;
  beforeAll(async () => {
    servers = await startServers();
  });
  afterAll(() => servers?.stop());

  it('both servers have every command of the tables', () => {
    expect(unknownCommands(servers.known)).toEqual(LACKING);
  });

  for (const { name } of allFamilies(new Set())) {
    for (const protocol of [2, 3] as const) {
      for (const multi of [false, true]) {
        it(`${name}, RESP${protocol}${multi ? ', in transactions' : ''}`, async () => {
          const { ours, oracle, known } = servers;
          const family = allFamilies(known).find((each) => each.name === name)!;
          const options = { family, ours, oracle, protocol, multi, seed: SEED, count: COMMANDS, most: 3 };
          const { differences } = await runDifferential(options);
          expect(differences.map(({ what, wireCase }) => `${what}\n${wireCase}`)).toEqual([]);
        }, 60_000);
      }
    }
  }
});
