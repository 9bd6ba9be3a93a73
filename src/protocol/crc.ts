/** The checksums of Redis: CRC16 for cluster slots, CRC64 for DUMP payloads and RDB files. */
import type { Bytes } from './reply.js';

export const CLUSTER_SLOTS = 16384;

const OPEN_BRACE = '{';
const CLOSE_BRACE = '}';

/** CRC16/XMODEM: polynomial 0x1021, start 0, not reflected. */
const CRC16_TABLE = buildCrc16Table();

/** CRC16 of the bytes from `start` to `end`, as the cluster specification has it. */
export function crc16(s: Bytes, start = 0, end = s.length): number {
  let crc = 0;
  for (let i = start; i < end; i++) {
    crc = ((crc << 8) & 0xffff) ^ CRC16_TABLE[(crc >> 8) ^ s.charCodeAt(i)]!;
  }
  return crc;
}

/** The cluster slot of a key: only what stands between the first `{` and the next `}` counts, unless that is empty. */
export function keySlot(key: Bytes): number {
  const open = key.indexOf(OPEN_BRACE);
  if (open >= 0) {
    const close = key.indexOf(CLOSE_BRACE, open + 1);
    if (close > open + 1) return crc16(key, open + 1, close) % CLUSTER_SLOTS;
  }
  return crc16(key) % CLUSTER_SLOTS;
}

function buildCrc16Table(): Uint16Array {
  const table = new Uint16Array(256);
  for (let byte = 0; byte < 256; byte++) {
    let crc = byte << 8;
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1;
    table[byte] = crc;
  }
  return table;
}

/** The polynomial of Jones' CRC64, 0xad93d23594c935a9, bits reversed since the checksum is reflected. */
const CRC64_POLYNOMIAL = 0x95ac9329ac4bc9b5n;
/** So many bytes are taken in one step: table n holds the effect of a byte with n zero bytes after it. */
const SLICES = 8;
const CRC64_LOW = new Uint32Array(256 * SLICES);
const CRC64_HIGH = new Uint32Array(256 * SLICES);
let crc64Ready = false;

/**
 * CRC64 (Jones, reflected, start 0, no final inversion) of the bytes, going on from `crc`. The result is the number
 * that stands little-endian at the end of a DUMP payload or an RDB file.
 */
export function crc64(bytes: Uint8Array, crc = 0n): bigint {
  if (!crc64Ready) buildCrc64Tables();
  let low = Number(crc & 0xffffffffn);
  let high = Number(crc >> 32n);
  const whole = bytes.length - (bytes.length % SLICES);
  let i = 0;
  for (; i < whole; i += SLICES) {
    low ^= bytes[i]! | (bytes[i + 1]! << 8) | (bytes[i + 2]! << 16) | (bytes[i + 3]! << 24);
    high ^= bytes[i + 4]! | (bytes[i + 5]! << 8) | (bytes[i + 6]! << 16) | (bytes[i + 7]! << 24);
    const a = 0x700 | (low & 0xff);
    const b = 0x600 | ((low >>> 8) & 0xff);
    const c = 0x500 | ((low >>> 16) & 0xff);
    const d = 0x400 | (low >>> 24);
    const e = 0x300 | (high & 0xff);
    const f = 0x200 | ((high >>> 8) & 0xff);
    const g = 0x100 | ((high >>> 16) & 0xff);
    const h = high >>> 24;
    low =
      CRC64_LOW[a]! ^
      CRC64_LOW[b]! ^
      CRC64_LOW[c]! ^
      CRC64_LOW[d]! ^
      CRC64_LOW[e]! ^
      CRC64_LOW[f]! ^
      CRC64_LOW[g]! ^
      CRC64_LOW[h]!;
    high =
      CRC64_HIGH[a]! ^
      CRC64_HIGH[b]! ^
      CRC64_HIGH[c]! ^
      CRC64_HIGH[d]! ^
      CRC64_HIGH[e]! ^
      CRC64_HIGH[f]! ^
      CRC64_HIGH[g]! ^
      CRC64_HIGH[h]!;
  }
  for (; i < bytes.length; i++) {
    const index = (low ^ bytes[i]!) & 0xff;
    low = ((low >>> 8) | (high << 24)) ^ CRC64_LOW[index]!;
    high = (high >>> 8) ^ CRC64_HIGH[index]!;
  }
  return (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0);
}

function buildCrc64Tables(): void {
  for (let byte = 0; byte < 256; byte++) {
    let crc = BigInt(byte);
    for (let bit = 0; bit < 8; bit++) crc = crc & 1n ? (crc >> 1n) ^ CRC64_POLYNOMIAL : crc >> 1n;
    CRC64_LOW[byte] = Number(crc & 0xffffffffn);
    CRC64_HIGH[byte] = Number(crc >> 32n);
  }
  for (let index = 256; index < 256 * SLICES; index++) {
    const low = CRC64_LOW[index - 256]!;
    const high = CRC64_HIGH[index - 256]!;
    const byte = low & 0xff;
    CRC64_LOW[index] = ((low >>> 8) | (high << 24)) ^ CRC64_LOW[byte]!;
    CRC64_HIGH[index] = (high >>> 8) ^ CRC64_HIGH[byte]!;
  }
  crc64Ready = true;
}
