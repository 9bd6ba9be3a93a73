/** What Redis and Valkey dump we restore, and what we dump they restore, to the same value in the same encoding. */
import { expect, test } from 'vitest';
import type { Value } from '../../../src/keyspace/value.js';
import { defaultEncodingLimits } from '../../../src/keyspace/values/encoding-limits.js';
import { dumpValue, restoreValue } from '../../../src/persistence/rdb/payload.js';
import { describeWith } from '../../support/describe-with.js';
import { startOracleClient } from '../../support/oracle-client.js';
import type { RawClient } from '../../support/resp-client.js';
import type { OracleServer } from '../../support/tools.js';

const numbers = (count: number) => Array.from({ length: count }, (_, i) => String(i * 977));
const words = (count: number) => Array.from({ length: count }, (_, i) => `word${i}${'-'.repeat(i % 70)}`);
const pairs = (items: string[]) => items.flatMap((item, i) => [`f${i}`, item]);

/** Commands that make the value at the key `k`. */
const VALUES: Readonly<Record<string, readonly (readonly string[])[]>> = {
  integer: [['SET', 'k', '-70000']],
  'long text': [['SET', 'k', 'abc'.repeat(5000)]],
  hyperloglog: [['PFADD', 'k', ...words(50)]],
  'small list': [['RPUSH', 'k', 'a', '1', '']],
  'large list': [['RPUSH', 'k', ...words(2000), 'x'.repeat(20_000), ...numbers(50)]],
  intset: [['SADD', 'k', '1', '-3', '70000', '-9223372036854775808']],
  'large set of integers': [['SADD', 'k', ...numbers(600)]],
  'small set': [['SADD', 'k', 'b', 'a', '3']],
  'large set': [['SADD', 'k', ...words(300)]],
  'small sorted set': [['ZADD', 'k', '1.5', 'a', '-inf', 'b', '3', '4']],
  'large sorted set': [['ZADD', 'k', ...words(300).flatMap((word, i) => [String(i / 7), word])]],
  'small hash': [['HSET', 'k', ...pairs(words(9))]],
  'large hash': [['HSET', 'k', ...pairs(words(900))]],
  stream: [
    ...numbers(150).map((n, i) => ['XADD', 'k', `${i + 1}-1`, 'f', n, i % 9 === 0 ? 'h' : 'g', `value ${n}`]),
    ['XDEL', 'k', '1-1', '7-1', '120-1'],
    ['XGROUP', 'CREATE', 'k', 'readers', '0'],
    ['XREADGROUP', 'GROUP', 'readers', 'first', 'COUNT', '5', 'STREAMS', 'k', '>'],
    ['XREADGROUP', 'GROUP', 'readers', 'second', 'COUNT', '3', 'STREAMS', 'k', '>'],
    ['XACK', 'k', 'readers', '3-1'],
    ['XDEL', 'k', '4-1'],
  ],
};
const EXPIRING_FIELDS: readonly (readonly string[])[] = [
  ['HSET', 'k', ...pairs(words(5))],
  ['HPEXPIREAT', 'k', '1999999999999', 'FIELDS', '2', 'f1', 'f3'],
];

for (const name of ['redis-8.2.3', 'valkey-9.1.2', 'redis-7.0.15'] as const) testBeside(name);

function testBeside(name: OracleServer): void {
  describeWith(`dumps beside ${name}`, [name], () => {
    const oracle = startOracleClient(name);

    test.each(Object.keys(VALUES))('%s', async (kind) => {
      await make(oracle.client, VALUES[kind]!);
      const value = restoreValue(await dumpOf(oracle.client), defaultEncodingLimits());
      expect(value).not.toBe('footer');
      expect(value).not.toBe('data');
      expect(await restoredDigest(oracle.client, dumpValue(value as Value))).toEqual(await digest(oracle.client, 'k'));
    });

    // Redis 7.0 has no such fields.
    if (name === 'redis-7.0.15') return;
    test('fields with expiry times', async () => {
      await make(oracle.client, EXPIRING_FIELDS);
      const value = restoreValue(await dumpOf(oracle.client), defaultEncodingLimits()) as Value;
      const again = restoreValue(dumpValue(value), defaultEncodingLimits()) as Value;
      expect(
        [again, value].map((hash) => (typeof hash === 'object' && 'expireAt' in hash ? hash.expireAt('f3') : 0)),
      ).toEqual([1999999999999, 1999999999999]);
      // Valkey does not read the versions of Redis after 7.2.
      if (name === 'redis-8.2.3') {
        expect(await restoredDigest(oracle.client, dumpValue(value))).toEqual(await digest(oracle.client, 'k'));
      }
    });
  });
}

async function make(client: RawClient, commands: readonly (readonly string[])[]): Promise<void> {
  await client.call('FLUSHALL');
  for (const command of commands) expect((await client.call(...command)).wire).not.toMatch(/^-/);
}

async function dumpOf(client: RawClient): Promise<string> {
  const { wire } = await client.call('DUMP', 'k');
  return wire.slice(wire.indexOf('\r\n') + 2, -2);
}

async function restoredDigest(client: RawClient, payload: string): Promise<string[]> {
  expect((await client.call('RESTORE', 'copy', '0', payload)).wire).toBe('+OK\r\n');
  return digest(client, 'copy');
}

/** Redis' own digest of a value, and its encoding. */
async function digest(client: RawClient, key: string): Promise<string[]> {
  const digestOfValue = await client.call('DEBUG', 'DIGEST-VALUE', key);
  const encoding = await client.call('OBJECT', 'ENCODING', key);
  return [digestOfValue.wire, encoding.wire];
}
