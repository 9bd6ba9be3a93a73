/** INFO: the state of the server as text, in sections. */
import { type Bytes, type Reply, VerbatimString } from '../protocol/reply.js';
import type { Session } from '../server/session.js';
import type { CommandRow } from './definition.js';
import { type InfoSection, SECTIONS } from './info-sections.js';

export const infoCommands: readonly CommandRow[] = [
  {
    name: 'info',
    arity: -1,
    flags: ['loading', 'stale'],
    group: 'server',
    acl: ['dangerous'],
    since: '1.0.0',
    complexity: 'O(1); O(N) for keysizes, N being the number of keys',
    summary: 'Tells the state of the server: all of it or the sections asked for.',
    syntax: '[section...]',
    tips: ['nondeterministic_output', 'request_policy:all_shards', 'response_policy:special'],
    handler: info,
  },
];

function info(ctx: Session, args: Bytes[]): Reply {
  const { server } = ctx;
  return new VerbatimString(
    chosenSections(args)
      .map(({ title, lines }) => `# ${title}\r\n${lines(server)}`)
      .join('\r\n'),
  );
}

function chosenSections(args: Bytes[]): readonly InfoSection[] {
  if (args.length === 1) return DEFAULT_SECTIONS;
  const words = new Set(args.slice(1).map((word) => word.toLowerCase()));
  if (words.has('all') || words.has('everything')) return SECTIONS;
  const usual = words.has('default');
  return SECTIONS.filter((section) => words.has(section.title.toLowerCase()) || (usual && section.usual));
}

const DEFAULT_SECTIONS = SECTIONS.filter((section) => section.usual);
