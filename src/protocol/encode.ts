/** Writes reply values as RESP2 or RESP3 text (a byte string; the socket sends it as latin1). */
import { formatDouble } from './numbers.js';
import {
  type AttributeReply,
  BigNumber,
  type Bytes,
  DoubleReply,
  ErrorReply,
  MapReply,
  NoReply,
  NullArray,
  PushReply,
  type Reply,
  SetReply,
  SimpleString,
  VerbatimString,
} from './reply.js';

export function encode(reply: Reply, resp: 2 | 3): Bytes {
  switch (typeof reply) {
    case 'string':
      return `$${reply.length}\r\n${reply}\r\n`;
    case 'number':
    case 'bigint':
      return `:${reply}\r\n`;
    case 'boolean':
      return resp === 3 ? (reply ? '#t\r\n' : '#f\r\n') : reply ? ':1\r\n' : ':0\r\n';
    default:
      return encodeObject(reply, resp);
  }
}

function encodeObject(reply: Exclude<Reply, Bytes | number | bigint | boolean>, resp: 2 | 3): Bytes {
  if (reply === null) return resp === 3 ? '_\r\n' : '$-1\r\n';
  if (reply instanceof SimpleString) return `+${reply.text}\r\n`;
  if (Array.isArray(reply)) return encodeItems('*', reply.length, reply, resp);
  if (reply instanceof ErrorReply) return `-${oneLine(reply.text)}\r\n`;
  if (reply instanceof DoubleReply) {
    const text = formatDouble(reply.value);
    return resp === 3 ? `,${text}\r\n` : `$${text.length}\r\n${text}\r\n`;
  }
  if (reply instanceof MapReply) {
    return resp === 3
      ? encodeItems('%', reply.flat.length / 2, reply.flat, resp)
      : encodeItems('*', reply.flat.length, reply.flat, resp);
  }
  if (reply instanceof SetReply) return encodeItems(resp === 3 ? '~' : '*', reply.items.length, reply.items, resp);
  if (reply instanceof NullArray) return resp === 3 ? '_\r\n' : '*-1\r\n';
  if (reply instanceof PushReply) return encodeItems(resp === 3 ? '>' : '*', reply.items.length, reply.items, resp);
  if (reply instanceof VerbatimString) {
    const { format, text } = reply;
    return resp === 3 ? `=${text.length + 4}\r\n${format}:${text}\r\n` : `$${text.length}\r\n${text}\r\n`;
  }
  if (reply instanceof BigNumber) {
    const { digits } = reply;
    return resp === 3 ? `(${digits}\r\n` : `$${digits.length}\r\n${digits}\r\n`;
  }
  if (reply instanceof NoReply) return '';
  return encodeAttribute(reply, resp);
}

function encodeAttribute(reply: AttributeReply, resp: 2 | 3): Bytes {
  const body = encode(reply.reply, resp);
  return resp === 3 ? encodeItems('|', reply.attributes.length / 2, reply.attributes, resp) + body : body;
}

function encodeItems(mark: string, count: number, items: Reply[], resp: 2 | 3): Bytes {
  let text = `${mark}${count}\r\n`;
  for (let i = 0; i < items.length; i++) {
    const item = items[i]!;
    text += typeof item === 'string' ? `$${item.length}\r\n${item}\r\n` : encode(item, resp);
  }
  return text;
}

/** A line end inside an error would end the frame early; Redis sends a space in its place. */
function oneLine(text: Bytes): Bytes {
  return text.includes('\r') || text.includes('\n') ? text.replace(/[\r\n]/g, ' ') : text;
}
