/** COMMAND of this server beside COMMAND of Redis 8.2.3: the same facts about every command that both have. */
import { expect, test } from 'vitest';
import { describeWith } from '../support/describe-with.js';
import { startBesideRedis } from '../support/oracle-client.js';
import type { RawClient } from '../support/resp-client.js';
import { type Frame, itemsOf, show, textOf } from '../support/resp-frame.js';

/** Commands of Redis that this server does not have. */
const ABSENT: ReadonlyMap<RegExp, string> = new Map([
  [/^v[a-z]+$/i, 'vector sets are a module of Redis, and not asked for'],
]);

const GETKEYS_CASES = [
  'get',
  'nosuch a',
  'ping a',
  'set a',
  'set a b GET',
  'set a b get2',
  'sort a by x_* get y_* store z',
  'sort a store',
  'sort a limit 0 1 store b store c',
  'sort_ro a by x_* get y_*',
  'migrate h 1 k 0 1',
  'migrate h 1  0 1 keys a b',
  'migrate h 1 k 0 1 copy replace auth keys keys a',
  'migrate h 1  0 1 auth2 keys keys keys a',
  'eval x 2 a b c',
  'eval x 0',
  'eval x 7 a',
  'eval x -1 a',
  'zunionstore d 2 a b',
  'zunionstore d 3 a b',
  'xread streams a b c d',
  'xread streams a b c',
  'xread count 5 block 5 x y',
  'xreadgroup group streams streams streams a b',
  'memory usage a',
  'memory doctor',
  'memory foo',
  'georadius a 1 1 1 m store b storedist c',
  'bitfield a get u8 0',
  'bitfield a overflow wrap get u8 0',
  'bitfield a set u8 0 1',
  'bitfield a get u8',
  'lmpop 2 a b left',
  'blmpop 0 2 a b left',
  'spublish a b',
  'mset a b c',
  'mset a b c d',
  'bitop and d a b',
  'object encoding a',
] as const;

describeWith('COMMAND beside Redis', ['redis-8.2.3'], () => {
  const beside = startBesideRedis();

  const names = async (client: RawClient): Promise<string[]> =>
    itemsOf(await client.call('COMMAND', 'LIST')).map((item) => textOf(item)!);

  test('every command of Redis is there', async () => {
    const known = new Set(await names(beside.ours));
    const missing = (await names(beside.theirs)).filter(
      (name) => !known.has(name) && ![...ABSENT.keys()].some((pattern) => pattern.test(name)),
    );
    expect(missing.sort()).toEqual([]);
  });

  for (const protocol of ['2', '3']) {
    test(`COMMAND INFO in RESP${protocol}`, async () => {
      await beside.both('HELLO', protocol);
      const known = new Set(await names(beside.ours));
      for (const name of (await names(beside.theirs)).filter((each) => known.has(each))) {
        const [expected, actual] = await beside.both('COMMAND', 'INFO', name);
        expect(infoText(actual!), name).toBe(infoText(expected!));
      }
    });
  }

  test('COMMAND GETKEYSANDFLAGS', async () => {
    for (const request of GETKEYS_CASES) {
      const words = ['COMMAND', 'GETKEYSANDFLAGS', ...request.split(' ')];
      const [expected, actual] = await beside.both(...words);
      expect(show(actual!), request).toBe(show(expected!));
    }
  });
});

/**
 * An entry of COMMAND INFO as text: all but the notes of key specifications, which are prose, and subcommands by name
 * alone, in any order: each of them is compared for itself.
 */
function infoText(reply: Frame): string {
  const fields = itemsOf(itemsOf(reply)[0]);
  const subcommands = itemsOf(fields[9]).map((sub) => textOf(itemsOf(sub)[0]));
  return [...fields.slice(0, 8).map(show), ...itemsOf(fields[8]).map(specText), ...subcommands.sort()].join('\n');
}

function specText(spec: Frame): string {
  const flat = itemsOf(spec);
  const start = textOf(flat[0]) === 'notes' ? 2 : 0;
  return flat.slice(start).map(show).join(' ');
}
