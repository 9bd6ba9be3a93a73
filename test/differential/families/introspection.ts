import { type Family, family } from '../family.js';
import { type Gen, many, maybe, oneOf, row, seq } from '../grammar.js';
import { anyKey, pattern, value } from '../values.js';
import { keyCommands } from './key-commands.js';

/** Names of the server's own command list: every one is asked for in the course of a run. */
export function introspection(names: readonly string[]): Family {
  const name: Gen = ({ random }) => [
    random.chance(0.9) ? random.pick(names) : random.pick(['nosuch', '', 'get|x', 'GET']),
  ];
  const category = oneOf('read', 'write', 'string', 'keyspace', 'fast', 'dangerous', 'connection', 'nosuch');
  return family('introspection', [
    row('COMMAND', 12, 'INFO', many(1, 2, name)),
    row('COMMAND', 6, 'GETKEYS', keyCommands),
    row('COMMAND', 6, 'GETKEYSANDFLAGS', keyCommands),
    row('COMMAND', 2, 'GETKEYS', name, many(0, 4, oneOf(anyKey, value, '1', '2'))),
    row(
      'COMMAND',
      2,
      'LIST',
      maybe(0.7, 'FILTERBY', oneOf(seq('ACLCAT', category), seq('PATTERN', pattern), seq('MODULE', 'nosuch'), 'x')),
    ),
    row('COMMAND', 0.5, 'COUNT'),
    row('COMMAND', 0.5, oneOf('HELP', 'nosuch', seq('COUNT', 'x'))),
  ]);
}
