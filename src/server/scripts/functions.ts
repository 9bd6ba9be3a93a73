/** Libraries of functions: FUNCTION and FCALL. */
import { LuaError, type LuaFunction, LuaTable, type LuaValue } from '../../lua/index.js';
import { NO_REPLICAS } from '../../protocol/errors.js';
import { splitInlineArgs } from '../../protocol/quoting.js';
import { type Bytes, ErrorReply, type Reply } from '../../protocol/reply.js';
import type { Server } from '../server.js';
import type { Session } from '../session.js';
import { dumpLibraries, readLibraries } from './function-payload.js';
import { ScriptMachine, ScriptStopped } from './machine.js';
import { listTable } from './scripts.js';
import { SCRIPT_FLAGS, type ScriptFlag } from './shebang.js';
import { errorTable, raise } from './values.js';

export interface LibraryFunction {
  readonly name: Bytes;
  readonly description: Bytes | null;
  readonly flags: readonly ScriptFlag[];
  readonly run: LuaFunction;
}

export interface Library {
  readonly name: Bytes;
  readonly source: Bytes;
  readonly functions: ReadonlyMap<Bytes, LibraryFunction>;
}

/** A name that only FUNCTION LOAD has in its globals. */
const BAD_NAME =
  'ERR Library names can only contain letters, numbers, or underscores(_) and must be at least one character long';

export class Functions {
  readonly libraries = new Map<Bytes, Library>();
  private readonly byName = new Map<Bytes, LibraryFunction>();
  private machine: ScriptMachine | undefined;
  /** What functions see as globals: everything, or while a library is being loaded only how to register. */
  private environment = new LuaTable();
  /** The functions that the library being loaded has registered. */
  private registering: Map<Bytes, LibraryFunction> | null = null;

  constructor(private readonly server: Server) {}

  get functionCount(): number {
    return this.byName.size;
  }

  get isRunning(): boolean {
    return this.machine?.run != null;
  }

  /** Estimated bytes of all libraries. */
  get bytes(): number {
    let bytes = 0;
    for (const { source } of this.libraries.values()) bytes += source.length * 2 + 400;
    return bytes;
  }

  find(name: Bytes): LibraryFunction | undefined {
    return this.byName.get(name.toLowerCase());
  }

  /** Loads a library and answers its name. Throws an ErrorReply, and then nothing has changed. */
  load(source: Bytes, replace: boolean): Bytes {
    const { name, body } = readLibraryHeader(source);
    const old = this.libraries.get(name);
    if (old !== undefined && !replace) throw new ErrorReply(`ERR Library '${name}' already exists`);
    const functions = this.register(body);
    for (const { name: functionName } of functions.values()) {
      if (this.byName.has(functionName.toLowerCase()) && !old?.functions.has(functionName)) {
        throw new ErrorReply(`ERR Function ${functionName} already exists`);
      }
    }
    if (old !== undefined) this.remove(old);
    this.libraries.set(name, { name, source, functions });
    for (const [functionName, made] of functions) this.byName.set(functionName.toLowerCase(), made);
    return name;
  }

  delete(name: Bytes): boolean {
    const library = this.libraries.get(name);
    if (library === undefined) return false;
    this.remove(library);
    return true;
  }

  flush(): void {
    this.libraries.clear();
    this.byName.clear();
    this.machine = undefined;
  }

  /** All libraries as one payload. */
  dump(): Bytes {
    return dumpLibraries([...this.libraries.values()].map(({ source }) => source));
  }

  /** Loads the libraries of a payload, all or none. Throws an ErrorReply. */
  restore(payload: Bytes, policy: 'flush' | 'append' | 'replace'): void {
    const sources = readLibraries(payload);
    const before = [...this.libraries.values()];
    if (policy === 'flush') for (const library of before) this.remove(library);
    try {
      for (const source of sources) {
        const { name } = readLibraryHeader(source);
        if (policy !== 'replace' && this.libraries.has(name))
          throw new ErrorReply(`ERR Library ${name} already exists`);
        this.load(source, policy === 'replace');
      }
    } catch (problem) {
      for (const library of [...this.libraries.values()]) this.remove(library);
      for (const library of before) {
        this.libraries.set(library.name, library);
        for (const [name, made] of library.functions) this.byName.set(name.toLowerCase(), made);
      }
      throw problem;
    }
  }

