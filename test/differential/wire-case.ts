/** Prints a sequence in the notation of the shared wire cases, with the oracle's replies as what is expected. */
import type { Frame } from '../support/resp-frame.js';
import type { Answer } from './player.js';
import type { Step } from './sequence.js';

type Json = string | number | boolean | Json[] | { [name: string]: Json };

export function wireCase(
  id: string,
  what: string,
  protocol: 2 | 3,
  steps: readonly Step[],
  answers: readonly Answer[],
): string {
  const lines = steps.flatMap((step, i) =>
    caseSteps(step, answers[i], protocol).map((line) => `      ${JSON.stringify(line)}`),
  );
  return [
    '{',
    `  "id": ${JSON.stringify(id)}, "verified": "redis-8.2.3",`,
    `  "what": ${JSON.stringify(what)},`,
    '  "setup": [["FLUSHALL"]],',
    `  "steps": [\n${lines.join(',\n')}\n  ]`,
    '}',
  ].join('\n');
}

function caseSteps(step: Step, answer: Answer | undefined, protocol: 2 | 3): Json[] {
  if (step.pauseMs !== undefined) return [{ wait_ms: step.pauseMs }];
  const where: { [name: string]: Json } = {};
  if (step.connection > 0) where.conn = step.connection + 1;
  if (protocol === 3) where.proto = 3;
  const [first, ...rest] = (answer?.frames ?? []).map(expectation);
  const send: Json = { ...where, send: step.args.map(argument), ...(first === undefined ? {} : { expect: first }) };
  const reads: Json[] = rest.map((expect) => ({ ...where, read: true, expect }));
  if (answer?.missing === 'closed') reads.push({ ...where, read: true, expect: { closed: true } });
  return [send, ...reads];
}

function argument(bytes: string): Json {
  return isPlain(bytes) ? bytes : { b64: Buffer.from(bytes, 'latin1').toString('base64') };
}

function expectation(frame: Frame): Json {
  switch (frame.kind) {
    case 'simple':
    case 'error':
    case 'bignum':
    case 'double':
      return { [frame.kind]: frame.text };
    case 'bulk':
      return isPlain(frame.text) ? { bulk: frame.text } : (argument(frame.text) as Json);
    case 'int':
      return Number.isSafeInteger(Number(frame.text)) ? { int: Number(frame.text) } : raw(frame);
    case 'bool':
      return { bool: frame.text === 't' };
    case 'null':
      return { null: frame.form };
    case 'verbatim':
      return { verbatim: [frame.text.slice(0, 3), frame.text.slice(4)] };
    case 'array':
    case 'set':
    case 'push':
      return { [frame.kind]: frame.items.map(expectation) };
    case 'map':
      return { map: pairs(frame.items.map(expectation)) };
    default:
      return raw(frame);
  }
}

function pairs(flat: Json[]): Json[] {
  const out: Json[] = [];
  for (let i = 0; i < flat.length; i += 2) out.push(flat.slice(i, i + 2));
  return out;
}

function raw(frame: Frame): Json {
  return { raw_b64: Buffer.from(frame.wire, 'latin1').toString('base64') };
}

function isPlain(bytes: string): boolean {
  return /^[\x20-\x7e]*$/.test(bytes);
}
