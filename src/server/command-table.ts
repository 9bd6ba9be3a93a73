/** The commands of one server, by name. Made from the rows of `commands/`; a server may leave some out. */

import type { CommandRow, Flag, Group, Handler, KeySpec } from '../commands/definition.js';
import { ACL_CATEGORIES } from '../commands/definition.js';
import { unknownCommand, unknownSubcommand } from '../protocol/errors.js';
import type { Bytes, ErrorReply } from '../protocol/reply.js';
import { familyOf, type LicenseFamily } from './license.js';

/** Spellings of names that are remembered (GET, get, Get …), so that a lookup is one map access. */
const MAX_SPELLINGS = 4096;

/** Commands that Redis sends to its replicas although they are no writes; COMMAND INFO does not show it. */
const MAY_REPLICATE: ReadonlySet<string> = new Set(['eval', 'evalsha', 'fcall', 'pfcount', 'publish', 'spublish']);

/** A command of a server: its row, what follows from it, and its statistics. */
export class Command {
  /** `get`, `client|list`. */
  readonly fullName: string;
  readonly handler: Handler | undefined;
  readonly arity: number;
  readonly isWrite: boolean;
  readonly isReadonly: boolean;
  /** Redis sends it to its replicas: it writes, or may. */
  readonly isReplicated: boolean;
  readonly denyOom: boolean;
  readonly noAuth: boolean;
  readonly noScript: boolean;
  readonly noMulti: boolean;
  private knownFamily: LicenseFamily | 'none' | undefined;
  private knownCategories: readonly string[] | undefined;
  readonly subcommands: ReadonlyMap<Bytes, Command> | undefined;
  /** Statistics of `INFO commandstats`. */
  calls = 0;
  microseconds = 0;
  rejectedCalls = 0;
  failedCalls = 0;
  /** Calls by duration for `LATENCY HISTOGRAM` and `INFO latencystats`, made on the first call. */
  latency: Float64Array | undefined;

  constructor(
    readonly row: CommandRow,
    readonly parent?: Command,
  ) {
    this.fullName = parent === undefined ? row.name : `${parent.fullName}|${row.name}`;
    this.handler = row.handler;
    this.arity = row.arity;
    this.isWrite = row.flags.includes('write');
    this.isReadonly = row.flags.includes('readonly');
    this.isReplicated = this.isWrite || MAY_REPLICATE.has(this.fullName);
    this.denyOom = row.flags.includes('denyoom');
    this.noAuth = row.flags.includes('no_auth');
    this.noScript = row.flags.includes('noscript');
    this.noMulti = row.flags.includes('no_multi');
    if (row.subcommands !== undefined) {
      this.subcommands = new Map(row.subcommands.map((sub) => [sub.name, new Command(sub, this)]));
    }
  }

  /** Every key spec, and whether it is there at all: movable keys need a look at the arguments. */
  get keySpecs(): readonly KeySpec[] {
    return this.row.keys ?? [];
  }

  /** ACL categories, found out when first asked for: for all commands that takes a fifth of a server's start. */
  get categories(): readonly string[] {
    this.knownCategories ??= categoriesOf(this.row);
    return this.knownCategories;
  }

  /** What a license has to include for it, found out when first asked for; undefined: nothing. */
  get licenseFamily(): LicenseFamily | undefined {
    this.knownFamily ??= (this.parent === undefined ? familyOf(this.row.name) : this.parent.licenseFamily) ?? 'none';
    return this.knownFamily === 'none' ? undefined : this.knownFamily;
  }

  hasFlag(flag: Flag): boolean {
    return this.row.flags.includes(flag);
  }

  /** Whether a request (with the names) has too few or too many words. */
  arityIsWrong(args: readonly Bytes[]): boolean {
    const { arity } = this;
    return arity >= 0 ? args.length !== arity : args.length < -arity;
  }

