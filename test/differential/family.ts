/** A family of commands: its table, and how its sequences are sent. */
import type { Row } from './grammar.js';

export interface Family {
  readonly name: string;
  readonly rows: readonly Row[];
  /** How many connections the sequence is spread over. */
  readonly connections: number;
  /**
   * How the end of a command's replies is found: by counting one reply a command, or, where a command is answered by any
   * number of messages on any connection, by the answer to a PING sent after it.
   */
  readonly barrier: 'count' | 'ping';
}

export function family(
  name: string,
  rows: readonly Row[],
  { connections = 1, barrier = 'count' }: Partial<Pick<Family, 'connections' | 'barrier'>> = {},
): Family {
  return { name, rows, connections, barrier };
}
