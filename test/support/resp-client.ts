/**
 * A client that keeps what it receives: every reply with its kind and its exact bytes, in RESP2 and RESP3.
 * It shares no code with the server, so that an error there cannot hide here.
 */
import { connect, type Socket } from 'node:net';
import { type Frame, parseFrame } from './resp-frame.js';
import { encodeCommand } from './resp-request.js';

/** How long a read waits before it rejects. */
const READ_TIMEOUT_MS = 20_000;

export class ConnectionClosed extends Error {
  constructor() {
    super('the server closed the connection');
  }
}

interface Waiter {
  resolve(frame: Frame): void;
  reject(error: Error): void;
  timer: NodeJS.Timeout;
}

/** Connects to 127.0.0.1 (or a host) without sending anything; RESP2 until the caller sends HELLO. */
export function connectRaw(port: number, host = '127.0.0.1'): Promise<RawClient> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host, noDelay: true });
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.off('error', reject);
      resolve(new RawClient(socket));
    });
  });
}

export class RawClient {
  #received = '';
  #position = 0;
  readonly #frames: Frame[] = [];
  readonly #waiters: Waiter[] = [];
  #failure: Error | undefined;

  constructor(private readonly socket: Socket) {
    socket.on('data', (chunk) => this.#take(chunk.toString('latin1')));
    socket.on('close', () => this.#fail(new ConnectionClosed()));
    socket.on('error', () => undefined); // 'close' follows
  }

  /** Sends one command and reads one reply. Arguments are byte strings (latin1). */
  call(...args: string[]): Promise<Frame> {
    this.send(args);
    return this.read();
  }

  /** Sends commands in one write, without reading. */
  send(...commands: readonly (readonly string[])[]): void {
    this.sendBytes(commands.map(encodeCommand).join(''));
  }

  /** Sends bytes as they are, a byte a character. */
  sendBytes(bytes: string): void {
    this.socket.write(bytes, 'latin1');
  }

  /** The next frame, a push or a reply, in order of arrival. Rejects with `ConnectionClosed` after the last one. */
  read(timeoutMs = READ_TIMEOUT_MS): Promise<Frame> {
    const frame = this.#frames.shift();
    if (frame !== undefined) return Promise.resolve(frame);
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiters.splice(this.#waiters.indexOf(waiter), 1);
        reject(new Error(`no complete reply within ${timeoutMs} ms; unparsed: ${JSON.stringify(this.unparsed())}`));
      }, timeoutMs);
      const waiter: Waiter = { resolve, reject, timer };
      this.#waiters.push(waiter);
    });
  }

  /** Frames that have arrived and nobody has read, oldest first; they count as read. */
  drain(): Frame[] {
    return this.#frames.splice(0);
  }

  /** Received bytes that are no complete frame yet (at most 200). */
  unparsed(): string {
    return this.#received.slice(this.#position, this.#position + 200);
  }

  get closed(): boolean {
    return this.#failure !== undefined;
  }

  close(): void {
    this.socket.destroy();
  }

  #take(bytes: string): void {
    this.#received = this.#received.slice(this.#position) + bytes;
    this.#position = 0;
    for (;;) {
      let frame: Frame | undefined;
      try {
        frame = parseFrame(this.#received, this.#position);
      } catch (error) {
        this.#fail(error as Error);
        this.socket.destroy();
        return;
      }
      if (frame === undefined) return;
      this.#position += frame.wire.length;
      this.#deliver(frame);
    }
  }

  #deliver(frame: Frame): void {
    const waiter = this.#waiters.shift();
    if (waiter === undefined) {
      this.#frames.push(frame);
      return;
    }
    clearTimeout(waiter.timer);
    waiter.resolve(frame);
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    for (const waiter of this.#waiters.splice(0)) {
      clearTimeout(waiter.timer);
      waiter.reject(this.#failure);
    }
  }
}
