/** Random stream commands on Redis and on the stream value: the same replies and the same XINFO STREAM FULL. */
import { expect, test } from 'vitest';
import { DELETE_OUTCOME, Stream, type StreamReferences, type StreamTrim } from '../../../src/keyspace/values/stream.js';
import {
  autoClaim,
  claim,
  deliverNew,
  raiseLastDelivered,
  redeliver,
} from '../../../src/keyspace/values/stream-delivery.js';
import {
  MAX_STREAM_ID,
  MIN_STREAM_ID,
  nextStreamId,
  parseRequestedStreamId,
  parseStreamId,
  parseStreamLowerBound,
  type StreamId,
} from '../../../src/keyspace/values/stream-id.js';
import type { StreamEntry, StreamNodeLimits } from '../../../src/keyspace/values/stream-node.js';
import { describeWith } from '../../support/describe-with.js';
import { startOracleClient } from '../../support/oracle-client.js';
import type { RawClient } from '../../support/resp-client.js';
import type { Frame } from '../../support/resp-frame.js';

type Plain = string | null | Plain[];

/** A frozen time for the model; Redis' own differs, so times are left out of the comparison. */
const NOW = 1_000_000_000_000;
const OLD = 5_000_000;

describeWith('streams beside Redis', ['redis-8.2.3'], () => {
  const redis = startOracleClient('redis-8.2.3');

  for (const limits of [
    { maxEntries: 100, maxBytes: 4096 },
    { maxEntries: 3, maxBytes: 4096 },
    { maxEntries: 0, maxBytes: 90 },
  ]) {
    test(`nodes of ${limits.maxEntries} entries and ${limits.maxBytes} bytes`, { timeout: 120_000 }, async () => {
      await redis.client.call('CONFIG', 'SET', 'stream-node-max-entries', String(limits.maxEntries));
      await redis.client.call('CONFIG', 'SET', 'stream-node-max-bytes', String(limits.maxBytes));
      const runs = Number(process.env.HOTKV_STREAM_RUNS ?? 15);
      for (let seed = 1; seed <= runs; seed++) await runSequence(redis.client, limits, seed);
    });
  }

  test('many entries in nodes of the default size', { timeout: 120_000 }, async () => {
    await redis.client.call('CONFIG', 'SET', 'stream-node-max-entries', '100');
    await redis.client.call('CONFIG', 'SET', 'stream-node-max-bytes', '4096');
    await redis.client.call('DEL', 's');
    await redis.client.call('XGROUP', 'CREATE', 's', 'g0', '0', 'MKSTREAM');
    const model = new Model({ maxEntries: 100, maxBytes: 4096 }, 7);
    for (let i = 0; i < 1500; i++) {
      const [command, ours] = model.add();
      expect(plain(await redis.client.call(...command))).toEqual(ours);
    }
    for (const maxLength of [1400, 1300, 1250, 700, 20, 0]) {
      const trim = { until: { maxLength }, approximate: true, limit: 0, references: 'keepref' } as const;
      const theirs = await redis.client.call('XTRIM', 's', 'MAXLEN', '~', `${maxLength}`, 'LIMIT', '0');
      expect(`${model.stream.trim(trim)}`).toBe(plain(theirs));
      expect(model.info()).toEqual(withoutTimes(await redis.client.call('XINFO', 'STREAM', 's', 'FULL', 'COUNT', '0')));
    }
  });

  test('IDs as Redis reads them', async () => {
    const texts = [
      '5',
      '5-',
      '-',
      '+',
      '',
      '-5',
      '5-5',
      '5--5',
      '5--05',
      '007-1',
      '+5-1',
      ' 5-1',
      '5-1 ',
      '5-1\0x',
      '5-*',
      '0-0',
    ];
    texts.push(
      '18446744073709551615-18446744073709551615',
      '18446744073709551616-0',
      '9007199254740993-9007199254740995',
    );
    texts.push(
      '(5',
      '(5-1',
      '(-',
      '(+',
      '(',
      '5-1-1',
      'x',
      '1.5',
      '0x10',
      '5-+3',
      '\t5-1',
      '00000000000000000000000000000005-1',
    );
    for (const text of texts) {
      const invalid = 'ERR Invalid stream ID specified as stream command argument';
      await redis.client.call('DEL', 's');
      await redis.client.call('XGROUP', 'CREATE', 's', 'other', '0', 'MKSTREAM');
      const deleted = plain(await redis.client.call('XDEL', 's', text));
      expect(parseStreamId(text) === null, `strict ${JSON.stringify(text)}`).toBe(deleted === invalid);
      const ranged = plain(await redis.client.call('XRANGE', 's', text, '+'));
      expect(parseStreamLowerBound(text) === null, `bound ${JSON.stringify(text)}`).toBe(ranged === invalid);
      const set = plain(await redis.client.call('XGROUP', 'CREATE', 's', 'g', text, 'MKSTREAM'));
      const id = parseStreamId(text);
      expect(id === null, `group ${JSON.stringify(text)}`).toBe(set === invalid);
      if (id !== null) {
        const [group] = plain(await redis.client.call('XINFO', 'GROUPS', 's')) as Plain[];
        expect(pairs(group as Plain), text).toContainEqual(['last-delivered-id', `${id}`]);
      }
      await redis.client.call('DEL', 's');
      const requested = parseRequestedStreamId(text);
      const added = plain(await redis.client.call('XADD', 's', text, 'f', 'v'));
      if (requested === null) expect(added, `XADD ${JSON.stringify(text)}`).toBe(invalid);
      else if (`${new Stream().resolveId(requested, 0)}` !== 'null') {
        expect(added).toBe(`${new Stream().resolveId(requested, 0)}`);
      } else expect(added).toBe('ERR The ID specified in XADD must be greater than 0-0');
    }
  });
});

