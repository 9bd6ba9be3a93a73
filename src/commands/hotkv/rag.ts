/** RAG.*: documents that are cut into chunks and found by words and vectors (official client 1.0.0, official MCP server 1.0.0). */
import { CHUNK_STRATEGIES, type ChunkStrategy, MAX_CHUNKS, RagPipeline } from '../../keyspace/hotkv/rag-pipeline.js';
import { formatDouble, parseDouble } from '../../protocol/numbers.js';
import { type Bytes, ErrorReply, OK, type Reply } from '../../protocol/reply.js';
import type { Session } from '../../server/session.js';
import { OptionReader } from '../args.js';
import { type CommandRow, key } from '../definition.js';
import { choiceArg, existing, expectNew, unknownOption, wholeArg } from './names.js';
import { joinedVectorArg, MAX_DIMENSIONS } from './vector-args.js';

const KIND = 'pipeline';
const DEFAULT_CHUNK_SIZE = 1000;
const MAX_CHUNK_SIZE = 1_000_000;
const DEFAULT_K = 5;
const MAX_K = 1_000_000;
const DEFAULT_ALPHA = 0.5;

export const ragCommands: readonly CommandRow[] = [
  {
    name: 'rag.create',
    arity: -3,
    flags: ['write', 'denyoom', 'fast'],
    group: 'rag',
    keys: [key('OW insert')],
    since: '0.3.0',
    complexity: 'O(1)',
    summary: 'Makes a pipeline: the length of its vectors, and how its documents are cut into chunks.',
    syntax:
      'pipeline:key dims:integer [STRATEGY strategy:(fixed)] [CHUNK_SIZE characters:integer] [CHUNK_OVERLAP characters:integer]',
    readings: [
      `the one strategy is fixed: chunks of CHUNK_SIZE characters (default ${DEFAULT_CHUNK_SIZE}), each beginning CHUNK_OVERLAP (default a tenth of the size) before the end of the one before. A character is a code point of UTF-8, and none is cut in two.`,
      `dims is ${MAX_DIMENSIONS} at most.`,
      'pipelines belong to the node, not to a database: FLUSHALL removes them, FLUSHDB does not.',
    ],
    handler: create,
  },
  {
    name: 'rag.ingest',
    arity: -4,
    flags: ['write', 'denyoom'],
    group: 'rag',
    keys: [key('RW update')],
    since: '0.3.0',
    complexity: 'O(N), N being the length of the text and of the vectors',
    summary: 'Puts a document in place of what has its id, and answers how many chunks it makes.',
    syntax: 'pipeline:key document text [META metadata:(name value)...] [VECTORS vector...]',
    readings: [
      'VECTORS gives one vector for each chunk, its components joined by commas; another number of vectors is an error.',
      `an empty text makes no chunk; more than ${MAX_CHUNKS} chunks are an error.`,
    ],
    handler: ingest,
  },
  {
    name: 'rag.search',
    arity: -3,
    flags: ['readonly'],
    group: 'rag',
    keys: [key('RO access')],
    since: '0.3.0',
    complexity: 'O(N*M), N being the number of chunks and M of dimensions',
    summary:
      'Finds the best chunks: for each its id, its document, the text, score, vector score and BM25 score, and the metadata of the document.',
    syntax: 'pipeline:key query [K k:integer] [ALPHA alpha:double] [VECTOR vector] [FILTER metadata:(name value)...]',
    readings: [
      `K is ${DEFAULT_K} and ALPHA ${DEFAULT_ALPHA} by default.`,
      'the vector score is the cosine; the BM25 score has k1 1.2 and b 0.75 and counts all chunks of the pipeline. The score is ALPHA * cosine + (1 - ALPHA) * BM25 / the greatest BM25 among the chunks that were found.',
      'a chunk is found by a word of the query (unless ALPHA is 1) or by having a vector (unless it is 0). Without VECTOR the words alone count, whatever ALPHA is.',
      'words are runs of letters and digits, compared without case; a Chinese or Japanese character is a word.',
      'FILTER keeps documents whose metadata has all these values, byte for byte. Equal scores are ordered by the id of the chunk, which is document:number, from 0.',
    ],
    handler: search,
  },
  {
    name: 'rag.stats',
    arity: 2,
    flags: ['readonly', 'fast'],
    group: 'rag',
    keys: [key('RO access')],
    since: '0.3.0',
    complexity: 'O(1)',
    summary: 'Tells what a pipeline holds, how often it was searched, how it cuts documents, and the memory.',
    syntax: 'pipeline:key',
    readings: [
      'the fields are name, documents, chunks, queries, dimensions, chunkStrategy, chunkSize, chunkOverlap, memoryBytes.',
    ],
    handler: stats,
  },
  {
    name: 'rag.drop',
    arity: 2,
    flags: ['write', 'fast'],
    group: 'rag',
    keys: [key('RM delete')],
    since: '0.3.0',
    complexity: 'O(1)',
    summary: 'Removes a pipeline with its documents.',
    syntax: 'pipeline:key',
    readings: ['a pipeline that is not there is the error "not found", here and in the other commands.'],
    handler: drop,
  },
  {
    name: 'rag.list',
    arity: 1,
    flags: ['readonly'],
    group: 'rag',
    since: '0.3.0',
    complexity: 'O(N), N being the number of pipelines',
    summary: 'Lists the names of all pipelines.',
    syntax: '',
    handler: list,
  },
];

