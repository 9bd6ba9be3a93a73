/** The two servers of a run: addresses that were given, or servers started for it. */
import { type Emulator, startEmulator } from '../support/emulator.js';
import { type Oracle, startOracle } from '../support/oracles.js';
import { connectRaw } from '../support/resp-client.js';
import { itemsOf, textOf } from '../support/resp-frame.js';
import type { Address } from './player.js';

export interface Servers {
  readonly ours: Address;
  readonly oracle: Address;
  /** Lower-case names of the commands that both have. */
  readonly known: ReadonlySet<string>;
  stop(): Promise<void>;
}

/** Starts what is not given: our built server, and Redis 8.2.3. */
export async function startServers(given: { ours?: Address; oracle?: Address } = {}): Promise<Servers> {
  const started: (Emulator | Oracle)[] = [];
  const use = async (start: () => Promise<Emulator | Oracle>): Promise<Address> => {
    const server = await start();
    started.push(server);
    return { host: '127.0.0.1', port: server.port };
  };
  const stop = async (): Promise<void> => {
    await Promise.all(started.map((server) => server.stop()));
  };
  try {
    const ours = given.ours ?? (await use(() => startEmulator()));
    const oracle = given.oracle ?? (await use(() => startOracle('redis-8.2.3')));
    const [mine, theirs] = await Promise.all([commandNames(ours), commandNames(oracle)]);
    return { ours, oracle, known: new Set(mine.filter((name) => theirs.includes(name))), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function commandNames({ port, host }: Address): Promise<string[]> {
  const client = await connectRaw(port, host);
  const reply = await client.call('COMMAND', 'LIST');
  client.close();
  if (reply.kind !== 'array') throw new Error(`COMMAND LIST at ${host}:${port} answers ${reply.wire.trim()}`);
  return itemsOf(reply).map((item) => (textOf(item) ?? '').toLowerCase());
}
