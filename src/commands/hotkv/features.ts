/** FEATURE.*: typed values of entities, in groups with a schema, each entity with the time of its last update (official client 1.0.0). */
import {
  FEATURE_TYPES,
  type FeatureEntity,
  FeatureGroup,
  type FeatureType,
} from '../../keyspace/hotkv/feature-group.js';
import { wrongArity } from '../../protocol/errors.js';
import { parseDouble, parseInteger } from '../../protocol/numbers.js';
import { type Bytes, ErrorReply, OK, type Reply } from '../../protocol/reply.js';
import type { Session } from '../../server/session.js';
import { isWord } from '../args.js';
import { type CommandRow, key } from '../definition.js';
import { choiceArg, existing, expectNew, unknownOption, wholeArg } from './names.js';

const KIND = 'feature group';

export const featureCommands: readonly CommandRow[] = [
  {
    name: 'feature.create',
    arity: -6,
    flags: ['write', 'denyoom', 'fast'],
    group: 'feature',
    keys: [key('OW insert')],
    since: '0.3.0',
    complexity: 'O(N), N being the number of features',
    summary: 'Makes a group with a schema: the names and types of its features.',
    syntax: 'group:key description SCHEMA schema:(name type)...',
    readings: [
      'types are int64, double, string, int_array and double_array; arrays are written as numbers with commas between.',
      'groups belong to the node, not to a database: FLUSHALL removes them, FLUSHDB does not.',
    ],
    handler: create,
  },
  {
    name: 'feature.set',
    arity: -5,
    flags: ['write', 'denyoom', 'fast'],
    group: 'feature',
    keys: [key('RW update')],
    since: '0.3.0',
    complexity: 'O(N), N being the number of values',
    summary: 'Sets values of an entity, updated now.',
    syntax: 'group:key entity data:(name value)...',
    readings: ['a name that the schema has not, or a value not of its type, is an error, and nothing is set.'],
    handler: set,
  },
  {
    name: 'feature.setat',
    arity: -6,
    flags: ['write', 'denyoom', 'fast'],
    group: 'feature',
    keys: [key('RW update')],
    since: '0.3.0',
    complexity: 'O(N), N being the number of values',
    summary: 'Sets values of an entity, updated at a given unix time in ms.',
    syntax: 'group:key entity unix-time-milliseconds:unix-time data:(name value)...',
    readings: ['an older time than that of the entity is taken too.'],
    handler: setAt,
  },
  {
    name: 'feature.get',
    arity: -3,
    flags: ['readonly', 'fast'],
    group: 'feature',
    keys: [key('RO access')],
    since: '0.3.0',
    complexity: 'O(N), N being the number of features',
    summary:
      'Answers values of an entity (all, or those named), when it was updated, and how many ms ago; null when there is none.',
    syntax: 'group:key entity [name...]',
    readings: ['features that are not set are left out; a name that the schema has not is an error.'],
    handler: get,
  },
  {
    name: 'feature.batch',
    arity: -3,
    flags: ['readonly'],
    group: 'feature',
    keys: [key('RO access')],
    since: '0.3.0',
    complexity: 'O(N*M), N being the number of entities and M of features',
    summary: 'Answers for several entities what FEATURE.GET answers for one.',
    syntax: 'group:key entity... [FEATURES name...]',
    handler: batch,
  },
  {
    name: 'feature.schema',
    arity: 2,
    flags: ['readonly', 'fast'],
    group: 'feature',
    keys: [key('RO access')],
    since: '0.3.0',
    complexity: 'O(N), N being the number of features',
    summary: 'Lists the features of a group with their types.',
    syntax: 'group:key',
    handler: schema,
  },
  {
    name: 'feature.list',
    arity: 1,
    flags: ['readonly'],
    group: 'feature',
    since: '0.3.0',
    complexity: 'O(N), N being the number of groups',
    summary: 'Lists the names of all groups.',
    syntax: '',
    handler: list,
  },
  {
    name: 'feature.drop',
    arity: 2,
    flags: ['write', 'fast'],
    group: 'feature',
    keys: [key('RM delete')],
    since: '0.3.0',
    complexity: 'O(1)',
    summary: 'Removes a group with all its entities.',
    syntax: 'group:key',
    readings: ['a group that is not there is the error "not found", here and in the other commands.'],
    handler: drop,
  },
  {
    name: 'feature.stats',
    arity: 2,
    flags: ['readonly', 'fast'],
    group: 'feature',
    keys: [key('RO access')],
    since: '0.3.0',
    complexity: 'O(1)',
    summary: 'Tells how many entities a group has, how often they were read and written, and the memory.',
    syntax: 'group:key',
    readings: ['every entity that is asked for is a read; every FEATURE.SET and FEATURE.SETAT a write.'],
    handler: stats,
  },
];

