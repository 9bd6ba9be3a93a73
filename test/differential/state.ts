/** Reads everything that a server holds, so that two servers can be compared as a whole. */
import { type Frame, itemsOf, textOf } from '../support/resp-frame.js';
import type { Player } from './player.js';
import { canonical, within } from './sameness.js';

/** What is read of a key besides its type, encoding and expiry. */
const READERS: Record<string, (key: string) => string[]> = {
  string: (key) => ['GET', key],
  list: (key) => ['LRANGE', key, '0', '-1'],
  set: (key) => ['SMEMBERS', key],
  hash: (key) => ['HGETALL', key],
  zset: (key) => ['ZRANGE', key, '0', '-1', 'WITHSCORES'],
  stream: (key) => ['XRANGE', key, '-', '+'],
};

/** Databases that sequences write to. */
const DATABASES = ['0', '1'];
const EXPIRY_TOLERANCE_MS = 5_000;

interface KeyState {
  readonly type: string;
  readonly encoding: string;
  readonly expiry: Frame;
  readonly content: string;
}

export type State = ReadonlyMap<string, KeyState>;

/** Every key by `database key`. */
export async function readState(player: Player): Promise<State> {
  const state = new Map<string, KeyState>();
  for (const database of DATABASES) {
    await player.control('SELECT', database);
    const keys = itemsOf(await player.control('KEYS', '*')).map((item) => textOf(item) ?? '');
    const types = await player.controlAll(keys.map((key) => ['TYPE', key]));
    const facts = await player.controlAll(keys.flatMap((key, i) => questions(key, textOf(types[i]) ?? '')));
    for (const [i, key] of keys.entries()) {
      const [encoding, expiry, content] = facts.slice(3 * i, 3 * i + 3) as [Frame, Frame, Frame];
      const type = textOf(types[i]) ?? '';
      const isUnordered = type === 'set' || type === 'hash';
      state.set(`${database} ${key}`, {
        type,
        encoding: encoding.wire,
        expiry,
        content: isUnordered ? canonical(content, type === 'hash' ? 2 : 1) : content.wire,
      });
    }
  }
  await player.control('SELECT', '0');
  return state;
}

/** The first thing in which two states differ, in words; undefined when they are the same. */
export function stateDifference(ours: State, oracle: State): string | undefined {
  for (const name of new Set([...oracle.keys(), ...ours.keys()])) {
    const [mine, theirs] = [ours.get(name), oracle.get(name)];
    if (mine === undefined || theirs === undefined)
      return `${name}: only ${mine === undefined ? 'the oracle' : 'ours'} has it`;
    for (const fact of ['type', 'content', 'encoding'] as const) {
      if (mine[fact] !== theirs[fact])
        return `${name} ${fact}: ours ${JSON.stringify(mine[fact])}, oracle ${JSON.stringify(theirs[fact])}`;
    }
    if (!within(EXPIRY_TOLERANCE_MS)(mine.expiry, theirs.expiry)) {
      return `${name} expiry: ours ${mine.expiry.wire.trim()}, oracle ${theirs.expiry.wire.trim()}`;
    }
  }
  return undefined;
}

function questions(key: string, type: string): string[][] {
  return [['OBJECT', 'ENCODING', key], ['PEXPIRETIME', key], READERS[type]?.(key) ?? ['TYPE', key]];
}