async function runSequence(client: RawClient, limits: StreamNodeLimits, seed: number): Promise<void> {
  await client.call('DEL', 's');
  await client.call('XGROUP', 'CREATE', 's', 'g0', '0', 'MKSTREAM');
  const model = new Model(limits, seed);
  const log: string[] = [];
  for (let step = 0; step < 50; step++) {
    const [command, ours] = model.step();
    log.push(command.join(' '));
    const theirs = plain(await client.call(...command));
    const context = `seed ${seed}:\n${log.join('\n')}`;
    if (ours !== undefined) expect(ours, context).toEqual(theirs);
    if (command[1] === 'DESTROY') await copyInPlace(client, model);
    expect(model.info(), context).toEqual(
      withoutTimes(await client.call('XINFO', 'STREAM', 's', 'FULL', 'COUNT', '0')),
    );
  }
}

/**
 * Replaces the stream by a copy. Redis 8.2.3 remembers the least position of all groups, forgets to look again when the
 * group at that position is destroyed, and then takes entries that all others have acknowledged for unread ones (ACKED
 * deletes nothing). A copy does not have that memory; the model never has it.
 */
async function copyInPlace(client: RawClient, model: Model): Promise<void> {
  await client.call('COPY', 's', 'copy', 'REPLACE');
  await client.call('RENAME', 'copy', 's');
  model.stream = model.stream.clone();
}

class Model {
  stream = new Stream();
  #state: number;
  #time = 1;

  constructor(
    readonly limits: StreamNodeLimits,
    seed: number,
  ) {
    this.#state = seed;
    this.stream.createGroup('g0', MIN_STREAM_ID, null);
  }

  /** One random command and what it answers; undefined where the answer is not compared. */
  step(): [string[], Plain | undefined] {
    const steps = [
      () => this.add(),
      () => this.add(),
      () => this.add(),
      () => this.add(),
      () => this.#delete(),
      () => this.#deleteReferenced(),
      () => this.#acknowledge(),
      () => this.#acknowledgeAndDelete(),
      () => this.#trim(),
      () => this.#group(),
      () => this.#readNew(),
      () => this.#readNew(),
      () => this.#readHistory(),
      () => this.#claim(),
      () => this.#autoClaim(),
      () => this.#setId(),
    ];
    return this.#pick(steps)();
  }

