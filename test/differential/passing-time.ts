/**
 * Lets keys and hash fields expire in the middle of a sequence. The oracle's clock cannot be moved, so it really waits,
 * while ours stands still and is advanced by as much.
 *
 * Commands stand in stretches with a pause between two. A short life ends half a pause before the end of the first or the
 * second pause after it. It lasts past the stretches before that as long as the oracle plays them within half a pause,
 * which is measured: a sequence that took longer says nothing and is played again.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Family } from './family.js';
import { type Draw, type Gen, maybe, oneOf, type Row, seq } from './grammar.js';
import type { Player } from './player.js';
import { member, value } from './values.js';

export const PAUSE_MS = 300;
/** A pause after the last command must outlast every short life, so that the states at the end can be compared. */
export const LAST_PAUSE_MS = 2 * PAUSE_MS;
const LIVES_MS = [PAUSE_MS / 2, PAUSE_MS + PAUSE_MS / 2] as const;

/** How often a key that was just used gets a short life, as a part of all rows. */
const SHORT_LIFE_WEIGHT = 0.3;

/** The family, with rows after which the key of a command has little time left; without those that wait for others. */
export function withShortLives(family: Family): Family {
  const rows = family.rows.filter((row) => !waits(row));
  const weight = SHORT_LIFE_WEIGHT * rows.reduce((sum, row) => sum + row.weight, 0);
  return { ...family, rows: [...rows, shortLife(rows, weight)] };
}

/** How time passes at a server while a sequence is played. */
export interface Time {
  begin(player: Player): Promise<void>;
  pass(player: Player, ms: number): Promise<void>;
  /** Whether every stretch of the last sequence was short enough. */
  isOnTime(): boolean;
  end(player: Player): Promise<void>;
}

/** A clock that only moves in pauses, by `EMULATOR CLOCK`. */
export class MovedTime implements Time {
  async begin(player: Player): Promise<void> {
    await player.control('EMULATOR', 'CLOCK', 'RESUME');
    await player.control('EMULATOR', 'CLOCK', 'FREEZE');
  }

  async pass(player: Player, ms: number): Promise<void> {
    await player.control('EMULATOR', 'CLOCK', 'ADVANCE', String(ms));
  }

  isOnTime(): boolean {
    return true;
  }

  async end(player: Player): Promise<void> {
    await player.control('EMULATOR', 'CLOCK', 'RESUME');
  }
}

/** A clock that nobody can move. */
export class RealTime implements Time {
  #stretches: { start: number; end: number }[] = [];
  #start = 0;

  async begin(): Promise<void> {
    this.#stretches = [];
    this.#start = performance.now();
  }

  async pass(player: Player, ms: number): Promise<void> {
    this.#stretches.push({ start: this.#start, end: performance.now() });
    await sleep(ms + 1);
    await dropExpired(player);
    this.#start = performance.now();
  }

  isOnTime(): boolean {
    return this.#stretches.every(({ start }, i) =>
      LIVES_MS.every((life, n) => (this.#stretches[i + n]?.end ?? 0) - start < life),
    );
  }

  async end(): Promise<void> {}
}

/** SCAN removes what is expired; else DBSIZE depends on how far the server's own cycle has come. */
async function dropExpired(player: Player): Promise<void> {
  const scan = ['SCAN', '0', 'COUNT', '10000'];
  await player.controlAll([['SELECT', '1'], scan, ['SELECT', '0'], scan]);
}

/** Under a clock that stands still a blocking command would wait for ever. */
function waits(row: Row): boolean {
  return row.steady && /^(B(L|R|Z)|XREAD)/.test(row.name);
}

/** A command of the table, and then a short life for its key or for fields of it. */
function shortLife(rows: readonly Row[], weight: number): Row {
  const draw = (drawn: Draw): string[][] => {
    const commands = drawn.random.weighted(rows).draw(drawn);
    const key = commands.flatMap((args) => args.slice(1)).find((arg) => /^\w+:\d$/.test(arg));
    return key === undefined ? commands : [...commands, [...shorten(key)(drawn)]];
  };
  return { name: 'PEXPIRE', weight, steady: true, draw };
}

const life: Gen = oneOf(...LIVES_MS.map(String));

function shorten(key: string): Gen {
  const whole = seq('PEXPIRE', key, life, maybe(0.3, oneOf('NX', 'XX')));
  const [type] = key.split(':');
  if (type === 'hash') {
    return oneOf(
      whole,
      seq('HPEXPIRE', key, life, maybe(0.3, oneOf('NX', 'XX')), 'FIELDS', '3', member, member, member),
      seq('HGETEX', key, 'PX', life, 'FIELDS', '2', member, member),
      seq('HSETEX', key, 'PX', life, 'FIELDS', '1', member, value),
    );
  }
  if (type === 'string' || type === 'number') {
    return oneOf(
      whole,
      seq('GETEX', key, 'PX', life),
      seq('SET', key, value, 'PX', life),
      seq('PSETEX', key, life, value),
    );
  }
  return whole;
}
