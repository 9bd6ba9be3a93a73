/** The numbers of Redis' RDB format: value types, length prefixes and the versions that payloads carry. */

/** Value types. What is not listed (old forms of modules, types of unreleased versions) is never read. */
export const TYPE = {
  string: 0,
  list: 1,
  set: 2,
  zset: 3,
  hash: 4,
  zset2: 5,
  module2: 7,
  hashZipmap: 9,
  listZiplist: 10,
  setIntset: 11,
  zsetZiplist: 12,
  hashZiplist: 13,
  listQuicklist: 14,
  streamListpacks: 15,
  hashListpack: 16,
  zsetListpack: 17,
  listQuicklist2: 18,
  streamListpacks2: 19,
  setListpack: 20,
  streamListpacks3: 21,
  /** Field expiry times as Valkey 9 writes them; the same number once meant something in previews of Redis 7.4. */
  valkeyHash: 22,
  /** Field expiry times as Redis 7.4 and later write them, as pairs and as a listpack. */
  hashMetadata: 24,
  hashListpackEx: 25,
} as const;

/** Containers of the nodes of a `listQuicklist2`. */
export const PLAIN_NODE = 1;
export const PACKED_NODE = 2;

/** The first two bits of a length prefix, and the two that take a whole byte. */
export const LENGTH_6 = 0;
export const LENGTH_14 = 1;
export const LENGTH_32 = 0x80;
export const LENGTH_64 = 0x81;
/** What stands in a string's place of a length: an integer of so many bytes, or compressed bytes. */
export const STRING_INT8 = 0xc0;
export const STRING_INT16 = 0xc1;
export const STRING_INT32 = 0xc2;
export const STRING_LZF = 0xc3;

/** The version of Redis 7.0: what we write unless a value needs a later one, so that every Redis and Valkey in use reads it. */
export const VERSION_REDIS_7_0 = 10;
/** The version of Redis 7.4 to 8.2, with expiry times of hash fields. */
export const VERSION_REDIS_8_2 = 12;
/** The version of Valkey 9, which counts anew at 80 because Redis went on from 11. */
export const VERSION_VALKEY_9 = 80;

/** A payload is no value of the format, or contradicts itself. */
export class RdbError extends Error {
  override readonly name = 'RdbError';
}
