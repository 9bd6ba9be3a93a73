/** Runs Lua programs here and in PUC Lua 5.1, in the same frame, and gives back what they printed. */
import { execFileSync } from 'node:child_process';
import { LuaError, LuaState, NONE } from '../../src/lua/index.js';
import { requireTool } from '../support/tools.js';

/** What a program printed, and how it ended. */
export type Outcome = string;

/** Values without an identity print as they are, the rest by their type, so that two machines can be compared. */
const SHOW = `
local show = function(value)
  local kind = type(value)
  if kind == 'table' or kind == 'function' or kind == 'thread' then return kind end
  if kind == 'number' and value ~= value then return 'nan' end
  return tostring(value)
end
`;

const FRAME = `${SHOW}
local tostring, type, select, concat = tostring, type, select, table.concat
local function run(source)
  local lines, size = {}, 0
  print = function(...)
    local parts = {}
    for i = 1, select('#', ...) do parts[i] = show((select(i, ...))) end
    lines[#lines + 1] = concat(parts, ' ')
  end
  local chunk, problem = loadstring(source, '=p')
  if chunk then
    local results = { pcall(chunk) }
    for i = 1, 3 do lines[#lines + 1] = show(results[i]) end
  else
    lines[#lines + 1] = problem
  end
  return concat(lines, '\\n')
end
`;

/** Runs one program on a state of its own. Errors that are none of Lua's go through. */
export function runHere(program: string): Outcome {
  const state = new LuaState();
  state.globals.set(
    'print',
    state.native('print', () => NONE),
  );
  try {
    const [outcome] = state.call(state.load(`${FRAME}\nreturn run(...)`, '=frame'), [program]);
    return String(outcome);
  } catch (error) {
    if (error instanceof LuaError) return `the frame failed: ${error.message}`;
    throw error;
  }
}

/** Runs programs in one process of `lua5.1`, each in an environment of its own. */
export function runInLua(programs: readonly string[]): Outcome[] {
  const list = programs.map(quoteLua).join(',\n');
  const driver = `${FRAME}
    local names = {}
    for name in pairs(_G) do names[name] = true end
    for _, source in ipairs({ ${list} }) do
      io.write((run(source):gsub('[%z%%]', { ['\\0'] = '%0', ['%'] = '%p' })), '\\0')
      for name in pairs(_G) do if not names[name] and name ~= 'print' then _G[name] = nil end end
    end`;
  const output = execFileSync(requireTool('lua5.1'), ['-'], {
    input: Buffer.from(driver, 'latin1'),
    maxBuffer: 1 << 28,
    timeout: 60_000,
  });
  const parts = output.toString('latin1').split('\0').slice(0, -1);
  return parts.map((part) => part.replace(/%[0p]/g, (code) => (code === '%0' ? '\0' : '%')));
}

function quoteLua(text: string): string {
  return `"${text.replace(/[\x00-\x1f"\\\x7f-\xff]/g, (c) => `\\${String(c.charCodeAt(0)).padStart(3, '0')}`)}"`;
}
