/** Received RESP2 and RESP3 values, each with the exact bytes that carried it. */

interface Wire {
  /** The bytes of this value, a byte a character, its line ends included. */
  readonly wire: string;
}

export type TextKind = 'simple' | 'error' | 'bulk' | 'bulk error' | 'int' | 'double' | 'bignum' | 'bool' | 'verbatim';
export type ListKind = 'array' | 'set' | 'push' | 'map';

export type Frame = Wire &
  (
    | { readonly kind: TextKind; readonly text: string }
    | { readonly kind: 'null'; readonly form: 'bulk' | 'array' | 'resp3' }
    /** A map's items are flat: key, value, key, value. */
    | { readonly kind: ListKind; readonly items: readonly Frame[] }
    /** Attributes stand before the reply that they belong to. */
    | { readonly kind: 'attribute'; readonly items: readonly Frame[]; readonly reply: Frame }
  );

const LINES: Record<string, TextKind> = {
  '+': 'simple',
  '-': 'error',
  ':': 'int',
  ',': 'double',
  '(': 'bignum',
  '#': 'bool',
};
const BLOBS: Record<string, TextKind> = { $: 'bulk', '!': 'bulk error', '=': 'verbatim' };
const LISTS: Record<string, ListKind> = { '*': 'array', '~': 'set', '>': 'push', '%': 'map' };

/** Reads the frame that starts at `at`; undefined when it is not complete. Throws on bytes that are no RESP. */
export function parseFrame(bytes: string, at: number): Frame | undefined {
  const lineEnd = bytes.indexOf('\r\n', at);
  if (lineEnd < 0) return undefined;
  const mark = bytes[at] as string;
  const line = bytes.slice(at + 1, lineEnd);
  const end = lineEnd + 2;

  const lineKind = LINES[mark];
  if (lineKind !== undefined) return { kind: lineKind, text: line, wire: bytes.slice(at, end) };
  if (mark === '_') return { kind: 'null', form: 'resp3', wire: bytes.slice(at, end) };
  if (line === '-1' && (mark === '$' || mark === '*')) {
    return { kind: 'null', form: mark === '$' ? 'bulk' : 'array', wire: bytes.slice(at, end) };
  }
  const length = Number(line);
  if (!Number.isSafeInteger(length) || length < 0) throw new Error(`not RESP: ${JSON.stringify(bytes.slice(at, end))}`);

  const blobKind = BLOBS[mark];
  if (blobKind !== undefined) {
    if (bytes.length < end + length + 2) return undefined;
    const text = bytes.slice(end, end + length);
    return { kind: blobKind, text, wire: bytes.slice(at, end + length + 2) };
  }
  const listKind = LISTS[mark];
  if (listKind !== undefined) {
    const items = parseItems(bytes, end, listKind === 'map' ? 2 * length : length);
    return items && { kind: listKind, items, wire: bytes.slice(at, endOf(items, end)) };
  }
  if (mark === '|') {
    const items = parseItems(bytes, end, 2 * length);
    const reply = items && parseFrame(bytes, endOf(items, end));
    if (items === undefined || reply === undefined) return undefined;
    return { kind: 'attribute', items, reply, wire: bytes.slice(at, endOf(items, end) + reply.wire.length) };
  }
  throw new Error(`not RESP: ${JSON.stringify(bytes.slice(at, end))}`);
}

/** The text of a frame that carries one; undefined for the others. */
export function textOf(frame: Frame | undefined): string | undefined {
  return frame !== undefined && 'text' in frame ? frame.text : undefined;
}

/** The items of a list frame; empty for the others. */
export function itemsOf(frame: Frame | undefined): readonly Frame[] {
  return frame !== undefined && 'items' in frame ? frame.items : [];
}

/** A frame as one readable line, for messages. */
export function show(frame: Frame): string {
  if ('text' in frame) return `${frame.kind} ${JSON.stringify(frame.text)}`;
  if (frame.kind === 'null') return `null (${frame.form})`;
  const items = `${frame.kind} [${frame.items.map(show).join(', ')}]`;
  return frame.kind === 'attribute' ? `${items} before ${show(frame.reply)}` : items;
}

function parseItems(bytes: string, at: number, count: number): Frame[] | undefined {
  const items: Frame[] = [];
  let position = at;
  for (let i = 0; i < count; i++) {
    const item = parseFrame(bytes, position);
    if (item === undefined) return undefined;
    items.push(item);
    position += item.wire.length;
  }
  return items;
}

function endOf(items: readonly Frame[], start: number): number {
  return items.reduce((end, item) => end + item.wire.length, start);
}
