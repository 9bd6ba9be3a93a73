/** NEXPIRE, NEXPIREAT and NTTL: exact to the nanosecond under a frozen clock, and one expiry with EXPIRE and PERSIST. */
import { describe, expect, it } from 'vitest';
import { startServer } from '../../../src/server/start.js';
import { connectRaw } from '../../support/resp-client.js';
import { run } from '../../support/run-lines.js';

const NOW = 1_700_000_000_000;
const frozen = () => startServer({ port: 0, clock: NOW });

describe('nanosecond expiry', () => {
  it('is exact', async () => {
    await using server = await frozen();
    await run(server, 'SET k v');
    expect(await run(server, 'NEXPIRE k 1500001')).toBe(1);
    expect(await run(server, 'NTTL k')).toBe(1_500_001);
    await run(server, 'EMULATOR CLOCK ADVANCE 1500000 NS');
    expect(await run(server, 'NTTL k')).toBe(1);
    expect(await run(server, 'GET k')).toBe('v');
    await run(server, 'EMULATOR CLOCK ADVANCE 1 NS');
    expect(await run(server, 'NTTL k')).toBe(-2);
    expect(await run(server, 'DBSIZE')).toBe(0);
  });

  it('takes unix nanoseconds', async () => {
    await using server = await frozen();
    await run(server, 'SET k v', 'NEXPIREAT k 1700000000000000007');
    expect(await run(server, 'NTTL k')).toBe(7);
    expect(await run(server, 'PEXPIRETIME k')).toBe(NOW);
    expect(await run(server, 'EXISTS k')).toBe(1);
    await run(server, 'EMULATOR CLOCK ADVANCE 7 NS');
    expect(await run(server, 'EXISTS k')).toBe(0);
  });

  it('mixes with the other units', async () => {
    await using server = await frozen();
    await run(server, 'SET k v EX 10');
    expect(await run(server, 'NTTL k')).toBe(10_000_000_000);
    await run(server, 'NEXPIRE k 2000000');
    expect(await run(server, 'PTTL k')).toBe(2);
    await run(server, 'NEXPIRE k 2000005', 'PEXPIRE k 3');
    expect(await run(server, 'NTTL k')).toBe(3_000_000);
    expect(await run(server, 'PERSIST k')).toBe(1);
    expect(await run(server, 'NTTL k')).toBe(-1);
    await run(server, 'EMULATOR CLOCK ADVANCE 400000 NS', 'PEXPIRE k 1');
    expect(await run(server, 'NTTL k')).toBe(600_000);
    await run(server, 'NEXPIRE k 5', 'RENAME k l', 'COPY l m');
    expect(await run(server, 'NTTL l')).toBe(5);
    expect(await run(server, 'NTTL m')).toBe(5);
    await run(server, 'SET l v');
    expect(await run(server, 'NTTL l')).toBe(-1);
  });

  it.each([['NEXPIRE k 0'], ['NEXPIRE k -1'], ['NEXPIREAT k 1700000000000000000'], ['NEXPIREAT k -5']])(
    '%s removes the key',
    async (line) => {
      await using server = await frozen();
      await run(server, 'SET k v');
      expect(await run(server, line)).toBe(1);
      expect(await run(server, 'EXISTS k')).toBe(0);
    },
  );

  it('refuses what is no time and leaves the key as it was', async () => {
    await using server = await frozen();
    await run(server, 'SET k v EX 5');
    await expect(run(server, 'NEXPIRE k 1.5')).rejects.toThrow('not an integer');
    await expect(run(server, 'NEXPIRE k 9223372036854775807')).rejects.toThrow(
      "ERR invalid expire time in 'nexpire' command",
    );
    await expect(run(server, 'NEXPIREAT k 9223372036854775808')).rejects.toThrow('not an integer');
    expect(await run(server, 'NTTL k')).toBe(5_000_000_000);
    expect(await run(server, 'NEXPIRE missing 5')).toBe(0);
    expect(await run(server, 'NTTL missing')).toBe(-2);
  });

  it('answers numbers beyond 2^53 exactly, and the greatest one for what is beyond int64', async () => {
    await using server = await frozen();
    const client = await connectRaw(server.port);
    await run(server, 'SET k v', 'NEXPIREAT k 9223372036854775807');
    expect((await client.call('NTTL', 'k')).wire).toBe(':7523372036854775807\r\n');
    await run(server, 'PEXPIREAT k 9223372036854775000');
    expect((await client.call('NTTL', 'k')).wire).toBe(':9223372036854775807\r\n');
    client.close();
  });

  it('goes by itself under the real clock', async () => {
    await using server = await startServer({ port: 0 });
    await run(server, 'SET k v', 'NEXPIRE k 500');
    await expect.poll(() => run(server, 'EXISTS k')).toBe(0);
  });
});
