/** The configuration: what CONFIG SET takes and refuses beside Redis 8.2.3, and what REWRITE makes of a file. */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseMemory } from '../../src/protocol/memory-size.js';
import { ConfigError } from '../../src/protocol/problems.js';
import { Config, findParameter } from '../../src/server/config.js';
import { PARAMETERS } from '../../src/server/config-parameters.js';
import { rewrittenConfig } from '../../src/server/config-rewrite.js';
import { startServer } from '../../src/server/start.js';
import { describeWith } from '../support/describe-with.js';
import { startBesideRedis } from '../support/oracle-client.js';
import { itemsOf, show, textOf } from '../support/resp-frame.js';

/** Parameters whose present value a server cannot share with another, or that only one of the two has. */
const NOT_COMPARED = new Set([
  'bind',
  'port',
  'dir',
  'logfile',
  'pidfile',
  'save',
  'enable-debug-command',
  'daemonize',
  // Its least values close the very connection that sets them.
  'maxmemory-clients',
]);

const VALUES = [
  '',
  '0',
  '1',
  '-1',
  '5',
  '010',
  '+1',
  '1.5',
  'yes',
  'no',
  'abc',
  '1k',
  '2gb',
  '1tb',
  '50%',
  '101%',
].concat(['07%', '99999999999', '9223372036854775807', '9223372036854775808', '-9223372036854775808', '1 2 3', '1 a']);

describeWith('CONFIG beside Redis', ['redis-8.2.3'], () => {
  const beside = startBesideRedis();
  const { both } = beside;

  test('has every parameter of Redis but those of TLS', async () => {
    const names = itemsOf(await beside.theirs.call('CONFIG', 'GET', '*')).filter((_, i) => i % 2 === 0);
    const missing = names.map((name) => textOf(name)!).filter((name) => findParameter(name) === undefined);
    expect(missing.filter((name) => !name.includes('tls'))).toEqual([]);
  });

  test('has the defaults of Redis', async () => {
    for (const { name } of PARAMETERS) {
      if (NOT_COMPARED.has(name)) continue;
      const [expected, actual] = await both('CONFIG', 'GET', name);
      expect(show(actual!)).toBe(show(expected!));
    }
  });

  test('takes and refuses what Redis does, in its words', async () => {
    const differences: string[] = [];
    for (const { name, kind, default: initial } of PARAMETERS) {
      if (NOT_COMPARED.has(name) || kind === 'text') continue;
      for (const value of VALUES) {
        for (const words of [
          ['SET', name, value],
          ['GET', name],
        ]) {
          const [expected, actual] = await both('CONFIG', ...words);
          if (show(actual!) !== show(expected!)) {
            differences.push(`${name} ${JSON.stringify(value)}: ${show(actual!)} is not ${show(expected!)}`);
          }
        }
      }
      await both('CONFIG', 'SET', name, initial);
    }
    expect(differences).toEqual([]);
  });

  test.each([
    ['maxmemory', '1', 'maxmemory', '2'],
    ['MAXMEMORY', '1', 'maxmemory', '2'],
    ['foo', '1'],
    ['maxmemory', '1', 'foo'],
    ['maxmemory', '1', 'foo', '2'],
    ['daemonize', 'yes', 'hz', 'a'],
    ['hz', 'a', 'DAEMONIZE', 'yes'],
    ['slave-read-only', 'maybe'],
    ['save', '900 1 300 10'],
    ['save', '900'],
    ['save', '0 1'],
    ['client-output-buffer-limit', 'normal 1mb 2mb 60'],
    ['client-output-buffer-limit', 'replica 1mb 2mb 60 pubsub 1 2 3'],
    ['client-output-buffer-limit', 'foo 1mb 2mb 60'],
    ['client-output-buffer-limit', 'normal 1mb 2mb'],
    ['client-output-buffer-limit', 'normal 1mb xx 60'],
    ['latency-tracking-info-percentiles', '50.123456 99.90000 100'],
    ['latency-tracking-info-percentiles', '50 101'],
    ['oom-score-adj-values', '1 2 3000'],
    ['notify-keyspace-events', 'KEA'],
    ['shutdown-on-sigint', 'save nosave'],
  ])('CONFIG SET %s %s %s %s', async (...words) => {
    const given = words.filter((word) => word !== undefined);
    const [expected, actual] = await both('CONFIG', 'SET', ...given);
    expect(show(actual!)).toBe(show(expected!));
    const [expectedNow, now] = await both('CONFIG', 'GET', given[0]!);
    expect(show(now!)).toBe(show(expectedNow!));
  });
});

describe('setting', () => {
  test('several parameters changes all or none', () => {
    const config = new Config();
    const wrong = [
      ['hz', '20'],
      ['maxmemory', 'much'],
    ] as const;
    expect(() => config.setAll(wrong, false)).toThrow(ConfigError);
    expect(config.text('hz')).toBe('10');
    config.setAll(
      [
        ['hz', '20'],
        ['maxmemory', '1kb'],
      ],
      false,
    );
    expect([config.number('hz'), config.number('maxmemory')]).toEqual([20, 1024]);
  });

  test('memory units', () => {
    expect(['1', '1b', '1k', '1KB', '1m', '1mb', '1g', '1gb'].map(parseMemory)).toEqual([
      1, 1, 1000, 1024, 1e6, 1048576, 1e9, 1073741824,
    ]);
    expect(['1t', '-1', '1.5k', ' 1'].map(parseMemory)).toEqual([undefined, undefined, undefined, undefined]);
  });
});

describe('REWRITE', () => {
  test('keeps what it does not know, changes what has changed, adds what is new', () => {
    const config = new Config();
    config.setAtStart('maxmemory', '100mb');
    config.setAtStart('save', '900 1 300 10');
    config.setAtStart('requirepass', 'a "b"');
    const before = '# mine\nmaxmemory 1gb\n\nuser ann on nopass\nmaxmemory 2gb\nsave ""\n';
    const after = rewrittenConfig(before, config);
    expect(after).toBe(
      '# mine\nmaxmemory 104857600\n\nuser ann on nopass\nsave 900 1\nsave 300 10\n' +
        '# Generated by CONFIG REWRITE\nrequirepass "a \\"b\\""\n',
    );
    expect(rewrittenConfig(after, config)).toBe(after);
  });

  test('writes the file of the server, and is refused without one', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'hotkv-config-'));
    const file = join(folder, 'redis.conf');
    writeFileSync(file, '# mine\n');
    const server = await startServer({ port: 0, configFile: file });
    await using bare = await startServer({ port: 0 });
    try {
      await server.call('CONFIG', 'SET', 'maxmemory', '5mb');
      expect(await server.call('CONFIG', 'REWRITE')).toBe('OK');
      expect(readFileSync(file, 'utf8')).toMatch(/^# mine\n# Generated by CONFIG REWRITE\n(.*\n)*maxmemory 5242880\n/);
      await expect(bare.call('CONFIG', 'REWRITE')).rejects.toThrow('ERR The server is running without a config file');
    } finally {
      await server.close();
      rmSync(folder, { recursive: true });
    }
  });
});
