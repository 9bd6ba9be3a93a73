/** PROMPT.*: versions of texts by name. */
import { describe, expect, it } from 'vitest';
import { startServer } from '../../../src/server/start.js';
import { run } from '../../support/run-lines.js';

const NOW = 1_700_000_000_500;
const frozen = () => startServer({ port: 0, clock: NOW });

describe('PROMPT', () => {
  it('keeps every version, with its time and metadata', async () => {
    await using server = await frozen();
    expect(await run(server, 'PROMPT.PUT greet hello')).toBe(1);
    server.clock.advance(2000);
    expect(await server.call('PROMPT.PUT', 'greet', 'hello you', 'meta', '')).toBe(2);
    expect(await run(server, 'PROMPT.GET greet')).toEqual([2, 'hello you', '', 1_700_000_002]);
    expect(await run(server, 'PROMPT.GET greet 0')).toEqual([2, 'hello you', '', 1_700_000_002]);
    expect(await run(server, 'PROMPT.LATEST greet')).toEqual([2, 'hello you', '', 1_700_000_002]);
    expect(await run(server, 'PROMPT.GET greet 1')).toEqual([1, 'hello', null, 1_700_000_000]);
    expect(await run(server, 'PROMPT.GET greet 3')).toBeNull();
    expect(await run(server, 'PROMPT.VERSIONS greet')).toEqual([1, 2]);
  });

  it('keeps the latest apart from the active one', async () => {
    await using server = await frozen();
    await run(server, 'PROMPT.PUT p a', 'PROMPT.PUT p b');
    expect(await run(server, 'PROMPT.GET p active')).toEqual([2, 'b', null, 1_700_000_000]);
    expect(await run(server, 'PROMPT.SETACTIVE p 1')).toBe('OK');
    expect(await run(server, 'PROMPT.GET p ACTIVE')).toEqual([1, 'a', null, 1_700_000_000]);
    expect(await run(server, 'PROMPT.GET p')).toEqual([2, 'b', null, 1_700_000_000]);
  });

  it('answers for what is not there, drops and lists', async () => {
    await using server = await frozen();
    expect(await run(server, 'PROMPT.GET none')).toBeNull();
    expect(await run(server, 'PROMPT.GET none ACTIVE')).toBeNull();
    expect(await run(server, 'PROMPT.LATEST none')).toBeNull();
    expect(await run(server, 'PROMPT.VERSIONS none')).toEqual([]);
    await run(server, 'PROMPT.PUT b x', 'PROMPT.PUT a x', 'PROMPT.PUT b y');
    expect(await run(server, 'PROMPT.LIST')).toEqual(['b', 'a']);
    expect(await run(server, 'PROMPT.DROP b')).toBe(1);
    expect(await run(server, 'PROMPT.DROP b')).toBe(0);
    expect(await run(server, 'PROMPT.PUT b z')).toBe(1);
    await run(server, 'FLUSHDB');
    expect(await run(server, 'PROMPT.LIST')).toEqual(['a', 'b']);
    await run(server, 'FLUSHALL');
    expect(await run(server, 'PROMPT.LIST')).toEqual([]);
  });

  it.each([
    ['PROMPT.PUT p x NOTE y', "ERR unknown option 'NOTE': must be one of META"],
    ['PROMPT.PUT p x META', 'ERR syntax error'],
    ['PROMPT.GET p -1', 'ERR invalid version: must be a whole number from 0'],
    ['PROMPT.GET p latest', 'ERR invalid version'],
    ['PROMPT.GET p 1 2', 'ERR syntax error'],
    ['PROMPT.SETACTIVE p 0', 'ERR invalid version: must be a whole number from 1'],
    ['PROMPT.SETACTIVE p 2', "ERR version 2 of prompt 'p' not found"],
    ['PROMPT.SETACTIVE q 1', "ERR prompt 'q' not found"],
  ])('%s is refused', async (line, error) => {
    await using server = await frozen();
    await run(server, 'PROMPT.PUT p old');
    await expect(run(server, line)).rejects.toThrow(error);
    expect(await run(server, 'PROMPT.GET p ACTIVE')).toEqual([1, 'old', null, 1_700_000_000]);
    expect(await run(server, 'PROMPT.LIST')).toEqual(['p']);
  });
});
