/**
 * Short byte strings from a buffer. `latin1Slice` leaves JavaScript, which costs more than the bytes: 100–140 ns on the
 * machine where `fromCharCode`, which V8 compiles in place, took 22 ns for 3 bytes and 37 ns for 16. It has to be
 * called with each byte written out; with an array of them, or joined from pieces, it is slower than `latin1Slice`.
 */
import type { Bytes } from './reply.js';

const { fromCharCode } = String;

/** The bytes of `b` from `at` to `end`. */
export function readBytes(b: Buffer, at: number, end: number): Bytes {
  switch (end - at) {
    case 1:
      return fromCharCode(b[at]!);
    case 2:
      return fromCharCode(b[at]!, b[at + 1]!);
    case 3:
      return fromCharCode(b[at]!, b[at + 1]!, b[at + 2]!);
    case 4:
      return fromCharCode(b[at]!, b[at + 1]!, b[at + 2]!, b[at + 3]!);
    case 5:
      return fromCharCode(b[at]!, b[at + 1]!, b[at + 2]!, b[at + 3]!, b[at + 4]!);
    case 6:
      return fromCharCode(b[at]!, b[at + 1]!, b[at + 2]!, b[at + 3]!, b[at + 4]!, b[at + 5]!);
    case 7:
      return fromCharCode(b[at]!, b[at + 1]!, b[at + 2]!, b[at + 3]!, b[at + 4]!, b[at + 5]!, b[at + 6]!);
    case 8:
      return fromCharCode(b[at]!, b[at + 1]!, b[at + 2]!, b[at + 3]!, b[at + 4]!, b[at + 5]!, b[at + 6]!, b[at + 7]!);
    case 9:
      return fromCharCode(
        b[at]!,
        b[at + 1]!,
        b[at + 2]!,
        b[at + 3]!,
        b[at + 4]!,
        b[at + 5]!,
        b[at + 6]!,
        b[at + 7]!,
        b[at + 8]!,
      );
    case 10:
      return fromCharCode(
        b[at]!,
        b[at + 1]!,
        b[at + 2]!,
        b[at + 3]!,
        b[at + 4]!,
        b[at + 5]!,
        b[at + 6]!,
        b[at + 7]!,
        b[at + 8]!,
        b[at + 9]!,
      );
    case 11:
      return fromCharCode(
        b[at]!,
        b[at + 1]!,
        b[at + 2]!,
        b[at + 3]!,
        b[at + 4]!,
        b[at + 5]!,
        b[at + 6]!,
        b[at + 7]!,
        b[at + 8]!,
        b[at + 9]!,
        b[at + 10]!,
      );
    case 12:
      return fromCharCode(
        b[at]!,
        b[at + 1]!,
        b[at + 2]!,
        b[at + 3]!,
        b[at + 4]!,
        b[at + 5]!,
        b[at + 6]!,
        b[at + 7]!,
        b[at + 8]!,
        b[at + 9]!,
        b[at + 10]!,
        b[at + 11]!,
      );
    case 13:
      return fromCharCode(
        b[at]!,
        b[at + 1]!,
        b[at + 2]!,
        b[at + 3]!,
        b[at + 4]!,
        b[at + 5]!,
        b[at + 6]!,
        b[at + 7]!,
        b[at + 8]!,
        b[at + 9]!,
        b[at + 10]!,
        b[at + 11]!,
        b[at + 12]!,
      );
    case 14:
      return fromCharCode(
        b[at]!,
        b[at + 1]!,
        b[at + 2]!,
        b[at + 3]!,
        b[at + 4]!,
        b[at + 5]!,
        b[at + 6]!,
        b[at + 7]!,
        b[at + 8]!,
        b[at + 9]!,
        b[at + 10]!,
        b[at + 11]!,
        b[at + 12]!,
        b[at + 13]!,
      );
    case 15:
      return fromCharCode(
        b[at]!,
        b[at + 1]!,
        b[at + 2]!,
        b[at + 3]!,
        b[at + 4]!,
        b[at + 5]!,
        b[at + 6]!,
        b[at + 7]!,
        b[at + 8]!,
        b[at + 9]!,
        b[at + 10]!,
        b[at + 11]!,
        b[at + 12]!,
        b[at + 13]!,
        b[at + 14]!,
      );
    case 16:
      return fromCharCode(
        b[at]!,
        b[at + 1]!,
        b[at + 2]!,
        b[at + 3]!,
        b[at + 4]!,
        b[at + 5]!,
        b[at + 6]!,
        b[at + 7]!,
        b[at + 8]!,
        b[at + 9]!,
        b[at + 10]!,
        b[at + 11]!,
        b[at + 12]!,
        b[at + 13]!,
        b[at + 14]!,
        b[at + 15]!,
      );
    case 17:
      return fromCharCode(
        b[at]!,
        b[at + 1]!,
        b[at + 2]!,
        b[at + 3]!,
        b[at + 4]!,
        b[at + 5]!,
        b[at + 6]!,
        b[at + 7]!,
        b[at + 8]!,
        b[at + 9]!,
        b[at + 10]!,
        b[at + 11]!,
        b[at + 12]!,
        b[at + 13]!,
        b[at + 14]!,
        b[at + 15]!,
        b[at + 16]!,
      );
    case 18:
      return fromCharCode(
        b[at]!,
        b[at + 1]!,
        b[at + 2]!,
        b[at + 3]!,
        b[at + 4]!,
        b[at + 5]!,
        b[at + 6]!,
        b[at + 7]!,
        b[at + 8]!,
        b[at + 9]!,
        b[at + 10]!,
        b[at + 11]!,
        b[at + 12]!,
        b[at + 13]!,
        b[at + 14]!,
        b[at + 15]!,
        b[at + 16]!,
        b[at + 17]!,
      );
    case 19:
      return fromCharCode(
        b[at]!,
        b[at + 1]!,
        b[at + 2]!,
        b[at + 3]!,
        b[at + 4]!,
        b[at + 5]!,
        b[at + 6]!,
        b[at + 7]!,
        b[at + 8]!,
        b[at + 9]!,
        b[at + 10]!,
        b[at + 11]!,
        b[at + 12]!,
        b[at + 13]!,
        b[at + 14]!,
        b[at + 15]!,
        b[at + 16]!,
        b[at + 17]!,
        b[at + 18]!,
      );
    case 20:
      return fromCharCode(
        b[at]!,
        b[at + 1]!,
        b[at + 2]!,
        b[at + 3]!,
        b[at + 4]!,
        b[at + 5]!,
        b[at + 6]!,
        b[at + 7]!,
        b[at + 8]!,
        b[at + 9]!,
        b[at + 10]!,
        b[at + 11]!,
        b[at + 12]!,
        b[at + 13]!,
        b[at + 14]!,
        b[at + 15]!,
        b[at + 16]!,
        b[at + 17]!,
        b[at + 18]!,
        b[at + 19]!,
      );
    default:
      return b.latin1Slice(at, end);
  }
}
