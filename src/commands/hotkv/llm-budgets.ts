/** LLMBUDGET.*: caps on tokens and money in windows of time (official client 1.0.0). */
import { LlmBudget } from '../../keyspace/hotkv/llm-budget.js';
import { formatDollars } from '../../keyspace/hotkv/money.js';
import { totalTokens } from '../../keyspace/hotkv/token-usage.js';
import { type Bytes, OK, type Reply } from '../../protocol/reply.js';
import type { Session } from '../../server/session.js';
import { OptionReader } from '../args.js';
import { type CommandRow, key } from '../definition.js';
import { amountArg, costArg } from './llm-stats.js';
import { existing, unknownOption, wholeArg } from './names.js';
import { tokensArg, USAGE_SYNTAX, UsageOptions } from './usage-args.js';

const KIND = 'LLM budget';
/** A window is at most 100 years long. */
const MAX_WINDOW_SECONDS = 100 * 366 * 86_400;

export const llmBudgetCommands: readonly CommandRow[] = [
  {
    name: 'llmbudget.set',
    arity: 5,
    flags: ['write', 'denyoom', 'fast'],
    group: 'llm',
    keys: [key('OW insert')],
    since: '0.3.0',
    complexity: 'O(1)',
    summary: 'Makes a budget, or changes the limits of one.',
    syntax: 'budget:key token-limit:integer cost-limit-usd:double window-seconds:integer',
    readings: [
      'a limit of 0 is no limit, of tokens too.',
      'windows follow one another from the first LLMBUDGET.SET on; a change of the limits keeps what was used and when the window began.',
      'budgets belong to the node, not to a database: FLUSHALL removes them, FLUSHDB does not.',
    ],
    handler: set,
  },
  {
    name: 'llmbudget.consume',
    arity: -4,
    flags: ['write', 'denyoom', 'fast'],
    group: 'llm',
    keys: [key('RW access update')],
    since: '0.3.0',
    complexity: 'O(1)',
    summary: 'Takes tokens and money from a budget: 1, or 0 when that would exceed it.',
    syntax: `budget:key tokens:integer cost-usd:double ${USAGE_SYNTAX}`,
    readings: [
      'a refused call takes nothing.',
      'with MODEL the tokens of all kinds are added up and the cost follows from the price table; the two numbers must be valid but do not count.',
      'a budget that is not there is the error "not found".',
    ],
    handler: consume,
  },
  {
    name: 'llmbudget.status',
    arity: 2,
    flags: ['readonly', 'fast'],
    group: 'llm',
    keys: [key('RO access')],
    since: '0.3.0',
    complexity: 'O(1)',
    summary: 'Tells the limits of a budget, what was used of it, and when its window ends.',
    syntax: 'budget:key',
    readings: [
      'the fields are tokens_used, token_limit, cost_used_usd, cost_limit_usd, window_seconds, window_remaining_s and unpriced_requests, which counts calls of models without a price since the window began.',
    ],
    handler: status,
  },
  {
    name: 'llmbudget.reset',
    arity: 2,
    flags: ['write', 'fast'],
    group: 'llm',
    keys: [key('RW update')],
    since: '0.3.0',
    complexity: 'O(1)',
    summary: 'Begins a new window of a budget with nothing used; 0 when there is none.',
    syntax: 'budget:key',
    handler: reset,
  },
  {
    name: 'llmbudget.drop',
    arity: 2,
    flags: ['write', 'fast'],
    group: 'llm',
    keys: [key('RM delete')],
    since: '0.3.0',
    complexity: 'O(1)',
    summary: 'Removes a budget; 0 when there is none.',
    syntax: 'budget:key',
    handler: drop,
  },
  {
    name: 'llmbudget.list',
    arity: 1,
    flags: ['readonly'],
    group: 'llm',
    since: '0.3.0',
    complexity: 'O(N), N being the number of budgets',
    summary: 'Lists the names of all budgets.',
    syntax: '',
    handler: list,
  },
];

function set(ctx: Session, args: Bytes[]): Reply {
  const { llmBudgets } = ctx.server.engines;
  const limits = {
    tokens: tokensArg(args[2]!, 'token limit'),
    cost: amountArg(args[3]!, 'cost limit'),
    windowSeconds: wholeArg(args[4]!, 'window', 1, MAX_WINDOW_SECONDS),
  };
  const budget = llmBudgets.get(args[1]!);
  if (budget === undefined) llmBudgets.set(args[1]!, new LlmBudget(limits, ctx.now));
  else budget.limits = limits;
  return OK;
}

function consume(ctx: Session, args: Bytes[]): Reply {
  const { llmBudgets, prices } = ctx.server.engines;
  const budget = existing(llmBudgets, args[1]!, KIND);
  const tokens = tokensArg(args[2]!, 'tokens');
  const cost = costArg(args[3]!);
  const options = new UsageOptions();
  const reader = new OptionReader(args, 4);
  while (reader.more) {
    const word = reader.keyword();
    if (!options.take(word, reader)) return unknownOption(word, UsageOptions.words);
  }
  const usage = options.usage();
  if (usage === undefined) return budget.consume(tokens, cost, false, ctx.now) ? 1 : 0;
  const priced = prices.cost(usage);
  return budget.consume(totalTokens(usage.tokens), priced ?? 0n, priced === undefined, ctx.now) ? 1 : 0;
}

function status(ctx: Session, args: Bytes[]): Reply {
  const budget = existing(ctx.server.engines.llmBudgets, args[1]!, KIND);
  const remaining = budget.remainingSeconds(ctx.now);
  const { limits } = budget;
  return [
    'tokens_used',
    budget.tokensUsed,
    'token_limit',
    limits.tokens,
    'cost_used_usd',
    formatDollars(budget.costUsed),
    'cost_limit_usd',
    formatDollars(limits.cost),
    'window_seconds',
    limits.windowSeconds,
    'window_remaining_s',
    remaining,
    'unpriced_requests',
    budget.unpriced,
  ];
}

function reset(ctx: Session, args: Bytes[]): Reply {
  const budget = ctx.server.engines.llmBudgets.get(args[1]!);
  budget?.reset(ctx.now);
  return budget === undefined ? 0 : 1;
}

function drop(ctx: Session, args: Bytes[]): Reply {
  return ctx.server.engines.llmBudgets.delete(args[1]!) ? 1 : 0;
}

function list(ctx: Session): Reply {
  return [...ctx.server.engines.llmBudgets.keys()];
}
