/** LLMSTATS.*: what calls of language models used and cost, in buckets; and the table of prices (official client 1.0.0). */
import { LlmMeter } from '../../keyspace/hotkv/llm-meter.js';
import { formatDollars, parseAmount, parseCost } from '../../keyspace/hotkv/money.js';
import { type PriceEntry, pricesOf } from '../../keyspace/hotkv/price-table.js';
import { formatDouble } from '../../protocol/numbers.js';
import { type Bytes, ErrorReply, OK, type Reply } from '../../protocol/reply.js';
import type { Session } from '../../server/session.js';
import { OptionReader } from '../args.js';
import { type CommandRow, key } from '../definition.js';
import { helpHandler } from '../help.js';
import { existing, unknownOption, wholeArg } from './names.js';
import { tokensArg } from './usage-args.js';

const KIND = 'LLM bucket';
/** Longest latency that is taken, in ms: a day. */
const MAX_LATENCY_MS = 86_400_000;

export const llmStatsCommands: readonly CommandRow[] = [
  {
    name: 'llmstats.bucket',
    arity: 2,
    flags: ['write', 'denyoom', 'fast'],
    group: 'llm',
    keys: [key('OW insert')],
    since: '0.3.0',
    complexity: 'O(1)',
    summary: 'Makes a bucket of counters; one that is there stays as it is.',
    syntax: 'bucket:key',
    readings: ['buckets belong to the node, not to a database: FLUSHALL removes them, FLUSHDB does not.'],
    handler: bucket,
  },
  {
    name: 'llmstats.record',
    arity: -7,
    flags: ['write', 'denyoom', 'fast'],
    group: 'llm',
    keys: [key('RW update')],
    since: '0.3.0',
    complexity: 'O(1)',
    summary: 'Counts a call: its tokens, cost and latency.',
    syntax:
      'bucket:key input-tokens:integer output-tokens:integer cached-tokens:integer cost:double latency-milliseconds:integer [ERROR error:integer] [MODEL model] [CACHEWRITE5M cache-write-5m-tokens:integer] [CACHEWRITE1H cache-write-1h-tokens:integer]',
    readings: [
      'a bucket that is not there is the error "not found".',
      'a cost is rounded to the nearest micro-dollar, once for the whole call.',
      'with MODEL the cost must be valid but does not count.',
    ],
    handler: record,
  },
  {
    name: 'llmstats.get',
    arity: 2,
    flags: ['readonly', 'fast'],
    group: 'llm',
    keys: [key('RO access')],
    since: '0.3.0',
    complexity: 'O(1)',
    summary: 'Tells what was counted in a bucket, in all and in the last minute.',
    syntax: 'bucket:key',
    readings: [
      'the fields are requests, errors, input_tokens, output_tokens, cached_tokens, cache_write_5m_tokens, cache_write_1h_tokens, cost_usd, avg_latency_ms, unpriced_requests, requests_1m, tokens_1m and cost_usd_1m.',
      'the last minute is 60 whole seconds, the present one included.',
    ],
    handler: get,
  },
  {
    name: 'llmstats.reset',
    arity: 2,
    flags: ['write', 'fast'],
    group: 'llm',
    keys: [key('RW update')],
    since: '0.3.0',
    complexity: 'O(1)',
    summary: 'Counts a bucket from zero again; 0 when there is none.',
    syntax: 'bucket:key',
    handler: reset,
  },
  {
    name: 'llmstats.drop',
    arity: 2,
    flags: ['write', 'fast'],
    group: 'llm',
    keys: [key('RM delete')],
    since: '0.3.0',
    complexity: 'O(1)',
    summary: 'Removes a bucket; 0 when there is none.',
    syntax: 'bucket:key',
    handler: drop,
  },
  {
    name: 'llmstats.list',
    arity: 1,
    flags: ['readonly'],
    group: 'llm',
    since: '0.3.0',
    complexity: 'O(N), N being the number of buckets',
    summary: 'Lists the names of all buckets.',
    syntax: '',
    handler: list,
  },
  {
    name: 'llmstats.price',
    arity: -2,
    flags: [],
    group: 'llm',
    since: '0.3.0',
    complexity: 'Depends on the subcommand.',
    summary: 'Keeps the prices of models.',
    syntax: '',
    subcommands: [
      {
        name: 'set',
        arity: -7,
        flags: ['write', 'denyoom', 'fast'],
        group: 'llm',
        since: '0.3.0',
        complexity: 'O(1)',
        summary: 'Sets what 1,000,000 tokens of a model cost, in dollars.',
        syntax:
          'model INPUT input-usd:double OUTPUT output-usd:double [CACHEREAD cache-read-usd:double] [CACHEWRITE5M cache-write-5m-usd:double] [CACHEWRITE1H cache-write-1h-usd:double]',
        readings: ['prices are unsigned decimals with at most six places and no exponent.'],
        handler: setPrice,
      },
      {
        name: 'get',
        arity: 3,
        flags: ['readonly', 'fast'],
        group: 'llm',
        since: '0.3.0',
        complexity: 'O(1)',
        summary: 'Tells the prices of a model and where they come from.',
        syntax: 'model',
        readings: [
          'the built-in prices are a small table noted in 2025-11 and checked against no provider: set those that matter.',
          'names of models are compared as they are.',
        ],
        handler: getPrice,
      },
      {
        name: 'list',
        arity: 2,
        flags: ['readonly'],
        group: 'llm',
        since: '0.3.0',
        complexity: 'O(N log N), N being the number of models',
        summary: 'Tells the prices of all models that have any, by name.',
        syntax: '',
        handler: listPrices,
      },
      {
        name: 'del',
        arity: 3,
        flags: ['write', 'fast'],
        group: 'llm',
        since: '0.3.0',
        complexity: 'O(1)',
        summary: 'Removes a price that was set, so that the built-in one holds again; 0 when none was set.',
        syntax: 'model',
        handler: deletePrice,
      },
      {
        name: 'help',
        arity: 2,
        flags: [],
        group: 'llm',
        since: '0.3.0',
        complexity: 'O(1)',
        summary: 'Shows the subcommands.',
        syntax: '',
        handler: helpHandler('LLMSTATS.PRICE'),
      },
    ],
  },
];

