/** COMMAND DOCS: what a row says to a person and to a tool that completes or checks commands. */
import { MapReply, type Reply, SetReply, SimpleString } from '../protocol/reply.js';
import type { Command } from '../server/command-table.js';
import { type Argument, parseSyntax } from './syntax.js';

export function commandDocs(command: Command): MapReply {
  const { row } = command;
  const flat: Reply[] = ['summary', row.summary, 'since', row.since, 'group', row.group];
  if (row.complexity !== '') flat.push('complexity', row.complexity);
  const args = parseSyntax(row.syntax);
  if (args.length > 0) {
    const keys = new KeyCounter(row.keys?.length ?? 0);
    flat.push(
      'arguments',
      args.map((argument) => argumentDocs(argument, keys)),
    );
  }
  if (command.subcommands !== undefined) {
    const subcommands: Reply[] = [];
    for (const sub of command.subcommands.values()) subcommands.push(sub.fullName, commandDocs(sub));
    flat.push('subcommands', new MapReply(subcommands));
  }
  return new MapReply(flat);
}

/** Key arguments stand in the order of the key specifications that describe them; the last of these may have several. */
class KeyCounter {
  private seen = 0;

  constructor(private readonly specs: number) {}

  next(): number {
    return Math.max(Math.min(this.seen++, this.specs - 1), 0);
  }
}

function argumentDocs(argument: Argument, keys: KeyCounter): MapReply {
  const { name, type, token, parts } = argument;
  const flat: Reply[] = ['name', name, 'type', type];
  if (type !== 'oneof' && type !== 'block') flat.push('display_text', name);
  if (type === 'key') flat.push('key_spec_index', keys.next());
  if (token !== undefined) flat.push('token', token);
  const flags = FLAGS.filter(([field]) => argument[field]).map(([, word]) => new SimpleString(word));
  if (flags.length > 0) flat.push('flags', new SetReply(flags));
  if (parts.length > 0) {
    flat.push(
      'arguments',
      parts.map((part) => argumentDocs(part, keys)),
    );
  }
  return new MapReply(flat);
}

const FLAGS = [
  ['optional', 'optional'],
  ['multiple', 'multiple'],
  ['multipleToken', 'multiple_token'],
] as const;
