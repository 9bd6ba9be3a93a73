/** The rooms and who may enter whom: imports go downward only (docs/architecture.md). Run on the compiled code, where types are gone. */
const room = (name) => `^dist/${name}/`;
const only = (from, ...allowed) => ({
  name: `${from}-looks-down-only`,
  severity: 'error',
  comment: `${from}/ may import from ${allowed.join(', ') || 'nothing but itself'}`,
  from: { path: room(from) },
  to: { path: '^dist/', pathNot: [room(from), ...allowed.map(room)] },
});

module.exports = {
  forbidden: [
    only('protocol'),
    only('gcra', 'protocol'),
    only('lua', 'protocol'),
    only('keyspace', 'gcra', 'protocol'),
    only('persistence', 'keyspace', 'gcra', 'protocol'),
    only('commands', 'keyspace', 'persistence', 'gcra', 'protocol'),
    only('server', 'commands', 'keyspace', 'persistence', 'lua', 'gcra', 'protocol'),
    only('cli', 'server', 'protocol'),
    only('valve', 'gcra'),
    {
      name: 'no-cycles',
      severity: 'error',
      comment: 'indexing, calling and metamethods of Lua are defined by each other, so lua/ is free to be so too',
      from: { pathNot: '^dist/lua/' },
      to: { circular: true },
    },
    {
      name: 'no-orphans',
      severity: 'error',
      comment: 'a file that nobody imports is dead; ast.js is types alone',
      from: { orphan: true, pathNot: ['^dist/index.js$', '^dist/lua/ast.js$'] },
      to: {},
    },
  ],
  options: { doNotFollow: { path: 'node_modules' }, moduleSystems: ['es6'] },
};
