/** HyperLogLog commands beyond what the differential runner draws. What is expected was seen on Redis 8.2.3. */
import { expect, test } from 'vitest';
import { startServer } from '../../src/server/start.js';

const NOT_A_HYPERLOGLOG = 'WRONGTYPE Key is not a valid HyperLogLog string value.';
const CORRUPTED = 'INVALIDOBJ Corrupted HLL object detected';

test('a value is a string that other servers can read', async () => {
  await using server = await startServer({ port: 0 });
  expect(await server.call('PFADD', 'h', 'a', 'b', 'c')).toBe(1);
  expect(await server.call('PFADD', 'h', 'a')).toBe(0);
  expect(await server.call('PFCOUNT', 'h')).toBe(3);
  expect(await server.call('OBJECT', 'ENCODING', 'h')).toBe('raw');
  const bytes = Buffer.from(String(await server.call('GET', 'h')), 'latin1');
  await server.call('SET', 'copy', bytes);
  expect(await server.call('PFCOUNT', 'copy')).toBe(3);
  expect(await server.call('PFADD', 'copy', 'd')).toBe(1);
  expect(await server.call('PFCOUNT', 'h', 'copy', 'nokey')).toBe(4);
  expect(await server.call('PFCOUNT', 'h')).toBe(3);
});

test('PFMERGE into itself or from a dense one', async () => {
  await using server = await startServer({ port: 0 });
  await server.call('PFADD', 'dense', 'a');
  expect(await server.call('PFDEBUG', 'TODENSE', 'dense')).toBe(1);
  expect(await server.call('PFDEBUG', 'TODENSE', 'dense')).toBe(0);
  await server.call('PFADD', 'h', 'b');
  expect(await server.call('PFMERGE', 'h', 'dense', 'h')).toBe('OK');
  expect(await server.call('PFDEBUG', 'ENCODING', 'h')).toBe('dense');
  expect(await server.call('PFCOUNT', 'h')).toBe(2);
  await expect(server.call('PFDEBUG', 'DECODE', 'h')).rejects.toThrow('ERR HLL encoding is not sparse');
});

test('a sparse value becomes dense where the configuration says', async () => {
  await using server = await startServer({ port: 0 });
  await server.call('CONFIG', 'SET', 'hll-sparse-max-bytes', 30);
  await server.call('PFADD', 'h', ...Array.from({ length: 3 }, (_, i) => `e${i}`));
  expect(await server.call('PFDEBUG', 'ENCODING', 'h')).toBe('sparse');
  await server.call('PFADD', 'h', ...Array.from({ length: 20 }, (_, i) => `e${i}`));
  expect(await server.call('PFDEBUG', 'ENCODING', 'h')).toBe('dense');
});

test('other strings and corrupted ones are refused, and stay as they were', async () => {
  await using server = await startServer({ port: 0 });
  await server.call('SET', 'text', 'HYLL is not enough');
  await expect(server.call('PFADD', 'text', 'a')).rejects.toThrow(NOT_A_HYPERLOGLOG);
  await expect(server.call('PFCOUNT', 'nokey', 'text')).rejects.toThrow(NOT_A_HYPERLOGLOG);
  await server.call('SETRANGE', 'tiny', 0, 'HYLL');
  await expect(server.call('PFCOUNT', 'tiny')).rejects.toThrow(NOT_A_HYPERLOGLOG);
  await server.call('RPUSH', 'list', 'a');
  await expect(server.call('PFMERGE', 'h', 'list')).rejects.toThrow('WRONGTYPE Operation against');
  await server.call('PFADD', 'short', 'a');
  await server.call('SETRANGE', 'short', 16, Buffer.from([0x00, 0x00]));
  const before = await server.call('GET', 'short');
  await expect(server.call('PFCOUNT', 'short')).rejects.toThrow(CORRUPTED);
  await expect(server.call('PFMERGE', 'h', 'short')).rejects.toThrow(CORRUPTED);
  expect(await server.call('GET', 'short')).toBe(before);
  expect(await server.call('EXISTS', 'h')).toBe(0);
});

test('a cached count may have 63 bits', async () => {
  await using server = await startServer({ port: 0 });
  await server.call('PFADD', 'h', 'a');
  await server.call('SETRANGE', 'h', 8, Buffer.from('0000000000000031', 'hex'));
  expect(await server.call('PFCOUNT', 'h')).toBe(3530822107858468864n);
});

test('PFDEBUG and PFSELFTEST', async () => {
  await using server = await startServer({ port: 0 });
  await server.call('PFADD', 'h', 'a', 'b', 'c');
  expect(await server.call('PFDEBUG', 'DECODE', 'h')).toBe('Z:8436 v:1,1 Z:4274 v:2,1 Z:3068 v:1,1 Z:603');
  const registers = (await server.call('PFDEBUG', 'GETREG', 'h')) as number[];
  expect(registers.length).toBe(16384);
  expect(registers.filter((rank) => rank > 0)).toEqual([1, 2, 1]);
  await expect(server.call('PFDEBUG', 'NOSUCH', 'h')).rejects.toThrow("ERR Unknown PFDEBUG subcommand 'NOSUCH'");
  await expect(server.call('PFDEBUG', 'ENCODING', 'nokey')).rejects.toThrow('ERR The specified key does not exist');
  expect(await server.call('PFSELFTEST')).toBe('OK');
});
