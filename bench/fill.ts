/** Many commands to a server as fast as it takes them, over one connection: how the benches fill it. */
import { connectRaw } from '../test/support/resp-client.js';

/** Commands that are under way at once. */
const BATCH = 1000;

/** Sends `count` commands. Throws the first error that comes back. */
export async function fill(port: number, count: number, command: (i: number) => readonly string[]): Promise<void> {
  const client = await connectRaw(port);
  try {
    for (let start = 0; start < count; start += BATCH) {
      const size = Math.min(BATCH, count - start);
      client.send(...Array.from({ length: size }, (_, i) => command(start + i)));
      for (let i = 0; i < size; i++) {
        const reply = await client.read();
        if (reply.kind === 'error') throw new Error(reply.text);
      }
    }
  } finally {
    client.close();
  }
}

/** A text of 16 bytes that is different for every number. */
export function sixteenBytes(prefix: string, i: number): string {
  return prefix + String(i).padStart(16 - prefix.length, '0');
}
