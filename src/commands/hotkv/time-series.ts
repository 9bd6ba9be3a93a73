/** TS.*: time series with retention, labels, aggregation and live downsampling (official client 1.0.0; not RedisTimeSeries). */
import { AGGREGATIONS, DownsampleRule, TimeSeries } from '../../keyspace/hotkv/time-series.js';
import { SYNTAX } from '../../protocol/errors.js';
import { formatDouble, parseDouble } from '../../protocol/numbers.js';
import { type Bytes, ErrorReply, OK, type Reply } from '../../protocol/reply.js';
import type { Session } from '../../server/session.js';
import { isWord, OptionReader } from '../args.js';
import { type CommandRow, key } from '../definition.js';
import { choiceArg, existing, expectNew, unknownOption, wholeArg } from './names.js';

const KIND = 'time series';
const MAX_TIME = Number.MAX_SAFE_INTEGER;

export const timeSeriesCommands: readonly CommandRow[] = [
  {
    name: 'ts.create',
    arity: -2,
    flags: ['write', 'denyoom', 'fast'],
    group: 'time-series',
    keys: [key('OW insert')],
    since: '0.3.0',
    complexity: 'O(1)',
    summary: 'Makes a time series.',
    syntax: 'key [RETENTION retention-ms:integer] [LABELS labels:(name value)...]',
    readings: [
      'series belong to the node, not to a database: KEYS, TYPE and DEL do not see them, FLUSHALL removes them, FLUSHDB does not.',
      'retention counts back from the newest sample; 0 (default) keeps all.',
    ],
    handler: create,
  },
  {
    name: 'ts.add',
    arity: 4,
    flags: ['write', 'denyoom', 'fast'],
    group: 'time-series',
    keys: [key('RW update')],
    since: '0.3.0',
    complexity: 'O(1) for the newest sample, O(N) for one between others, N being the number of later ones',
    summary: 'Adds a sample at a unix time in ms, or at the time of the server (*), and answers the time.',
    syntax: 'key timestamp value:double',
    readings: [
      'a series that is not there is the error "not found", here and in the other commands.',
      'samples may come in any order; one of the same time is replaced; one that retention would drop at once is an error.',
    ],
    handler: add,
  },
  {
    name: 'ts.range',
    arity: -4,
    flags: ['readonly'],
    group: 'time-series',
    keys: [key('RO access')],
    since: '0.3.0',
    complexity: 'O(log(N)+M), N being the number of samples and M of those answered',
    summary: 'Lists the samples from one time to another, both included; - and + are the ends.',
    syntax: 'key from to [COUNT count:integer]',
    handler: range,
  },
  {
    name: 'ts.agg',
    arity: 6,
    flags: ['readonly'],
    group: 'time-series',
    keys: [key('RO access')],
    since: '0.3.0',
    complexity: 'O(log(N)+M), N being the number of samples and M of those from one time to the other',
    summary: 'Sums up the samples from one time to another in buckets of equal length.',
    syntax: 'key from to bucket-ms:integer type:(avg | min | max | sum | count)',
    readings: ['buckets begin at multiples of their length since 1970, and empty ones are left out.'],
    handler: aggregate,
  },
  {
    name: 'ts.info',
    arity: 2,
    flags: ['readonly', 'fast'],
    group: 'time-series',
    keys: [key('RO access')],
    since: '0.3.0',
    complexity: 'O(1)',
    summary: 'Tells about a series: samples, ends, retention, memory, labels, rules.',
    syntax: 'key',
    readings: [
      'the fields are key, samples, firstTimestamp, lastTimestamp, lastValue, retentionMs, memoryBytes, labels, downsampleRules.',
    ],
    handler: info,
  },
  {
    name: 'ts.delete',
    arity: 2,
    flags: ['write', 'fast'],
    group: 'time-series',
    keys: [key('RM delete')],
    since: '0.3.0',
    complexity: 'O(1)',
    summary: 'Removes a series.',
    syntax: 'key',
    readings: ['rules of other series that lead to it do nothing until there is one of that name again.'],
    handler: remove,
  },
  {
    name: 'ts.retention',
    arity: 3,
    flags: ['write'],
    group: 'time-series',
    keys: [key('RW update')],
    since: '0.3.0',
    complexity: 'O(N), N being the number of samples that go',
    summary: 'Sets how long a series keeps its samples, and drops older ones.',
    syntax: 'key retention-ms:integer',
    handler: retention,
  },
  {
    name: 'ts.downsample',
    arity: 5,
    flags: ['write', 'fast'],
    group: 'time-series',
    keys: [key('RW access update'), key('RW update', 2)],
    since: '0.3.0',
    complexity: 'O(1)',
    summary: 'From now on keeps a sample of another series for every bucket of this one.',
    syntax: 'source:key destination:key type:(avg | min | max | sum | count) bucket-ms:integer',
    readings: [
      'the sample of a bucket changes with every sample that falls into it, in any order; what came before the rule counts only in a bucket that is still filled.',
      'a second rule to the same destination takes the place of the first; a rule to itself is an error, and rules do not lead on from the destination.',
    ],
    handler: downsample,
  },
  {
    name: 'ts.list',
    arity: -1,
    flags: ['readonly'],
    group: 'time-series',
    since: '0.3.0',
    complexity: 'O(N), N being the number of series',
    summary: 'Lists the names of all series, or of those with a label.',
    syntax: '[LABEL label:(name value)]',
    handler: list,
  },
];

