/**
 * Where in a Lua source the running code stands. Nothing is noted while a script runs: when an error needs a position,
 * V8's stack of calls tells it, and the line table of the chunk says which Lua line a column of the generated code is.
 */

/** Generated code carries file names of this form, so its frames are recognised. */
export const SCRIPT_PREFIX = 'lua-chunk:';

/** Functions of the libraries and the host carry names of this form, so their frames count as levels. */
export const NATIVE_PREFIX = 'lua-native:';

/**
 * The Lua lines of a chunk's generated code: from `offsets[i]` on, the line is `numbers[i]`, and a call that stands
 * there calls `callees[i]` ("local 'f'", "method 'm'", or nothing for what has no name).
 */
export interface ChunkLines {
  readonly chunkName: string;
  readonly offsets: number[];
  readonly numbers: number[];
  readonly callees: string[];
}

/** A level of Lua's call stack: a Lua function with its current line, or a native one without a chunk. */
export interface Frame {
  readonly chunkName: string | undefined;
  readonly line: number;
  /** What the function is calling right now, as in `ChunkLines.callees`. */
  readonly callee: string;
}

const UNKNOWN: Frame = { chunkName: '=?', line: 0, callee: '' };
const NATIVE: Frame = { chunkName: undefined, line: -1, callee: '' };

const chunks = new Map<string, WeakRef<ChunkLines>>();
const forgotten = new FinalizationRegistry<string>((filename) => chunks.delete(filename));

export function registerLines(filename: string, lines: ChunkLines): void {
  chunks.set(filename, new WeakRef(lines));
  forgotten.register(lines, filename);
}

/** How many frames of V8's stack are looked at: few first, then as many as it takes. */
const FIRST_LOOK = 10;
const FURTHER_LOOK = 3000;

/** The innermost levels of the Lua call stack, at most `count`; of the moment `error` was made, or of now. */
export function callStack(count: number, error?: Error): Frame[] {
  const sites = callSites(error, FIRST_LOOK);
  const frames = luaFrames(sites, count);
  if (frames.length === count || sites.length < FIRST_LOOK || error !== undefined) return frames;
  return luaFrames(callSites(error, FURTHER_LOOK), count);
}

function luaFrames(sites: NodeJS.CallSite[], count: number): Frame[] {
  const frames: Frame[] = [];
  for (const site of sites) {
    const script = site.getScriptNameOrSourceURL();
    if (script?.startsWith(SCRIPT_PREFIX)) {
      const lines = chunks.get(script)?.deref();
      frames.push(lines === undefined ? UNKNOWN : frameAt(lines, (site.getColumnNumber() ?? 1) - 1));
    } else if (site.getFunctionName()?.startsWith(NATIVE_PREFIX)) frames.push(NATIVE);
    if (frames.length >= count) break;
  }
  return frames;
}

/** "chunk:line: ", or nothing for a native function or no function at all: `luaL_where`. */
export function positionOf(frame: Frame | undefined): string {
  return frame?.chunkName === undefined ? '' : `${chunkId(frame.chunkName)}:${frame.line}: `;
}

/** `LUA_IDSIZE` of PUC Lua as Debian and Redis build it. */
const MAX_ID = 80;

/** A chunk's name as messages show it: `luaO_chunkid`. */
export function chunkId(chunkName: string): string {
  if (chunkName.startsWith('=')) return chunkName.slice(1, MAX_ID);
  if (chunkName.startsWith('@')) {
    const name = chunkName.slice(1);
    const room = MAX_ID - " '...' ".length - 1;
    return name.length > room ? `...${name.slice(name.length - room)}` : name;
  }
  const room = MAX_ID - ' [string "..."] '.length - 1;
  const end = chunkName.search(/[\n\r]/);
  let length = end < 0 ? chunkName.length : end;
  if (length > room) length = room;
  const cut = length < chunkName.length;
  return `[string "${chunkName.slice(0, length)}${cut ? '...' : ''}"]`;
}

/** Has V8 hand out its call sites instead of a text. */
function keepSites(_: Error, sites: NodeJS.CallSite[]): NodeJS.CallSite[] {
  return sites;
}

function callSites(error: Error | undefined, limit: number): NodeJS.CallSite[] {
  const { prepareStackTrace, stackTraceLimit } = Error;
  Error.prepareStackTrace = keepSites;
  Error.stackTraceLimit = limit;
  const holder: { stack?: unknown } = error ?? {};
  if (error === undefined) Error.captureStackTrace(holder, callStack);
  const { stack } = holder;
  Error.prepareStackTrace = prepareStackTrace;
  Error.stackTraceLimit = stackTraceLimit;
  return Array.isArray(stack) ? stack : [];
}

function frameAt({ chunkName, offsets, numbers, callees }: ChunkLines, offset: number): Frame {
  let low = 0;
  let high = offsets.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (offsets[middle]! <= offset) low = middle + 1;
    else high = middle;
  }
  const at = Math.max(low - 1, 0);
  return { chunkName, line: numbers[at] ?? 0, callee: callees[at] ?? '' };
}
