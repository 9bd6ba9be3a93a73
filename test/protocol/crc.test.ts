import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { crc16, crc64, keySlot } from '../../src/protocol/crc.js';

const CHECK = '123456789';
/** DUMP of the string `hello`. */
const DUMP_OF_HELLO = '000568656c6c6f0c00a804ebb69f1ebe43';

describe('crc16 and keySlot', () => {
  it('has the check value of XMODEM', () => {
    expect(crc16(CHECK)).toBe(0x31c3);
    expect(crc16('')).toBe(0);
  });

  it('hashes only the tag of a key', () => {
    expect(keySlot(CHECK)).toBe(12739);
    expect(keySlot('{user1000}.following')).toBe(keySlot('user1000'));
    expect(keySlot('foo{{bar}}zap')).toBe(keySlot('{bar'));
    expect(keySlot('foo{bar}{zap}')).toBe(keySlot('bar'));
    expect(keySlot('foo{}{bar}')).toBe(crc16('foo{}{bar}') % 16384);
    expect(keySlot('foo{bar')).toBe(crc16('foo{bar') % 16384);
    expect(keySlot('}{a}')).toBe(keySlot('a'));
  });
});

describe('crc64', () => {
  it('has the check value of Jones', () => {
    expect(crc64(Buffer.from(CHECK))).toBe(0xe9c6d914c4b8d9can);
    expect(crc64(Buffer.alloc(0))).toBe(0n);
  });

  it('checks a DUMP payload of Redis 8.2.3', () => {
    const dump = Buffer.from(DUMP_OF_HELLO, 'hex');
    expect(crc64(dump.subarray(0, -8))).toBe(dump.readBigUInt64LE(dump.length - 8));
  });

  it('goes on from what was hashed before', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), fc.uint8Array({ maxLength: 100 }), (a, b) => {
        expect(crc64(b, crc64(a))).toBe(crc64(Buffer.concat([a, b])));
      }),
    );
  });
});
