/** HELP of a container command: one line a subcommand, from its row. */

import { SimpleString } from '../protocol/reply.js';
import type { Handler } from './definition.js';
import { usage } from './syntax.js';

/** A handler that lists the subcommands of a container with their usage and summary. */
export function helpHandler(container: string): Handler {
  return (ctx) => {
    const command = ctx.server.commands.find(container)!;
    const lines = [`${container} <subcommand> [<arg> [value] [opt] ...]. Subcommands are:`];
    for (const { row } of command.subcommands!.values()) {
      lines.push(`${row.name.toUpperCase()} ${usage(row.syntax)}`.trimEnd(), `    ${row.summary}`);
    }
    return lines.map((line) => new SimpleString(line));
  };
}
