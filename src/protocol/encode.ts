/** Writes reply values as RESP2 or RESP3 text (a byte string; the socket sends it as latin1). */
import { formatDouble } from './numbers.js';
import {
  AttributeReply,
  BigNumber,
  type Bytes,
  DoubleReply,
  ErrorReply,
  MapReply,
  Messages,
  NullArray,
  OK,
  PushReply,
  type Reply,
  SetReply,
  SimpleString,
  VerbatimString,
} from './reply.js';

/** Aggregates in aggregates are written by calls up to this depth, beyond it with a stack of their own. */
const MAX_RECURSION = 200;

/** What nearly every request needs is made once. */
const OK_LINE = '+OK\r\n';
const SHORT_HEADERS = Array.from({ length: 128 }, (_, length) => `$${length}\r\n`);

/** Lines of the small integers, from −1 up, each made when first sent. */
const INTEGER_LINES: (Bytes | undefined)[] = new Array(4096).fill(undefined);

export function encode(reply: Reply, resp: 2 | 3, depth = 0): Bytes {
  switch (typeof reply) {
    case 'string':
      return bulk(reply);
    case 'number':
      return integer(reply);
    case 'bigint':
      return `:${reply}\r\n`;
    case 'boolean':
      return resp === 3 ? (reply ? '#t\r\n' : '#f\r\n') : reply ? ':1\r\n' : ':0\r\n';
    default:
      return encodeObject(reply, resp, depth);
  }
}

/** Writes a reply that is too long for one string: piece by piece. */
export function encodePieces(reply: Reply, resp: 2 | 3, write: (piece: Bytes) => void): void {
  const items = itemsOf(reply);
  if (items !== undefined) {
    write(header(reply, items.length, resp));
    for (const item of items) encodePieces(item, resp, write);
  } else if (typeof reply === 'string') {
    write(`$${reply.length}\r\n`);
    write(reply);
    write('\r\n');
  } else write(encode(reply, resp));
}

function integer(value: number): Bytes {
  const place = value + 1;
  if (place < 0 || place >= INTEGER_LINES.length) return `:${value}\r\n`;
  const known = INTEGER_LINES[place];
  if (known !== undefined) return known;
  const line = `:${value}\r\n`;
  INTEGER_LINES[place] = line;
  return line;
}

function bulk(text: Bytes): Bytes {
  const { length } = text;
  return length < SHORT_HEADERS.length ? `${SHORT_HEADERS[length]}${text}\r\n` : `$${length}\r\n${text}\r\n`;
}

function encodeObject(reply: Exclude<Reply, Bytes | number | bigint | boolean>, resp: 2 | 3, depth: number): Bytes {
  if (reply === OK) return OK_LINE;
  if (reply === null) return resp === 3 ? '_\r\n' : '$-1\r\n';
  if (reply instanceof SimpleString) return `+${reply.text}\r\n`;
  const items = itemsOf(reply);
  if (items !== undefined) return encodeItems(header(reply, items.length, resp), items, resp, depth);
  if (reply instanceof ErrorReply) return `-${oneLine(reply.text)}\r\n`;
  if (reply instanceof DoubleReply) {
    const text = formatDouble(reply.value);
    return resp === 3 ? `,${text}\r\n` : `$${text.length}\r\n${text}\r\n`;
  }
  if (reply instanceof NullArray) return resp === 3 ? '_\r\n' : '*-1\r\n';
  if (reply instanceof VerbatimString) {
    const { format, text } = reply;
    return resp === 3 ? `=${text.length + 4}\r\n${format}:${text}\r\n` : `$${text.length}\r\n${text}\r\n`;
  }
  if (reply instanceof BigNumber) {
    const { digits } = reply;
    return resp === 3 ? `(${digits}\r\n` : `$${digits.length}\r\n${digits}\r\n`;
  }
  if (reply instanceof Messages) return reply.frames.map((frame) => encode(frame, resp)).join('');
  if (reply instanceof AttributeReply) return encodeAttribute(reply, resp);
  return '';
}

function encodeAttribute(reply: AttributeReply, resp: 2 | 3): Bytes {
  const body = encode(reply.reply, resp);
  const { attributes } = reply;
  return resp === 3 ? encodeItems(`|${attributes.length / 2}\r\n`, attributes, resp, 0) + body : body;
}

/** The items of an aggregate; undefined for anything else. */
function itemsOf(reply: Reply): Reply[] | undefined {
  if (Array.isArray(reply)) return reply;
  if (reply instanceof MapReply) return reply.flat;
  return reply instanceof SetReply || reply instanceof PushReply ? reply.items : undefined;
}

function header(aggregate: Reply, count: number, resp: 2 | 3): Bytes {
  if (resp === 3 && !Array.isArray(aggregate)) {
    if (aggregate instanceof MapReply) return `%${count / 2}\r\n`;
    return aggregate instanceof SetReply ? `~${count}\r\n` : `>${count}\r\n`;
  }
  return `*${count}\r\n`;
}

function encodeItems(start: Bytes, items: Reply[], resp: 2 | 3, depth: number): Bytes {
  if (depth >= MAX_RECURSION) return encodeDeep(start, items, resp);
  let text = start;
  for (let i = 0; i < items.length; i++) {
    const item = items[i]!;
    text +=
      typeof item === 'string' ? bulk(item) : typeof item === 'number' ? integer(item) : encode(item, resp, depth + 1);
  }
  return text;
}

/** `encodeItems` for a nesting that JavaScript's own stack could not hold: scripts make one of 8,000 levels. */
function encodeDeep(start: Bytes, items: Reply[], resp: 2 | 3): Bytes {
  let text = start;
  const open = [{ items, at: 0 }];
  for (let inner = open.at(-1); inner !== undefined; inner = open.at(-1)) {
    if (inner.at === inner.items.length) {
      open.pop();
      continue;
    }
    const item = inner.items[inner.at++]!;
    const itsItems = itemsOf(item);
    if (itsItems === undefined) text += encode(item, resp);
    else {
      text += header(item, itsItems.length, resp);
      open.push({ items: itsItems, at: 0 });
    }
  }
  return text;
}

/** A line end inside an error would end the frame early; Redis sends a space in its place. */
function oneLine(text: Bytes): Bytes {
  return text.includes('\r') || text.includes('\n') ? text.replace(/[\r\n]/g, ' ') : text;
}
