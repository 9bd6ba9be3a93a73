/** HotKV's engines: vectors beside numpy, a time series beside a loop over its numbers, limiters beside each other. */
import { execFileSync } from 'node:child_process';
import { requireTool } from '../test/support/tools.js';
import { fill } from './fill.js';
import { measureLoad, RANDOM } from './load.js';
import { cpuSeconds, type Measured, residentBytes, startOurs } from './processes.js';
import { median, type Result, type Row } from './report.js';

const DIMENSIONS = 384;
const SEARCHES = 50;
const ROUNDS = 5;
const SERIES_START = 1_700_000_000_000;
const BUCKET_MS = 60_000;

/** The same search by numpy, on one core: CPU microseconds of each. */
const NUMPY = `
import sys, time
import numpy as np
count, dims, searches = (int(word) for word in sys.argv[1:])
random = np.random.default_rng(1)
vectors = random.standard_normal((count, dims), dtype=np.float32)
norms = np.linalg.norm(vectors, axis=1)
queries = random.standard_normal((searches, dims), dtype=np.float32)
for round in range(2):
    started = time.process_time()
    for query in queries:
        distances = 1 - vectors @ query / (norms * np.linalg.norm(query))
        nearest = np.argpartition(distances, 10)[:10]
        nearest[np.argsort(distances[nearest])]
    spent = time.process_time() - started
print(spent / searches * 1e6)
`;

export async function benchEngines(quick: boolean): Promise<Result> {
  const rows = [
    await vectors(quick ? 2_000 : 10_000),
    await vectors(quick ? 10_000 : 100_000),
    ...(await timeSeries(quick ? 100_000 : 1_000_000)),
    await limiters(quick ? 100_000 : 500_000),
  ];
  return { title: 'Engines of HotKV, µs of CPU time unless said otherwise', rows };
}

async function vectors(count: number): Promise<Row> {
  const server = await startOurs();
  try {
    await fill(server.port, 1, () => ['VSIM.CREATEINDEX', 'index', String(DIMENSIONS), 'METRIC', 'cosine']);
    await fill(server.port, count, (i) => ['VSIM.SET', 'index', `key:${i}`, ...components()]);
    const ours = await cpuEach(server, SEARCHES, () => ['VSIM.SEARCH', 'index', '10', ...components()]);
    const one = { OMP_NUM_THREADS: '1', OPENBLAS_NUM_THREADS: '1', MKL_NUM_THREADS: '1' };
    const script = ['-c', NUMPY, String(count), String(DIMENSIONS), String(SEARCHES)];
    const numpy = Number(
      execFileSync(requireTool('python-packages'), script, { env: { ...process.env, ...one }, encoding: 'utf8' }),
    );
    const what = `VSIM.SEARCH of ${count} vectors of ${DIMENSIONS}, beside numpy`;
    return { what, ours, other: numpy, ratio: ours / numpy, goal: '≤ 8' };
  } finally {
    await server.stop();
  }
}

function components(): string[] {
  return Array.from({ length: DIMENSIONS }, () => (Math.random() * 2 - 1).toFixed(6));
}

async function timeSeries(count: number): Promise<Row[]> {
  const server = await startOurs();
  try {
    await fill(server.port, 1, () => ['TS.CREATE', 'warm']);
    await fill(server.port, 1000, (i) => ['TS.ADD', 'warm', String(SERIES_START + i), '1']);
    const before = residentBytes(server.pid);
    await fill(server.port, 1, () => ['TS.CREATE', 'series']);
    await fill(server.port, count, (i) => ['TS.ADD', 'series', String(SERIES_START + i * 10), String(i % 1000)]);
    const bytes = (residentBytes(server.pid) - before) / count;
    const ours = await cpuEach(server, 20, () => ['TS.AGG', 'series', '-', '+', String(BUCKET_MS), 'avg']);
    const loop = plainLoop(count);
    return [
      { what: 'TS.ADD, resident bytes a sample', ours: bytes, other: '', ratio: '', goal: '≤ 32' },
      { what: `TS.AGG of ${count} samples, beside a loop`, ours, other: loop, ratio: ours / loop, goal: '≤ 5' },
    ];
  } finally {
    await server.stop();
  }
}

/** The averages of the same samples by a loop over a Float64Array, in CPU microseconds. */
function plainLoop(count: number): number {
  const values = Float64Array.from({ length: count }, (_, i) => i % 1000);
  const perBucket = BUCKET_MS / 10;
  const times: number[] = [];
  let kept = 0;
  for (let round = 0; round < ROUNDS * 4; round++) {
    const before = process.cpuUsage();
    for (let start = 0; start < count; start += perBucket) {
      const end = Math.min(start + perBucket, count);
      let sum = 0;
      for (let i = start; i < end; i++) sum += values[i]!;
      kept += sum / (end - start);
    }
    const { user, system } = process.cpuUsage(before);
    times.push(user + system);
  }
  if (Number.isNaN(kept)) throw new Error('the loop is not to be optimised away');
  return median(times);
}

async function limiters(requests: number): Promise<Row> {
  const server = await startOurs();
  try {
    await fill(server.port, 1, () => [...['RATELIMIT.CREATE', 'limiter', '100', '60000', 'ALGO', 'sliding_window']]);
    const cost = async (command: readonly string[]): Promise<number> =>
      (await measureLoad(server, { command, requests, pipeline: 16 })).cpuMicros;
    const check: number[] = [];
    const gcra: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      check.push(await cost(['RATELIMIT.CHECK', 'limiter', `user:${RANDOM}`]));
      gcra.push(await cost(['GCRA.LIMIT', `limit:${RANDOM}`, '60000', '100']));
    }
    const [ours, other] = [median(check), median(gcra)];
    return { what: 'RATELIMIT.CHECK, beside GCRA.LIMIT', ours, other, ratio: ours / other, goal: '≤ 1.5' };
  } finally {
    await server.stop();
  }
}

/** CPU microseconds of the server a command, the median of several rounds. */
async function cpuEach(server: Measured, count: number, command: () => string[]): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const before = cpuSeconds(server.pid);
    await fill(server.port, count, command);
    if (round > 0) times.push(((cpuSeconds(server.pid) - before) / count) * 1e6);
  }
  return median(times);
}
