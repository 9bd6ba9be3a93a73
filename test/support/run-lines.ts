import type { RunningServer } from '../../src/server/start.js';

/** Runs commands written as lines, whose words have no blanks; gives the reply of the last one, or throws its error. */
export async function run(server: RunningServer, ...lines: string[]): Promise<unknown> {
  let reply: unknown;
  for (const line of lines) {
    const [name, ...args] = line.split(' ') as [string, ...string[]];
    reply = await server.call(name, ...args);
  }
  return reply;
}
