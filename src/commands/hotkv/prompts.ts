/** PROMPT.*: a registry of prompts, each with all its versions (official client 1.0.0, official MCP server 1.0.0). */
import { PromptTemplate, type PromptVersion } from '../../keyspace/hotkv/prompt-template.js';
import { SYNTAX } from '../../protocol/errors.js';
import { type Bytes, ErrorReply, OK, type Reply } from '../../protocol/reply.js';
import type { Session } from '../../server/session.js';
import { isWord, OptionReader } from '../args.js';
import { type CommandRow, key } from '../definition.js';
import { existing, unknownOption, wholeArg } from './names.js';

const KIND = 'prompt';

export const promptCommands: readonly CommandRow[] = [
  {
    name: 'prompt.put',
    arity: -3,
    flags: ['write', 'denyoom', 'fast'],
    group: 'prompt',
    keys: [key('RW insert')],
    since: '0.3.0',
    complexity: 'O(1)',
    summary: 'Adds a version to a prompt, which is made if need be, and answers its number.',
    syntax: 'name:key content [META metadata]',
    readings: [
      'versions are numbered from 1 on.',
      'prompts belong to the node, not to a database: FLUSHALL removes them, FLUSHDB does not.',
    ],
    handler: put,
  },
  {
    name: 'prompt.get',
    arity: -2,
    flags: ['readonly', 'fast'],
    group: 'prompt',
    keys: [key('RO access')],
    since: '0.3.0',
    complexity: 'O(1)',
    summary:
      'Answers number, text, metadata and unix time in seconds of a version, the latest if none is named or it is 0; null when there is none.',
    syntax: 'name:key [version:(number:integer | ACTIVE)]',
    readings: ['metadata that was not given is null.', 'the word ACTIVE asks for the version of PROMPT.SETACTIVE.'],
    handler: get,
  },
  {
    name: 'prompt.latest',
    arity: 2,
    flags: ['readonly', 'fast'],
    group: 'prompt',
    keys: [key('RO access')],
    since: '0.3.0',
    complexity: 'O(1)',
    summary: 'Answers the latest version of a prompt, as PROMPT.GET does.',
    syntax: 'name:key',
    handler: get,
  },
  {
    name: 'prompt.setactive',
    arity: 3,
    flags: ['write', 'fast'],
    group: 'prompt',
    keys: [key('RW update')],
    since: '0.3.0',
    complexity: 'O(1)',
    summary: 'Makes a version the active one.',
    syntax: 'name:key version:integer',
    readings: [
      'PROMPT.GET without a version and PROMPT.LATEST go on answering the latest; PROMPT.GET with ACTIVE answers this one, or the latest when none was made active.',
      'a prompt or version that is not there is the error "not found".',
    ],
    handler: setActive,
  },
  {
    name: 'prompt.versions',
    arity: 2,
    flags: ['readonly'],
    group: 'prompt',
    keys: [key('RO access')],
    since: '0.3.0',
    complexity: 'O(N), N being the number of versions',
    summary: 'Lists the numbers of the versions, oldest first.',
    syntax: 'name:key',
    readings: ['a prompt that is not there has no versions.'],
    handler: versions,
  },
  {
    name: 'prompt.drop',
    arity: 2,
    flags: ['write', 'fast'],
    group: 'prompt',
    keys: [key('RM delete')],
    since: '0.3.0',
    complexity: 'O(1)',
    summary: 'Removes a prompt with all its versions; 1 when it was there.',
    syntax: 'name:key',
    readings: ['a prompt that is put again begins with version 1.'],
    handler: drop,
  },
  {
    name: 'prompt.list',
    arity: 1,
    flags: ['readonly'],
    group: 'prompt',
    since: '0.3.0',
    complexity: 'O(N), N being the number of prompts',
    summary: 'Lists the names of all prompts.',
    syntax: '',
    handler: list,
  },
];

function put(ctx: Session, args: Bytes[]): Reply {
  const { prompts } = ctx.server.engines;
  let metadata: Bytes | null = null;
  for (const options = new OptionReader(args, 3); options.more; ) {
    const word = options.next();
    if (!isWord(word, 'META')) throw unknownOption(word, ['META']);
    metadata = options.next();
  }
  const template = prompts.get(args[1]!) ?? new PromptTemplate();
  prompts.set(args[1]!, template);
  return template.put(args[2]!, metadata, ctx.now);
}

function get(ctx: Session, args: Bytes[]): Reply {
  if (args.length > 3) return SYNTAX;
  const template = ctx.server.engines.prompts.get(args[1]!);
  const version = args[2] ?? '0';
  if (isWord(version, 'ACTIVE')) return versionReply(template?.active);
  const number = versionArg(version, 0);
  return versionReply(number === 0 ? template?.latest : template?.version(number));
}

function versionReply(version: PromptVersion | undefined): Reply {
  if (version === undefined) return null;
  return [version.number, version.content, version.metadata, Math.floor(version.createdAt / 1000)];
}

function setActive(ctx: Session, args: Bytes[]): Reply {
  const number = versionArg(args[2]!, 1);
  const template = existing(ctx.server.engines.prompts, args[1]!, KIND);
  if (!template.activate(number)) return new ErrorReply(`ERR version ${number} of prompt '${args[1]}' not found`);
  return OK;
}

function versionArg(text: Bytes, least: number): number {
  return wholeArg(text, 'version', least, Number.MAX_SAFE_INTEGER);
}

function versions(ctx: Session, args: Bytes[]): Reply {
  return ctx.server.engines.prompts.get(args[1]!)?.versions.map(({ number }) => number) ?? [];
}

function drop(ctx: Session, args: Bytes[]): Reply {
  return ctx.server.engines.prompts.delete(args[1]!) ? 1 : 0;
}

function list(ctx: Session): Reply {
  return [...ctx.server.engines.prompts.keys()];
}