function bucket(ctx: Session, args: Bytes[]): Reply {
  const { llmMeters } = ctx.server.engines;
  if (!llmMeters.has(args[1]!)) llmMeters.set(args[1]!, new LlmMeter());
  return OK;
}

const RECORD_OPTIONS = ['ERROR', 'MODEL', 'CACHEWRITE5M', 'CACHEWRITE1H'];

function record(ctx: Session, args: Bytes[]): Reply {
  const { llmMeters, prices } = ctx.server.engines;
  const meter = existing(llmMeters, args[1]!, KIND);
  const tokens = {
    input: tokensArg(args[2]!, 'input'),
    output: tokensArg(args[3]!, 'output'),
    cacheRead: tokensArg(args[4]!, 'cached'),
    cacheWrite5m: 0,
    cacheWrite1h: 0,
  };
  const given = costArg(args[5]!);
  const latencyMs = wholeArg(args[6]!, 'latency', 0, MAX_LATENCY_MS);
  let failed = false;
  let model: Bytes | undefined;
  const reader = new OptionReader(args, 7);
  while (reader.more) {
    const word = reader.keyword();
    if (word === 'ERROR') failed = wholeArg(reader.next(), word, 0, 1) === 1;
    else if (word === 'MODEL') model = reader.next();
    else if (word === 'CACHEWRITE5M') tokens.cacheWrite5m = tokensArg(reader.next(), word);
    else if (word === 'CACHEWRITE1H') tokens.cacheWrite1h = tokensArg(reader.next(), word);
    else return unknownOption(word, RECORD_OPTIONS);
  }
  const priced = model === undefined ? given : prices.cost({ model, tokens });
  meter.record({ tokens, cost: priced ?? 0n, latencyMs, failed, unpriced: priced === undefined }, ctx.now);
  return OK;
}

/** What a call cost, in micro-dollars. */
export function costArg(text: Bytes): bigint {
  const cost = parseCost(text);
  if (cost === undefined) throw BAD_COST;
  return cost;
}

