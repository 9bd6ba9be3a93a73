/** The script cache: EVAL, EVALSHA and SCRIPT. */
import { createHash } from 'node:crypto';
import { LuaError, type LuaFunction, LuaTable } from '../../lua/index.js';
import { NO_REPLICAS, NO_SCRIPT } from '../../protocol/errors.js';
import { type Bytes, ErrorReply, type Reply } from '../../protocol/reply.js';
import type { Server } from '../server.js';
import type { Session } from '../session.js';
import { ScriptMachine } from './machine.js';
import { readScriptHeader, type ScriptFlag } from './shebang.js';

/** Scripts that only EVAL brought are forgotten when there are more than this (Redis' own number). */
const MAX_EVAL_SCRIPTS = 500;

interface Script {
  readonly sha: Bytes;
  readonly source: Bytes;
  readonly run: LuaFunction;
  readonly flags: readonly ScriptFlag[] | undefined;
  /** Brought by SCRIPT LOAD: never forgotten by itself. */
  kept: boolean;
}

export class Scripts {
  private machine: ScriptMachine | undefined;
  /** By SHA1; EVAL's in the order of their last use. */
  private scripts = new Map<Bytes, Script>();
  private evalCount = 0;
  /** Scripts that were forgotten (`evicted_scripts`). */
  evicted = 0;

  constructor(private readonly server: Server) {}

  get count(): number {
    return this.scripts.size;
  }

  /** Estimated bytes of the cached scripts. */
  get bytes(): number {
    let bytes = 0;
    for (const { source } of this.scripts.values()) bytes += source.length * 2 + 200;
    return bytes;
  }

  get isRunning(): boolean {
    return this.machine?.run != null;
  }

  /** Whether a script of this SHA1 is there. */
  has(sha: Bytes): boolean {
    return this.scripts.has(sha.toLowerCase());
  }

  /** Whether a known script is flagged `no-writes`. */
  isReadOnly(sha: Bytes): boolean {
    return this.scripts.get(sha.toLowerCase())?.flags?.includes('no-writes') === true;
  }

  /** Whether a source is flagged `no-writes`; a wrong header says nothing. */
  isReadOnlySource(source: Bytes): boolean {
    try {
      return readScriptHeader(source).flags?.includes('no-writes') === true;
    } catch {
      return false;
    }
  }

  /** Keeps a script and answers its SHA1. Throws an ErrorReply for one that cannot be compiled. */
  load(source: Bytes): Bytes {
    const script = this.find(sha1(source)) ?? this.compile(source);
    if (!script.kept) {
      script.kept = true;
      this.evalCount--;
    }
    return script.sha;
  }

  flush(): void {
    this.scripts = new Map();
    this.evalCount = 0;
    this.machine = undefined;
  }

  /** EVAL and EVAL_RO. */
  evaluate(caller: Session, source: Bytes, keys: Bytes[], argv: Bytes[], readOnly: boolean): Reply {
    const script = this.find(sha1(source)) ?? this.compile(source);
    return this.runScript(caller, script, keys, argv, readOnly);
  }

  /** EVALSHA and EVALSHA_RO. */
  evaluateSha(caller: Session, sha: Bytes, keys: Bytes[], argv: Bytes[], readOnly: boolean): Reply {
    const script = this.find(sha.toLowerCase());
    if (script === undefined) return NO_SCRIPT;
    return this.runScript(caller, script, keys, argv, readOnly);
  }

  private runScript(caller: Session, script: Script, keys: Bytes[], argv: Bytes[], readOnly: boolean): Reply {
    const { flags } = script;
    const writes = flags !== undefined && !flags.includes('no-writes');
    if (readOnly && writes) {
      return new ErrorReply('ERR Can not execute a script with write flag using *_ro command.');
    }
    if (writes && this.server.writesRefused) return NO_REPLICAS;
    const full = this.server.memory.limited && !this.server.memory.makeRoom();
    if (full && writes && !flags.includes('allow-oom')) {
      return new ErrorReply(
        "OOM allow-oom flag is not set on the script, can not run it when used memory > 'maxmemory'",
      );
    }
    const machine = this.machineOf();
    const { globals } = machine.state;
    globals.set('KEYS', listTable(keys));
    globals.set('ARGV', listTable(argv));
    const rules = {
      name: script.sha,
      readOnly: readOnly || (flags?.includes('no-writes') ?? false),
      outOfMemory: full && flags === undefined,
    };
    return machine.execute(caller, rules, script.run, []);
  }

  /** A cached script; one of EVAL's becomes the one that was used last. */
  private find(sha: Bytes): Script | undefined {
    const script = this.scripts.get(sha);
    if (script !== undefined && !script.kept && this.evalCount > MAX_EVAL_SCRIPTS / 2) {
      this.scripts.delete(sha);
      this.scripts.set(sha, script);
    }
    return script;
  }

  private compile(source: Bytes): Script {
    const { body, flags } = readScriptHeader(source);
    let run: LuaFunction;
    try {
      run = this.machineOf().state.load(body, '@user_script');
    } catch (problem) {
      if (!(problem instanceof LuaError)) throw problem;
      throw new ErrorReply(`ERR Error compiling script (new function): ${problem.message}`);
    }
    const script: Script = { sha: sha1(source), source, run, flags, kept: false };
    this.scripts.set(script.sha, script);
    this.evalCount++;
    if (this.evalCount > MAX_EVAL_SCRIPTS) this.forgetOldest();
    return script;
  }

  private forgetOldest(): void {
    for (const [sha, script] of this.scripts) {
      if (script.kept) continue;
      this.scripts.delete(sha);
      this.evalCount--;
      this.evicted++;
      return;
    }
  }

  /** Made on first use: a server that runs no scripts does not pay for them. */
  private machineOf(): ScriptMachine {
    this.machine ??= new ScriptMachine(this.server);
    return this.machine;
  }
}

export function sha1(text: Bytes): Bytes {
  return createHash('sha1').update(text, 'latin1').digest('hex');
}

export function listTable(items: readonly Bytes[]): LuaTable {
  const table = new LuaTable();
  for (let i = 0; i < items.length; i++) table.set(i + 1, items[i]!);
  return table;
}