  /** What XINFO STREAM FULL answers, without times. */
  info(): Plain {
    const { stream } = this;
    return [
      ['length', `${stream.length}`],
      ['radix-tree-keys', `${stream.nodes().length}`],
      ['radix-tree-nodes', `${stream.radixTreeNodes()}`],
      ['last-generated-id', `${stream.lastId}`],
      ['max-deleted-entry-id', `${stream.maxDeletedId}`],
      ['entries-added', `${stream.entriesAdded}`],
      ['recorded-first-entry-id', `${stream.firstId}`],
      ['entries', entries(stream.range(MIN_STREAM_ID, MAX_STREAM_ID))],
      [
        'groups',
        stream.groups().map((group) => [
          ['name', group.name],
          ['last-delivered-id', `${group.lastDeliveredId}`],
          ['entries-read', group.entriesRead === null ? null : `${group.entriesRead}`],
          ['lag', stream.lag(group) === null ? null : `${stream.lag(group)}`],
          ['pel-count', `${group.pending.size}`],
          ['pending', group.pending.values().map((p) => [`${p.id}`, p.consumer.name, `${p.deliveryCount}`])],
          [
            'consumers',
            group.consumers().map((consumer) => [
              ['name', consumer.name],
              ['active', `${consumer.activeTime !== -1}`],
              ['pel-count', `${consumer.pending.size}`],
              ['pending', consumer.pending.values().map((p) => [`${p.id}`, `${p.deliveryCount}`])],
            ]),
          ],
        ]),
      ],
    ];
  }

  add(): [string[], Plain] {
    this.#time += this.#int(3) === 0 ? this.#int(100) + 1 : 0;
    const { stream } = this;
    const sequence = stream.lastId.ms === this.#time ? Number(stream.lastId.seq) + 1 + this.#int(3) : this.#int(200);
    const id = parseStreamId(`${this.#time}-${sequence}`)!;
    const fields: string[] = [];
    for (let i = this.#int(3); i >= 0; i--) {
      fields.push(this.#pick(['a', 'b', '7', '-300']), this.#pick(['x'.repeat(this.#int(70)), `${this.#int(1e6)}`]));
    }
    stream.append(id, fields, this.limits);
    return [['XADD', 's', `${id}`, ...fields], `${id}`];
  }

  #delete(): [string[], Plain] {
    const id = this.#anyId();
    return [['XDEL', 's', `${id}`], `${Number(this.stream.delete(id))}`];
  }

  #deleteReferenced(): [string[], Plain] {
    const [id, references] = [this.#anyId(), this.#references()];
    const outcome = this.stream.deleteReferenced(id, references);
    return [['XDELEX', 's', references, 'IDS', '1', `${id}`], [`${outcome}`]];
  }

  #acknowledge(): [string[], Plain] {
    const [id, name] = [this.#anyId(), this.#groupName()];
    return [['XACK', 's', name, `${id}`], `${Number(this.stream.group(name)?.acknowledge(id) ?? false)}`];
  }

  #acknowledgeAndDelete(): [string[], Plain] {
    const [id, name, references] = [this.#anyId(), this.#groupName(), this.#references()];
    const group = this.stream.group(name);
    const outcome =
      group === undefined ? DELETE_OUTCOME.unknown : this.stream.acknowledgeAndDelete(group, id, references);
    return [['XACKDEL', 's', name, references, 'IDS', '1', `${id}`], [`${outcome}`]];
  }

  #trim(): [string[], Plain] {
    const references = this.#references();
    const approximate = this.#int(2) === 0;
    const limit = approximate ? this.#pick([0, 2, 5, 100]) : 0;
    const minId = this.#anyId();
    const maxLength = Math.max(0, this.stream.length - this.#int(8));
    const until: StreamTrim['until'] = this.#int(2) === 0 ? { maxLength } : { minId };
    const removed = this.stream.trim({ until, approximate, limit, references });
    const threshold =
      'minId' in until
        ? ['MINID', approximate ? '~' : '=', `${minId}`]
        : ['MAXLEN', approximate ? '~' : '=', `${maxLength}`];
    const limited = approximate ? ['LIMIT', `${limit}`] : [];
    return [['XTRIM', 's', ...threshold, ...limited, references], `${removed}`];
  }