  call(caller: Session, name: Bytes, keys: Bytes[], argv: Bytes[], readOnly: boolean): Reply {
    const made = this.byName.get(name.toLowerCase());
    if (made === undefined) return new ErrorReply('ERR Function not found');
    const noWrites = made.flags.includes('no-writes');
    if (readOnly && !noWrites) {
      return new ErrorReply('ERR Can not execute a script with write flag using *_ro command.');
    }
    const { memory } = this.server;
    if (!noWrites && this.server.writesRefused) return NO_REPLICAS;
    if (memory.limited && !noWrites && !made.flags.includes('allow-oom') && !memory.makeRoom()) {
      return new ErrorReply(
        "OOM allow-oom flag is not set on the function, can not run it when used memory > 'maxmemory'",
      );
    }
    const rules = { name, readOnly: noWrites, outOfMemory: false };
    return this.machineOf().execute(caller, rules, made.run, [listTable(keys), listTable(argv)]);
  }

  private remove(library: Library): void {
    this.libraries.delete(library.name);
    for (const name of library.functions.keys()) this.byName.delete(name.toLowerCase());
  }

  /** Runs the body of a library, which registers its functions. */
  private register(body: Bytes): Map<Bytes, LibraryFunction> {
    const machine = this.machineOf();
    const { state } = machine;
    let chunk: LuaFunction;
    try {
      chunk = state.load(body, '@user_function', this.environment);
    } catch (problem) {
      if (!(problem instanceof LuaError)) throw problem;
      throw new ErrorReply(`ERR Error compiling function: ${problem.message}`);
    }
    const functions = new Map<Bytes, LibraryFunction>();
    this.registering = functions;
    this.environment.meta!.set('__index', this.loaderGlobals(machine));
    try {
      machine.limitLoading(() => state.call(chunk, []));
    } catch (problem) {
      if (problem instanceof ScriptStopped) throw new ErrorReply('ERR FUNCTION LOAD timeout');
      if (!(problem instanceof LuaError)) throw problem;
      throw new ErrorReply(`ERR Error registering functions: ${textOf(problem)}`);
    } finally {
      this.registering = null;
      this.environment.meta!.set('__index', state.globals);
    }
    if (functions.size === 0) throw new ErrorReply('ERR No functions registered');
    return functions;
  }

  private machineOf(): ScriptMachine {
    if (this.machine === undefined) {
      this.machine = new ScriptMachine(this.server);
      const { globals } = this.machine.state;
      this.environment = new LuaTable();
      const meta = new LuaTable();
      meta.set('__index', globals);
      this.environment.meta = meta;
      this.environment.readonly = true;
    }
    return this.machine;
  }

  /** The globals while a library is loaded: `redis` with what is useful then, and nothing else. */
  private loaderGlobals(machine: ScriptMachine): LuaTable {
    const { state } = machine;
    const library = state.globals.get('redis') as LuaTable;
    const redis = new LuaTable();
    for (const name of [
      'log',
      'LOG_DEBUG',
      'LOG_VERBOSE',
      'LOG_NOTICE',
      'LOG_WARNING',
      'REDIS_VERSION',
      'REDIS_VERSION_NUM',
    ]) {
      redis.set(name, library.get(name));
    }
    redis.set(
      'register_function',
      state.native('register_function', (...args) => this.registerFunction(args)),
    );
    redis.meta = state.globals.meta;
    redis.readonly = true;
    const globals = new LuaTable();
    globals.set('redis', redis);
    globals.meta = state.globals.meta;
    globals.readonly = true;
    return globals;
  }

  private registerFunction(args: LuaValue[]): LuaValue[] {
    if (this.registering === null) {
      throw refusal('redis.register_function can only be called on FUNCTION LOAD command');
    }
    const made = args.length === 1 ? fromNamedArguments(args[0]) : fromTwoArguments(args);
    if (!/^[A-Za-z0-9_]+$/.test(made.name)) throw raise(errorTable(BAD_NAME));
    if (this.registering.has(made.name)) throw raise(errorTable('ERR Function already exists in the library'));
    this.registering.set(made.name, made);
    return [];
  }
}

