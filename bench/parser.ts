/** Our request parser beside `redis-parser`, the reply parser of the Redis clients, on the same bytes. */
import RedisParser from 'redis-parser';
import { RequestParser } from '../src/protocol/request-parser.js';
import { encodeCommand } from '../test/support/resp-request.js';
import { median, type Result, type Row } from './report.js';

/** What a socket brings at once. */
const CHUNK_BYTES = 16 * 1024;
const ROUNDS = 5;

const SAMPLES: Readonly<Record<string, readonly string[]>> = {
  GET: ['GET', 'key:000000012345'],
  SET: ['SET', 'key:000000012345', 'xxx'],
  'MSET-10': ['MSET', ...Array.from({ length: 20 }, (_, i) => `key:0000000123${i}`)],
  'SET of 4 kB': ['SET', 'key:000000012345', 'x'.repeat(4096)],
};

export function benchParser(quick: boolean): Result {
  const bytes = (quick ? 8 : 64) * 1024 * 1024;
  const rows = Object.entries(SAMPLES).map(([name, command]) => compare(name, command, bytes));
  return { title: 'Parsing alone, ns a request (process CPU time)', rows };
}

function compare(name: string, command: readonly string[], bytes: number): Row {
  const request = encodeCommand(command);
  const count = Math.trunc(bytes / request.length);
  const chunks = chunksOf(Buffer.from(request.repeat(Math.ceil((CHUNK_BYTES * 8) / request.length)), 'latin1'));
  const repeats = Math.ceil(count / ((CHUNK_BYTES * 8) / request.length));
  const parsers = [parseWithOurs, parseWithRedisParser];
  const times: number[][] = [[], []];
  for (let round = 0; round <= ROUNDS; round++) {
    parsers.forEach((parse, i) => {
      const before = process.cpuUsage();
      const parsed = parse(chunks, repeats);
      const { user, system } = process.cpuUsage(before);
      // The first round only warms up.
      if (round > 0) times[i]!.push(((user + system) * 1000) / parsed);
    });
  }
  const [ours, theirs] = times.map(median) as [number, number];
  return { request: name, ours, 'redis-parser': theirs, ratio: ours / theirs };
}

/** Both parsers get the same chunks; a request may be split between two. */
function chunksOf(bytes: Buffer): Buffer[] {
  const chunks: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) chunks.push(bytes.subarray(at, at + CHUNK_BYTES));
  return chunks;
}

function parseWithOurs(chunks: readonly Buffer[], repeats: number): number {
  const parser = new RequestParser({ maxBulkLength: 2 ** 29, maxInlineLength: 65536 });
  let parsed = 0;
  for (let i = 0; i < repeats; i++) {
    for (const chunk of chunks) {
      parser.append(chunk);
      while (parser.next() !== undefined) parsed++;
    }
  }
  return parsed;
}

function parseWithRedisParser(chunks: readonly Buffer[], repeats: number): number {
  let parsed = 0;
  const fail = (problem: Error) => {
    throw problem;
  };
  const parser = new RedisParser({ returnReply: () => parsed++, returnError: fail, returnFatalError: fail });
  for (let i = 0; i < repeats; i++) for (const chunk of chunks) parser.execute(chunk);
  return parsed;
}
