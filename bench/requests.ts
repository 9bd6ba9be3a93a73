/** Throughput and CPU time a request: our server beside a Redis, and beside the bare `net` server. */
import { connectRaw } from '../test/support/resp-client.js';
import { encodeCommand } from '../test/support/resp-request.js';
import { GCRA_SCRIPT } from './gcra-script.js';
import { type Load, measureLoad, RANDOM, runLoad, type Sample } from './load.js';
import { type Measured, startBare, startOurs, startRedis } from './processes.js';
import { median, type Result, type Row } from './report.js';

/** What both servers are asked; where Redis has no such command, it gets another one of the same effect. */
interface Question {
  readonly name: string;
  readonly ours: readonly string[];
  readonly redis: readonly string[];
}

const KEY = `key:${RANDOM}`;

function same(name: string, ...command: string[]): Question {
  return { name, ours: command, redis: command };
}

const GET = same('GET', 'GET', KEY);

/** Ten keys of one command, all different. */
const TEN_KEYS = Array.from({ length: 10 }, (_, i) => [`${KEY}:${i}`, 'xxx']).flat();

function mainQuestions(script: string): Question[] {
  return [
    same('PING', 'PING'),
    same('SET', 'SET', KEY, 'xxx'),
    GET,
    same('INCR', 'INCR', `counter:${RANDOM}`),
    same('MSET-10', 'MSET', ...TEN_KEYS),
    {
      name: 'GCRA.LIMIT',
      ours: ['GCRA.LIMIT', `limit:${RANDOM}`, '60000', '100'],
      redis: ['EVALSHA', script, '1', `limit:${RANDOM}`, '60000', '100', '1'],
    },
  ];
}

/** The default list of redis-benchmark, as far as it is not in `mainQuestions`. */
const LIST_QUESTIONS: readonly Question[] = [
  same('LPUSH', 'LPUSH', 'list:push', 'xxx'),
  same('RPUSH', 'RPUSH', 'list:push', 'xxx'),
  same('LPOP', 'LPOP', 'list:push'),
  same('RPOP', 'RPOP', 'list:push'),
  same('SADD', 'SADD', 'set', `element:${RANDOM}`),
  same('SPOP', 'SPOP', 'set'),
  same('HSET', 'HSET', 'hash', `element:${RANDOM}`, 'xxx'),
  same('ZADD', 'ZADD', 'zset', '0', `element:${RANDOM}`),
  same('ZPOPMIN', 'ZPOPMIN', 'zset'),
  same('LRANGE_100', 'LRANGE', 'list:range', '0', '99'),
  same('LRANGE_300', 'LRANGE', 'list:range', '0', '299'),
  same('LRANGE_500', 'LRANGE', 'list:range', '0', '499'),
  same('LRANGE_600', 'LRANGE', 'list:range', '0', '599'),
  same('MSET', 'MSET', ...TEN_KEYS),
  same('XADD', 'XADD', 'stream', '*', 'field', 'value'),
];

/** Requests of one run, by pipeline: each takes a second or so. */
const REQUESTS: Readonly<Record<number, number>> = { 1: 100_000, 16: 500_000, 100: 500_000 };
/** Commands that cost many times what the others do are asked for less often. */
const COSTLY = /^(MSET|LRANGE)/;
const ROUNDS = 3;

/** PING to GCRA.LIMIT at every pipeline. */
export async function benchRequests(quick: boolean): Promise<Result> {
  const pipelines = quick ? [1, 16] : [1, 16, 100];
  const rows = await withServers(async (ours, redis) => {
    const questions = mainQuestions(await loadScript(redis));
    return pipelines.reduce(
      async (done, pipeline) => [...(await done), ...(await compareAll(ours, redis, questions, pipeline, quick))],
      Promise.resolve<Row[]>([]),
    );
  });
  return {
    title:
      'CPU time of the server, µs a request, and requests a second (goals: CPU ratio ≤ 1.5 at pipeline 16, GCRA.LIMIT ≤ 0.3; throughput ratio ≥ 0.9 and ≥ 0.75)',
    rows,
  };
}

