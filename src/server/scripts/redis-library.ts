/** The `redis` table of scripts. */
import { createHash } from 'node:crypto';
import { LuaTable, type LuaValue } from '../../lua/index.js';
import { numberToString, parseNumber } from '../../lua/numbers.js';
import { NO_REPLICAS, OUT_OF_MEMORY, untilNul } from '../../protocol/errors.js';
import { formatDouble } from '../../protocol/numbers.js';
import { type Bytes, ErrorReply, type Reply } from '../../protocol/reply.js';
import { REDIS_VERSION } from '../../protocol/versions.js';
import type { Command } from '../command-table.js';
import type { Server } from '../server.js';
import type { ScriptMachine } from './machine.js';
import { countedErrorTable, errorTable, luaValueOf, raise } from './values.js';

const UNKNOWN_COMMAND = new ErrorReply('ERR Unknown Redis command called from script');
const WRONG_ARITY = new ErrorReply('ERR Wrong number of args calling Redis command from script');
const NOT_FROM_SCRIPTS = new ErrorReply('ERR This Redis command is not allowed from script');
const READ_ONLY = new ErrorReply('ERR Write commands are not allowed from read-only scripts.');

const LOG_LEVELS = ['debug', 'verbose', 'notice', 'warning'] as const;
/** Whom effects would be sent to; there is nobody, so the choice is only checked. */
const REPLICATION = { REPL_NONE: 0, REPL_AOF: 1, REPL_SLAVE: 2, REPL_REPLICA: 2, REPL_ALL: 3 } as const;

export function openRedisLibrary(machine: ScriptMachine): void {
  const { server, session, state } = machine;
  const redis = state.openLibrary('redis', {
    call: (...values) => {
      const args = argumentsOf(values);
      if (args instanceof LuaTable) throw raise(args);
      const reply = callCommand(machine, args);
      if (reply instanceof ErrorReply) throw raise(countedErrorTable(reply.text));
      return luaValueOf(reply, session.resp);
    },
    pcall: (...values) => {
      const args = argumentsOf(values);
      return args instanceof LuaTable ? args : luaValueOf(callCommand(machine, args), session.resp);
    },
    error_reply: (...args) => singleField(args, 'err', withCode),
    status_reply: (...args) => singleField(args, 'ok', (text) => text),
    sha1hex: (...args) => {
      if (args.length !== 1) throw raise(errorTable('ERR wrong number of arguments'));
      return createHash('sha1')
        .update(textOf(args[0]) ?? '', 'latin1')
        .digest('hex');
    },
    log: (...args) => {
      if (args.length < 2) throw raise(errorTable('ERR redis.log() requires two arguments or more.'));
      const number = numberOf(args[0]);
      if (number === undefined) throw raise(errorTable('ERR First argument must be a number (log level).'));
      const level = LOG_LEVELS[Math.trunc(number)];
      if (level === undefined) throw raise(errorTable('ERR Invalid log level.'));
      server.log.write(
        level,
        args
          .slice(1)
          .map(textOf)
          .filter((text) => text !== undefined)
          .join(' '),
      );
      return [];
    },
    setresp: (...args) => {
      if (args.length !== 1) throw raise(errorTable('ERR redis.setresp() requires one argument.'));
      const version = Math.trunc(numberOf(args[0]) ?? 0);
      if (version !== 2 && version !== 3) throw raise(errorTable('ERR RESP version must be 2 or 3.'));
      session.resp = version;
      return [];
    },
    set_repl: (...args) => {
      if (args.length !== 1) throw raise(errorTable('ERR redis.set_repl() requires two arguments.'));
      const flags = Math.trunc(numberOf(args[0]) ?? 0);
      if (flags < 0 || flags > REPLICATION.REPL_ALL) {
        throw raise(errorTable('ERR Invalid replication flags. Use REPL_AOF, REPL_REPLICA, REPL_ALL or REPL_NONE.'));
      }
      return [];
    },
    replicate_commands: () => true,
    acl_check_cmd: (...args) => mayRun(machine, args),
    breakpoint: () => false,
    debug: () => [],
  });
  LOG_LEVELS.forEach((level, i) => {
    redis.set(`LOG_${level.toUpperCase()}`, i);
  });
  for (const [name, value] of Object.entries(REPLICATION)) redis.set(name, value);
  redis.set('REDIS_VERSION', REDIS_VERSION);
  redis.set(
    'REDIS_VERSION_NUM',
    REDIS_VERSION.split('.').reduce((number, part) => number * 256 + Number(part), 0),
  );
  state.globals.set('server', redis);
}

