/** HOTKEYS: which keys are used most (official client 1.0.0). Every key counts its accesses; nothing is sampled. */
import { type Bytes, ErrorReply, OK, type Reply } from '../../protocol/reply.js';
import type { Session } from '../../server/session.js';
import { rangedArg } from '../args.js';
import type { CommandRow } from '../definition.js';
import { helpHandler } from '../help.js';

const ACL = ['hotkv', 'hotkeys'];
const DEFAULT_COUNT = 10;
/** The most keys of one answer. */
const MAX_COUNT = 1000;
const BAD_COUNT = new ErrorReply(`ERR invalid count: must be from 1 to ${MAX_COUNT}`);

export const hotkeysCommands: readonly CommandRow[] = [
  {
    name: 'hotkeys',
    arity: -2,
    flags: [],
    group: 'server',
    acl: ACL,
    since: '0.3.0',
    complexity: 'Depends on the subcommand.',
    summary: 'Tells which keys are used most.',
    syntax: '',
    subcommands: [
      {
        name: 'top',
        arity: -2,
        flags: ['readonly'],
        group: 'server',
        acl: ACL,
        since: '0.3.0',
        complexity: 'O(N), N being the number of keys of the database',
        summary: 'Lists the keys of the database that were used most, each with the number of accesses.',
        syntax: '[count:integer]',
        readings: [
          `the count is 10 unless given, and ${MAX_COUNT} at most.`,
          'a command that looks up, creates or replaces a key is one access; EXISTS, TYPE, TTL, scans and clients with CLIENT NO-TOUCH count nothing.',
          'counts are exact, belong to the key (they go with it and follow RENAME and MOVE) and stop at 4294967295.',
          'keys that the user may not read are left out.',
        ],
        handler: top,
      },
      {
        name: 'reset',
        arity: 2,
        flags: ['write'],
        group: 'server',
        acl: ACL,
        since: '0.3.0',
        complexity: 'O(N), N being the number of keys of the database',
        summary: 'Counts the accesses of all keys of the database from zero again.',
        syntax: '',
        handler: reset,
      },
      {
        name: 'help',
        arity: 2,
        flags: ['loading', 'stale'],
        group: 'server',
        acl: ACL,
        since: '0.3.0',
        complexity: 'O(1)',
        summary: 'Shows the subcommands.',
        syntax: '',
        handler: helpHandler('HOTKEYS'),
      },
    ],
  },
];

function top(ctx: Session, args: Bytes[]): Reply {
  if (args.length > 3) return BAD_COUNT;
  const count = args.length === 3 ? rangedArg(args[2]!, 1, MAX_COUNT, BAD_COUNT, BAD_COUNT) : DEFAULT_COUNT;
  const { user, server, db } = ctx;
  const command = server.commands.findFull('hotkeys|top')!;
  const mayRead = user.unrestricted ? () => true : (key: Bytes) => user.readsKey(command, args, key);
  return db.mostUsed(count, mayRead).map(({ key, accesses }) => [key, accesses]);
}

function reset(ctx: Session): Reply {
  ctx.db.forgetAccesses();
  return OK;
}
