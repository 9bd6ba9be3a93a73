import { Script } from 'node:vm';
import type { CompileMode } from './emit-expressions.js';
import { StatementEmitter } from './emit-statements.js';
import { LuaSyntaxError } from './lexer.js';
import { parseChunk } from './parser.js';
import { type ChunkLines, chunkId, registerLines, SCRIPT_PREFIX } from './positions.js';
import { RUNTIME, type Runtime } from './runtime.js';
import type { LuaState } from './state.js';
import type { LuaTable } from './table.js';
import type { LuaFunction } from './values.js';

/** A chunk ready to be made a function in any state, with any table of globals. */
export type CompiledChunk = (state: LuaState, globals: LuaTable) => LuaFunction;

type Factory = (runtime: Runtime, lines: ChunkLines, state: LuaState, globals: LuaTable) => LuaFunction;

/** Compiled chunks are shared between states; the oldest go first when there are more than this. */
const CACHE_SIZE = 500;
const cache = new Map<string, CompiledChunk>();

/**
 * Compiles a Lua 5.1 source to JavaScript. `chunkName` is as in `luaL_loadbuffer`: `@file` or `=name`, else the source
 * itself. Throws a `LuaSyntaxError` whose message has the position before it.
 */
export function compileChunk(source: string, chunkName: string, mode: CompileMode): CompiledChunk {
  const key = `${mode.coroutines ? 'c' : ''}${mode.environments ? 'e' : ''}:${chunkName}\n${source}`;
  let chunk = cache.get(key);
  if (chunk !== undefined) return chunk;
  chunk = compile(source, chunkName, mode);
  if (cache.size >= CACHE_SIZE) cache.delete(cache.keys().next().value!);
  cache.set(key, chunk);
  return chunk;
}

let lastScript = 0;

function compile(source: string, chunkName: string, mode: CompileMode): CompiledChunk {
  try {
    const emitter = new StatementEmitter(mode);
    const main = emitter.closure(parseChunk(source));
    const declarations = emitter.declarations.length > 0 ? `const ${emitter.declarations.join(',')};` : '';
    const names = Object.keys(RUNTIME).join(',');
    const marked =
      `"use strict";(function({${names}},K,S,G){` +
      `${mode.environments ? 'const E={table:G};' : ''}${declarations}return ${main}})`;
    const { code, lines } = takeMarks(marked, chunkName, emitter.callees);
    const filename = `${SCRIPT_PREFIX}${++lastScript}`;
    const factory = new Script(code, { filename }).runInThisContext() as Factory;
    registerLines(filename, lines);
    return (state, globals) => factory(RUNTIME, lines, state, globals);
  } catch (error) {
    if (error instanceof LuaSyntaxError) {
      throw new LuaSyntaxError(`${chunkId(chunkName)}:${error.line}: ${error.message}`, error.line);
    }
    // Source nested so deeply that the compiler's or V8's own stack ran out.
    if (error instanceof RangeError || error instanceof SyntaxError) {
      throw new LuaSyntaxError(`${chunkId(chunkName)}:1: chunk has too many syntax levels`, 1);
    }
    throw error;
  }
}

/** Takes the line marks out of the code and notes which line begins where. */
function takeMarks(marked: string, chunkName: string, names: string[]): { code: string; lines: ChunkLines } {
  const parts = marked.split('\u0001');
  const offsets: number[] = [];
  const numbers: number[] = [];
  const callees: string[] = [];
  const pieces = [parts[0]!];
  let at = parts[0]!.length;
  for (let i = 1; i < parts.length; i++) {
    const part = parts[i]!;
    const end = part.indexOf('\u0002');
    offsets.push(at);
    const [line, callee] = part.slice(0, end).split(',');
    numbers.push(Number(line));
    callees.push(callee === undefined ? '' : names[Number(callee)]!);
    const piece = part.slice(end + 1);
    pieces.push(piece);
    at += piece.length;
  }
  return { code: pieces.join(''), lines: { chunkName, offsets, numbers, callees } };
}
