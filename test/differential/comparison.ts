/** Finds the first command that two servers answer differently. */
import { type Frame, itemsOf } from '../support/resp-frame.js';
import { expectedDifference } from './expected-differences.js';
import type { Answer } from './player.js';
import { mayReorderMessages, ruleFor } from './rules.js';
import { exactly } from './sameness.js';
import type { Step } from './sequence.js';

/** The index of the first step with different answers; undefined when all are the same. */
export function firstDifference(
  steps: readonly Step[],
  ours: readonly Answer[],
  oracle: readonly Answer[],
  isOrderFree: boolean,
): number | undefined {
  const queues = new Map<number, (readonly string[])[]>();
  for (const [i, step] of steps.entries()) {
    const [mine, theirs] = [ours[i]!, oracle[i]!];
    const queue = queues.get(step.connection) ?? [];
    queues.set(step.connection, queue);
    if (!sameAnswer(step.args, queue, mine, theirs, isOrderFree)) return i;
    const reply = theirs.frames.at(-1);
    if (reply?.wire === '+QUEUED\r\n') queue.push(step.args);
    else if (endsTransaction(step.args)) queue.length = 0;
  }
  return undefined;
}

function sameAnswer(
  args: readonly string[],
  queue: readonly (readonly string[])[],
  ours: Answer,
  oracle: Answer,
  isOrderFree: boolean,
): boolean {
  if (ours.missing !== oracle.missing || ours.frames.length !== oracle.frames.length) return false;
  if (oracle.frames.length > 1 && mayReorderMessages(args)) return leaves(ours.frames) === leaves(oracle.frames);
  const isExec = args[0]?.toUpperCase() === 'EXEC';
  return oracle.frames.every((frame, i) => {
    const mine = ours.frames[i]!;
    if (exactly(mine, frame)) return true;
    return isExec ? sameExec(queue, mine, frame, isOrderFree) : sameReply(args, mine, frame, isOrderFree);
  });
}

/** The texts and numbers of frames, without regard to their order. */
function leaves(frames: readonly Frame[]): string {
  const wires = (frame: Frame): string[] => ('items' in frame ? frame.items.flatMap(wires) : [frame.wire]);
  return frames.flatMap(wires).sort().join('');
}

function sameExec(queue: readonly (readonly string[])[], ours: Frame, oracle: Frame, isOrderFree: boolean): boolean {
  const [a, b] = [itemsOf(ours), itemsOf(oracle)];
  if (ours.kind !== oracle.kind || a.length !== b.length || a.length !== queue.length) return false;
  return b.every((reply, i) => exactly(a[i]!, reply) || sameReply(queue[i]!, a[i]!, reply, isOrderFree));
}

function sameReply(args: readonly string[], ours: Frame, oracle: Frame, isOrderFree: boolean): boolean {
  const allowed = [ruleFor(args, isOrderFree)?.same, expectedDifference(args)?.same];
  return allowed.some((same) => same?.(ours, oracle));
}

function endsTransaction(args: readonly string[]): boolean {
  return ['EXEC', 'DISCARD', 'RESET', 'QUIT'].includes(args[0]?.toUpperCase() ?? '');
}