function create(ctx: Session, args: Bytes[]): Reply {
  const { timeSeries } = ctx.server.engines;
  let retentionMs = 0;
  const labels: [Bytes, Bytes][] = [];
  for (const options = new OptionReader(args, 2); options.more; ) {
    const word = options.next();
    if (isWord(word, 'RETENTION')) retentionMs = retentionArg(options.next());
    else if (isWord(word, 'LABELS') && options.more) while (options.more) labels.push([options.next(), options.next()]);
    else throw unknownOption(word, ['RETENTION ms', 'LABELS name value']);
  }
  expectNew(timeSeries, args[1]!, KIND);
  timeSeries.set(args[1]!, new TimeSeries(labels, retentionMs));
  return OK;
}

function retentionArg(text: Bytes): number {
  return wholeArg(text, 'retention', 0, MAX_TIME);
}

const BAD_VALUE = new ErrorReply('ERR invalid value: must be a finite number');
const TOO_OLD = new ErrorReply('ERR timestamp is older than the retention of the series');

function add(ctx: Session, args: Bytes[]): Reply {
  const series = seriesOf(ctx, args[1]!);
  const time = args[2] === '*' ? ctx.now : wholeArg(args[2]!, 'timestamp', 0, MAX_TIME);
  const value = parseDouble(args[3]!);
  if (value === undefined || !Number.isFinite(value)) return BAD_VALUE;
  if (series.isTooOld(time)) return TOO_OLD;
  const isNewest = series.add(time, value);
  for (const rule of series.rules) {
    const start = Math.floor(time / rule.bucketMs) * rule.bucketMs;
    const sample = rule.valueAfter(series, start, value, isNewest);
    const target = ctx.server.engines.timeSeries.get(rule.destination);
    if (target !== undefined && !target.isTooOld(start)) target.add(start, sample);
  }
  return time;
}

function range(ctx: Session, args: Bytes[]): Reply {
  const series = seriesOf(ctx, args[1]!);
  const [from, to] = boundArgs(args);
  let count = Number.POSITIVE_INFINITY;
  if (args.length > 4) {
    if (!isWord(args[4]!, 'COUNT')) throw unknownOption(args[4]!, ['COUNT count']);
    if (args.length !== 6) return SYNTAX;
    count = wholeArg(args[5]!, 'count', 1, MAX_TIME);
  }
  const samples: Reply[] = [];
  series.forEach(from, to, count, (time, value) => samples.push([time, formatDouble(value)]));
  return samples;
}

function aggregate(ctx: Session, args: Bytes[]): Reply {
  const series = seriesOf(ctx, args[1]!);
  const [from, to] = boundArgs(args);
  const bucketMs = bucketArg(args[4]!);
  const aggregation = choiceArg(args[5]!, 'aggregation', AGGREGATIONS);
  return series.aggregate(from, to, bucketMs, aggregation).map(({ time, value }) => [time, formatDouble(value)]);
}

/** The times at 2 and 3, `-` and `+` being the ends. */
function boundArgs(args: Bytes[]): [from: number, to: number] {
  const from = args[2] === '-' ? 0 : wholeArg(args[2]!, 'start', 0, MAX_TIME);
  const to = args[3] === '+' ? MAX_TIME - 1 : wholeArg(args[3]!, 'end', 0, MAX_TIME);
  return [from, to];
}

function bucketArg(text: Bytes): number {
  return wholeArg(text, 'bucket', 1, MAX_TIME);
}

function info(ctx: Session, args: Bytes[]): Reply {
  const series = seriesOf(ctx, args[1]!);
  const { lastValue } = series;
  const fields: Reply[] = ['key', args[1]!, 'samples', series.size];
  fields.push('firstTimestamp', series.firstTime, 'lastTimestamp', series.lastTime);
  fields.push('lastValue', lastValue === undefined ? null : formatDouble(lastValue));
  fields.push('retentionMs', series.retentionMs, 'memoryBytes', series.bytes);
  fields.push(
    'labels',
    series.labels.map((label) => [...label]),
  );
  const rules = series.rules.map(({ destination, aggregation, bucketMs }) => [destination, aggregation, bucketMs]);
  fields.push('downsampleRules', rules);
  return fields;
}

function remove(ctx: Session, args: Bytes[]): Reply {
  seriesOf(ctx, args[1]!);
  ctx.server.engines.timeSeries.delete(args[1]!);
  return OK;
}

function retention(ctx: Session, args: Bytes[]): Reply {
  seriesOf(ctx, args[1]!).retain(retentionArg(args[2]!));
  return OK;
}

const TO_ITSELF = new ErrorReply('ERR a time series cannot be downsampled into itself');

function downsample(ctx: Session, args: Bytes[]): Reply {
  const destination = args[2]!;
  const { rules } = seriesOf(ctx, args[1]!);
  seriesOf(ctx, destination);
  if (args[1] === destination) return TO_ITSELF;
  const aggregation = choiceArg(args[3]!, 'aggregation', AGGREGATIONS);
  const rule = new DownsampleRule(destination, aggregation, bucketArg(args[4]!));
  const known = rules.findIndex((other) => other.destination === destination);
  if (known < 0) rules.push(rule);
  else rules[known] = rule;
  return OK;
}

function list(ctx: Session, args: Bytes[]): Reply {
  const { timeSeries } = ctx.server.engines;
  if (args.length === 1) return [...timeSeries.keys()];
  if (!isWord(args[1]!, 'LABEL')) throw unknownOption(args[1]!, ['LABEL name value']);
  if (args.length !== 4) return SYNTAX;
  const names: Bytes[] = [];
  for (const [name, { labels }] of timeSeries) {
    if (labels.some(([label, value]) => label === args[2] && value === args[3])) names.push(name);
  }
  return names;
}

function seriesOf(ctx: Session, name: Bytes): TimeSeries {
  return existing(ctx.server.engines.timeSeries, name, KIND);
}
