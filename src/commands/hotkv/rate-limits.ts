/** RATELIMIT.*: named limiters of several algorithms (official client 1.0.0). In CHECK's reply 1 means allowed, unlike GCRA.LIMIT's. */
import { MAX_PERIOD } from '../../gcra/limit.js';
import { RATE_ALGORITHMS, type RateAlgorithm, RateLimiter, RateVerdict } from '../../keyspace/hotkv/rate-limiter.js';
import { formatDouble } from '../../protocol/numbers.js';
import { type Bytes, ErrorReply, OK, type Reply } from '../../protocol/reply.js';
import type { Session } from '../../server/session.js';
import { OptionReader } from '../args.js';
import { type CommandRow, key } from '../definition.js';
import { choiceArg, existing, expectNew, positiveArg, unknownOption, wholeArg } from './names.js';

const KIND = 'rate limiter';
/** The greatest limit and cost, so that sums stay exact. */
const MAX_UNITS = 1_000_000_000_000;

export const rateLimitCommands: readonly CommandRow[] = [
  {
    name: 'ratelimit.create',
    arity: -4,
    flags: ['write', 'denyoom', 'fast'],
    group: 'rate-limiting',
    keys: [key('OW insert')],
    since: '0.3.0',
    complexity: 'O(1)',
    summary: 'Makes a rate limiter: how many units a key may use in a window.',
    syntax:
      'name:key limit:integer window-ms:integer [ALGO algo:(sliding_window | fixed_window | token_bucket | leaky_bucket)] [REFILL units-per-second:double] [DRAIN units-per-second:double]',
    readings: [
      'sliding_window (default): each use counts for one window from its own moment; fixed_window: uses count until the window ends that the first of them began; token_bucket and leaky_bucket: used units come back at a steady rate, of limit/window unless REFILL or DRAIN says otherwise.',
      'REFILL goes with token_bucket alone and DRAIN with leaky_bucket, both in units a second.',
      'limiters belong to the node, not to a database: FLUSHALL removes them, FLUSHDB does not.',
      'beyond 4096 moments of use in a window, a sliding window counts two neighbours as one, at the later time.',
    ],
    handler: create,
  },
  {
    name: 'ratelimit.check',
    arity: -3,
    flags: ['write', 'denyoom', 'fast'],
    group: 'rate-limiting',
    keys: [key('RW access update')],
    since: '0.3.0',
    complexity: 'O(1) on average',
    summary: 'Takes units of a limiter for a key, or says how long to wait for them.',
    syntax: 'name:key key:string [COST units:integer]',
    readings: [
      'the key is a name inside the limiter, not a key of the database.',
      'the reply is allowed (1 or 0), units that remain, ms to wait (0 when allowed, -1 when the cost is above the limit), limit, units in use.',
    ],
    handler: check,
  },
  {
    name: 'ratelimit.peek',
    arity: 3,
    flags: ['readonly', 'fast'],
    group: 'rate-limiting',
    keys: [key('RO access')],
    since: '0.3.0',
    complexity: 'O(1) on average',
    summary: 'Tells what RATELIMIT.CHECK of one unit would find, and takes nothing.',
    syntax: 'name:key key:string',
    handler: peek,
  },
  {
    name: 'ratelimit.reset',
    arity: 3,
    flags: ['write', 'fast'],
    group: 'rate-limiting',
    keys: [key('RW update')],
    since: '0.3.0',
    complexity: 'O(1)',
    summary: 'Gives a key the whole limit again.',
    syntax: 'name:key key:string',
    handler: reset,
  },
  {
    name: 'ratelimit.stats',
    arity: 2,
    flags: ['readonly'],
    group: 'rate-limiting',
    keys: [key('RO access')],
    since: '0.3.0',
    complexity: 'O(N), N being the number of keys of the limiter',
    summary: 'Tells the configuration of a limiter, what it allowed and denied, and how many keys use it.',
    syntax: 'name:key',
    readings: ['the fields are name, algo, limit, window_ms, allowed, denied, keys; of buckets rate_per_second too.'],
    handler: stats,
  },
  {
    name: 'ratelimit.drop',
    arity: 2,
    flags: ['write', 'fast'],
    group: 'rate-limiting',
    keys: [key('RM delete')],
    since: '0.3.0',
    complexity: 'O(1)',
    summary: 'Removes a limiter.',
    syntax: 'name:key',
    readings: ['a limiter that is not there is an error, here and in the other commands.'],
    handler: drop,
  },
  {
    name: 'ratelimit.list',
    arity: 1,
    flags: ['readonly'],
    group: 'rate-limiting',
    since: '0.3.0',
    complexity: 'O(N), N being the number of limiters',
    summary: 'Lists the names of all limiters.',
    syntax: '',
    handler: list,
  },
];