  #setId(): [string[], Plain] {
    const { stream } = this;
    if (this.#int(3) === 0) {
      const added = stream.length + this.#int(5);
      const deleted = this.#pick([stream.maxDeletedId, stream.lastId]);
      stream.entriesAdded = added;
      if (`${deleted}` !== '0-0') stream.maxDeletedId = deleted;
      return [['XSETID', 's', `${stream.lastId}`, 'ENTRIESADDED', `${added}`, 'MAXDELETEDID', `${deleted}`], 'OK'];
    }
    stream.lastId = nextStreamId(stream.lastId)!;
    return [['XSETID', 's', `${stream.lastId}`], 'OK'];
  }

  #group(): [string[], undefined] {
    const { stream } = this;
    const name = this.#groupName();
    const group = stream.group(name);
    const id = this.#anyId();
    if (group === undefined) {
      const entriesRead = this.#pick([null, 0, 5]);
      stream.createGroup(name, id, entriesRead);
      const read = entriesRead === null ? [] : ['ENTRIESREAD', `${entriesRead}`];
      return [['XGROUP', 'CREATE', 's', name, `${id}`, ...read], undefined];
    }
    const action = this.#int(4);
    if (action === 0) {
      stream.deleteGroup(name);
      return [['XGROUP', 'DESTROY', 's', name], undefined];
    }
    if (action === 1) {
      const consumer = this.#consumerName();
      group.deleteConsumer(consumer);
      return [['XGROUP', 'DELCONSUMER', 's', name, consumer], undefined];
    }
    stream.positionGroup(group, id, action === 2 ? null : 2);
    const read = action === 2 ? [] : ['ENTRIESREAD', '2'];
    return [['XGROUP', 'SETID', 's', name, `${id}`, ...read], undefined];
  }

  #readNew(): [string[], Plain | undefined] {
    const [groupName, name, count] = [this.#groupName(), this.#consumerName(), 1 + this.#int(4)];
    const noAck = this.#int(4) === 0;
    const options = ['COUNT', `${count}`, ...(noAck ? ['NOACK'] : [])];
    const command = ['XREADGROUP', 'GROUP', groupName, name, ...options, 'STREAMS', 's', '>'];
    const group = this.stream.group(groupName);
    if (group === undefined) return [command, undefined];
    const consumer = group.consumer(name) ?? group.createConsumer(name, NOW)!;
    const delivered = deliverNew(this.stream, group, consumer, { count, noAck, now: NOW });
    return [command, delivered.length === 0 ? null : [['s', entries(delivered)]]];
  }

  #readHistory(): [string[], Plain | undefined] {
    const [groupName, name, count, after] = [this.#groupName(), this.#consumerName(), 1 + this.#int(4), this.#anyId()];
    const command = ['XREADGROUP', 'GROUP', groupName, name, 'COUNT', `${count}`, 'STREAMS', 's', `${after}`];
    const group = this.stream.group(groupName);
    if (group === undefined) return [command, undefined];
    const consumer = group.consumer(name) ?? group.createConsumer(name, NOW)!;
    const shown = redeliver(this.stream, consumer, after, { count, now: NOW });
    return [command, [['s', shown.map(({ id, entry }) => [`${id}`, entry === undefined ? null : [...entry.fields]])]]];
  }

  #claim(): [string[], Plain | undefined] {
    const [groupName, name, id] = [this.#groupName(), this.#consumerName(), this.#anyId()];
    const [minIdle, idle] = [this.#pick([0, OLD / 5]), this.#pick([0, OLD])];
    const [justId, force, lastId] = [this.#int(3) === 0, this.#int(2) === 0, this.#int(5) === 0];
    const deliveryCount = this.#int(3) === 0 ? this.#int(9) : undefined;
    const options = ['IDLE', `${idle}`];
    if (deliveryCount !== undefined) options.push('RETRYCOUNT', `${deliveryCount}`);
    if (justId) options.push('JUSTID');
    if (force) options.push('FORCE');
    if (lastId) options.push('LASTID', `${id}`);
    const command = ['XCLAIM', 's', groupName, name, `${minIdle}`, `${id}`, ...options];
    const group = this.stream.group(groupName);
    if (group === undefined) return [command, undefined];
    if (lastId) raiseLastDelivered(group, id);
    const consumer = group.consumer(name) ?? group.createConsumer(name, NOW)!;
    const deliveryTime = NOW - idle;
    const entry = claim(this.stream, group, consumer, id, {
      minIdle,
      deliveryTime,
      deliveryCount,
      justId,
      force,
      now: NOW,
    });
    return [command, entry === null ? [] : justId ? [`${entry.id}`] : entries([entry])];
  }

  #autoClaim(): [string[], Plain | undefined] {
    const [groupName, name, start] = [this.#groupName(), this.#consumerName(), this.#anyId()];
    const [minIdle, count, justId] = [this.#pick([0, OLD / 5]), 1 + this.#int(3), this.#int(3) === 0];
    const command = ['XAUTOCLAIM', 's', groupName, name, `${minIdle}`, `${start}`, 'COUNT', `${count}`];
    if (justId) command.push('JUSTID');
    const group = this.stream.group(groupName);
    if (group === undefined) return [command, undefined];
    const consumer = group.consumer(name) ?? group.createConsumer(name, NOW)!;
    const { cursor, claimed, deleted } = autoClaim(this.stream, group, consumer, {
      minIdle,
      start,
      count,
      justId,
      now: NOW,
    });
    const shown = justId ? claimed.map((entry) => `${entry.id}`) : entries(claimed);
    return [command, [`${cursor}`, shown, deleted.map(String)]];
  }

  #references(): StreamReferences {
    return this.#pick(['keepref', 'delref', 'acked']);
  }

  #groupName(): string {
    return this.#pick(['g0', 'g1', 'g1', 'h']);
  }

  #consumerName(): string {
    return this.#pick(['ann', 'bob']);
  }

  /** An ID in or near the stream: mostly one that exists. */
  #anyId(): StreamId {
    const all = this.stream.range(MIN_STREAM_ID, MAX_STREAM_ID);
    const nearEntry = all[this.#int(all.length)] ?? this.stream.lastEntry();
    if (nearEntry !== undefined && this.#int(4) !== 0) return nearEntry.id;
    const pending = this.stream.groups()[0]?.pending.values() ?? [];
    if (pending.length > 0 && this.#int(2) === 0) return pending[this.#int(pending.length)]!.id;
    return parseStreamId(`${1 + this.#int(this.#time + 1)}-${this.#int(20)}`)!;
  }

  #pick<T>(choices: readonly T[]): T {
    return choices[this.#int(choices.length)] as T;
  }

  /** A pseudo-random integer below n (a linear congruential generator: the sequence depends on the seed alone). */
  #int(n: number): number {
    this.#state = (Math.imul(this.#state, 1664525) + 1013904223) >>> 0;
    return Math.floor((this.#state / 2 ** 32) * n);
  }
}

function entries(list: readonly StreamEntry[]): Plain {
  return list.map((entry) => [`${entry.id}`, [...entry.fields]]);
}

function plain(frame: Frame): Plain {
  if ('text' in frame) return frame.text;
  return 'items' in frame ? frame.items.map(plain) : null;
}

/** XINFO STREAM FULL as lists of pairs: times left out, except whether a consumer was ever active. */
function withoutTimes(frame: Frame): Plain {
  return pairs(plain(frame)).map(([name, value]) => {
    if (name !== 'groups') return [name, value];
    return [name, (value as Plain[]).map((group) => pairs(group).map(groupField))];
  });
}

function groupField([name, value]: [string, Plain]): Plain {
  const list = value as Plain[];
  if (name === 'pending') return [name, list.map((entry) => without(entry as Plain[], 2))];
  if (name !== 'consumers') return [name, value];
  return [name, list.map((consumer) => pairs(consumer).flatMap(consumerField))];
}

function consumerField([name, value]: [string, Plain]): Plain[] {
  if (name === 'seen-time') return [];
  if (name === 'active-time') return [['active', `${value !== '-1'}`]];
  return [[name, name === 'pending' ? (value as Plain[]).map((entry) => without(entry as Plain[], 1)) : value]];
}

function without(list: readonly Plain[], index: number): Plain[] {
  return list.filter((_, i) => i !== index);
}

function pairs(flat: Plain): [string, Plain][] {
  const list = flat as Plain[];
  return list.flatMap((name, i) => (i % 2 === 0 ? [[name as string, list[i + 1] as Plain] as [string, Plain]] : []));
}
