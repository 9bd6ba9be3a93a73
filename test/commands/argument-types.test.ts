/** COMMAND DOCS names only types of arguments that clients know: redis-cli warns of any other. */
import { expect, it } from 'vitest';
import { commandRows } from '../../src/commands/all.js';
import { type Argument, parseSyntax } from '../../src/commands/syntax.js';

const REDIS_TYPES = [
  'string',
  'integer',
  'double',
  'key',
  'pattern',
  'unix-time',
  'pure-token',
  'oneof',
  'block',
] as const;

function typesOf({ type, parts }: Argument): string[] {
  return [type, ...parts.flatMap(typesOf)];
}

it.each(
  commandRows.flatMap(({ name, syntax, subcommands = [] }) => [
    { name, syntax },
    ...subcommands.map((sub) => ({ name: `${name} ${sub.name}`, syntax: sub.syntax })),
  ]),
)('$name has arguments of known types', ({ syntax }) => {
  const unknown = parseSyntax(syntax)
    .flatMap(typesOf)
    .filter((type) => !REDIS_TYPES.some((known) => known === type));
  expect(unknown).toEqual([]);
});
