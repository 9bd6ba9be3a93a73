/** LATENCY: what took long, and how long commands take. */

import { type Bytes, ErrorReply, MapReply, type Reply, VerbatimString } from '../protocol/reply.js';
import type { Command } from '../server/command-table.js';
import type { LatencyEvent } from '../server/latency-monitor.js';
import type { Session } from '../server/session.js';
import type { CommandRow } from './definition.js';
import { helpHandler } from './help.js';
import { bucketLimit, LATENCY_BUCKETS } from './latency-buckets.js';

const FLAGS = ['admin', 'noscript', 'loading', 'stale'] as const;
const TIPS = ['nondeterministic_output', 'request_policy:all_nodes', 'response_policy:special'] as const;

export const latencyCommands: readonly CommandRow[] = [
  {
    name: 'latency',
    arity: -2,
    flags: [],
    group: 'server',
    since: '2.8.13',
    complexity: '',
    summary: 'Shows what took long, and how long commands take.',
    syntax: '',
    subcommands: [
      {
        name: 'reset',
        arity: -2,
        flags: FLAGS,
        group: 'server',
        since: '2.8.13',
        complexity: 'O(N), N being the number of events',
        summary: 'Forgets the samples of some events, or of all.',
        syntax: '[event...]',
        tips: ['request_policy:all_nodes', 'response_policy:agg_sum'],
        handler: reset,
      },
      {
        name: 'history',
        arity: 3,
        flags: FLAGS,
        group: 'server',
        since: '2.8.13',
        complexity: 'O(1)',
        summary: 'Lists the samples of an event: unix time in seconds, and ms.',
        syntax: 'event',
        tips: TIPS,
        handler: history,
      },
      {
        name: 'histogram',
        arity: -2,
        flags: FLAGS,
        group: 'server',
        since: '7.0.0',
        complexity: 'O(N), N being the number of commands shown',
        summary: 'Shows how many calls of a command took up to 1, 2, 4 … microseconds.',
        syntax: '[command...]',
        tips: TIPS,
        handler: histogram,
      },
      {
        name: 'latest',
        arity: 2,
        flags: FLAGS,
        group: 'server',
        since: '2.8.13',
        complexity: 'O(N), N being the number of events',
        summary: 'Shows the latest sample and the worst of every event.',
        syntax: '',
        tips: TIPS,
        handler: latest,
      },
      {
        name: 'help',
        arity: 2,
        flags: ['loading', 'stale'],
        group: 'server',
        since: '2.8.13',
        complexity: 'O(1)',
        summary: 'Shows the subcommands.',
        syntax: '',
        handler: helpHandler('LATENCY'),
      },
      {
        name: 'graph',
        arity: 3,
        flags: FLAGS,
        group: 'server',
        since: '2.8.13',
        complexity: 'O(1)',
        summary: 'Draws the samples of an event.',
        syntax: 'event',
        tips: TIPS,
        handler: graph,
      },
      {
        name: 'doctor',
        arity: 2,
        flags: FLAGS,
        group: 'server',
        since: '2.8.13',
        complexity: 'O(N), N being the number of events',
        summary: 'Says in words what the samples tell.',
        syntax: '',
        tips: TIPS,
        handler: doctor,
      },
    ],
  },
];

function reset(ctx: Session, args: Bytes[]): Reply {
  return ctx.server.latency.reset(args.length > 2 ? args.slice(2) : undefined);
}

function history(ctx: Session, args: Bytes[]): Reply {
  return (ctx.server.latency.events.get(args[2]!)?.samples ?? []).map(({ at, ms }) => [at, ms]);
}

function latest(ctx: Session): Reply {
  return [...ctx.server.latency.events].map(([name, { samples, worst }]) => {
    const { at, ms } = samples.at(-1)!;
    return [name, at, ms, worst];
  });
}

/** Commands that were called, those named or all; the name of a container stands for its subcommands. */
function histogram(ctx: Session, args: Bytes[]): Reply {
  const { commands } = ctx.server;
  const named = args.length === 2 ? [...commands.all()] : args.slice(2).map((name) => commands.findFull(name));
  const flat: Reply[] = [];
  for (const command of named) {
    if (command === undefined) continue;
    for (const each of [command, ...(command.subcommands?.values() ?? [])]) {
      if (each.latency !== undefined) flat.push(each.fullName, histogramOf(each, each.latency));
    }
  }
  return new MapReply(flat);
}

/** Buckets of a power of two in `latency`. */
const BUCKETS_OF_POWER = 4;

/** Calls of up to 1, 2, 4, 8, 16, 33 … µs (powers of two in 1,024 ns), each with all that were faster. */
function histogramOf({ calls }: Command, latency: Float64Array): Reply {
  const limits: Reply[] = [];
  let seen = 0;
  let shown = 0;
  for (let bucket = 0; bucket < LATENCY_BUCKETS; bucket++) {
    seen += latency[bucket]!;
    if ((bucket + 1) % BUCKETS_OF_POWER !== 0 || seen === shown) continue;
    shown = seen;
    limits.push(Math.trunc(bucketLimit(bucket) * HIGHEST_EQUIVALENT), seen);
  }
  return new MapReply(['calls', calls, 'histogram_usec', new MapReply(limits)]);
}

/** Redis shows the highest value that its histogram cannot tell from the limit: 1/128 above it. */
const HIGHEST_EQUIVALENT = 1 + 1 / 128 - 1e-6;

function graph(ctx: Session, args: Bytes[]): Reply {
  const name = args[2]!;
  const event = ctx.server.latency.events.get(name);
  if (event === undefined) return new ErrorReply(`ERR No samples available for event '${name}'`);
  return new VerbatimString(drawn(name, event));
}

const GRAPH_ROWS = 6;

/** A column for each sample, as high as it is long beside the longest. */
function drawn(name: string, { samples, worst }: LatencyEvent): string {
  const durations = samples.map(({ ms }) => ms);
  const high = Math.max(...durations);
  const low = Math.min(...durations);
  const lines = [`${name} - high ${high} ms, low ${low} ms (all time high ${worst} ms)`, '-'.repeat(samples.length)];
  for (let row = GRAPH_ROWS; row > 0; row--) {
    lines.push(durations.map((ms) => (ms * GRAPH_ROWS >= high * row ? '#' : ' ')).join(''));
  }
  return `${lines.join('\n')}\n`;
}

function doctor(ctx: Session): Reply {
  const { events, thresholdMs } = ctx.server.latency;
  if (thresholdMs === Infinity) {
    return new VerbatimString(
      'Nothing is watched: latency-monitor-threshold is 0. CONFIG SET it to the milliseconds from which on you care.\n',
    );
  }
  if (events.size === 0) return new VerbatimString(`Nothing has taken ${thresholdMs} ms or longer.\n`);
  const findings = [...events].map(([name, { samples, worst }]) => {
    const mean = samples.reduce((sum, { ms }) => sum + ms, 0) / samples.length;
    return `${name}: ${samples.length} spikes, ${mean.toFixed(1)} ms on average. Worst all time event ${worst} ms.`;
  });
  return new VerbatimString(`${findings.join('\n')}\nSLOWLOG GET shows the commands that took long.\n`);
}
