/**
 * Replies in which the emulator differs from Redis 8.2.3 on purpose. Each has its reason; nothing else may differ.
 */
import { type Frame, itemsOf, textOf } from '../support/resp-frame.js';
import { lookUp } from './rules.js';
import { type Sameness, sameKind } from './sameness.js';

export interface ExpectedDifference {
  /** `NAME` or `NAME SUBCOMMAND`, upper case. */
  readonly commands: readonly string[];
  readonly reason: string;
  /** What must be the same all the same. */
  readonly same: Sameness;
}

const EXPECTED: readonly ExpectedDifference[] = [
  {
    commands: ['HELLO'],
    reason: 'The version is the compatible one, 8.2.0; the id is that of the connection; no modules are loaded.',
    same: sameHello,
  },
  {
    commands: ['CLIENT HELP', 'OBJECT HELP', 'COMMAND HELP', 'CONFIG HELP', 'PUBSUB HELP', 'SCRIPT HELP', 'XINFO HELP'],
    reason: 'Help texts are written in our own words.',
    same: sameKind,
  },
  { commands: ['INFO'], reason: 'Facts about the process.', same: sameKind },
  {
    commands: ['COMMAND COUNT', 'COMMAND LIST'],
    reason: 'The emulator has commands of its own (GCRA, EMULATOR) and lacks those of vector sets.',
    same: sameKind,
  },
  {
    commands: ['COMMAND', 'COMMAND INFO'],
    reason: 'Without names both tell of all commands of the server.',
    same: (ours, oracle) => itemsOf(ours).length > ALL_NAMED && sameKind(ours, oracle),
  },
];

/** More commands than any request of the tables names. */
const ALL_NAMED = 100;

/** Commands of the tables that the emulator does not have, upper case, each with the reason beside it. */
export const LACKING: readonly string[] = [];

/** The entry that covers a command's reply, if one does. */
export function expectedDifference(args: readonly string[]): ExpectedDifference | undefined {
  return lookUp(EXPECTED, args);
}

const OWN_FIELDS = new Set(['version', 'id', 'modules']);

function sameHello(ours: Frame, oracle: Frame): boolean {
  return withoutOwnFields(ours) === withoutOwnFields(oracle);
}

function withoutOwnFields(frame: Frame): string {
  const items = itemsOf(frame);
  if (items.length === 0) return frame.wire;
  const kept = items.filter((_, i) => i % 2 === 0 || !OWN_FIELDS.has(textOf(items[i - 1]) ?? ''));
  return frame.kind + kept.map((item) => item.wire).join('');
}
