/** The EMULATOR family, which no real server has: the clock of this one, and what it is. */

import { LATEST_TIME } from '../keyspace/clock.js';
import { SYNTAX } from '../protocol/errors.js';
import { ConfigError } from '../protocol/problems.js';
import { type Bytes, ErrorReply, MapReply, OK, type Reply } from '../protocol/reply.js';
import { EMULATOR_VERSION, HOTKV_VERSION, REDIS_VERSION } from '../protocol/versions.js';
import type { Session } from '../server/session.js';
import { int64Arg, integerArg } from './args.js';
import type { CommandRow } from './definition.js';
import { helpHandler } from './help.js';

export const emulatorCommands: readonly CommandRow[] = [
  {
    name: 'emulator',
    arity: -2,
    flags: [],
    group: 'emulator',
    acl: [],
    since: '0.1.0',
    complexity: 'O(1)',
    summary: 'Controls the emulator itself.',
    syntax: '',
    subcommands: [
      {
        name: 'clock',
        arity: -3,
        flags: ['admin', 'noscript'],
        group: 'emulator',
        since: '0.1.0',
        complexity: 'O(N log N), N being the number of keys and waits that the move makes due',
        summary: 'Freezes, moves or releases the clock that every command reads, or tells its state.',
        syntax:
          'action:(freeze:(FREEZE [unix-time-milliseconds:unix-time]) | ADVANCE advance:(amount:integer [unit:(NS | US | MS | S)]) | SET unix-time-milliseconds:unix-time | RESUME | STATUS)',
        handler: clock,
      },
      {
        name: 'info',
        arity: 2,
        flags: [],
        group: 'emulator',
        since: '0.1.0',
        complexity: 'O(1)',
        summary: 'Tells the versions of the emulator and of what it emulates, and the state of its clock.',
        syntax: '',
        handler: info,
      },
      {
        name: 'license',
        arity: -2,
        flags: ['admin', 'noscript'],
        group: 'emulator',
        since: '0.1.0',
        complexity: 'O(1)',
        summary:
          "Tells which of HotKV's licensed families are there, or chooses them: full, none, or names with commas.",
        syntax: '[families]',
        readings: [
          'NOLICENSE comes after the errors of arity and of NOAUTH and before all others: permissions, options, types; in a transaction when the command is queued.',
          'the snapshots of VSIM, AMEM.SUMMARY and EMBED.DEDUP are included by full alone.',
        ],
        handler: license,
      },
      {
        name: 'help',
        arity: 2,
        flags: [],
        group: 'emulator',
        since: '0.1.0',
        complexity: 'O(1)',
        summary: 'Shows the subcommands.',
        syntax: '',
        handler: helpHandler('EMULATOR'),
      },
    ],
  },
];

/** Nanoseconds of each unit that ADVANCE takes. */
const UNITS: ReadonlyMap<string, bigint> = new Map([
  ['NS', 1n],
  ['US', 1_000n],
  ['MS', 1_000_000n],
  ['S', 1_000_000_000n],
]);

const BAD_TIME = new ErrorReply(`ERR invalid time: must be unix milliseconds from 0 to ${LATEST_TIME}`);
const BAD_AMOUNT = new ErrorReply(
  'ERR invalid amount: must be a whole number of at least 0 that keeps the clock in range',
);
const BAD_UNIT = new ErrorReply('ERR invalid unit: must be NS, US, MS or S');
const BAD_ACTION = new ErrorReply('ERR unknown clock action. Try EMULATOR HELP.');

function license(ctx: Session, args: Bytes[]): Reply {
  const { server } = ctx;
  if (args.length > 3) return SYNTAX;
  if (args.length === 2) return server.license.text;
  try {
    server.setLicense(args[2]!);
  } catch (problem) {
    if (problem instanceof ConfigError) return new ErrorReply(`ERR ${problem.message}`);
    throw problem;
  }
  return OK;
}

function clock(ctx: Session, args: Bytes[]): Reply {
  const { server } = ctx;
  switch (args[2]!.toUpperCase()) {
    case 'FREEZE':
      if (args.length > 4) return SYNTAX;
      server.freezeClock(args.length === 4 ? timeArg(args[3]!) : undefined);
      return server.clock.ms;
    case 'ADVANCE':
      if (args.length < 4 || args.length > 5) return SYNTAX;
      return advance(ctx, args[3]!, args[4] ?? 'MS');
    case 'SET':
      if (args.length !== 4) return SYNTAX;
      server.setClock(timeArg(args[3]!));
      return server.clock.ms;
    case 'RESUME':
      if (args.length !== 3) return SYNTAX;
      server.resumeClock();
      return OK;
    case 'STATUS':
      if (args.length !== 3) return SYNTAX;
      return clockState(ctx);
    default:
      return BAD_ACTION;
  }
}

function advance(ctx: Session, amount: Bytes, unit: Bytes): Reply {
  const nanosOfUnit = UNITS.get(unit.toUpperCase());
  if (nanosOfUnit === undefined) return BAD_UNIT;
  const nanos = BigInt(int64Arg(amount, BAD_AMOUNT)) * nanosOfUnit;
  const latest = BigInt(LATEST_TIME) * 1_000_000n;
  if (nanos < 0n || ctx.server.clock.nanos() + nanos > latest) return BAD_AMOUNT;
  ctx.server.advanceClock(nanos);
  return ctx.server.clock.ms;
}

function timeArg(text: Bytes): number {
  const ms = integerArg(text, BAD_TIME);
  if (ms < 0 || ms > LATEST_TIME) throw BAD_TIME;
  return ms;
}

function clockState(ctx: Session): MapReply {
  const { clock } = ctx.server;
  return new MapReply(['mode', clock.mode, 'now-ms', clock.ms]);
}

function info(ctx: Session): Reply {
  return new MapReply([
    'emulator_version',
    EMULATOR_VERSION,
    'hotkv_version',
    HOTKV_VERSION,
    'redis_version',
    REDIS_VERSION,
    'node_version',
    process.versions.node,
    'license',
    ctx.server.license.text,
    'clock',
    clockState(ctx),
  ]);
}
