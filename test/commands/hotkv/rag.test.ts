/** RAG.*: chunks of documents, found by words, vectors and both. */
import { describe, expect, it } from 'vitest';
import { startServer } from '../../../src/server/start.js';
import { run } from '../../support/run-lines.js';

const frozen = () => startServer({ port: 0, clock: 1_700_000_000_000 });
type Row = [chunk: string, document: string, text: string, score: string, vector: string, bm25: string, ...string[]];

describe('RAG', () => {
  it('finds documents by words, as the MCP server asks: dims 1, ALPHA 0, no vector', async () => {
    await using server = await frozen();
    await run(server, 'RAG.CREATE docs 1 STRATEGY fixed CHUNK_SIZE 40 CHUNK_OVERLAP 0');
    expect(await server.call('RAG.INGEST', 'docs', 'a', 'Cats sleep all day.', 'META', 'lang', 'en', 'by', 'ann')).toBe(
      1,
    );
    expect(await server.call('RAG.INGEST', 'docs', 'b', 'Dogs run. Dogs bark at cats.', 'META', 'lang', 'en')).toBe(1);
    expect(await server.call('RAG.INGEST', 'docs', 'c', 'Fish swim.')).toBe(1);
    const rows = (await server.call('RAG.SEARCH', 'docs', 'do CATS bark?', 'K', '5', 'ALPHA', '0')) as Row[];
    expect(rows.map((row) => row.slice(0, 3))).toEqual([
      ['b:0', 'b', 'Dogs run. Dogs bark at cats.'],
      ['a:0', 'a', 'Cats sleep all day.'],
    ]);
    // 3 texts of 6, 4 and 2 words, 4 on average; cats in 2, bark in 1.
    const cats = Math.log(1 + 1.5 / 2.5);
    const bark = Math.log(1 + 2.5 / 1.5);
    const ofB = (cats + bark) * (2.2 / (1 + 1.2 * (0.25 + 0.75 * 1.5)));
    expect(Number(rows[0]![5])).toBeCloseTo(ofB, 12);
    expect(Number(rows[1]![5])).toBeCloseTo(cats * (2.2 / (1 + 1.2)), 12);
    expect(rows[0]!.slice(3, 5)).toEqual(['1', '0']);
    expect(Number(rows[1]![3])).toBeCloseTo(Number(rows[1]![5]) / ofB, 12);
    expect(rows[1]!.slice(6)).toEqual(['lang', 'en', 'by', 'ann']);
    const filtered = (await run(server, 'RAG.SEARCH docs cats ALPHA 0 FILTER lang en by ann')) as Row[];
    expect(filtered.map((row) => row[0])).toEqual(['a:0']);
    expect(await run(server, 'RAG.SEARCH docs cats FILTER lang de')).toEqual([]);
    expect(await run(server, 'RAG.SEARCH docs birds')).toEqual([]);
    const stats = { name: 'docs', documents: 3, chunks: 3, queries: 4, dimensions: 1, chunkStrategy: 'fixed' };
    const fields = [...Object.entries(stats).flat(), 'chunkSize', 40, 'chunkOverlap', 0];
    expect(((await run(server, 'RAG.STATS docs')) as unknown[]).slice(0, fields.length)).toEqual(fields);
  });

  it('cuts into characters, not bytes', async () => {
    await using server = await frozen();
    await run(server, 'RAG.CREATE p 1 CHUNK_SIZE 4 CHUNK_OVERLAP 1');
    expect(await server.call('RAG.INGEST', 'p', 'd', 'äbçd€fg😀')).toBe(3);
    const rows = (await server.call('RAG.SEARCH', 'p', 'ÄBÇD d€ fg')) as Row[];
    expect(rows.map((row) => [row[0], Buffer.from(row[2], 'latin1').toString()]).sort()).toEqual([
      ['d:0', 'äbçd'],
      ['d:1', 'd€fg'],
    ]);
    expect(await server.call('RAG.INGEST', 'p', 'empty', '')).toBe(0);
  });

  it('blends words and vectors', async () => {
    await using server = await frozen();
    await run(server, 'RAG.CREATE p 2', 'RAG.INGEST p a red VECTORS 1,0', 'RAG.INGEST p b blue VECTORS 3,4');
    await run(server, 'RAG.INGEST p c red');
    const search = async (rest: string) =>
      ((await run(server, `RAG.SEARCH p red ${rest}`)) as Row[]).map((row) => [row[0], row[3], row[4]]);
    expect(await search('VECTOR 0,1 ALPHA 1')).toEqual([
      ['b:0', '0.8', '0.8'],
      ['a:0', '0', '0'],
    ]);
    expect(await search('VECTOR 0,1 ALPHA 0')).toEqual([
      ['a:0', '1', '0'],
      ['c:0', '1', '0'],
    ]);
    expect(await search('VECTOR 1,0')).toEqual([
      ['a:0', '1', '1'],
      ['c:0', '0.5', '0'],
      ['b:0', '0.3', '0.6'],
    ]);
    expect(await search('K 1 VECTOR 1,0')).toEqual([['a:0', '1', '1']]);
    expect(await search('ALPHA 1')).toEqual(await search('ALPHA 0'));
  });

  it('replaces a document, with its chunks, words, vectors and metadata', async () => {
    await using server = await frozen();
    await run(server, 'RAG.CREATE p 1 CHUNK_SIZE 3 CHUNK_OVERLAP 0', 'RAG.INGEST p d abcdef META k v VECTORS 1 1');
    expect(await run(server, 'RAG.INGEST p d xyz')).toBe(1);
    expect(await run(server, 'RAG.SEARCH p abc')).toEqual([]);
    expect(await run(server, 'RAG.SEARCH p abc VECTOR 1')).toEqual([]);
    expect(((await run(server, 'RAG.SEARCH p xyz')) as Row[])[0]!.slice(6)).toEqual([]);
    const stats = (await run(server, 'RAG.STATS p')) as unknown[];
    expect(stats.slice(2, 6)).toEqual(['documents', 1, 'chunks', 1]);
  });

  it('lists and drops', async () => {
    await using server = await frozen();
    await run(server, 'RAG.CREATE b 1', 'RAG.CREATE a 1', 'FLUSHDB');
    expect(await run(server, 'RAG.LIST')).toEqual(['b', 'a']);
    expect(await run(server, 'RAG.DROP b')).toBe('OK');
    expect(await run(server, 'RAG.LIST')).toEqual(['a']);
    const stats = (await run(server, 'RAG.STATS a')) as unknown[];
    expect(stats.slice(12, 16)).toEqual(['chunkSize', 1000, 'chunkOverlap', 100]);
    await run(server, 'FLUSHALL');
    expect(await run(server, 'RAG.LIST')).toEqual([]);
  });

  it.each([
    ['RAG.CREATE p 2', "ERR pipeline 'p' already exists"],
    ['RAG.CREATE q 0', 'ERR invalid dims: must be a whole number from 1 to 32768'],
    ['RAG.CREATE q 2 STRATEGY sentence', 'ERR invalid STRATEGY: must be one of fixed'],
    ['RAG.CREATE q 2 CHUNK_SIZE 0', 'ERR invalid CHUNK_SIZE: must be a whole number from 1'],
    ['RAG.CREATE q 2 CHUNK_OVERLAP 10 CHUNK_SIZE 10', 'ERR invalid CHUNK_OVERLAP: must be a whole number from 0 to 9'],
    ['RAG.CREATE q 2 SIZE 10', "unknown option 'SIZE': must be one of STRATEGY, CHUNK_SIZE, CHUNK_OVERLAP"],
    ['RAG.INGEST p d new VECTORS 1,2 3,4', 'ERR invalid VECTORS: 2 vectors where the text makes 1 chunks'],
    ['RAG.INGEST p d new VECTORS 1,2,3', 'ERR invalid vector: 3 components where the index has 2 dimensions'],
    ['RAG.INGEST p d new VECTORS 1', 'ERR invalid vector: 1 components'],
    ['RAG.INGEST p d new VECTORS 1,nan', "ERR invalid vector component 'nan'"],
    ['RAG.INGEST p d new VECTORS 1,', "ERR invalid vector component ''"],
    ['RAG.INGEST p d new VECTORS', 'ERR syntax error'],
    ['RAG.INGEST p d new META', 'ERR syntax error'],
    ['RAG.INGEST p d new META k', 'ERR syntax error'],
    ['RAG.INGEST p d new TAGS k', 'must be one of META, VECTORS'],
    ['RAG.INGEST q d new', "ERR pipeline 'q' not found"],
    ['RAG.SEARCH p old K 0', 'ERR invalid K'],
    ['RAG.SEARCH p old ALPHA 1.5', 'ERR invalid ALPHA: must be a number from 0'],
    ['RAG.SEARCH p old ALPHA nan', 'ERR invalid ALPHA'],
    ['RAG.SEARCH p old VECTOR 1', 'ERR invalid vector: 1 components'],
    ['RAG.SEARCH p old FILTER k', 'ERR syntax error'],
    ['RAG.SEARCH p old LIMIT 1', 'must be one of K, ALPHA, VECTOR, FILTER'],
    ['RAG.SEARCH q old', 'not found'],
    ['RAG.STATS q', 'not found'],
    ['RAG.DROP q', 'not found'],
  ])('%s is refused', async (line, error) => {
    await using server = await frozen();
    await run(server, 'RAG.CREATE p 2', 'RAG.INGEST p d old META k v VECTORS 1,0');
    await expect(run(server, line)).rejects.toThrow(error);
    expect(await run(server, 'RAG.LIST')).toEqual(['p']);
    expect(((await run(server, 'RAG.SEARCH p old')) as Row[])[0]!.slice(6)).toEqual(['k', 'v']);
    expect(((await run(server, 'RAG.STATS p')) as unknown[]).slice(2, 8)).toEqual([
      ...['documents', 1, 'chunks', 1],
      ...['queries', 1],
    ]);
  });
});