function create(ctx: Session, args: Bytes[]): Reply {
  const { ragPipelines } = ctx.server.engines;
  const dims = wholeArg(args[2]!, 'dims', 1, MAX_DIMENSIONS);
  let strategy: ChunkStrategy = 'fixed';
  let size = DEFAULT_CHUNK_SIZE;
  let overlapText: Bytes | undefined;
  for (const options = new OptionReader(args, 3); options.more; ) {
    const word = options.next();
    const option = word.toUpperCase();
    if (option === 'STRATEGY') strategy = choiceArg(options.next(), option, CHUNK_STRATEGIES);
    else if (option === 'CHUNK_SIZE') size = wholeArg(options.next(), option, 1, MAX_CHUNK_SIZE);
    else if (option === 'CHUNK_OVERLAP') overlapText = options.next();
    else throw unknownOption(word, ['STRATEGY', 'CHUNK_SIZE', 'CHUNK_OVERLAP']);
  }
  const overlap =
    overlapText === undefined ? Math.floor(size / 10) : wholeArg(overlapText, 'CHUNK_OVERLAP', 0, size - 1);
  expectNew(ragPipelines, args[1]!, KIND);
  ragPipelines.set(args[1]!, new RagPipeline(dims, strategy, size, overlap));
  return OK;
}

function ingest(ctx: Session, args: Bytes[]): Reply {
  const pipeline = pipelineOf(ctx, args);
  let metadata: ReadonlyMap<Bytes, Bytes> = new Map();
  let vectors: Float64Array[] | undefined;
  for (const options = new OptionReader(args, 4); options.more; ) {
    const word = options.next();
    const option = word.toUpperCase();
    if (option === 'META') metadata = readPairs(options, 'VECTORS');
    else if (option === 'VECTORS') vectors = readVectors(options, pipeline.dims);
    else throw unknownOption(word, ['META', 'VECTORS']);
  }
  const chunks = pipeline.split(args[3]!);
  if (chunks === undefined) return new ErrorReply(`ERR invalid text: it makes more than ${MAX_CHUNKS} chunks`);
  if (vectors !== undefined && vectors.length !== chunks.length) {
    return new ErrorReply(
      `ERR invalid VECTORS: ${vectors.length} vectors where the text makes ${chunks.length} chunks`,
    );
  }
  pipeline.put(args[2]!, chunks, metadata, vectors);
  return chunks.length;
}

/** Pairs of name and value, one at least, to the end or to the word that ends them. */
function readPairs(options: OptionReader, end?: string): Map<Bytes, Bytes> {
  const pairs = new Map<Bytes, Bytes>();
  do pairs.set(options.next(), options.next());
  while (options.more && !(end !== undefined && options.sees(end)));
  return pairs;
}

function readVectors(options: OptionReader, dims: number): Float64Array[] {
  const vectors: Float64Array[] = [];
  do vectors.push(joinedVectorArg(options.next(), dims));
  while (options.more && !options.sees('META'));
  return vectors;
}

function search(ctx: Session, args: Bytes[]): Reply {
  const pipeline = pipelineOf(ctx, args);
  let k = DEFAULT_K;
  let alpha = DEFAULT_ALPHA;
  let vector: Float64Array | undefined;
  let filter: ReadonlyMap<Bytes, Bytes> = new Map();
  for (const options = new OptionReader(args, 3); options.more; ) {
    const word = options.next();
    const option = word.toUpperCase();
    if (option === 'K') k = wholeArg(options.next(), option, 1, MAX_K);
    else if (option === 'ALPHA') alpha = alphaArg(options.next());
    else if (option === 'VECTOR') vector = joinedVectorArg(options.next(), pipeline.dims);
    else if (option === 'FILTER') filter = readPairs(options);
    else throw unknownOption(word, ['K', 'ALPHA', 'VECTOR', 'FILTER']);
  }
  const hits = pipeline.search({ text: args[2]!, vector, alpha, filter, k });
  return hits.map(({ chunk, score, cosine, bm25 }) => {
    const row: Bytes[] = [chunk.id, chunk.document.id, chunk.text];
    row.push(formatDouble(score), formatDouble(cosine), formatDouble(bm25));
    for (const [name, value] of chunk.document.metadata) row.push(name, value);
    return row;
  });
}

function alphaArg(text: Bytes): number {
  const value = parseDouble(text);
  if (value === undefined || !(value >= 0 && value <= 1)) {
    throw new ErrorReply('ERR invalid ALPHA: must be a number from 0 (words alone) to 1 (vectors alone)');
  }
  return value;
}

function stats(ctx: Session, args: Bytes[]): Reply {
  const pipeline = pipelineOf(ctx, args);
  const { documents, chunkCount, queries, dims, strategy, chunkSize, chunkOverlap, bytes } = pipeline;
  const fields: Reply[] = ['name', args[1]!, 'documents', documents.size, 'chunks', chunkCount, 'queries', queries];
  fields.push('dimensions', dims, 'chunkStrategy', strategy, 'chunkSize', chunkSize);
  fields.push('chunkOverlap', chunkOverlap, 'memoryBytes', bytes);
  return fields;
}

function drop(ctx: Session, args: Bytes[]): Reply {
  pipelineOf(ctx, args);
  ctx.server.engines.ragPipelines.delete(args[1]!);
  return OK;
}

function list(ctx: Session): Reply {
  return [...ctx.server.engines.ragPipelines.keys()];
}

function pipelineOf(ctx: Session, args: Bytes[]): RagPipeline {
  return existing(ctx.server.engines.ragPipelines, args[1]!, KIND);
}
