/**
 * One client's socket: bytes in, requests to the server, replies out. The only place where bytes and byte strings
 * meet. All replies to what one read brought leave in one write, at the end of the turn of the event loop.
 */
import type { Socket } from 'node:net';
import { WARMED } from '../keyspace/key-table.js';
import { encode, encodePieces } from '../protocol/encode.js';
import { type Bytes, ErrorReply, type Reply } from '../protocol/reply.js';
import { ProtocolError, RequestParser } from '../protocol/request-parser.js';
import type { Server } from './server.js';
import { type ReplySink, Session } from './session.js';
import { shareReads } from './shared-reads.js';

/** Replies are handed to the socket in pieces of about this many bytes, lest one string grow without bound. */
const PIECE = 1 << 20;
/**
 * More bytes than this do not wait for the other sockets to be read: replies in many pieces, kept for 50 clients, cost the
 * collector more than the write (`LRANGE` of 600 took four times as long).
 */
const LONG = 4096;
/** Fewer requests at a time gain nothing from a look ahead. */
const WORTH_WARMING = 4;

export class Connection implements ReplySink {
  readonly session: Session;
  readonly socket: Socket;
  private readonly parser: RequestParser;
  /** Requests that were read ahead and have not run, from `next` on. */
  private readonly ahead: Bytes[][] = [];
  private next = 0;
  /** What came behind them is no request. */
  private failure: ProtocolError | undefined;
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

  /** Bytes that have arrived and have not been worked on. */
  get queryBytes(): number {
    let bytes = this.parser.pendingBytes;
    for (let i = this.next; i < this.ahead.length; i++) for (const arg of this.ahead[i]!) bytes += arg.length;
    return bytes;
  }

  get expectedBytes(): number {
    return this.parser.expectedBytes;
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
    try {
      this.out += encode(reply, this.session.resp);
    } catch (problem) {
      if (!(problem instanceof RangeError)) throw problem;
      this.deliverLong(reply);
    }
    if (this.out.length > PIECE) this.flush();
  }

  /** A reply, with what is to go before it, is longer than a string can be. */
  private deliverLong(reply: Reply): void {
    this.flush();
    encodePieces(reply, this.session.resp, (piece) => {
      if (this.out.length + piece.length > PIECE) this.flush();
      this.out += piece;
    });
  }

  push(message: Reply): void {
    this.deliver(message);
    this.checkOutput();
    this.server.clientCare.note(this.session);
  }

  checkOutput(coming = 0): void {
    this.server.outputLimits.check(this, coming);
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
    this.server.resumeLater(this);
  }

  /** Runs the requests that have come, until one waits. */
  run(): void {
    const { server, session } = this;
    server.clientCare.note(session);
    server.clientCare.evict();
    server.beginBatch();
    session.lastActiveAt = server.clock.ms;
    while (session.blocked === null && !session.closed) {
      if (this.next === this.ahead.length && !this.readAhead()) break;
      server.process(session, this.ahead[this.next++]!);
    }
    if (this.out.length > LONG) this.flush();
    server.clientCare.note(session);
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

  /**
   * Reads the requests that have come whole, so that the keys of all can be fetched from memory together. False when
   * there is none; bytes that are no request are refused once the requests before them have run.
   */
  private readAhead(): boolean {
    const { ahead, parser, session } = this;
    ahead.length = 0;
    this.next = 0;
    if (this.failure !== undefined) return this.refuse(this.failure);
    parser.unauthenticated = !session.authenticated;
    // What a client may send changes when it has authenticated.
    const most = session.authenticated ? WARMED : 1;
    try {
      for (let args = parser.next(); args !== undefined; args = parser.next()) {
        ahead.push(args);
        if (ahead.length === most) break;
      }
    } catch (problem) {
      if (!(problem instanceof ProtocolError)) throw problem;
      this.failure = problem;
      if (ahead.length === 0) return this.refuse(problem);
    }
    if (ahead.length >= WORTH_WARMING) session.db.warm(ahead);
    return ahead.length > 0;
  }

  /** Answers bytes that are no request, and closes. */
  private refuse(problem: ProtocolError): false {
    this.server.log.debug(`${problem.message} from ${this.session.address}`);
    const error = new ErrorReply(`ERR ${problem.message}`);
    this.server.stats.countError(error);
    this.server.deliver(this.session, error);
    this.close();
    return false;
  }

  /** The client will send no more; what it asked for is still answered. */
  private inputEnded(): void {
    if (this.session.blocked === null) this.close();
    else this.close(true);
  }
}