const BAD_COST = new ErrorReply('ERR invalid cost: must be a number of at least 0 whose micro-dollars fit 64 bits');

function get(ctx: Session, args: Bytes[]): Reply {
  const meter = existing(ctx.server.engines.llmMeters, args[1]!, KIND);
  const { tokens } = meter;
  const minute = meter.lastMinute(ctx.now);
  return [
    'requests',
    meter.requests,
    'errors',
    meter.errors,
    'input_tokens',
    tokens.input,
    'output_tokens',
    tokens.output,
    'cached_tokens',
    tokens.cacheRead,
    'cache_write_5m_tokens',
    tokens.cacheWrite5m,
    'cache_write_1h_tokens',
    tokens.cacheWrite1h,
    'cost_usd',
    formatDollars(meter.cost),
    'avg_latency_ms',
    formatDouble(meter.averageLatencyMs),
    'unpriced_requests',
    meter.unpriced,
    'requests_1m',
    minute.requests,
    'tokens_1m',
    minute.tokens,
    'cost_usd_1m',
    formatDollars(minute.cost),
  ];
}

function reset(ctx: Session, args: Bytes[]): Reply {
  const { llmMeters } = ctx.server.engines;
  if (!llmMeters.has(args[1]!)) return 0;
  llmMeters.set(args[1]!, new LlmMeter());
  return 1;
}

function drop(ctx: Session, args: Bytes[]): Reply {
  return ctx.server.engines.llmMeters.delete(args[1]!) ? 1 : 0;
}

function list(ctx: Session): Reply {
  return [...ctx.server.engines.llmMeters.keys()];
}

const PRICE_OPTIONS = ['INPUT', 'OUTPUT', 'CACHEREAD', 'CACHEWRITE5M', 'CACHEWRITE1H'];

function setPrice(ctx: Session, args: Bytes[]): Reply {
  const given = new Map<string, bigint>();
  const reader = new OptionReader(args, 3);
  while (reader.more) {
    const word = reader.keyword();
    if (!PRICE_OPTIONS.includes(word)) return unknownOption(word, PRICE_OPTIONS);
    given.set(word, amountArg(reader.next(), `${word} price`));
  }
  const input = given.get('INPUT');
  const output = given.get('OUTPUT');
  if (input === undefined || output === undefined) return new ErrorReply('ERR INPUT and OUTPUT must both be given');
  const caches = {
    read: given.get('CACHEREAD'),
    write5m: given.get('CACHEWRITE5M'),
    write1h: given.get('CACHEWRITE1H'),
  };
  ctx.server.engines.prices.set(args[2]!, pricesOf(input, output, caches));
  return OK;
}

/** An exact amount of dollars, in micro-dollars. */
export function amountArg(text: Bytes, what: string): bigint {
  const amount = parseAmount(text);
  if (amount !== undefined) return amount;
  throw new ErrorReply(
    `ERR invalid ${what}: must be dollars as a decimal of at least 0, with six places at most and no exponent`,
  );
}

function getPrice(ctx: Session, args: Bytes[]): Reply {
  return priceRecord(ctx.server.engines.prices.get(args[2]!));
}

function listPrices(ctx: Session): Reply {
  return ctx.server.engines.prices.list().map(priceRecord);
}

function deletePrice(ctx: Session, args: Bytes[]): Reply {
  return ctx.server.engines.prices.delete(args[2]!) ? 1 : 0;
}

function priceRecord({ model, source, prices, retired }: PriceEntry): Reply[] {
  return [
    'model',
    model,
    'source',
    source,
    'priced',
    source === 'unpriced' ? 0 : 1,
    'retired',
    retired ? 1 : 0,
    'input_usd_per_mtok',
    formatDollars(prices.input),
    'output_usd_per_mtok',
    formatDollars(prices.output),
    'cache_read_usd_per_mtok',
    formatDollars(prices.cacheRead),
    'cache_write_5m_usd_per_mtok',
    formatDollars(prices.cacheWrite5m),
    'cache_write_1h_usd_per_mtok',
    formatDollars(prices.cacheWrite1h),
  ];
}
