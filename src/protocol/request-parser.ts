/**
 * Turns the bytes of a connection into requests: arrays of bulk strings (RESP) or inline commands, split at any byte.
 * Limits and error texts are those of Redis 8.2; after an error nothing more is to be read from the connection.
 */
import { NameCache } from './name-cache.js';
import { splitInlineArgs } from './quoting.js';
import { readBytes } from './read-bytes.js';
import type { Bytes } from './reply.js';

export interface ProtocolLimits {
  /** `proto-max-bulk-len`: bytes of one argument. */
  maxBulkLength: number;
  /** `proto-inline-max-size`, a fixed 64 kB in Redis: bytes of an inline request and of a count line. */
  maxInlineLength: number;
}

/** The greatest number of arguments of one request. */
const MAX_ARGUMENTS = 2 ** 31 - 1;
/** Before a client has authenticated: how many arguments it may send, and how long each. */
const UNAUTHENTICATED_ARGUMENTS = 10;
const UNAUTHENTICATED_BULK_LENGTH = 16384;

/** The client sent something that is no request. `message` is what Redis answers before it closes the connection. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError';
}

/** Redis makes room for the whole of an argument from this length on as soon as it is announced. */
const LONG_ARGUMENT = 32 * 1024;
const CR = 13;
const LF = 10;
const DOLLAR = 36;
const ZERO = 48;
const STAR = 42;
/** What `readCount` answers when the line is not there yet. */
const INCOMPLETE = -2;
/**
 * Requests with up to so many arguments get an array of the right size at once. An array that grows by `push` takes 17
 * places for its first element: half of what the collector had to clear away after a GET. What is announced beyond
 * that is not believed until it comes.
 */
const SIZED_ARGUMENTS = 64;
const NO_ARGS: Bytes[] = [];

export class RequestParser {
  private buffer: Buffer = Buffer.alloc(0);
  /** Next byte to read, and the end of what has arrived. */
  private position = 0;
  private end = 0;
  /** Whether `buffer` is ours to write behind `end`. */
  private owned = false;
  /** Arguments still to come of the request that is being read; 0: between requests. */
  private missing = 0;
  /** The request that is being read, and how many of its arguments are there. */
  private args: Bytes[] = NO_ARGS;
  private filled = 0;
  /** Length of the argument whose header was read, −1 when the next thing is a header. */
  private bulkLength = -1;
  /** While true the limits for clients that have not authenticated hold. */
  unauthenticated = false;

  /** `names` is shared by the connections of a server. */
  constructor(
    private readonly limits: ProtocolLimits,
    private readonly names = new NameCache(),
  ) {}

  /** Bytes that have arrived and are not yet part of a request that was returned. */
  get pendingBytes(): number {
    return this.end - this.position;
  }

  /** Bytes that are still to come of a long argument. */
  get expectedBytes(): number {
    return this.bulkLength < LONG_ARGUMENT ? 0 : Math.max(this.bulkLength + 2 - this.pendingBytes, 0);
  }

  /** Bytes of the arguments that were read of a request that is not whole yet. */
  get argumentBytes(): number {
    let bytes = 0;
    for (let i = 0; i < this.filled; i++) bytes += this.args[i]!.length;
    return bytes;
  }

  /**
   * Takes `length` bytes from the start of `chunk`. They are read where they are: before the chunk is changed, what has
   * not been read of it is to be kept by `keepRest`.
   */
  append(chunk: Buffer, length = chunk.length): void {
    if (this.position === this.end) {
      this.buffer = chunk;
      this.owned = false;
      this.position = 0;
      this.end = length;
      return;
    }
    this.makeRoom(length);
    chunk.copy(this.buffer, this.end, 0, length);
    this.end += length;
  }

  /** Copies the bytes that have not been read, if they stand in a chunk. */
  keepRest(): void {
    if (!this.owned && this.position < this.end) this.makeRoom(0);
  }

  /** Sees to it that the rest is ours and has room for `length` bytes behind it. */
  private makeRoom(length: number): void {
    const rest = this.end - this.position;
    const needed = rest + length;
    if (this.owned && this.end + length <= this.buffer.length) return;
    if (this.owned && needed <= this.buffer.length) {
      this.buffer.copyWithin(0, this.position, this.end);
    } else {
      // A long argument arrives in many chunks: room for all of it at once, as far as what has come makes it credible.
      const wanted = this.bulkLength > needed ? Math.min(this.bulkLength + 2, needed * 2 + 65536) : needed * 2;
      const joined = Buffer.allocUnsafe(wanted);
      this.buffer.copy(joined, 0, this.position, this.end);
      this.buffer = joined;
      this.owned = true;
    }
    this.position = 0;
    this.end = rest;
  }