/** Runs a command for the script; refusals come back as replies too. */
function callCommand({ run, server, session }: ScriptMachine, args: Bytes[]): Reply {
  if (run === null) return new ErrorReply('ERR redis.call/pcall can only be called inside a script invocation');
  const command = server.commands.resolve(args);
  if (command instanceof ErrorReply) return refused(server, undefined, UNKNOWN_COMMAND);
  if (command.arityIsWrong(args)) return refused(server, command, WRONG_ARITY);
  const unlicensed = server.license.refusal(command);
  if (unlicensed !== undefined) return refused(server, command, unlicensed);
  if (command.noScript && !server.scriptsRunAll) return refused(server, command, NOT_FROM_SCRIPTS);
  if (!session.user.unrestricted) {
    const denial = server.acl.check(session, command, args);
    if (denial !== undefined) {
      const why = denial.text.slice('NOPERM '.length);
      return refused(server, command, new ErrorReply(`NOPERM ACL failure in script: ${why}`));
    }
  }
  if (command.isReplicated && run.rules.readOnly) return refused(server, command, READ_ONLY);
  if (command.isWrite && server.writesRefused) return refused(server, command, NO_REPLICAS);
  if (command.denyOom && run.rules.outOfMemory) return refused(server, command, OUT_OF_MEMORY);
  return server.callNested(session, command, args);
}

function refused(server: Server, command: Command | undefined, error: ErrorReply): ErrorReply {
  server.stats.countRejection(command, error);
  return error;
}

function mayRun(machine: ScriptMachine, values: LuaValue[]): boolean {
  const args = argumentsOf(values);
  if (args instanceof LuaTable) throw raise(args);
  const command = machine.server.commands.resolve(args);
  if (command instanceof ErrorReply) throw raise(errorTable('ERR Invalid command passed to redis.acl_check_cmd()'));
  return machine.session.user.check(command, args) === 'allowed';
}

/** The arguments of a command: strings as they are, numbers as Redis prints them. A table is an error. */
function argumentsOf(values: LuaValue[]): Bytes[] | LuaTable {
  if (values.length === 0) return errorTable('ERR Please specify at least one argument for this redis lib call');
  const args = new Array<Bytes>(values.length);
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    if (typeof value === 'string') args[i] = value;
    else if (typeof value === 'number') args[i] = numberText(value);
    else return errorTable('ERR Lua redis lib command arguments must be strings or integers');
  }
  return args;
}

function numberText(value: number): Bytes {
  if (Number.isSafeInteger(value)) return String(value + 0);
  return Number.isInteger(value) && Math.abs(value) < 1e18 ? BigInt(value).toString() : formatDouble(value);
}

/** A string, or a number as Lua prints it; undefined for the rest (`lua_tolstring`). */
function textOf(value: LuaValue): Bytes | undefined {
  return typeof value === 'number' ? numberToString(value) : typeof value === 'string' ? value : undefined;
}

/** A number, or a string that reads as one (`lua_tonumber`). */
function numberOf(value: LuaValue): number | undefined {
  return typeof value === 'string' ? parseNumber(value) : typeof value === 'number' ? value : undefined;
}

function singleField(args: LuaValue[], name: string, shape: (text: Bytes) => Bytes): LuaValue {
  const text = args[0];
  if (args.length !== 1 || typeof text !== 'string') return errorTable('ERR wrong number or type of arguments');
  const table = new LuaTable();
  table.set(name, shape(text));
  return table;
}

/** The code of an error reply is its first word; a text of one word gets the general code. */
function withCode(text: Bytes): Bytes {
  const shown = untilNul(text.startsWith('-') ? text.slice(1) : text);
  const codeEnd = shown.indexOf(' ');
  const message = shown.slice(codeEnd + 1).replace(/[\r\n]/g, ' ');
  return `${codeEnd < 0 ? 'ERR' : shown.slice(0, codeEnd)} ${message}`;
}
