/** Random numbers and patterns, compared with Redis 8.2.3 byte for byte. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { keySlot } from '../../src/protocol/crc.js';
import { globMatch } from '../../src/protocol/glob.js';
import { formatDouble, incrByFloat, parseDouble } from '../../src/protocol/numbers.js';
import { describeWith } from '../support/describe-with.js';
import { startOracleClient } from '../support/oracle-client.js';
import { startOracle } from '../support/oracles.js';
import { connectRaw, type RawClient } from '../support/resp-client.js';
import type { Frame } from '../support/resp-frame.js';

const SEED = 8_2_3;

describeWith('against Redis 8.2.3', ['redis-8.2.3'], () => {
  const redis = startOracleClient('redis-8.2.3', ['--zset-max-listpack-entries', '0']);

  const callAll = (commands: string[][]) => pipeline(redis.client, commands);

  it('prints doubles', async () => {
    const decimals = fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.integer({ min: -30, max: 30 }));
    const double = fc.oneof(
      fc.double({ noNaN: true }),
      decimals.map(([unit, power]) => unit * 10 ** power),
      decimals.map(([unit, power]) => Math.round(unit * 1e6) / 10 ** Math.abs(power % 8)),
      fc.integer({ min: -1074, max: 1023 }).map((power) => 2 ** power),
    );
    const values = fc.sample(double, { numRuns: 10_000, seed: SEED });
    const scores = values.map((value) => (Object.is(value, -0) ? '-0' : String(value)));
    await callAll([['ZADD', 'z', ...scores.flatMap((score, i) => [score, String(i)])]]);
    const printed = textsOf(await redis.client.call('ZMSCORE', 'z', ...values.map((_, i) => String(i))));
    expect(values.map(formatDouble)).toEqual(printed);
  });

  it('reads doubles, and what is none', async () => {
    const junk = fc.string({ unit: fc.constantFrom(...'0159+-.eExXpPafinINFty \n\0'), maxLength: 6 });
    const texts = fc.sample(fc.oneof(junk, floatText()), { numRuns: 5000, seed: SEED });
    const frames = await callAll(
      texts.flatMap((text) => [
        ['DEL', 'z'],
        ['ZADD', 'z', text, 'm'],
        ['ZSCORE', 'z', 'm'],
      ]),
    );
    texts.forEach((text, i) => {
      const score = frames[3 * i + 2]!;
      const value = parseDouble(text);
      expect([text, value === undefined ? undefined : formatDouble(value)]).toEqual([text, textOf(score)]);
    });
  });

  it('adds long doubles', async () => {
    const pairs = fc.sample(fc.tuple(floatText(), floatText()), { numRuns: 5000, seed: SEED });
    const frames = await callAll(
      pairs.flatMap(([a, b]) => [
        ['SET', 'f', a],
        ['INCRBYFLOAT', 'f', b],
      ]),
    );
    pairs.forEach(([a, b], i) => {
      const frame = frames[2 * i + 1]!;
      const result = incrByFloat(a, b);
      const wanted = frame.kind === 'error' ? undefined : textOf(frame);
      expect([a, b, 'sum' in result ? result.sum : undefined]).toEqual([a, b, wanted]);
    });
  });

  it('matches patterns', async () => {
    const keys = fc.sample(byteString('aabbc-]^[\\\xff*', 5), { numRuns: 80, seed: SEED });
    const patterns = fc.sample(byteString('aabc**?[[]]^-\\\xffz', 9), { numRuns: 4000, seed: SEED });
    const known = [...new Set(keys)];
    await callAll([['FLUSHALL'], ...known.map((key) => ['SET', key, '1'])]);
    // KEYS takes a bare `*` as "all" without matching.
    const asked = patterns.filter((pattern) => pattern !== '*');
    const frames = await callAll(asked.map((pattern) => ['KEYS', pattern]));
    asked.forEach((pattern, i) => {
      const matched = known.filter((key) => globMatch(pattern, key)).sort();
      expect([pattern, matched]).toEqual([pattern, textsOf(frames[i]!).sort()]);
    });
  });

  it('finds slots', async () => {
    const keys = fc.sample(byteString('ab{}{}xyz\xff\0', 12), { numRuns: 3000, seed: SEED });
    const cluster = await startOracle('redis-8.2.3', ['--cluster-enabled', 'yes']);
    const clusterClient = await connectRaw(cluster.port);
    try {
      const frames = await pipeline(
        clusterClient,
        keys.map((key) => ['CLUSTER', 'KEYSLOT', key]),
      );
      expect(keys.map((key) => String(keySlot(key)))).toEqual(frames.map(textOf));
    } finally {
      clusterClient.close();
      await cluster.stop();
    }
  });
});

async function pipeline(client: RawClient, commands: string[][]): Promise<Frame[]> {
  client.send(...commands);
  const frames: Frame[] = [];
  for (let i = 0; i < commands.length; i++) frames.push(await client.read());
  return frames;
}

function textOf(frame: Frame): string | undefined {
  return 'text' in frame ? frame.text : undefined;
}

function textsOf(frame: Frame): (string | undefined)[] {
  return frame.kind === 'array' ? frame.items.map(textOf) : [];
}

function byteString(alphabet: string, maxLength: number) {
  return fc.string({ unit: fc.constantFrom(...alphabet), maxLength });
}

/** Decimal and hexadecimal floats of all sizes, mostly in range. */
function floatText(): fc.Arbitrary<string> {
  const digits = (maxLength: number) => fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 1, maxLength });
  const sign = fc.constantFrom('', '', '', '-', '+');
  const exponent = fc.integer({ min: -5000, max: 5000 });
  return fc.oneof(
    fc.tuple(sign, digits(18)).map((parts) => parts.join('')),
    fc.tuple(sign, digits(12), fc.constant('.'), digits(20)).map((parts) => parts.join('')),
    fc
      .tuple(sign, digits(3), fc.constant('.'), digits(3), fc.constant('e'), fc.integer({ min: -30, max: 30 }))
      .map((parts) => parts.join('')),
    fc.tuple(sign, digits(30), fc.constant('e'), exponent).map((parts) => parts.join('')),
    fc
      .tuple(sign, fc.constant('0x'), digits(20), fc.constant('.'), digits(3), fc.constant('p'), exponent)
      .map((parts) => parts.join('')),
  );
}
