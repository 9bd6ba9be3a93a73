import { getHeapStatistics } from 'node:v8';
import type { Environment } from './calls.js';
import { multi } from './calls.js';
import { compileChunk } from './compile.js';
import { asLuaError, LuaError } from './errors.js';
import { LuaSyntaxError } from './lexer.js';
import { openBase } from './lib-base.js';
import { openBit } from './lib-bit.js';
import { openCjson } from './lib-cjson.js';
import { openCmsgpack } from './lib-cmsgpack.js';
import { openCoroutine } from './lib-coroutine.js';
import { openMath } from './lib-math.js';
import { openString } from './lib-string.js';
import { openStruct } from './lib-struct.js';
import { openTable } from './lib-table.js';
import { NATIVE_PREFIX } from './positions.js';
import { RandomSource } from './random.js';
import { LuaTable } from './table.js';
import type { LuaFunction, LuaResult, LuaThread, LuaValue } from './values.js';

export interface LuaStateOptions {
  /**
   * Called every `stepInterval` steps (loop turns and function entries). What it throws stops the script: unless it is
   * a `LuaError`, no `pcall` catches it.
   */
  onSteps?: () => void;
  /** Default 10,000: about every tenth of a millisecond in a busy script. */
  stepInterval?: number;
  /** The longest string a script may make, in bytes. Default 512 MiB, what a reply may hold. */
  maxString?: number;
  /** The share of V8's heap limit a script may fill before it gets "not enough memory". Default 0.8. */
  maxHeapShare?: number;
  /** What `math.random` takes its numbers from; states may share one. */
  random?: RandomSource;
  /** Seconds of processor time, for `os.clock`. */
  clock?: () => number;
}

/** Look at the heap every this many hooks while there is plenty of room. */
const RELAXED_CHECKS = 16;

/**
 * A Lua 5.1 machine: globals with the libraries, and what running code needs to know. Chunks compiled once are shared
 * by all states. Not re-entrant across states, but a host function may call back into its own state.
 */
export class LuaState {
  readonly globals = new LuaTable();
  /** The metatable of all strings. */
  readonly stringMeta = new LuaTable();
  readonly random: RandomSource;
  readonly clock: () => number;

  /** Counted down by compiled code. */
  steps: number;
  tailCalls = 50;
  tailSeed = 1;
  /** The library's own `next` and the step function of `ipairs`, which loops recognise. */
  next: LuaFunction | undefined;
  ipairsStep: LuaFunction | undefined;
  /** The running coroutine. */
  thread: LuaThread | undefined;
  /** The environment of the function that called `getfenv` or `setfenv` last. */
  environment: Environment | undefined;

  private readonly onSteps: (() => void) | undefined;
  private readonly stepInterval: number;
  private readonly maxString: number;
  private readonly maxHeap: number;
  private checksLeft = 0;
  private coroutinesSeen = false;
  private environmentsSeen = false;

  constructor(options: LuaStateOptions = {}) {
    this.onSteps = options.onSteps;
    this.stepInterval = options.stepInterval ?? 10_000;
    this.steps = this.stepInterval;
    this.maxString = options.maxString ?? 512 * 1024 * 1024;
    this.maxHeap = getHeapStatistics().heap_size_limit * (options.maxHeapShare ?? 0.8);
    this.random = options.random ?? new RandomSource();
    this.clock = options.clock ?? (() => process.cpuUsage().user / 1e6);
    openBase(this);
    openCoroutine(this);
    openString(this);
    openTable(this);
    openMath(this);
    openBit(this);
    openStruct(this);
    openCjson(this);
    openCmsgpack(this);
  }

  /**
   * Makes a function of a source text. `chunkName` as in `luaL_loadbuffer`: `@name` shows as `name`, `=name` too,
   * anything else as `[string "…"]`. Throws a `LuaError` with Lua's message on a syntax error.
   */
  load(source: string, chunkName: string, globals: LuaTable = this.globals): LuaFunction {
    const coroutines = source.includes('coroutine');
    const environments = /[gs]etfenv/.test(source);
    if (coroutines) this.coroutinesSeen = true;
    if (environments) this.environmentsSeen = true;
    return this.instantiate(source, chunkName, coroutines, environments, globals);
  }

  /** `load` for a chunk made by a script: what its maker may do with it is not in its own text. */
  loadInner(source: string, chunkName: string): LuaFunction {
    const coroutines = this.coroutinesSeen || source.includes('coroutine');
    const environments = this.environmentsSeen || /[gs]etfenv/.test(source);
    return this.instantiate(source, chunkName, coroutines, environments, this.globals);
  }

  private instantiate(
    source: string,
    chunkName: string,
    coroutines: boolean,
    environments: boolean,
    globals: LuaTable,
  ): LuaFunction {
    try {
      return compileChunk(source, chunkName, { coroutines, environments })(this, globals);
    } catch (error) {
      if (error instanceof LuaSyntaxError) throw new LuaError(error.message);
      throw error;
    }
  }

  /**
   * Calls a function from the host. Throws a `LuaError` where the script raised one, and whatever `onSteps` or a host
   * function threw to stop it.
   */
  call(callee: LuaFunction, args: LuaValue[]): LuaValue[] {
    this.thread = undefined;
    try {
      return multi(callee(...args));
    } catch (thrown) {
      throw asLuaError(thrown) ?? thrown;
    }
  }

  /** Makes a Lua function of a JavaScript one. It gets its arguments as they are passed: `undefined` is nil. */
  native(name: string, body: (...args: LuaValue[]) => LuaResult): LuaFunction {
    Object.defineProperty(body, 'name', { value: NATIVE_PREFIX + name });
    const made = body as LuaFunction;
    made.native = true;
    return made;
  }

  /** Puts a table of functions into the globals and returns it. */
  openLibrary(name: string, functions: Record<string, (...args: LuaValue[]) => LuaResult>): LuaTable {
    const library = new LuaTable();
    for (const [key, body] of Object.entries(functions)) library.set(key, this.native(key, body));
    this.globals.set(name, library);
    return library;
  }

  /** The step counter has run out. */
  runHook(): void {
    this.steps = this.stepInterval;
    this.onSteps?.();
    if (--this.checksLeft > 0) return;
    const used = getHeapStatistics().used_heap_size;
    if (used > this.maxHeap) throw new LuaError('not enough memory');
    this.checksLeft = used > this.maxHeap / 2 ? 1 : RELAXED_CHECKS;
  }

  /** Work outside compiled code counts as steps too. */
  charge(steps: number): void {
    this.steps -= steps;
    if (this.steps < 0) this.runHook();
  }

  /** A string of this length is being made: refuse it if it is too long, and look at the heap soon if it is long. */
  chargeString(length: number): void {
    if (length > this.maxString) throw new LuaError('not enough memory');
    this.steps -= length >>> 6;
    if (this.steps < 0) {
      if (length > 1 << 20) this.checksLeft = 0;
      this.runHook();
    }
  }
}
