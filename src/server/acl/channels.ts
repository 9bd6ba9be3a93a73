/** The channels that a request names. */
import type { Bytes } from '../../protocol/reply.js';
import type { Command } from '../command-table.js';

export interface NamedChannel {
  readonly name: Bytes;
  readonly isPattern: boolean;
}

/** Leaving a channel needs no permission, so the UNSUBSCRIBE commands name none here. */
export function channelsOf(command: Command, args: readonly Bytes[]): NamedChannel[] {
  switch (command.fullName) {
    case 'publish':
    case 'spublish':
      return [{ name: args[1]!, isPattern: false }];
    case 'subscribe':
    case 'ssubscribe':
      return args.slice(1).map((name) => ({ name, isPattern: false }));
    case 'psubscribe':
      return args.slice(1).map((name) => ({ name, isPattern: true }));
    default:
      return [];
  }
}
