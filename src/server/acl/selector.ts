/**
 * One set of permissions of a user: commands, keys and channels. A user has a root selector, whose rules are written
 * in the user's own line, and may have more in parentheses; a request is allowed when any one of them allows all of it.
 */

import { ACL_CATEGORIES } from '../../commands/definition.js';
import { keysOf } from '../../commands/key-positions.js';
import { compileGlob } from '../../protocol/glob.js';
import { AclRuleError } from '../../protocol/problems.js';
import type { Bytes } from '../../protocol/reply.js';
import type { Command, CommandTable } from '../command-table.js';
import { channelsOf } from './channels.js';

interface KeyPattern {
  readonly text: Bytes;
  readonly fits: (key: Bytes) => boolean;
  readonly read: boolean;
  readonly write: boolean;
}

/** What a selector says to a request. */
export type Verdict = { readonly denied: 'command' | 'key' | 'channel'; readonly object: Bytes } | 'allowed';

const ALLOWED: Verdict = 'allowed';

export class Selector {
  /** The commands and subcommands that may be run, by full name. */
  private allowed = new Set<string>();
  /** Commands that may be run with certain first arguments only. */
  private readonly firstArguments = new Map<string, Set<Bytes>>();
  private startsFromAll = false;
  /** The rules since the last `+@all` or `-@all`, as they are shown. */
  private rules: string[] = [];
  private keyPatterns: KeyPattern[] = [];
  private allKeys = false;
  private channelPatterns: Bytes[] = [];
  private allChannels = false;

  constructor(private readonly commands: CommandTable) {}

  /** Allows everything at all. */
  get unrestricted(): boolean {
    return this.allCommands && this.allKeys && this.allChannels;
  }

  clone(): Selector {
    const copy = new Selector(this.commands);
    copy.allowed = new Set(this.allowed);
    for (const [name, words] of this.firstArguments) copy.firstArguments.set(name, new Set(words));
    copy.startsFromAll = this.startsFromAll;
    copy.rules = [...this.rules];
    copy.keyPatterns = [...this.keyPatterns];
    copy.allKeys = this.allKeys;
    copy.channelPatterns = [...this.channelPatterns];
    copy.allChannels = this.allChannels;
    return copy;
  }

  /** Applies one rule of the ACL language (Redis doc, ACL SETUSER). */
  apply(rule: Bytes): void {
    const lower = rule.toLowerCase();
    if (lower === 'allcommands') this.setAllCommands(true);
    else if (lower === 'nocommands') this.setAllCommands(false);
    else if (lower === 'allkeys' || lower === '~*') this.setAllKeys(true);
    else if (lower === 'resetkeys') this.setAllKeys(false);
    else if (lower === 'allchannels' || lower === '&*') this.setAllChannels(true);
    else if (lower === 'resetchannels') this.setAllChannels(false);
    else if (rule[0] === '~') this.addKeyPattern(rule.slice(1), true, true);
    else if (rule[0] === '%') this.addPermittedPattern(rule);
    else if (rule[0] === '&') this.addChannelPattern(rule.slice(1));
    else if (rule[0] !== '+' && rule[0] !== '-') throw new AclRuleError('Syntax error');
    else if (rule[1] === '@') this.applyCategory(lower.slice(2), rule[0] === '+');
    else this.applyCommand(lower.slice(1), rule[0] === '+');
  }

  /** Whether a request is allowed, and if not what stands in its way. */
  check(command: Command, args: readonly Bytes[]): Verdict {
    if (!this.allCommands && !command.noAuth && !this.allowsCommand(command, args)) {
      return { denied: 'command', object: command.fullName };
    }
    if (!this.allKeys) {
      for (const { index, flags } of keysOf(command, args)) {
        if (!this.allowsKey(args[index]!, flags)) return { denied: 'key', object: args[index]! };
      }
    }
    if (!this.allChannels) {
      for (const { name, isPattern } of channelsOf(command, args)) {
        if (!this.allowsChannel(name, isPattern)) return { denied: 'channel', object: name };
      }
    }
    return ALLOWED;
  }

  allowsChannel(name: Bytes, isPattern: boolean): boolean {
    if (this.allChannels) return true;
    // A pattern of a subscriber must be named by the rules letter by letter.
    return this.channelPatterns.some((pattern) => (isPattern ? pattern === name : compileGlob(pattern)(name)));
  }

  /** Whether the request's command is allowed, and any key at all may be read (`SORT … BY pattern`). */
  readsAnyKey(command: Command, args: readonly Bytes[]): boolean {
    if (!this.allCommands && !this.allowsCommand(command, args)) return false;
    return this.allKeys || this.keyPatterns.some(({ text, read }) => text === '*' && read);
  }

  /** Whether the request's command is allowed, and this key may be read (`TAG.MEMBERS`). */
  readsKey(command: Command, args: readonly Bytes[], key: Bytes): boolean {
    if (!this.allCommands && !this.allowsCommand(command, args)) return false;
    return this.allKeys || this.allowsKey(key, ['access']);
  }

  /** The commands as a rule text. */
  describeCommands(): string {
    return [this.startsFromAll ? '+@all' : '-@all', ...this.rules].join(' ');
  }

  describeKeys(): Bytes {
    if (this.allKeys) return '~*';
    return this.keyPatterns
      .map(({ text, read, write }) => (read && write ? `~${text}` : `%${read ? 'R' : 'W'}~${text}`))
      .join(' ');
  }

