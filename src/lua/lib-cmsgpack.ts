import { checkInteger, checkString, optionalInteger } from './arguments.js';
import { argumentError, libraryError, plainError } from './errors.js';
import type { LuaState } from './state.js';
import { LuaTable } from './table.js';
import type { LuaValue } from './values.js';

/** Tables nested deeper than this are packed as nil. */
const MAX_NESTING = 16;

/** lua-cmsgpack 0.4.0 as Redis ships it: MessagePack without extension types and binary strings. */
export function openCmsgpack(state: LuaState): void {
  const library = state.openLibrary('cmsgpack', {
    pack(...args) {
      if (args.length === 0) throw argumentError(0, 'MessagePack pack needs input.');
      let packed = '';
      for (const value of args) packed += packValue(value, 0);
      return packed;
    },
    unpack: (...args) => unpackValues(checkString(args, 0), 0, 0),
    unpack_one(...args) {
      const offset = optionalInteger(args, 1, 0);
      return unpackValues(checkString(args, 0), 1, offset);
    },
    unpack_limit(...args) {
      const limit = checkInteger(args, 1);
      const offset = optionalInteger(args, 2, 0);
      return unpackValues(checkString(args, 0), limit, offset);
    },
  });
  library.set('_NAME', 'cmsgpack');
  library.set('_VERSION', 'lua-cmsgpack 0.4.0');
  library.set('_COPYRIGHT', 'Copyright (C) 2012, Salvatore Sanfilippo');
  library.set('_DESCRIPTION', 'MessagePack C implementation for Lua');
}

// Packing

function packValue(value: LuaValue, level: number): string {
  switch (typeof value) {
    case 'string':
      return head(value.length, 0xa0, 32, 0xd9, 0xda) + value;
    case 'boolean':
      return value ? '\xc3' : '\xc2';
    case 'number':
      return packNumber(value);
    case 'object':
      if (value instanceof LuaTable && level < MAX_NESTING) return packTable(value, level);
      return '\xc0';
    default:
      return '\xc0';
  }
}

const scratch = Buffer.alloc(9);

function packNumber(value: number): string {
  if (!Number.isInteger(value) || value < -(2 ** 63) || value >= 2 ** 63) return packFloat(value);
  if (value >= 0) {
    if (value <= 0x7f) return String.fromCharCode(value);
    if (value <= 0xff) return `\xcc${String.fromCharCode(value)}`;
    if (value <= 0xffff) return `\xcd${bigEndian(value, 2)}`;
    if (value <= 0xffffffff) return `\xce${bigEndian(value, 4)}`;
    return packWide(0xcf, value);
  }
  if (value >= -32) return String.fromCharCode(256 + value);
  if (value >= -0x80) return `\xd0${String.fromCharCode(256 + value)}`;
  if (value >= -0x8000) return `\xd1${bigEndian(0x10000 + value, 2)}`;
  if (value >= -0x80000000) return `\xd2${bigEndian(0x100000000 + value, 4)}`;
  return packWide(0xd3, value);
}

function packWide(type: number, value: number): string {
  scratch[0] = type;
  scratch.writeBigUInt64BE(BigInt.asUintN(64, BigInt(value)), 1);
  return scratch.toString('latin1', 0, 9);
}

function packFloat(value: number): string {
  if (Math.fround(value) === value) {
    scratch[0] = 0xca;
    scratch.writeFloatBE(value, 1);
    return scratch.toString('latin1', 0, 5);
  }
  scratch[0] = 0xcb;
  scratch.writeDoubleBE(value, 1);
  return scratch.toString('latin1', 0, 9);
}

function packTable(table: LuaTable, level: number): string {
  let count = 0;
  let most = 0;
  let array = true;
  for (let place = table.occupiedFrom(1); place >= 0; place = table.occupiedFrom(place + 1)) {
    const key = table.keyAt(place);
    count++;
    if (typeof key !== 'number' || key <= 0 || !Number.isInteger(key)) array = false;
    else if (key > most) most = key;
  }
  if (array && most === count) {
    let packed = head(count, 0x90, 16, undefined, 0xdc);
    for (let i = 1; i <= count; i++) packed += packValue(table.get(i), level + 1);
    return packed;
  }
  table.arrange();
  let packed = head(count, 0x80, 16, undefined, 0xde);
  for (let place = table.occupiedFrom(1); place >= 0; place = table.occupiedFrom(place + 1)) {
    packed += packValue(table.keyAt(place), level + 1) + packValue(table.valueAt(place), level + 1);
  }
  return packed;
}

