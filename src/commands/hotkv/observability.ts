/** OBSERVE and ALERTS: counters of this server, and the webhook for its alerts (official client 1.0.0). */
import { SEVERITIES, type Severity } from '../../keyspace/hotkv/severities.js';
import { type Bytes, ErrorReply, type Reply, SimpleString } from '../../protocol/reply.js';
import type { Server } from '../../server/server.js';
import type { Session } from '../../server/session.js';
import type { CommandRow } from '../definition.js';
import { helpHandler } from '../help.js';
import { choiceArg } from './names.js';

/** What all subcommands have in common. */
const COMMON = { group: 'observability', since: '0.3.0', complexity: 'O(1)' } as const;

export const observabilityCommands: readonly CommandRow[] = [
  {
    ...COMMON,
    name: 'observe',
    arity: -2,
    flags: [],
    summary: 'Tells what this server does.',
    syntax: '',
    subcommands: [
      {
        ...COMMON,
        name: 'info',
        arity: 2,
        flags: ['readonly', 'fast'],
        summary: 'Tells the licensed families, the uptime, and how many clients and commands there were.',
        syntax: '',
        readings: [
          'enterprise_features is what EMULATOR LICENSE answers; the others are uptime_seconds, connected_clients, total_connections, total_commands and used_memory_bytes.',
        ],
        handler: observeInfo,
      },
      {
        ...COMMON,
        name: 'metrics',
        arity: 2,
        flags: ['readonly'],
        complexity: 'O(N), N being the number of databases and named objects',
        summary: 'Tells all counters of this server.',
        syntax: '',
        readings: ['the names are those of INFO where INFO has the number.'],
        handler: metrics,
      },
      {
        ...COMMON,
        name: 'help',
        arity: 2,
        flags: [],
        summary: 'Shows the subcommands.',
        syntax: '',
        handler: helpHandler('OBSERVE'),
      },
    ],
  },
  {
    ...COMMON,
    name: 'alerts',
    arity: -2,
    flags: [],
    summary: 'Keeps the webhook that alerts go to.',
    syntax: '',
    readings: ['alerts are counted, and sent only where the server was started with --deliver-alerts.'],
    subcommands: [
      {
        ...COMMON,
        name: 'info',
        arity: 2,
        flags: ['admin', 'fast'],
        summary: 'Tells the webhook, what is sent to it, and how many alerts were.',
        syntax: '',
        readings: [
          'flag_enabled is 1 where alerts are really sent; the counters are alerts_accepted, alerts_suppressed, alerts_delivered and alerts_failed.',
        ],
        handler: alertsInfo,
      },
      {
        ...COMMON,
        name: 'test',
        arity: -2,
        flags: ['admin'],
        summary: 'Raises an alert.',
        syntax: '[severity] [message]',
        readings: [
          'the severity is info unless given; a single word is a severity if it is one of the three, else a message.',
          'without a webhook, or while alerting is off, it is an error; an alert under the least severity is accepted and counted as suppressed.',
        ],
        handler: test,
      },
      {
        ...COMMON,
        name: 'seturl',
        arity: 3,
        flags: ['admin'],
        summary: 'Sets the webhook and turns alerting on; an empty URL removes it and turns alerting off.',
        syntax: 'url',
        handler: setUrl,
      },
      {
        ...COMMON,
        name: 'setseverity',
        arity: 3,
        flags: ['admin'],
        summary: 'Sets the least severity that is sent.',
        syntax: 'severity:(INFO | WARNING | CRITICAL)',
        handler: setSeverity,
      },
      {
        ...COMMON,
        name: 'on',
        arity: 2,
        flags: ['admin'],
        summary: 'Turns alerting on.',
        syntax: '',
        readings: ['without a webhook it is an error.'],
        handler: switchOn,
      },
      {
        ...COMMON,
        name: 'off',
        arity: 2,
        flags: ['admin'],
        summary: 'Turns alerting off and keeps the webhook.',
        syntax: '',
        handler: switchOff,
      },
      {
        ...COMMON,
        name: 'help',
        arity: 2,
        flags: [],
        summary: 'Shows the subcommands.',
        syntax: '',
        handler: helpHandler('ALERTS'),
      },
    ],
  },
];

