/** Reading into a shared buffer: the bytes that come, the end, and the listener's count of sockets; and without it. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import { READ_BYTES, shareReads } from '../../src/server/shared-reads.js';

it.each([
  ['into the shared buffer', true],
  ['as usual where Node lacks the way to it', false],
])('reads %s', async (_, possible) => {
  const buffer = Buffer.alloc(READ_BYTES);
  const listener = createServer({ allowHalfOpen: true, pauseOnConnect: true });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const client = connect((listener.address() as AddressInfo).port, '127.0.0.1');
  const [accepted] = (await once(listener, 'connection')) as [Socket];
  if (!possible) Object.assign(accepted, { _server: undefined });
  let received = '';
  const sharing: boolean[] = [];
  const socket = shareReads(accepted, buffer, (chunk, length) => {
    sharing.push(chunk === buffer);
    received += chunk.latin1Slice(0, length);
  });
  const ended = once(socket, 'end');
  client.write('one');
  await new Promise<void>((resolve) => client.end('two', resolve));
  await ended;
  expect(received).toBe('onetwo');
  expect(new Set(sharing)).toEqual(new Set([possible]));
  socket.end('bye');
  const [reply] = (await once(client, 'data')) as [Buffer];
  expect(reply.toString()).toBe('bye');
  // The listener ends when its last socket has: it knows of the one that took the other's place.
  if (possible) await new Promise<void>((resolve) => listener.close(() => resolve()));
  else listener.close();
});
