/**
 * Reply values: what a command handler returns. They say what is answered, not how it is written;
 * `resp2.ts` and `resp3.ts` write them, `lua` turns them into Lua values.
 *
 * A byte string is a bulk string, a number or bigint an integer, `null` the null bulk, a boolean the
 * RESP3 boolean (an integer in RESP2), an array an array, and the classes below are the rest.
 */

/** A string whose every char code is one byte (0–255): a key, an argument, a value. Never UTF-16 text. */
export type Bytes = string;

/** An integer of the 64-bit range: a number where it is exact (|n| ≤ 2^53 − 1), else a bigint. */
export type Int64 = number | bigint;

export type Reply =
  | Bytes
  | number
  | bigint
  | boolean
  | null
  | Reply[]
  | SimpleString
  | ErrorReply
  | DoubleReply
  | MapReply
  | SetReply
  | VerbatimString
  | PushReply
  | BigNumber
  | NullArray
  | AttributeReply
  | Messages
  | NoReply;

/** `+text`: a status line. */
export class SimpleString {
  constructor(readonly text: Bytes) {}
}

/** `-CODE message`: an error. The text holds code and message; line ends in it are sent as spaces. */
export class ErrorReply {
  constructor(readonly text: Bytes) {}
}

/** An error that the statistics counted where it arose: it came out of a script that passed it on. */
export class CountedErrorReply extends ErrorReply {}

/** A double: `,1.5` in RESP3, a bulk string of the same text in RESP2. */
export class DoubleReply {
  constructor(readonly value: number) {}
}

/** A map: `%` in RESP3, a flat array in RESP2. The entries are flat: key, value, key, value … */
export class MapReply {
  constructor(readonly flat: Reply[]) {}
}

/** A set: `~` in RESP3, an array in RESP2. */
export class SetReply {
  constructor(readonly items: Reply[]) {}
}

/** Text with a three-letter format: `=15\r\ntxt:…` in RESP3, a bulk string in RESP2. */
export class VerbatimString {
  constructor(
    readonly text: Bytes,
    readonly format = 'txt',
  ) {}
}

/** An out-of-band message: `>` in RESP3, an array in RESP2. */
export class PushReply {
  constructor(readonly items: Reply[]) {}
}

/** An integer of any size: `(` in RESP3, a bulk string in RESP2. */
export class BigNumber {
  constructor(readonly digits: Bytes) {}
}

/** The null that stands for an array: `*-1` in RESP2, `_` in RESP3. */
export class NullArray {
  readonly kind = 'null array';
}

/** A reply with attributes before it: `|` in RESP3, only the reply itself in RESP2. */
export class AttributeReply {
  constructor(
    readonly attributes: Reply[],
    readonly reply: Reply,
  ) {}
}

/**
 * Messages in the place of a reply (the confirmations of SUBSCRIBE): frames one after another, in EXEC's array too.
 * They are sent even to a client that has turned its replies off.
 */
export class Messages {
  constructor(readonly frames: PushReply[]) {}
}

/** Nothing is answered, or the handler has already sent what there is to send. */
export class NoReply {
  readonly kind = 'no reply';
}

export const OK = new SimpleString('OK');
export const PONG = new SimpleString('PONG');
export const QUEUED = new SimpleString('QUEUED');
export const NULL_ARRAY = new NullArray();
export const NO_REPLY = new NoReply();