const NO_URL = new ErrorReply('ERR no webhook is set: ALERTS SETURL sets one');
const SWITCHED_OFF = new ErrorReply('ERR alerting is off: ALERTS ON turns it on');
const BAD_URL = new ErrorReply('ERR invalid url: must be http:// or https://, or empty');

function observeInfo({ server }: Session): Reply {
  return [
    'enterprise_features',
    server.license.text,
    'uptime_seconds',
    uptimeSeconds(server),
    'connected_clients',
    server.sessions.size,
    'total_connections',
    server.stats.connectionsReceived,
    'total_commands',
    server.stats.commandsProcessed,
    'used_memory_bytes',
    server.memory.used,
  ];
}

function metrics({ server }: Session): Reply {
  const { blocking, databases, engines, pubsub, stats } = server;
  let keys = 0;
  let expires = 0;
  for (const db of databases) {
    keys += db.size;
    expires += db.volatileSize;
  }
  const counters: readonly (readonly [name: string, value: number])[] = [
    ['uptime_seconds', uptimeSeconds(server)],
    ['connected_clients', server.sessions.size],
    ['blocked_clients', blocking.count],
    ['total_connections_received', stats.connectionsReceived],
    ['rejected_connections', stats.rejectedConnections],
    ['total_commands_processed', stats.commandsProcessed],
    ['total_error_replies', stats.errorReplies],
    ['total_net_input_bytes', stats.netInputBytes],
    ['total_net_output_bytes', stats.netOutputBytes],
    ['keyspace_hits', stats.keyspaceHits],
    ['keyspace_misses', stats.keyspaceMisses],
    ['keys', keys],
    ['keys_with_expiry', expires],
    ['expired_keys', stats.expiredKeys],
    ['evicted_keys', stats.evictedKeys],
    ['pubsub_channels', pubsub.channels.size],
    ['pubsub_patterns', pubsub.patternCount],
    ['used_memory_bytes', server.memory.used],
    ['engine_memory_bytes', engines.bytes],
    ...engines.counts(),
  ];
  return counters.flat();
}

function uptimeSeconds({ clock, startedAt }: Server): number {
  return Math.max(Math.trunc((clock.ms - startedAt) / 1000), 0);
}

function alertsInfo({ server }: Session): Reply {
  const { alerts } = server;
  return [
    'webhook_url',
    alerts.url,
    'provider',
    alerts.provider,
    'supported_providers',
    alerts.providers.join(','),
    'min_severity',
    alerts.minSeverity,
    'enabled',
    alerts.enabled ? 1 : 0,
    'flag_enabled',
    alerts.delivers ? 1 : 0,
    'alerts_accepted',
    alerts.accepted,
    'alerts_suppressed',
    alerts.suppressed,
    'alerts_delivered',
    alerts.delivered,
    'alerts_failed',
    alerts.failed,
  ];
}

function test({ server }: Session, args: Bytes[]): Reply {
  const { alerts } = server;
  const single = args.length === 3 && !isSeverity(args[2]!);
  if (args.length > 4) return new ErrorReply('ERR a message with spaces must be one argument');
  const severity = args.length < 3 || single ? 'info' : choiceArg(args[2]!, 'severity', SEVERITIES);
  const message = (single ? args[2] : args[3]) ?? 'a test of the alerts';
  if (alerts.url === '') return NO_URL;
  if (!alerts.enabled) return SWITCHED_OFF;
  alerts.raise(severity, Buffer.from(message, 'latin1').toString());
  return new SimpleString(alerts.delivers ? 'OK accepted for delivery' : 'OK accepted; this server delivers no alerts');
}

function isSeverity(text: Bytes): boolean {
  return SEVERITIES.includes(text.toLowerCase() as Severity);
}

function setUrl({ server }: Session, args: Bytes[]): Reply {
  if (!server.alerts.setUrl(args[2]!)) return BAD_URL;
  return new SimpleString(args[2] === '' ? 'OK alerting is off' : 'OK');
}

function setSeverity({ server }: Session, args: Bytes[]): Reply {
  server.alerts.minSeverity = choiceArg(args[2]!, 'severity', SEVERITIES);
  return new SimpleString('OK');
}

function switchOn({ server }: Session): Reply {
  if (server.alerts.url === '') return NO_URL;
  server.alerts.switchedOn = true;
  return new SimpleString('OK');
}

function switchOff({ server }: Session): Reply {
  server.alerts.switchedOn = false;
  return new SimpleString('OK');
}
