/**
 * Probabilistic values in the form of RDB in which modules keep theirs: the name of the type and a version as one number,
 * then pieces, here one string. The version is one that Redis' own module does not have: its bits mean something else,
 * and it refuses these instead of misreading them.
 */
import { BloomFilter } from '../../keyspace/values/bloom-filter.js';
import { CountMin } from '../../keyspace/values/count-min.js';
import type { SketchType } from '../../keyspace/values/sketch.js';
import { TopK } from '../../keyspace/values/top-k.js';
import { RdbError, TYPE, VERSION_REDIS_7_0 } from './format.js';
import type { RdbReader } from './reader.js';
import type { RdbWriter } from './writer.js';

/** The letters of type names, six bits each. */
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const VERSION_BITS = 10n;
const OWN_VERSION = 1023n;
/** Kinds of pieces. */
const END = 0;
const STRING = 5;

type AnySketch = BloomFilter | CountMin | TopK;

const LOADERS: Readonly<Record<SketchType, (bytes: Buffer) => AnySketch | undefined>> = {
  'MBbloom--': BloomFilter.load,
  'CMSk-TYPE': CountMin.load,
  'TopK-TYPE': TopK.load,
};

export function saveSketch(writer: RdbWriter, sketch: AnySketch): number {
  writer.byte(TYPE.module2);
  writer.integer(idOf(sketch.type));
  writer.integer(STRING);
  writer.blob(sketch.save());
  writer.integer(END);
  return VERSION_REDIS_7_0;
}

export function loadSketch(reader: RdbReader): AnySketch {
  const id = BigInt(reader.integer());
  const type = (Object.keys(LOADERS) as SketchType[]).find((name) => idOf(name) === id);
  if (type === undefined || reader.count() !== STRING) throw new RdbError('a value of an unknown module');
  const sketch = LOADERS[type](reader.blob());
  if (sketch === undefined || reader.count() !== END) throw new RdbError(`a broken ${type}`);
  return sketch;
}

function idOf(type: SketchType): bigint {
  let id = 0n;
  for (const letter of type) id = (id << 6n) | BigInt(LETTERS.indexOf(letter));
  return (id << VERSION_BITS) | OWN_VERSION;
}
