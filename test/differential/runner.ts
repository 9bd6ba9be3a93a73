/** Compares two servers over many sequences, and shortens what it finds. */
import { show } from '../support/resp-frame.js';
import { firstDifference } from './comparison.js';
import type { Family } from './family.js';
import { MovedTime, RealTime, withShortLives } from './passing-time.js';
import { type Address, type Answer, Player } from './player.js';
import { drawSequence, type Sequence, type Step } from './sequence.js';
import { shrink } from './shrink.js';
import { readState, stateDifference } from './state.js';
import { wireCase } from './wire-case.js';

export interface RunOptions {
  readonly family: Family;
  readonly ours: Address;
  readonly oracle: Address;
  readonly seed: number;
  /** How many commands to send at least. */
  readonly count: number;
  readonly protocol: 2 | 3;
  readonly multi: boolean;
  /** Lets keys and fields expire between the commands; `ours` must be the emulator. */
  readonly clock?: boolean;
  /** Stop after this many different differences. */
  readonly most: number;
}

export interface Difference {
  /** Command and the two replies, or the key and the two values. */
  readonly what: string;
  /** The shortest sequence that shows it, as a wire case. */
  readonly wireCase: string;
  readonly seed: number;
}

export interface RunResult {
  readonly commands: number;
  readonly differences: readonly Difference[];
}

/** Long enough for commands to meet each other's keys, short enough to shrink fast. */
const SEQUENCE_LENGTH = 200;
const MOST_TRIES = 20;
const SEED_STEP = 0x9e3779b1;
const RESET: readonly string[][] = [
  ['SELECT', '0'],
  ['FLUSHALL'],
  ['CONFIG', 'SET', 'notify-keyspace-events', ''],
  ['CONFIG', 'SET', 'stream-node-max-entries', '100', 'stream-node-max-bytes', '4096'],
  ['CONFIG', 'SET', 'hll-sparse-max-bytes', '3000'],
  ['SCRIPT', 'FLUSH'],
];

interface Found {
  /** The step whose answers differ; undefined when the states at the end do. */
  readonly step: number | undefined;
  readonly what: string;
  /** Groups differences that have most likely one cause. */
  readonly cause: string;
  readonly oracleAnswers: readonly Answer[];
}

export async function runDifferential(options: RunOptions): Promise<RunResult> {
  const { clock = false, multi } = options;
  const family = clock ? withShortLives(options.family) : options.family;
  const ours = new Player(options.ours, options.protocol, clock ? new MovedTime() : undefined);
  const oracle = new Player(options.oracle, options.protocol, clock ? new RealTime() : undefined);
  const causes = new Map<string, Difference>();
  let commands = 0;
  try {
    for (let i = 0; commands < options.count && causes.size < options.most; i++) {
      const seed = (options.seed + i * SEED_STEP) >>> 0;
      const sequence = drawSequence(family, { seed, length: SEQUENCE_LENGTH, multi, pauses: clock });
      commands += sequence.steps.length;
      const found = await compare(family, ours, oracle, sequence);
      if (found === undefined || causes.has(found.cause)) continue;
      causes.set(found.cause, await explain(options, ours, oracle, sequence, found, seed));
    }
  } finally {
    await ours.close();
    await oracle.close();
  }
  return { commands, differences: [...causes.values()] };
}

/** Plays one sequence to both servers; the first difference, if there is one. */
async function compare(family: Family, ours: Player, oracle: Player, sequence: Sequence): Promise<Found | undefined> {
  const { steps, isOrderFree } = sequence;
  const [mine, theirs] = await playBoth(family, ours, oracle, steps);
  const at = firstDifference(steps, mine!, theirs!, isOrderFree);
  if (at !== undefined) return differentAnswer(steps, at, mine!, theirs!);
  const states = await Promise.all([readState(ours), readState(oracle)]);
  const what = stateDifference(...states);
  return what === undefined
    ? undefined
    : {
        step: undefined,
        what,
        cause: `state ${what.replace(/^\d \w+:\d+ /, '').slice(0, 30)}`,
        oracleAnswers: theirs!,
      };
}

/** The answers of both; a sequence in which the oracle was too slow for its pauses is played again. */
async function playBoth(family: Family, ours: Player, oracle: Player, steps: readonly Step[]): Promise<Answer[][]> {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const answers = await Promise.all([ours, oracle].map((player) => playFromNothing(family, player, steps)));
    if (oracle.isOnTime) return answers;
  }
  throw new Error(`the oracle was too slow ${MOST_TRIES} times: this machine is too busy to compare what expires`);
}

async function playFromNothing(family: Family, player: Player, steps: readonly Step[]): Promise<Answer[]> {
  await player.reset(RESET);
  return player.play(family, steps);
}

function differentAnswer(
  steps: readonly Step[],
  at: number,
  ours: readonly Answer[],
  oracle: readonly Answer[],
): Found {
  const name = steps[at]!.args[0]!.toUpperCase();
  return {
    step: at,
    what: `${steps[at]!.args.map((arg) => JSON.stringify(arg)).join(' ')}\n  ours:   ${say(ours[at]!)}\n  oracle: ${say(oracle[at]!)}`,
    cause: `${name} ${outline(ours[at]!)} ${outline(oracle[at]!)}`,
    oracleAnswers: oracle,
  };
}

/** Shortens the sequence as long as it shows a difference with the same cause. */
async function explain(
  options: RunOptions,
  ours: Player,
  oracle: Player,
  sequence: Sequence,
  found: Found,
  seed: number,
): Promise<Difference> {
  let last = found;
  const shows = async (candidate: readonly Step[]): Promise<boolean> => {
    const again = await compare(options.family, ours, oracle, { ...sequence, steps: candidate });
    if (again?.cause !== found.cause) return false;
    last = again;
    return true;
  };
  const upTo = found.step === undefined ? sequence.steps : sequence.steps.slice(0, found.step + 1);
  const shortest = await shrink(upTo, shows);
  const id = `${options.family.name}-${seed}`;
  const title = last.what.split('\n')[0]!;
  return { what: last.what, seed, wireCase: wireCase(id, title, options.protocol, shortest, last.oracleAnswers) };
}

function say(answer: Answer): string {
  const said = answer.frames.map(show).join(', ').slice(0, 2_000);
  return answer.missing === undefined ? said : `${said} (${answer.missing})`;
}

/** Kind of answer, and an error's first words. */
function outline(answer: Answer): string {
  const reply = answer.frames.at(-1);
  const words = reply?.kind === 'error' ? reply.text.replace(/'[^']*'/g, "''").slice(0, 40) : '';
  return `${reply?.kind ?? ''} ${words}${answer.missing ?? ''}`;
}