  /** The next whole request, or undefined when more bytes are needed. Throws a ProtocolError. */
  next(): Bytes[] | undefined {
    for (;;) {
      if (this.missing === 0) {
        if (this.position >= this.end) return this.drained();
        if (this.buffer[this.position] !== STAR) {
          const inline = this.readInline();
          if (inline === undefined) return undefined;
          if (inline.length === 0) continue;
          return inline;
        }
        let count = this.readShortCount();
        if (count < 0) count = this.readCount(MAX_ARGUMENTS, 'mbulk count', 'invalid multibulk length');
        if (count === INCOMPLETE) return undefined;
        if (count <= 0) continue;
        if (this.unauthenticated && count > UNAUTHENTICATED_ARGUMENTS) {
          throw new ProtocolError('Protocol error: unauthenticated multibulk length');
        }
        this.missing = count;
        this.args = count <= SIZED_ARGUMENTS ? new Array<Bytes>(count) : [];
        this.filled = 0;
      }
      if (!this.readArguments()) return undefined;
      const { args } = this;
      this.args = NO_ARGS;
      this.filled = 0;
      return args;
    }
  }

  /** Reads arguments until the request is whole; false when more bytes are needed. */
  private readArguments(): boolean {
    while (this.missing > 0) {
      let length = this.bulkLength;
      if (length < 0) {
        length = this.readBulkHeader();
        if (length < 0) return false;
      }
      const start = this.position;
      if (this.end - start < length + 2) {
        this.bulkLength = length;
        return false;
      }
      const end = start + length;
      this.args[this.filled] =
        this.filled === 0 ? this.names.read(this.buffer, start, end) : readBytes(this.buffer, start, end);
      this.filled++;
      this.position = start + length + 2;
      this.bulkLength = -1;
      this.missing--;
    }
    return true;
  }

  /** Reads `$n`. */
  private readBulkHeader(): number {
    const { buffer, position, end } = this;
    if (position >= end) return INCOMPLETE;
    if (buffer[position] !== DOLLAR) {
      const line = this.lineEnd('bulk count');
      if (line < 0) return INCOMPLETE;
      throw new ProtocolError(`Protocol error: expected '$', got '${String.fromCharCode(buffer[position]!)}'`);
    }
    const short = this.readShortCount();
    if (short >= 0) return short;
    const length = this.readCount(this.limits.maxBulkLength, 'bulk count', 'invalid bulk length');
    if (length === -1) throw new ProtocolError('Protocol error: invalid bulk length');
    if (this.unauthenticated && length > UNAUTHENTICATED_BULK_LENGTH) {
      throw new ProtocolError('Protocol error: unauthenticated bulk length');
    }
    return length;
  }

  /** A count of one or two digits, the usual case, without a call out; −1: something else, nothing was read. */
  private readShortCount(): number {
    const { buffer, position } = this;
    if (position + 4 >= this.end) return -1;
    const first = buffer[position + 1]! - ZERO;
    if (first < 0 || first > 9) return -1;
    const next = buffer[position + 2]!;
    if (next === CR) {
      this.position = position + 4;
      return first;
    }
    const second = next - ZERO;
    if (second < 0 || second > 9 || first === 0 || buffer[position + 3] !== CR) return -1;
    this.position = position + 5;
    return first * 10 + second;
  }

  /** Reads the number of a `*n` or `$n` line: −1 for any negative one, INCOMPLETE when the line has not ended. */
  private readCount(greatest: number, tooBig: string, invalid: string): number {
    const lineEnd = this.lineEnd(tooBig);
    if (lineEnd < 0) return INCOMPLETE;
    const digits = this.buffer.latin1Slice(this.position + 1, lineEnd);
    if (!/^(0|-?[1-9]\d{0,18})$/.test(digits) || Number(digits) > greatest) {
      throw new ProtocolError(`Protocol error: ${invalid}`);
    }
    this.position = lineEnd + 2;
    return Math.max(Number(digits), -1);
  }

  /** Where the CR of a whole count line stands, or INCOMPLETE. */
  private lineEnd(what: string): number {
    const lineEnd = this.buffer.indexOf(CR, this.position);
    if (lineEnd >= 0 && lineEnd < this.end) return lineEnd + 1 < this.end ? lineEnd : INCOMPLETE;
    if (this.end - this.position > this.limits.maxInlineLength) {
      throw new ProtocolError(`Protocol error: too big ${what} string`);
    }
    return INCOMPLETE;
  }

  private readInline(): Bytes[] | undefined {
    const lineEnd = this.buffer.indexOf(LF, this.position);
    if (lineEnd < 0 || lineEnd >= this.end) {
      if (this.end - this.position > this.limits.maxInlineLength) {
        throw new ProtocolError('Protocol error: too big inline request');
      }
      return undefined;
    }
    const stop = lineEnd > this.position && this.buffer[lineEnd - 1] === CR ? lineEnd - 1 : lineEnd;
    const line = this.buffer.latin1Slice(this.position, stop);
    this.position = lineEnd + 1;
    const args = splitInlineArgs(line);
    if (args === null) throw new ProtocolError('Protocol error: unbalanced quotes in request');
    return args;
  }

  /** All that came was read: lets the chunk go. */
  private drained(): undefined {
    if (this.owned) {
      this.buffer = Buffer.alloc(0);
      this.owned = false;
      this.position = 0;
      this.end = 0;
    }
    return undefined;
  }
}