/** The commands of redis-benchmark's default list, pipeline 16. */
export async function benchList(quick: boolean): Promise<Result> {
  const rows = await withServers(async (ours, redis) => {
    for (const { port } of [ours, redis]) await fillList(port);
    return compareAll(ours, redis, LIST_QUESTIONS, 16, quick);
  });
  return { title: "The rest of redis-benchmark's default list (goal: CPU ratio ≤ 1.5)", rows };
}

/** Without a pipeline, Node's own sockets cost most: what we add to them. */
export async function benchFloor(quick: boolean): Promise<Result> {
  const questions = [same('SET', 'SET', KEY, 'xxx'), GET, same('INCR', 'INCR', `counter:${RANDOM}`)];
  const ours = await startOurs();
  const rows: Row[] = [];
  try {
    for (const { name, ours: command } of questions) {
      const bare = await startBare(encodeCommand(command.map((arg) => arg.replace(RANDOM, '0'.repeat(12)))).length);
      try {
        const load = { command, requests: requestsFor(name, 1, quick), pipeline: 1 };
        const [own, floor] = await alternate([ours, bare], [load, load]);
        rows.push({
          command: name,
          'CPU ours': own!.cpuMicros,
          'CPU node net': floor!.cpuMicros,
          'CPU ratio': own!.cpuMicros / floor!.cpuMicros,
        });
      } finally {
        await bare.stop();
      }
    }
  } finally {
    await ours.stop();
  }
  return { title: 'Without pipeline, beside a bare Node `net` server that answers +OK (goal: ≤ 1.25)', rows };
}

async function withServers(use: (ours: Measured, redis: Measured) => Promise<Row[]>): Promise<Row[]> {
  const ours = await startOurs();
  try {
    const redis = await startRedis();
    try {
      return await use(ours, redis);
    } finally {
      await redis.stop();
    }
  } finally {
    await ours.stop();
  }
}

async function compareAll(
  ours: Measured,
  redis: Measured,
  questions: readonly Question[],
  pipeline: number,
  quick: boolean,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (const question of questions) {
    const load = { requests: requestsFor(question.name, pipeline, quick), pipeline };
    const loads = [
      { ...load, command: question.ours },
      { ...load, command: question.redis },
    ];
    const [own, other] = await alternate([ours, redis], loads);
    rows.push({
      command: question.name,
      pipeline,
      'CPU ours': own!.cpuMicros,
      'CPU Redis': other!.cpuMicros,
      'CPU ratio': own!.cpuMicros / other!.cpuMicros,
      'req/s ours': own!.requestsPerSecond,
      'req/s Redis': other!.requestsPerSecond,
      'req/s ratio': own!.requestsPerSecond / other!.requestsPerSecond,
    });
  }
  return rows;
}

/** Runs each server's load in turn, several rounds after one to warm up, and takes the medians. */
async function alternate(servers: readonly Measured[], loads: readonly Load[]): Promise<Sample[]> {
  for (const [i, server] of servers.entries()) await runLoad(server, loads[i]!);
  const samples: Sample[][] = servers.map(() => []);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [i, server] of servers.entries()) samples[i]!.push(await measureLoad(server, loads[i]!));
  }
  return samples.map((ofServer) => ({
    requestsPerSecond: median(ofServer.map((sample) => sample.requestsPerSecond)),
    cpuMicros: median(ofServer.map((sample) => sample.cpuMicros)),
  }));
}

function requestsFor(name: string, pipeline: number, quick: boolean): number {
  const requests = REQUESTS[pipeline]! / (COSTLY.test(name) ? 5 : 1);
  return quick ? requests / 4 : requests;
}

async function loadScript(redis: Measured): Promise<string> {
  const client = await connectRaw(redis.port);
  const reply = await client.call('SCRIPT', 'LOAD', GCRA_SCRIPT);
  client.close();
  if (!('text' in reply)) throw new Error(`SCRIPT LOAD answered ${reply.kind}`);
  return reply.text;
}

async function fillList(port: number): Promise<void> {
  const client = await connectRaw(port);
  await client.call('RPUSH', 'list:range', ...new Array<string>(600).fill('xxx'));
  client.close();
}
