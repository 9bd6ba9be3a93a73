/** Publish and subscribe. A subscription's confirmations are messages of their own, one a channel. */

import { wrongSubcommand } from '../protocol/errors.js';
import { compileGlob } from '../protocol/glob.js';
import { type Bytes, Messages, PushReply, type Reply } from '../protocol/reply.js';
import type { SubscriptionKind } from '../server/pubsub.js';
import type { Session } from '../server/session.js';
import { type CommandRow, key, keyRange } from './definition.js';
import { helpHandler } from './help.js';

export const pubsubCommands: readonly CommandRow[] = [
  {
    name: 'subscribe',
    arity: -2,
    flags: ['pubsub', 'noscript', 'loading', 'stale'],
    group: 'pubsub',
    since: '2.0.0',
    complexity: 'O(N)',
    summary: 'Listens to channels.',
    syntax: 'channel...',
    handler: subscribe,
  },
  {
    name: 'unsubscribe',
    arity: -1,
    flags: ['pubsub', 'noscript', 'loading', 'stale'],
    group: 'pubsub',
    since: '2.0.0',
    complexity: 'O(N)',
    summary: 'Stops listening to channels; to all of them when none is named.',
    syntax: '[channel...]',
    handler: unsubscribe,
  },
  {
    name: 'psubscribe',
    arity: -2,
    flags: ['pubsub', 'noscript', 'loading', 'stale'],
    group: 'pubsub',
    since: '2.0.0',
    complexity: 'O(N)',
    summary: 'Listens to all channels whose names fit patterns.',
    syntax: 'pattern:pattern...',
    handler: psubscribe,
  },
  {
    name: 'punsubscribe',
    arity: -1,
    flags: ['pubsub', 'noscript', 'loading', 'stale'],
    group: 'pubsub',
    since: '2.0.0',
    complexity: 'O(N)',
    summary: 'Stops listening to patterns; to all of them when none is named.',
    syntax: '[pattern:pattern...]',
    handler: punsubscribe,
  },
  {
    name: 'ssubscribe',
    arity: -2,
    flags: ['pubsub', 'noscript', 'loading', 'stale'],
    group: 'pubsub',
    keys: [keyRange('not_key', 1, -1)],
    since: '7.0.0',
    complexity: 'O(N)',
    summary: 'Listens to shard channels.',
    syntax: 'shardchannel...',
    handler: ssubscribe,
  },
  {
    name: 'sunsubscribe',
    arity: -1,
    flags: ['pubsub', 'noscript', 'loading', 'stale'],
    group: 'pubsub',
    keys: [keyRange('not_key', 1, -1)],
    since: '7.0.0',
    complexity: 'O(N)',
    summary: 'Stops listening to shard channels; to all of them when none is named.',
    syntax: '[shardchannel...]',
    handler: sunsubscribe,
  },
  {
    name: 'publish',
    arity: 3,
    flags: ['pubsub', 'loading', 'stale', 'fast'],
    group: 'pubsub',
    since: '2.0.0',
    complexity: 'O(N+M)',
    summary: 'Sends a message to a channel and says how many clients got it.',
    syntax: 'channel message',
    handler: publish,
  },
  {
    name: 'spublish',
    arity: 3,
    flags: ['pubsub', 'loading', 'stale', 'fast'],
    group: 'pubsub',
    keys: [key('not_key')],
    since: '7.0.0',
    complexity: 'O(N)',
    summary: 'Sends a message to a shard channel and says how many clients got it.',
    syntax: 'shardchannel message',
    handler: spublish,
  },
  {
    name: 'pubsub',
    arity: -2,
    flags: [],
    group: 'pubsub',
    acl: [],
    since: '2.8.0',
    complexity: '',
    summary: 'Tells of channels and their listeners.',
    syntax: '',
    subcommands: [
      {
        name: 'numpat',
        arity: 2,
        flags: ['pubsub', 'loading', 'stale'],
        group: 'pubsub',
        since: '2.8.0',
        complexity: 'O(1)',
        summary: 'Counts the patterns that somebody listens to.',
        syntax: '',
        handler: numpat,
      },
      {
        name: 'numsub',
        arity: -2,
        flags: ['pubsub', 'loading', 'stale'],
        group: 'pubsub',
        since: '2.8.0',
        complexity: 'O(N)',
        summary: 'Counts the listeners of channels.',
        syntax: '[channel...]',
        handler: numsub,
      },
      {
        name: 'shardnumsub',
        arity: -2,
        flags: ['pubsub', 'loading', 'stale'],
        group: 'pubsub',
        since: '7.0.0',
        complexity: 'O(N)',
        summary: 'Counts the listeners of shard channels.',
        syntax: '[shardchannel...]',
        handler: shardnumsub,
      },
      {
        name: 'shardchannels',
        arity: -2,
        flags: ['pubsub', 'loading', 'stale'],
        group: 'pubsub',
        since: '7.0.0',
        complexity: 'O(N)',
        summary: 'Lists the shard channels that somebody listens to.',
        syntax: '[pattern:pattern]',
        handler: shardchannels,
      },
      {
        name: 'channels',
        arity: -2,
        flags: ['pubsub', 'loading', 'stale'],
        group: 'pubsub',
        since: '2.8.0',
        complexity: 'O(N)',
        summary: 'Lists the channels that somebody listens to.',
        syntax: '[pattern:pattern]',
        handler: channels,
      },
      {
        name: 'help',
        arity: 2,
        flags: ['loading', 'stale'],
        group: 'pubsub',
        acl: [],
        since: '6.2.0',
        complexity: 'O(1)',
        summary: 'Shows the subcommands.',
        syntax: '',
        handler: helpHandler('PUBSUB'),
      },
    ],
  },
];

