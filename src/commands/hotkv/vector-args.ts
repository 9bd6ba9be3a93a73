/** Vectors among the arguments: one decimal number a component, meant for a 32-bit float; exponents are allowed. */
import { METRIC_SYNONYMS, VECTOR_METRICS, type VectorMetric } from '../../keyspace/hotkv/vector-metrics.js';
import { formatDouble, parseDouble } from '../../protocol/numbers.js';
import { type Bytes, ErrorReply } from '../../protocol/reply.js';
import { choiceArg } from './names.js';

/** The most dimensions that a vector may have. */
export const MAX_DIMENSIONS = 32_768;
/** The smallest 32-bit float above zero. */
const SMALLEST = 2 ** -149;

/**
 * The `dims` components from argument `from` on, as 32-bit floats (the client: the server refuses a component beyond
 * the range of a float, or so small that it would become zero).
 */
export function vectorArgs(args: readonly Bytes[], from: number, dims: number): Float64Array {
  const given = args.length - from;
  if (given < dims) throw wrongLength(given, dims);
  const vector = new Float64Array(dims);
  for (let i = 0; i < dims; i++) vector[i] = component(args[from + i]!);
  const numbers = dims + numbersFrom(args, from + dims);
  if (numbers > dims) throw wrongLength(numbers, dims);
  return vector;
}

/** The vector that the arguments from `from` to the last one make. */
export function wholeVectorArgs(args: readonly Bytes[], from: number, dims: number): Float64Array {
  const given = args.length - from;
  if (given > dims) throw wrongLength(given, dims);
  return vectorArgs(args, from, dims);
}

/** A vector that is one argument, with commas between the components. */
export function joinedVectorArg(text: Bytes, dims: number): Float64Array {
  return wholeVectorArgs(text.split(','), 0, dims);
}

/** How many arguments from `from` on are numbers: options begin with a word. */
function numbersFrom(args: readonly Bytes[], from: number): number {
  let end = from;
  while (end < args.length && parseDouble(args[end]!) !== undefined) end++;
  return end - from;
}

function wrongLength(given: number, dims: number): ErrorReply {
  return new ErrorReply(`ERR invalid vector: ${given} components where the index has ${dims} dimensions`);
}

function component(text: Bytes): number {
  const given = parseDouble(text);
  if (given === undefined || (given !== 0 && Math.abs(given) < SMALLEST)) throw badComponent(text);
  const value = Math.fround(given);
  if (!Number.isFinite(value)) throw badComponent(text);
  return value;
}

function badComponent(text: Bytes): ErrorReply {
  return new ErrorReply(`ERR invalid vector component '${text}': must be a number in the range of a 32-bit float`);
}

/** A metric by one of its names. */
export function metricArg(text: Bytes): VectorMetric {
  return METRIC_SYNONYMS.get(text.toLowerCase()) ?? choiceArg(text, 'metric', VECTOR_METRICS);
}

/** The shortest decimal that reads back as the same 32-bit float. */
export function formatComponent(value: number): Bytes {
  for (let digits = 6; digits < 9; digits++) {
    const text = value.toPrecision(digits);
    if (Math.fround(Number(text)) === value) return formatDouble(Number(text));
  }
  return formatDouble(Number(value.toPrecision(9)));
}
