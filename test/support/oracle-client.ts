/** Oracles for the tests of a `describe` block: started before them and stopped after them, alone or with a server of ours. */
import { afterAll, beforeAll } from 'vitest';
import { type RunningServer, startServer } from '../../src/server/start.js';
import { type Oracle, startOracle } from './oracles.js';
import { connectRaw, type RawClient } from './resp-client.js';
import type { Frame } from './resp-frame.js';
import type { OracleServer } from './tools.js';

/** A client of an oracle, there from the first test of the block on. */
export interface OracleClient {
  readonly client: RawClient;
}

export function startOracleClient(name: OracleServer, flags: readonly string[] = []): OracleClient {
  let oracle: Oracle;
  let client: RawClient;

  beforeAll(async () => {
    oracle = await startOracle(name, flags);
    client = await connectRaw(oracle.port);
  });

  afterAll(async () => {
    client?.close();
    await oracle?.stop();
  });

  return {
    get client() {
      return client;
    },
  };
}

/** A client of Redis 8.2.3 and one of a server of ours in this process. */
export interface BesideRedis {
  readonly theirs: RawClient;
  readonly ours: RawClient;
  /** The replies to one command: theirs, then ours. */
  both(...words: string[]): Promise<[Frame, Frame]>;
}

export function startBesideRedis(): BesideRedis {
  const redis = startOracleClient('redis-8.2.3');
  let server: RunningServer;
  let ours: RawClient;

  beforeAll(async () => {
    server = await startServer({ port: 0, loglevel: 'nothing' });
    ours = await connectRaw(server.port);
  });

  afterAll(async () => {
    ours?.close();
    await server?.close();
  });

  return {
    get theirs() {
      return redis.client;
    },
    get ours() {
      return ours;
    },
    both: (...words) => Promise.all([redis.client.call(...words), ours.call(...words)]),
  };
}