/** Type and length: in one byte below `small`, else behind `byteType` (where there is one), `wide` or `wide + 1`. */
function head(length: number, fixed: number, small: number, byteType: number | undefined, wide: number): string {
  if (length < small) return String.fromCharCode(fixed | length);
  if (byteType !== undefined && length <= 0xff) return String.fromCharCode(byteType, length);
  if (length <= 0xffff) return String.fromCharCode(wide) + bigEndian(length, 2);
  return String.fromCharCode(wide + 1) + bigEndian(length, 4);
}

function bigEndian(value: number, size: 2 | 4): string {
  if (size === 2) return String.fromCharCode(value >> 8, value & 255);
  return String.fromCharCode(value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255);
}

// Unpacking

/** At most `limit` values from `offset` on; with neither all of them, else the next offset (or -1) first. */
function unpackValues(data: string, limit: number, offset: number): LuaValue[] {
  if (offset < 0 || limit < 0) {
    throw libraryError(`Invalid request to unpack with offset of ${offset} and limit of ${data.length}.`);
  }
  if (offset > data.length) {
    throw libraryError(`Start offset ${offset} greater than input length ${data.length}.`);
  }
  const all = limit === 0 && offset === 0;
  const most = all ? Infinity : limit;
  const reader = new Reader(data, offset);
  const values: LuaValue[] = [];
  while (reader.at < data.length && values.length < most) values.push(reader.value());
  if (!all) values.unshift(reader.at === data.length ? -1 : reader.at);
  return values;
}

class Reader {
  constructor(
    private readonly data: string,
    public at: number,
  ) {}

  value(): LuaValue {
    const type = this.unsigned(1);
    if (type <= 0x7f) return type;
    if (type >= 0xe0) return type - 256;
    if (type <= 0x8f) return this.map(type & 15);
    if (type <= 0x9f) return this.array(type & 15);
    if (type <= 0xbf) return this.text(type & 31);
    switch (type) {
      case 0xc0:
        return undefined;
      case 0xc2:
        return false;
      case 0xc3:
        return true;
      case 0xca:
        return this.buffer(4).readFloatBE();
      case 0xcb:
        return this.buffer(8).readDoubleBE();
      case 0xcc:
        return this.unsigned(1);
      case 0xcd:
        return this.unsigned(2);
      case 0xce:
        return this.unsigned(4);
      case 0xcf:
        // The library hands an unsigned integer to Lua as a signed one.
        return Number(this.buffer(8).readBigInt64BE());
      case 0xd0:
        return this.buffer(1).readInt8();
      case 0xd1:
        return this.buffer(2).readInt16BE();
      case 0xd2:
        return this.buffer(4).readInt32BE();
      case 0xd3:
        return Number(this.buffer(8).readBigInt64BE());
      case 0xd9:
        return this.text(this.unsigned(1));
      case 0xda:
        return this.text(this.unsigned(2));
      case 0xdb:
        return this.text(this.unsigned(4));
      case 0xdc:
        return this.array(this.unsigned(2));
      case 0xdd:
        return this.array(this.unsigned(4));
      case 0xde:
        return this.map(this.unsigned(2));
      case 0xdf:
        return this.map(this.unsigned(4));
      default:
        throw libraryError('Bad data format in input.');
    }
  }

  private text(length: number): string {
    const from = this.at;
    if (from + length > this.data.length) throw libraryError('Missing bytes in input.');
    this.at = from + length;
    return this.data.slice(from, this.at);
  }

  private buffer(length: number): Buffer {
    return Buffer.from(this.text(length), 'latin1');
  }

  private unsigned(length: number): number {
    const bytes = this.text(length);
    let value = 0;
    for (let i = 0; i < length; i++) value = value * 256 + bytes.charCodeAt(i);
    return value;
  }

  private array(length: number): LuaTable {
    const items: LuaValue[] = [undefined];
    for (let i = 0; i < length; i++) items.push(this.value());
    return LuaTable.ofArray(items);
  }

  private map(length: number): LuaTable {
    const table = new LuaTable();
    for (let i = 0; i < length; i++) {
      const key = this.value();
      const value = this.value();
      if (key === undefined) throw plainError('table index is nil');
      if (typeof key === 'number' && Number.isNaN(key)) throw plainError('table index is NaN');
      table.set(key, value);
    }
    return table;
  }
}