  resetStatistics(): void {
    this.calls = 0;
    this.microseconds = 0;
    this.rejectedCalls = 0;
    this.failedCalls = 0;
    this.latency = undefined;
    this.subcommands?.forEach((sub) => {
      sub.resetStatistics();
    });
  }
}

export class CommandTable {
  /** By name in lower case. */
  private readonly byName = new Map<Bytes, Command>();
  private readonly bySpelling = new Map<Bytes, Command>();

  constructor(rows: readonly CommandRow[]) {
    for (const row of rows) this.byName.set(row.name, new Command(row));
  }

  /** All commands, without subcommands. */
  all(): IterableIterator<Command> {
    return this.byName.values();
  }

  get size(): number {
    return this.byName.size;
  }

  /** The command of a name in any case. */
  find(name: Bytes): Command | undefined {
    const known = this.bySpelling.get(name);
    if (known !== undefined) return known;
    const command = this.byName.get(name.toLowerCase());
    if (command !== undefined && this.bySpelling.size < MAX_SPELLINGS) this.bySpelling.set(name, command);
    return command;
  }

  /** The command that a request names, down to its subcommand, or the error for an unknown one. */
  resolve(args: Bytes[]): Command | ErrorReply {
    const command = this.find(args[0]!);
    if (command === undefined) return unknownCommand(args);
    if (command.subcommands === undefined || args.length === 1) return command;
    const sub = command.subcommands.get(args[1]!) ?? command.subcommands.get(args[1]!.toLowerCase());
    return sub ?? unknownSubcommand(command.fullName, args[1]!);
  }

  /** Every command and subcommand. */
  *every(): Iterable<Command> {
    for (const command of this.all()) {
      yield command;
      yield* command.subcommands?.values() ?? [];
    }
  }

  /** The command of a full name, `config|get`. */
  findFull(fullName: Bytes): Command | undefined {
    const bar = fullName.indexOf('|');
    if (bar < 0) return this.find(fullName);
    return this.find(fullName.slice(0, bar))?.subcommands?.get(fullName.slice(bar + 1).toLowerCase());
  }
}

/** ACL categories by Redis' rules: some from the flags, one from the group (or those named in the row). */
function categoriesOf(row: CommandRow): string[] {
  const categories = new Set<string>(row.acl ?? GROUP_CATEGORIES[row.group] ?? []);
  const has = (flag: Flag) => row.flags.includes(flag);
  if (has('write')) categories.add('write');
  if (has('readonly') && row.group !== 'scripting') categories.add('read');
  if (has('admin')) categories.add('admin').add('dangerous');
  if (has('pubsub')) categories.add('pubsub');
  if (has('blocking')) categories.add('blocking');
  categories.add(has('fast') ? 'fast' : 'slow');
  return ACL_CATEGORIES.filter((category) => categories.has(category));
}

const GROUP_CATEGORIES: Partial<Record<Group, readonly string[]>> = {
  'agent-memory': ['hotkv', 'agentmemory'],
  bf: ['bloom'],
  bitmap: ['bitmap'],
  cms: ['cms'],
  connection: ['connection'],
  embedding: ['hotkv', 'embedding'],
  emulator: ['emulator'],
  feature: ['hotkv', 'feature'],
  generic: ['keyspace'],
  geo: ['geo'],
  hash: ['hash'],
  hyperloglog: ['hyperloglog'],
  list: ['list'],
  llm: ['hotkv', 'llm'],
  observability: ['hotkv', 'observability'],
  prompt: ['hotkv', 'prompt'],
  pubsub: ['pubsub'],
  rag: ['hotkv', 'rag'],
  'rate-limiting': ['hotkv', 'ratelimit'],
  scripting: ['scripting'],
  set: ['set'],
  'sorted-set': ['sortedset'],
  stream: ['stream'],
  string: ['string'],
  tag: ['hotkv', 'tag'],
  'time-series': ['hotkv', 'timeseries'],
  topk: ['topk'],
  transactions: ['transaction'],
  vector: ['hotkv', 'vector'],
};