function fromTwoArguments(args: LuaValue[]): LibraryFunction {
  if (args.length !== 2) throw refusal('wrong number of arguments to redis.register_function');
  const [name, run] = args;
  if (typeof name !== 'string' && typeof name !== 'number') {
    throw refusal('first argument to redis.register_function must be a string');
  }
  if (typeof run !== 'function') throw refusal('second argument to redis.register_function must be a function');
  return { name: String(name), description: null, flags: [], run };
}

function fromNamedArguments(table: LuaValue): LibraryFunction {
  if (!(table instanceof LuaTable)) {
    throw refusal(
      'calling redis.register_function with a single argument is only applicable to Lua table (representing named arguments).',
    );
  }
  let name: Bytes | undefined;
  let description: Bytes | null = null;
  let run: LuaFunction | undefined;
  let flags: ScriptFlag[] = [];
  for (let place = table.occupiedFrom(0); place >= 0; place = table.occupiedFrom(place + 1)) {
    const value = table.valueAt(place);
    switch (table.keyAt(place)) {
      case 'function_name':
        if (typeof value !== 'string')
          throw refusal('function_name argument given to redis.register_function must be a string');
        name = value;
        break;
      case 'description':
        if (typeof value !== 'string')
          throw refusal('description argument given to redis.register_function must be a string');
        description = value;
        break;
      case 'callback':
        if (typeof value !== 'function')
          throw refusal('callback argument given to redis.register_function must be a function');
        run = value;
        break;
      case 'flags':
        if (!(value instanceof LuaTable)) {
          throw refusal('flags argument to redis.register_function must be a table representing function flags');
        }
        flags = flagsOf(value);
        break;
      default:
        throw refusal('unknown argument given to redis.register_function');
    }
  }
  if (name === undefined) throw refusal('redis.register_function must get a function name argument');
  if (run === undefined) throw refusal('redis.register_function must get a callback argument');
  return { name, description, flags, run };
}

function flagsOf(table: LuaTable): ScriptFlag[] {
  const flags: ScriptFlag[] = [];
  for (let i = 1; table.get(i) !== undefined; i++) {
    const flag = SCRIPT_FLAGS.find((known) => known === table.get(i));
    if (flag === undefined) throw refusal('unknown flag given');
    flags.push(flag);
  }
  return flags;
}

function refusal(text: string): LuaError {
  return raise(errorTable(`ERR ${text}`));
}

function textOf(error: LuaError): string {
  const text = error.value instanceof LuaTable ? error.value.get('err') : undefined;
  return typeof text === 'string' ? text : `ERR ${error.message}`;
}

/** `#!lua name=mylib`, then the code. Throws an ErrorReply. */
function readLibraryHeader(source: Bytes): { name: Bytes; body: Bytes } {
  const lineEnd = source.indexOf('\n');
  if (!source.startsWith('#!')) throw new ErrorReply('ERR Missing library metadata');
  if (lineEnd < 0) throw new ErrorReply('ERR Invalid library metadata');
  const [engine, ...options] = splitInlineArgs(source.slice(2, lineEnd)) ?? [];
  if (engine === undefined || /^\s/.test(source.slice(2))) throw new ErrorReply(`ERR Engine '' not found`);
  let name: Bytes | undefined;
  for (const option of options) {
    if (!option.startsWith('name=')) throw new ErrorReply(`ERR Invalid metadata value given: ${option}`);
    if (name !== undefined) throw new ErrorReply('ERR Invalid metadata value, name argument was given multiple times');
    name = option.slice('name='.length);
  }
  if (name === undefined) throw new ErrorReply('ERR Library name was not given');
  if (!/^[A-Za-z0-9_]+$/.test(name)) throw new ErrorReply(BAD_NAME);
  if (engine.toLowerCase() !== 'lua') throw new ErrorReply(`ERR Engine '${engine}' not found`);
  return { name, body: source.slice(lineEnd) };
}