const PREFIX: Record<SubscriptionKind, string> = { channel: '', pattern: 'p', shard: 's' };

function subscribe(ctx: Session, args: Bytes[]): Reply {
  return startListening(ctx, 'channel', args);
}

function psubscribe(ctx: Session, args: Bytes[]): Reply {
  return startListening(ctx, 'pattern', args);
}

function ssubscribe(ctx: Session, args: Bytes[]): Reply {
  return startListening(ctx, 'shard', args);
}

function unsubscribe(ctx: Session, args: Bytes[]): Reply {
  return stopListening(ctx, 'channel', args);
}

function punsubscribe(ctx: Session, args: Bytes[]): Reply {
  return stopListening(ctx, 'pattern', args);
}

function sunsubscribe(ctx: Session, args: Bytes[]): Reply {
  return stopListening(ctx, 'shard', args);
}

function startListening(ctx: Session, kind: SubscriptionKind, args: Bytes[]): Reply {
  const confirmations: PushReply[] = [];
  for (let i = 1; i < args.length; i++) {
    ctx.server.pubsub.subscribe(ctx, kind, args[i]!);
    confirmations.push(confirmation(ctx, kind, 'subscribe', args[i]!));
  }
  return new Messages(confirmations);
}

function stopListening(ctx: Session, kind: SubscriptionKind, args: Bytes[]): Reply {
  const names = args.length > 1 ? args.slice(1) : [...ctx.namesOf(kind)];
  if (names.length === 0) return new Messages([confirmation(ctx, kind, 'unsubscribe', null)]);
  const confirmations: PushReply[] = [];
  for (const name of names) {
    ctx.server.pubsub.unsubscribe(ctx, kind, name);
    confirmations.push(confirmation(ctx, kind, 'unsubscribe', name));
  }
  return new Messages(confirmations);
}

/** The count is that of channels and patterns together, or that of shard channels. */
function confirmation(ctx: Session, kind: SubscriptionKind, verb: string, name: Bytes | null): PushReply {
  const count = kind === 'shard' ? ctx.shardChannels.size : ctx.channels.size + ctx.patterns.size;
  return new PushReply([PREFIX[kind] + verb, name, count]);
}

function publish(ctx: Session, args: Bytes[]): Reply {
  return ctx.server.pubsub.publish(args[1]!, args[2]!);
}

function spublish(ctx: Session, args: Bytes[]): Reply {
  return ctx.server.pubsub.publishToShard(args[1]!, args[2]!);
}

function channels(ctx: Session, args: Bytes[]): Reply {
  return listedChannels(ctx.server.pubsub.channels, args);
}

function shardchannels(ctx: Session, args: Bytes[]): Reply {
  return listedChannels(ctx.server.pubsub.shardChannels, args);
}

function listedChannels(listeners: ReadonlyMap<Bytes, unknown>, args: Bytes[]): Reply {
  if (args.length > 3) return wrongSubcommand('PUBSUB', args[1]!);
  const pattern = args[2];
  const names = [...listeners.keys()];
  return pattern === undefined ? names : names.filter(compileGlob(pattern));
}

function numpat(ctx: Session): Reply {
  return ctx.server.pubsub.patternCount;
}

function numsub(ctx: Session, args: Bytes[]): Reply {
  return listenerCounts(ctx.server.pubsub.channels, args);
}

function shardnumsub(ctx: Session, args: Bytes[]): Reply {
  return listenerCounts(ctx.server.pubsub.shardChannels, args);
}

function listenerCounts(listeners: ReadonlyMap<Bytes, ReadonlySet<unknown>>, args: Bytes[]): Reply {
  return args.slice(2).flatMap((name) => [name, listeners.get(name)?.size ?? 0]);
}