function create(ctx: Session, args: Bytes[]): Reply {
  const { featureGroups } = ctx.server.engines;
  if (!isWord(args[3]!, 'SCHEMA')) return unknownOption(args[3]!, ['SCHEMA name type']);
  if (args.length % 2 === 1) return wrongArity('feature.create');
  const types = new Map<Bytes, FeatureType>();
  for (let i = 4; i < args.length; i += 2) {
    if (types.has(args[i]!)) return new ErrorReply(`ERR feature '${args[i]}' is named twice`);
    types.set(args[i]!, choiceArg(args[i + 1]!, 'feature type', FEATURE_TYPES));
  }
  expectNew(featureGroups, args[1]!, KIND);
  featureGroups.set(args[1]!, new FeatureGroup(args[2]!, types));
  return OK;
}

function set(ctx: Session, args: Bytes[]): Reply {
  const group = groupOf(ctx, args);
  if (args.length % 2 === 0) return wrongArity('feature.set');
  group.set(args[2]!, valueArgs(group, args, 3), ctx.now);
  return OK;
}

function setAt(ctx: Session, args: Bytes[]): Reply {
  const group = groupOf(ctx, args);
  if (args.length % 2 === 1) return wrongArity('feature.setat');
  const updatedAt = wholeArg(args[3]!, 'time', 0, Number.MAX_SAFE_INTEGER);
  group.set(args[2]!, valueArgs(group, args, 4), updatedAt);
  return OK;
}

/** The pairs of name and value from argument `from` on, checked against the schema. */
function valueArgs(group: FeatureGroup, args: Bytes[], from: number): [name: Bytes, value: Bytes][] {
  const values: [Bytes, Bytes][] = [];
  for (let i = from; i < args.length; i += 2) {
    const [name, value] = [args[i]!, args[i + 1]!];
    const type = typeOf(group, name);
    if (!isOfType(value, type)) throw new ErrorReply(`ERR invalid value of feature '${name}': must be of type ${type}`);
    values.push([name, value]);
  }
  return values;
}

function typeOf({ schema }: FeatureGroup, name: Bytes): FeatureType {
  const type = schema.get(name);
  if (type === undefined) throw unknownFeature(name, schema);
  return type;
}

function unknownFeature(name: Bytes, schema: ReadonlyMap<Bytes, FeatureType>): ErrorReply {
  return new ErrorReply(`ERR unknown feature '${name}': must be one of ${[...schema.keys()].join(', ')}`);
}

function isOfType(value: Bytes, type: FeatureType): boolean {
  switch (type) {
    case 'string':
      return true;
    case 'int64':
      return parseInteger(value) !== undefined;
    case 'double':
      return isFiniteNumber(value);
    case 'int_array':
      return value === '' || value.split(',').every((item) => parseInteger(item) !== undefined);
    case 'double_array':
      return value === '' || value.split(',').every(isFiniteNumber);
  }
}

function isFiniteNumber(text: Bytes): boolean {
  return Number.isFinite(parseDouble(text) ?? Number.NaN);
}

function get(ctx: Session, args: Bytes[]): Reply {
  const group = groupOf(ctx, args);
  return entryOf(ctx, group.read(args[2]!), nameArgs(group, args, 3));
}

function batch(ctx: Session, args: Bytes[]): Reply {
  const group = groupOf(ctx, args);
  const word = args.findIndex((arg, i) => i > 2 && isWord(arg, 'FEATURES'));
  const end = word < 0 ? args.length : word;
  const names = nameArgs(group, args, word < 0 ? args.length : word + 1);
  return args.slice(2, end).map((entity) => entryOf(ctx, group.read(entity), names));
}

/** The features that are named from argument `from` on; all of the schema when none is. */
function nameArgs(group: FeatureGroup, args: Bytes[], from: number): Bytes[] {
  if (from >= args.length) return [...group.schema.keys()];
  const names = args.slice(from);
  for (const name of names) typeOf(group, name);
  return names;
}

function entryOf(ctx: Session, entity: FeatureEntity | undefined, names: readonly Bytes[]): Reply {
  if (entity === undefined) return null;
  const fields: Bytes[] = [];
  for (const name of names) {
    const value = entity.values.get(name);
    if (value !== undefined) fields.push(name, value);
  }
  return [fields, entity.updatedAt, ctx.now - entity.updatedAt];
}

function schema(ctx: Session, args: Bytes[]): Reply {
  return Array.from(groupOf(ctx, args).schema, ([name, type]) => [name, type]);
}

function list(ctx: Session): Reply {
  return [...ctx.server.engines.featureGroups.keys()];
}

function drop(ctx: Session, args: Bytes[]): Reply {
  groupOf(ctx, args);
  ctx.server.engines.featureGroups.delete(args[1]!);
  return OK;
}

function stats(ctx: Session, args: Bytes[]): Reply {
  const { entities, reads, writes, bytes } = groupOf(ctx, args);
  return ['entities', entities.size, 'totalReads', reads, 'totalWrites', writes, 'memoryBytes', bytes];
}

function groupOf(ctx: Session, args: Bytes[]): FeatureGroup {
  return existing(ctx.server.engines.featureGroups, args[1]!, KIND);
}
