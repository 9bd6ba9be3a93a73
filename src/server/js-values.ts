/** Reply values and arguments as plain JavaScript values: what `server.call()` takes and gives. */
import {
  AttributeReply,
  BigNumber,
  type Bytes,
  DoubleReply,
  ErrorReply,
  MapReply,
  Messages,
  NoReply,
  NullArray,
  PushReply,
  type Reply,
  SetReply,
  SimpleString,
  VerbatimString,
} from '../protocol/reply.js';

export type CallArgument = string | number | bigint | Buffer;

/** Strings have one char a byte (latin1): decode UTF-8 with `Buffer.from(text, 'latin1').toString()`. */
export type CallResult =
  | string
  | number
  | bigint
  | boolean
  | null
  | undefined
  | Error
  | CallResult[]
  | Map<CallResult, CallResult>
  | Set<CallResult>;

/** The byte string of an argument: text as UTF-8, a Buffer as it is. */
export function toBytes(argument: CallArgument): Bytes {
  if (Buffer.isBuffer(argument)) return argument.latin1Slice();
  const text = String(argument);
  return Buffer.from(text, 'utf8').latin1Slice();
}

export function fromReply(reply: Reply): CallResult {
  if (reply === null || typeof reply !== 'object') return reply;
  if (Array.isArray(reply)) return reply.map(fromReply);
  if (reply instanceof SimpleString || reply instanceof VerbatimString) return reply.text;
  if (reply instanceof ErrorReply) return new Error(reply.text);
  if (reply instanceof DoubleReply) return reply.value;
  if (reply instanceof BigNumber) return BigInt(reply.digits);
  if (reply instanceof MapReply) return mapOf(reply.flat);
  if (reply instanceof SetReply) return new Set(reply.items.map(fromReply));
  if (reply instanceof PushReply) return reply.items.map(fromReply);
  if (reply instanceof AttributeReply) return fromReply(reply.reply);
  if (reply instanceof NullArray) return null;
  if (reply instanceof NoReply || reply instanceof Messages) return undefined;
  return reply satisfies never;
}

function mapOf(flat: Reply[]): Map<CallResult, CallResult> {
  const map = new Map<CallResult, CallResult>();
  for (let i = 0; i < flat.length; i += 2) map.set(fromReply(flat[i]!), fromReply(flat[i + 1]!));
  return map;
}