function create(ctx: Session, args: Bytes[]): Reply {
  const { rateLimiters } = ctx.server.engines;
  const name = args[1]!;
  const limit = wholeArg(args[2]!, 'limit', 1, MAX_UNITS);
  const windowMs = wholeArg(args[3]!, 'window', 1, MAX_PERIOD);
  const { algorithm, perSecond } = createOptions(args);
  expectNew(rateLimiters, name, KIND);
  const ratePerMs = perSecond === undefined ? limit / windowMs : perSecond / 1000;
  rateLimiters.set(name, new RateLimiter(algorithm, limit, windowMs, ratePerMs));
  return OK;
}

const REFILL_ALONE = new ErrorReply('ERR REFILL is for the algorithm token_bucket alone');
const DRAIN_ALONE = new ErrorReply('ERR DRAIN is for the algorithm leaky_bucket alone');

function createOptions(args: Bytes[]): { algorithm: RateAlgorithm; perSecond: number | undefined } {
  let algorithm: RateAlgorithm = 'sliding_window';
  let refill: number | undefined;
  let drain: number | undefined;
  for (const options = new OptionReader(args, 4); options.more; ) {
    const word = options.next();
    const option = word.toUpperCase();
    if (option === 'ALGO') algorithm = choiceArg(options.next(), 'algorithm', RATE_ALGORITHMS);
    else if (option === 'REFILL') refill = positiveArg(options.next(), 'refill');
    else if (option === 'DRAIN') drain = positiveArg(options.next(), 'drain');
    else throw unknownOption(word, ['ALGO', 'REFILL', 'DRAIN']);
  }
  if (refill !== undefined && algorithm !== 'token_bucket') throw REFILL_ALONE;
  if (drain !== undefined && algorithm !== 'leaky_bucket') throw DRAIN_ALONE;
  return { algorithm, perSecond: refill ?? drain };
}

/** Serves every call: handlers run one after the other. */
const verdict = new RateVerdict();

function check(ctx: Session, args: Bytes[]): Reply {
  const limiter = limiterOf(ctx, args);
  limiter.check(args[2]!, args.length === 3 ? 1 : costArg(args), ctx.now, verdict);
  return told(limiter);
}

function costArg(args: Bytes[]): number {
  if (args[3]!.toUpperCase() !== 'COST' || args.length !== 5) throw unknownOption(args[3]!, ['COST units']);
  return wholeArg(args[4]!, 'cost', 1, MAX_UNITS);
}

function peek(ctx: Session, args: Bytes[]): Reply {
  const limiter = limiterOf(ctx, args);
  limiter.peek(args[2]!, 1, ctx.now, verdict);
  return told(limiter);
}

function told({ limit }: RateLimiter): Reply {
  const { allowed, current, retry } = verdict;
  return [allowed ? 1 : 0, limit - current, retry, limit, current];
}

function reset(ctx: Session, args: Bytes[]): Reply {
  limiterOf(ctx, args).reset(args[2]!);
  return OK;
}

function stats(ctx: Session, args: Bytes[]): Reply {
  const limiter = limiterOf(ctx, args);
  const { algorithm, limit, windowMs, allowed, denied, ratePerMs } = limiter;
  const fields: Reply[] = ['name', args[1]!, 'algo', algorithm, 'limit', limit, 'window_ms', windowMs];
  fields.push('allowed', allowed, 'denied', denied, 'keys', limiter.keyCount(ctx.now));
  if (algorithm.endsWith('bucket')) fields.push('rate_per_second', formatDouble(ratePerMs * 1000));
  return fields;
}

function drop(ctx: Session, args: Bytes[]): Reply {
  limiterOf(ctx, args);
  ctx.server.engines.rateLimiters.delete(args[1]!);
  return OK;
}

function list(ctx: Session): Reply {
  return [...ctx.server.engines.rateLimiters.keys()];
}

function limiterOf(ctx: Session, args: Bytes[]): RateLimiter {
  return existing(ctx.server.engines.rateLimiters, args[1]!, KIND);
}
