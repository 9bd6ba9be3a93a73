/**
 * One client's socket: bytes in, requests to the server, replies out. The only place where bytes and byte strings
 * meet. All replies to what one read brought leave in one write, at the end of the turn of the event loop.
 */
import type { Socket } from 'node:net';
import { encode } from '../protocol/encode.js';
import { ErrorReply, type Reply } from '../protocol/reply.js';
import { ProtocolError, RequestParser } from '../protocol/request-parser.js';
import type { Server } from './server.js';
import { type ReplySink, Session } from './session.js';
import { shareReads } from './shared-reads.js';

/** Replies are handed to the socket in pieces of about this many bytes, lest one string grow without bound. */
const PIECE = 1 << 20;

export class Connection implements ReplySink {
  readonly session: Session;
  readonly socket: Socket;
  private readonly parser: RequestParser;
  private out = '';
  private ending = false;

  constructor(
    private readonly server: Server,
    accepted: Socket,
    readBuffer: Buffer,
  ) {
    this.session = new Session(server);
    this.session.sink = this;
    this.parser = new RequestParser(server.protocolLimits, server.names);
    this.socket = shareReads(accepted, readBuffer, (buffer, length) => this.receive(buffer, length));
    this.socket.on('end', () => this.inputEnded());
    // A broken connection is an everyday event: 'close' follows and does what is to be done.
    this.socket.on('error', () => {});
    this.socket.on('close', () => this.server.forget(this.session));
  }

  /** Bytes that the client has not read yet. */
  get outputBytes(): number {
    return this.out.length + this.socket.writableLength;
  }

  /** Bytes that have arrived and are no whole request yet. */
  get queryBytes(): number {
    return this.parser.pendingBytes;
  }

  get argumentBytes(): number {
    return this.parser.argumentBytes;
  }

  get bytesReceived(): number {
    return this.socket.bytesRead;
  }

  get bytesSent(): number {
    return this.socket.bytesWritten;
  }

  deliver(reply: Reply): void {
    // A connection that has something to send already waits to be flushed.
    if (this.out === '') this.server.flushLater(this);
    this.out += encode(reply, this.session.resp);
    if (this.out.length > PIECE) this.flush();
  }

  push(message: Reply): void {
    this.deliver(message);
    this.checkOutput();
    this.server.clientCare.note(this.session);
  }

  checkOutput(): void {
    this.server.outputLimits.check(this);
  }

  flush(): void {
    // Before the system takes what it can: replies over the limit are not sent at all, as on Redis.
    if (this.out !== '') this.checkOutput();
    if (this.out !== '') {
      const text = this.out;
      this.out = '';
      this.server.stats.writes++;
      this.server.stats.netOutputBytes += text.length;
      if (!this.socket.destroyed) this.socket.write(text, 'latin1');
      this.server.clientCare.note(this.session);
    }
    // Not only the half: a client that goes on sending shall see that nobody reads.
    if (this.ending) this.socket.destroySoon();
  }

  close(now = false): void {
    if (now) {
      this.out = '';
      this.socket.destroy();
    } else if (!this.ending) {
      this.ending = true;
      this.server.flushLater(this);
    }
    this.server.forget(this.session);
  }

  /** Goes on with requests that came while the client was blocked. */
  resume(): void {
    setImmediate(() => this.run());
  }

  private receive(buffer: Buffer, length: number): void {
    if (this.session.closed) return;
    this.server.stats.reads++;
    this.server.stats.netInputBytes += length;
    this.parser.append(buffer, length);
    if (this.parser.pendingBytes > this.server.queryBufferLimit) {
      this.server.stats.queryBufferLimitDisconnections++;
      this.close(true);
      return;
    }
    this.run();
    this.parser.keepRest();
  }

  private run(): void {
    const { parser, server, session } = this;
    server.clientCare.note(session);
    server.clientCare.evict();
    server.beginBatch();
    session.lastActiveAt = server.clock.ms;
    try {
      while (session.blocked === null && !session.closed) {
        parser.unauthenticated = !session.authenticated;
        const args = parser.next();
        if (args === undefined) break;
        server.process(session, args);
      }
    } catch (problem) {
      if (!(problem instanceof ProtocolError)) throw problem;
      this.refuse(problem);
    }
    server.clientCare.note(session);
  }

  /** Answers bytes that are no request, and closes. */
  private refuse(problem: ProtocolError): void {
    this.server.log.debug(`${problem.message} from ${this.session.address}`);
    const error = new ErrorReply(`ERR ${problem.message}`);
    this.server.stats.countError(error);
    this.server.deliver(this.session, error);
    this.close();
  }

  /** The client will send no more; what it asked for is still answered. */
  private inputEnded(): void {
    if (this.session.blocked === null) this.close();
    else this.close(true);
  }
}
