/** Node's own latin1 readers and writers of Buffer, faster than `toString('latin1')` and absent from its types. */
interface Buffer {
  latin1Slice(start?: number, end?: number): string;
  latin1Write(text: string, offset?: number, length?: number): number;
}