  describeChannels(): Bytes {
    if (this.allChannels) return '&*';
    return this.channelPatterns.map((pattern) => `&${pattern}`).join(' ');
  }

  /** All of it, as in a line of ACL LIST. */
  describe(): Bytes {
    const channels = this.allChannels ? '&*' : `resetchannels ${this.describeChannels()}`.trimEnd();
    return [this.describeKeys(), channels, this.describeCommands()].filter((part) => part !== '').join(' ');
  }

  private get allCommands(): boolean {
    return this.startsFromAll && !this.rules.some((rule) => rule.startsWith('-'));
  }

  private setAllKeys(allowed: boolean): void {
    this.allKeys = allowed;
    this.keyPatterns = [];
  }

  private setAllChannels(allowed: boolean): void {
    this.allChannels = allowed;
    this.channelPatterns = [];
  }

  private setAllCommands(allowed: boolean): void {
    this.startsFromAll = allowed;
    this.rules = [];
    this.firstArguments.clear();
    this.allowed = new Set();
    if (allowed) for (const command of this.commands.every()) this.allowed.add(command.fullName);
  }

  private applyCategory(name: string, allow: boolean): void {
    if (name === 'all') {
      this.setAllCommands(allow);
      return;
    }
    if (!(ACL_CATEGORIES as readonly string[]).includes(name)) throw unknownName();
    for (const command of this.commands.every()) {
      if (command.categories.includes(name)) this.allow(command, allow);
    }
    this.addRule(`@${name}`, allow);
  }

  private applyCommand(name: string, allow: boolean): void {
    const command = this.commands.findFull(name);
    if (command !== undefined) {
      this.allow(command, allow);
      for (const sub of command.subcommands?.values() ?? []) this.allow(sub, allow);
      this.addRule(name, allow);
      return;
    }
    const bar = name.indexOf('|');
    const parent = bar < 0 ? undefined : this.commands.find(name.slice(0, bar));
    const word = name.slice(bar + 1);
    if (parent === undefined) throw unknownName();
    if (word.includes('|')) {
      if (!allow || parent.subcommands === undefined) throw unknownName();
      throw new AclRuleError('Allowing first-arg of a subcommand is not supported');
    }
    if (!allow || parent.subcommands !== undefined || word === '')
      throw word === '' ? new AclRuleError('Syntax error') : unknownName();
    const words = this.firstArguments.get(parent.fullName) ?? new Set();
    this.firstArguments.set(parent.fullName, words.add(word));
    this.addRule(name, true);
  }

  private allow(command: Command, allow: boolean): void {
    this.firstArguments.delete(command.fullName);
    if (allow) this.allowed.add(command.fullName);
    else this.allowed.delete(command.fullName);
  }

  /** A newer rule takes the place of older ones for the same name or its subcommands. */
  private addRule(name: string, allow: boolean): void {
    this.rules = this.rules.filter((rule) => rule.slice(1) !== name && !rule.slice(1).startsWith(`${name}|`));
    this.rules.push(`${allow ? '+' : '-'}${name}`);
  }

  private addPermittedPattern(rule: Bytes): void {
    const parts = /^%([RW]{1,2})~(.*)$/is.exec(rule);
    if (parts === null) throw new AclRuleError('Syntax error');
    const letters = parts[1]!.toUpperCase();
    this.addKeyPattern(parts[2]!, letters.includes('R'), letters.includes('W'));
  }

  private addKeyPattern(text: Bytes, read: boolean, write: boolean): void {
    if (this.allKeys) {
      throw new AclRuleError(
        "Adding a pattern after the * pattern (or the 'allkeys' flag) is not valid and does not have any effect. Try 'resetkeys' to start with an empty list of patterns",
      );
    }
    checkPattern(text);
    if (text === '*' && read && write) {
      this.apply('allkeys');
      return;
    }
    const known = this.keyPatterns.findIndex((pattern) => pattern.text === text);
    if (known < 0) this.keyPatterns.push({ text, fits: compileGlob(text), read, write });
    else {
      const pattern = this.keyPatterns[known]!;
      this.keyPatterns[known] = { ...pattern, read: pattern.read || read, write: pattern.write || write };
    }
  }

  private addChannelPattern(text: Bytes): void {
    if (this.allChannels) {
      throw new AclRuleError(
        "Adding a pattern after the * pattern (or the 'allchannels' flag) is not valid and does not have any effect. Try 'resetchannels' to start with an empty list of channels",
      );
    }
    checkPattern(text);
    if (!this.channelPatterns.includes(text)) this.channelPatterns.push(text);
  }

  private allowsCommand(command: Command, args: readonly Bytes[]): boolean {
    if (this.allowed.has(command.fullName)) return true;
    const words = this.firstArguments.get(command.fullName);
    return words !== undefined && args.length > 1 && words.has(args[1]!.toLowerCase());
  }

  private allowsKey(key: Bytes, flags: readonly string[]): boolean {
    const reads = flags.includes('access');
    const writes = flags.includes('insert') || flags.includes('delete') || flags.includes('update');
    return this.keyPatterns.some(
      (pattern) => (!reads || pattern.read) && (!writes || pattern.write) && pattern.fits(key),
    );
  }
}

function checkPattern(text: Bytes): void {
  if (/[\s\0]/.test(text)) throw new AclRuleError('Syntax error');
}

function unknownName(): AclRuleError {
  return new AclRuleError('Unknown command or category name in ACL');
}
