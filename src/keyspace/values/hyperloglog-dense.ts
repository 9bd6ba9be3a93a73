/** Dense registers of a HyperLogLog: 6 bits each, from the least significant bit of the first byte on. */

/** The largest rank a dense register holds. */
export const DENSE_MAX = 63;

const REGISTERS = 16384;

/** The size of all registers. */
export const DENSE_BYTES = (REGISTERS * 6) / 8;

/** The register of the given number, in registers that start at `from`. */
export function getRegister(bytes: Uint8Array, from: number, register: number): number {
  const bit = register * 6;
  const at = from + (bit >>> 3);
  const pair = (bytes[at] as number) | ((bytes[at + 1] ?? 0) << 8);
  return (pair >>> (bit & 7)) & DENSE_MAX;
}

export function setRegister(bytes: Uint8Array, from: number, register: number, rank: number): void {
  const bit = register * 6;
  const at = from + (bit >>> 3);
  const shift = bit & 7;
  const pair = (((bytes[at] as number) | ((bytes[at + 1] ?? 0) << 8)) & ~(DENSE_MAX << shift)) | (rank << shift);
  bytes[at] = pair & 0xff;
  // A register that ends with its byte leaves the next one alone: behind the last there is none.
  if (shift > 2) bytes[at + 1] = pair >>> 8;
}

/** Raises each rank to that of the dense register of the same number. */
export function denseMaxima(bytes: Uint8Array, from: number, ranks: Uint8Array): void {
  // Four registers fill three bytes exactly.
  for (let register = 0, at = from; register < REGISTERS; register += 4, at += 3) {
    const triple = (bytes[at] as number) | ((bytes[at + 1] as number) << 8) | ((bytes[at + 2] as number) << 16);
    raise(ranks, register, triple & DENSE_MAX);
    raise(ranks, register + 1, (triple >>> 6) & DENSE_MAX);
    raise(ranks, register + 2, (triple >>> 12) & DENSE_MAX);
    raise(ranks, register + 3, (triple >>> 18) & DENSE_MAX);
  }
}

function raise(ranks: Uint8Array, register: number, rank: number): void {
  if ((ranks[register] as number) < rank) ranks[register] = rank;
}
