/** Finds the first command that two servers answer differently. */
import { type Frame, itemsOf } from '../support/resp-frame.js';
import { expectedDifference } from './expected-differences.js';
import type { Answer } from './player.js';
import { ruleFor } from './rules.js';
import { exactly } from './sameness.js';
import type { Step } from './sequence.js';

const LARGE_ARGUMENT = 64;
const MANY_ELEMENTS = 100;

/** The index of the first step with different answers; undefined when all are the same. */
export function firstDifference(
  steps: readonly Step[],
  ours: readonly Answer[],
  oracle: readonly Answer[],
): number | undefined {
  const large = mayHoldHashTables(steps);
  const queues = new Map<number, (readonly string[])[]>();
  for (const [i, step] of steps.entries()) {
    const [mine, theirs] = [ours[i]!, oracle[i]!];
    const queue = queues.get(step.connection) ?? [];
    queues.set(step.connection, queue);
    if (!sameAnswer(step.args, queue, mine, theirs, large)) return i;
    const reply = theirs.frames.at(-1);
    if (reply?.wire === '+QUEUED\r\n') queue.push(step.args);
    else if (endsTransaction(step.args)) queue.length = 0;
  }
  return undefined;
}

/**
 * Small sets and hashes answer in the order of insertion, which must be equal; those with a long or many elements do not.
 * A sequence with such an argument is compared without regard to order.
 */
function mayHoldHashTables(steps: readonly Step[]): boolean {
  const elements = new Set<string>();
  for (const { args } of steps) {
    for (const arg of args) {
      if (arg.length > LARGE_ARGUMENT) return true;
      elements.add(arg);
    }
  }
  return elements.size > 3 * MANY_ELEMENTS;
}

function sameAnswer(
  args: readonly string[],
  queue: readonly (readonly string[])[],
  ours: Answer,
  oracle: Answer,
  large: boolean,
): boolean {
  if (ours.missing !== oracle.missing || ours.frames.length !== oracle.frames.length) return false;
  const isExec = args[0]?.toUpperCase() === 'EXEC';
  return oracle.frames.every((frame, i) => {
    const mine = ours.frames[i]!;
    if (exactly(mine, frame)) return true;
    return isExec ? sameExec(queue, mine, frame, large) : sameReply(args, mine, frame, large);
  });
}

function sameExec(queue: readonly (readonly string[])[], ours: Frame, oracle: Frame, large: boolean): boolean {
  const [a, b] = [itemsOf(ours), itemsOf(oracle)];
  if (ours.kind !== oracle.kind || a.length !== b.length || a.length !== queue.length) return false;
  return b.every((reply, i) => exactly(a[i]!, reply) || sameReply(queue[i]!, a[i]!, reply, large));
}

function sameReply(args: readonly string[], ours: Frame, oracle: Frame, large: boolean): boolean {
  const allowed = [ruleFor(args, large)?.same, expectedDifference(args)?.same];
  return allowed.some((same) => same?.(ours, oracle));
}

function endsTransaction(args: readonly string[]): boolean {
  return ['EXEC', 'DISCARD', 'RESET', 'QUIT'].includes(args[0]?.toUpperCase() ?? '');
}
