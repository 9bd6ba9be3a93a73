/**
 * Lets a connection read into a buffer that it shares with all others, where a socket of `net` makes a new buffer of
 * 64 kB for each read and hands it on through a stream: that is half of the user time of a server which only reads and answers.
 *
 * `net` offers it to sockets that connect (`onread`), not to those that a server accepts; so the accepted handle is
 * given to a new socket. The names for that are not documented: where Node has them no more, the socket reads as usual.
 */
import { Socket } from 'node:net';

/** `length` bytes have come, at the start of `buffer`; they are there until the call ends. */
export type Receiver = (buffer: Buffer, length: number) => void;

/** Bytes of one read at most: what `net` takes. */
export const READ_BYTES = 65536;

/** The undocumented parts of a socket that was accepted. */
interface AcceptedSocket {
  _handle?: { useUserBuffer?: unknown } | null;
  _server?: unknown;
}

/** The socket to use in place of `accepted`, which was made with `pauseOnConnect` and must not be used any more. */
export function shareReads(accepted: Socket, buffer: Buffer, receive: Receiver): Socket {
  const parts = accepted as unknown as AcceptedSocket;
  const handle = parts._handle;
  if (typeof handle?.useUserBuffer !== 'function' || parts._server === undefined) {
    accepted.on('data', (chunk: Buffer) => receive(chunk, chunk.length));
    return accepted.resume();
  }
  parts._handle = null;
  const options = {
    handle,
    allowHalfOpen: true,
    readable: true,
    writable: true,
    onread: {
      buffer,
      callback(length: number) {
        receive(buffer, length);
        return true;
      },
    },
  };
  const socket = new Socket(options);
  // The listener counts its open sockets: this one takes the place of the other.
  (socket as unknown as AcceptedSocket)._server = parts._server;
  parts._server = null;
  return socket;
}
