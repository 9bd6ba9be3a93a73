/** Draws a sequence of commands from a family's table. */
import type { Family } from './family.js';
import type { Draw, Row } from './grammar.js';
import { LAST_PAUSE_MS, PAUSE_MS } from './passing-time.js';
import { Random } from './random.js';

/** One command of a sequence and the connection that sends it, or a pause of all, which has no arguments. */
export interface Step {
  readonly connection: number;
  readonly args: readonly string[];
  readonly pauseMs?: number;
}

export interface SequenceOptions {
  readonly seed: number;
  readonly length: number;
  /** Puts runs of commands between MULTI and EXEC; not in families whose barrier is a PING, which would be queued. */
  readonly multi: boolean;
  /** Puts pauses between the commands and after them. */
  readonly pauses: boolean;
}

/**
 * Whether a command logs in. Redis 8.2.3 answers a refused login with nothing when replies to earlier commands wait to be
 * written (Redis 7.0.15 does answer), so such commands start a write of their own and never stand between MULTI and EXEC.
 */
export function mayAuthenticate(args: readonly string[]): boolean {
  return ['AUTH', 'HELLO'].includes(args[0]?.toUpperCase() ?? '');
}

/** Arguments that stand where something else should; none is a short time, which would pass while the sequence runs. */
const ODD_ARGUMENTS = ['', 'x', '0', '-1', '1.5', '9223372036854775808', ' 1', '\x00', 'NX', 'nan', '+1'];

const SPOIL_PROBABILITY = 0.05;
const STAY_ON_CONNECTION = 0.7;
/** Commands between two pauses. */
const STRETCH_LENGTH = 50;

/** A sequence of commands. */
export interface Sequence {
  readonly steps: readonly Step[];
  /** The order of elements may be that of a hash table, so it is not compared. */
  readonly isOrderFree: boolean;
}

/** A sequence of at least `length` commands; the same for the same seed and table. */
export function drawSequence(family: Family, { seed, length, multi, pauses }: SequenceOptions): Sequence {
  const random = new Random(seed);
  // Expiring fields are kept in the order of their expiry, which depends on the moment.
  const draw: Draw = { random, large: pauses || random.chance(0.3) };
  const inTransactions = multi && family.barrier === 'count';
  const steps: Step[] = [];
  let connection = 0;
  let nextPause = pauses ? STRETCH_LENGTH : Number.POSITIVE_INFINITY;
  while (steps.length < length) {
    if (!random.chance(STAY_ON_CONNECTION)) connection = random.int(0, family.connections - 1);
    const commands = inTransactions && random.chance(0.2) ? transaction(family, draw) : drawRow(family, draw);
    for (const args of commands) steps.push({ connection, args });
    if (steps.length < nextPause) continue;
    steps.push(pause(PAUSE_MS));
    nextPause = steps.length + STRETCH_LENGTH;
  }
  if (pauses) steps.push(pause(LAST_PAUSE_MS));
  return { steps, isOrderFree: draw.large };
}

function pause(pauseMs: number): Step {
  return { connection: 0, args: [], pauseMs };
}

function transaction(family: Family, draw: Draw): string[][] {
  const commands: string[][] = [['MULTI']];
  for (let n = draw.random.int(0, 5); n > 0; n--)
    commands.push(...drawRow(family, draw).filter((args) => !mayAuthenticate(args)));
  commands.push([draw.random.chance(0.9) ? 'EXEC' : 'DISCARD']);
  return commands;
}

function drawRow(family: Family, draw: Draw): string[][] {
  const rows: readonly Row[] = draw.large ? family.rows : family.rows.filter((row) => !row.freesOrder);
  const row = draw.random.weighted(rows);
  const commands = row.draw(draw);
  return row.steady ? commands : commands.map((args) => spoil(args, draw.random));
}

/** Now and then changes a command's letter case, its number of arguments, or one of them. */
function spoil(args: readonly string[], random: Random): string[] {
  const out = [...args];
  if (random.chance(SPOIL_PROBABILITY)) out[0] = random.chance(0.5) ? args[0]!.toLowerCase() : mixedCase(args[0]!);
  if (!random.chance(SPOIL_PROBABILITY)) return out;
  const at = random.int(1, Math.max(1, out.length - 1));
  const kind = random.int(0, 3);
  if (kind === 0) out.splice(at, 1);
  else if (kind === 1) out.splice(at, 0, random.pick(ODD_ARGUMENTS));
  else if (kind === 2 && at < out.length) out[at] = random.pick(ODD_ARGUMENTS);
  else if (at < out.length) out[at] = out[at]!.toLowerCase();
  return out;
}

function mixedCase(text: string): string {
  return [...text].map((letter, i) => (i % 2 === 0 ? letter.toLowerCase() : letter.toUpperCase())).join('');
}
