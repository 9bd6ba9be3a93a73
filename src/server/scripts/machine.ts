/**
 * A Lua machine as scripts and functions see it: the sandbox of globals, the `redis` library, and the run of one
 * script at a time on behalf of a client.
 */
import { index } from '../../lua/access.js';
import { libraryError } from '../../lua/errors.js';
import { LuaError, type LuaFunction, LuaState, LuaTable, type LuaValue } from '../../lua/index.js';
import { type Bytes, ErrorReply, type Reply } from '../../protocol/reply.js';
import type { Server } from '../server.js';
import { Session } from '../session.js';
import { openRedisLibrary } from './redis-library.js';
import { errorReplyOf, replyOf } from './values.js';

/** A script that runs for as many ms is taken to run for ever, if `busy-reply-threshold` says no larger number. */
const PATIENCE_MS = 5000;
/** A script that has written runs on this many times as long before it is stopped all the same. */
const WRITER_PATIENCE = 10;

/** How a script runs, and what it may do. */
export interface RunRules {
  /** Named in errors: the SHA1 of a script, the name of a function. */
  readonly name: Bytes;
  readonly readOnly: boolean;
  /** Commands that need memory are refused although there is none left to check for: the script was let in without. */
  readonly outOfMemory: boolean;
}

/** The run that is under way. */
export interface Run {
  readonly rules: RunRules;
  readonly caller: Session;
  readonly startedAt: number;
  /** `server.changes` when it began: whether the script has written. */
  readonly changesBefore: number;
}

/** Stops a script; no `pcall` catches it. */
export class ScriptStopped extends Error {
  override readonly name = 'ScriptStopped';
}

export class ScriptMachine {
  readonly state: LuaState;
  /** The client that the commands of a script run as. */
  readonly session: Session;
  run: Run | null = null;

  constructor(readonly server: Server) {
    this.session = new Session(server, 'script');
    this.state = new LuaState({ onSteps: () => this.checkTime(), random: server.scriptRandom });
    openRedisLibrary(this);
    closeGlobals(this.state);
  }

  /** Runs a function for a client and gives its result as a reply. */
  execute(caller: Session, rules: RunRules, callee: LuaFunction, args: LuaValue[]): Reply {
    const { server, session, state } = this;
    const outerCaller = server.scriptCaller;
    session.db = caller.db;
    session.user = caller.user;
    session.address = caller.address;
    session.name = caller.name;
    session.resp = 2;
    session.regate();
    this.run = { rules, caller, startedAt: this.server.clock.steady(), changesBefore: server.changes };
    server.scriptCaller = caller;
    try {
      return replyOf(state.call(callee, args)[0], session.resp);
    } catch (problem) {
      if (problem instanceof LuaError) return this.errorReply(problem, rules.name);
      if (problem instanceof ScriptStopped) return new ErrorReply(problem.message);
      throw problem;
    } finally {
      server.scriptCaller = outerCaller;
      this.run = null;
    }
  }

  /** Runs the code of a library that is being loaded: within a time limit, and without commands. */
  limitLoading(load: () => void): void {
    const rules = { name: 'FUNCTION LOAD', readOnly: true, outOfMemory: false };
    this.run = {
      rules,
      caller: this.session,
      startedAt: this.server.clock.steady(),
      changesBefore: this.server.changes,
    };
    try {
      load();
    } finally {
      this.run = null;
    }
  }

  /** An error that left a script, as the client sees it: with the place where it was raised. */
  private errorReply(error: LuaError, name: Bytes): ErrorReply {
    let text = `ERR ${error.message}`;
    let { source, line } = error;
    const table = error.value instanceof LuaTable ? error.value : undefined;
    if (table !== undefined) {
      const inner = table.get('err');
      text = typeof inner === 'string' ? inner.replace(/^-/, '') : 'ERR unknown error';
      const innerSource = table.get('source');
      const innerLine = table.get('line');
      if (typeof innerSource === 'string') source = innerSource;
      if (innerLine !== undefined) line = Number(innerLine);
    } else if (error.value === undefined) text = 'ERR nil';
    const place = source === undefined ? '' : `, on ${source}:${line}.`;
    return errorReplyOf(`${text} script: ${name}${place}`, table);
  }

  /** Called while a script runs: one that does not end is stopped, later when it has written. */
  private checkTime(): void {
    const { run, server } = this;
    if (run === null) return;
    const threshold = server.config.number('busy-reply-threshold');
    if (threshold === 0) return;
    const limit = Math.max(threshold, PATIENCE_MS);
    const took = server.clock.steady() - run.startedAt;
    const hasWritten = server.changes !== run.changesBefore;
    if (took < (hasWritten ? limit * WRITER_PATIENCE : limit)) return;
    const what = hasWritten ? 'what it has written stays' : 'it had written nothing';
    throw new ScriptStopped(
      `ERR Error running script ${run.rules.name}: stopped after ${Math.round(took)} ms, ${what}`,
    );
  }
}

/** Globals that Redis' scripts do not have. */
const ABSENT = [
  'print',
  'getfenv',
  'setfenv',
  'dofile',
  'loadfile',
  'require',
  'module',
  'newproxy',
  'io',
  'debug',
  'package',
];

/** Makes the sandbox: unknown globals are an error to read, and nothing that is shared can be changed. */
function closeGlobals(state: LuaState): void {
  const { globals } = state;
  for (const name of ABSENT) globals.set(name, undefined);
  globals.set('pcall', pcallWithText(state));
  for (const name of ['string', 'table', 'math', 'os', 'coroutine', 'bit', 'struct', 'cjson', 'cmsgpack', 'redis']) {
    const library = globals.get(name);
    if (library instanceof LuaTable) library.readonly = true;
  }
  const meta = new LuaTable();
  meta.set(
    '__index',
    state.native('__index', (_table, name) => {
      throw libraryError(`Script attempted to access nonexistent global variable '${String(name ?? 'nil')}'`);
    }),
  );
  meta.readonly = true;
  globals.meta = meta;
  globals.readonly = true;
  state.stringMeta.readonly = true;
}

/**
 * Redis' own pcall: of an error reply that was raised, the caller sees the text alone; another table has its field
 * `err` after it, whatever that is.
 */
function pcallWithText(state: LuaState): LuaFunction {
  const original = state.globals.get('pcall') as LuaFunction;
  const wrapped = state.native('pcall', (...args) => textOfError(state, original(...args)));
  const { resumable } = original;
  if (resumable !== undefined) {
    wrapped.resumable = function* (...args) {
      return textOfError(state, yield* resumable(...args));
    };
  }
  return wrapped;
}

function textOfError(state: LuaState, result: LuaValue | LuaValue[]): LuaValue | LuaValue[] {
  if (!Array.isArray(result) || result[0] !== false || !(result[1] instanceof LuaTable)) return result;
  const field = index(state, result[1], 'err', '');
  return typeof field === 'string' || typeof field === 'number' ? [false, field] : [false, result[1], field];
}
