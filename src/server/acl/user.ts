/** A user: who may log in under the name, and what the name may do. */

import { createHash, timingSafeEqual } from 'node:crypto';
import { AclRuleError } from '../../protocol/problems.js';
import type { Bytes } from '../../protocol/reply.js';
import type { Command, CommandTable } from '../command-table.js';
import { Selector, type Verdict } from './selector.js';

export class User {
  enabled = false;
  /** Any password will do (`nopass`). */
  passwordless = false;
  private sanitizesPayload = true;
  /** SHA-256 of each password, as hexadecimal text, in the order in which they were added. */
  private passwordHashes: string[] = [];
  private root: Selector;
  private selectors: Selector[] = [];

  constructor(
    readonly name: Bytes,
    private readonly commands: CommandTable,
  ) {
    this.root = new Selector(commands);
  }

  /** May run every command on every key and channel: dispatch asks nothing further. */
  get unrestricted(): boolean {
    return this.root.unrestricted;
  }

  get passwords(): readonly string[] {
    return this.passwordHashes;
  }

  /** The root selector first. */
  get allSelectors(): readonly Selector[] {
    return [this.root, ...this.selectors];
  }

  accepts(password: Bytes): boolean {
    if (!this.enabled) return false;
    if (this.passwordless) return true;
    const digest = Buffer.from(passwordHash(password));
    let fits = false;
    for (const known of this.passwordHashes) if (timingSafeEqual(digest, Buffer.from(known))) fits = true;
    return fits;
  }

  /** Applies rules one after the other; throws an AclRuleError at the first that is wrong. See `mergeSelectorWords`. */
  apply(rule: Bytes): void {
    const lower = rule.toLowerCase();
    if (lower === 'on' || lower === 'off') this.enabled = lower === 'on';
    else if (lower === 'nopass' || lower === 'resetpass') {
      this.passwordless = lower === 'nopass';
      this.passwordHashes = [];
    } else if (lower === 'sanitize-payload' || lower === 'skip-sanitize-payload') {
      this.sanitizesPayload = lower === 'sanitize-payload';
    } else if (lower === 'clearselectors') this.selectors = [];
    else if (lower === 'reset') this.takeFrom(new User(this.name, this.commands));
    else if (rule[0] === '>') this.addPassword(passwordHash(rule.slice(1)));
    else if (rule[0] === '#') this.addPassword(checkedHash(rule.slice(1)));
    else if (rule[0] === '<') this.removePassword(passwordHash(rule.slice(1)));
    else if (rule[0] === '!') this.removePassword(checkedHash(rule.slice(1)));
    else if (rule[0] === '(') this.selectors.push(this.selectorOf(rule));
    else this.root.apply(rule);
  }

  /** A copy under the same name, to try rules on. */
  clone(): User {
    const copy = new User(this.name, this.commands);
    copy.takeFrom(this);
    return copy;
  }

  /** Becomes what another user is; sessions keep pointing here. */
  takeFrom(other: User): void {
    this.enabled = other.enabled;
    this.passwordless = other.passwordless;
    this.sanitizesPayload = other.sanitizesPayload;
    this.passwordHashes = [...other.passwordHashes];
    this.root = other.root.clone();
    this.selectors = other.selectors.map((selector) => selector.clone());
  }

  /** The verdict of the selector that goes furthest with the request. */
  check(command: Command, args: readonly Bytes[]): Verdict {
    let best: Verdict | undefined;
    for (const selector of this.allSelectors) {
      const verdict = selector.check(command, args);
      if (verdict === 'allowed') return verdict;
      if (best === undefined || PROGRESS[verdict.denied] > PROGRESS[(best as typeof verdict).denied]) best = verdict;
    }
    return best!;
  }

  /** Whether a request may read keys that its arguments do not name. */
  readsAnyKey(command: Command, args: readonly Bytes[]): boolean {
    return this.allSelectors.some((selector) => selector.readsAnyKey(command, args));
  }

  /** Whether a request may read this key, which its arguments do not name. */
  readsKey(command: Command, args: readonly Bytes[], key: Bytes): boolean {
    return this.allSelectors.some((selector) => selector.readsKey(command, args, key));
  }

  allowsChannel(name: Bytes, isPattern: boolean): boolean {
    return this.allSelectors.some((selector) => selector.allowsChannel(name, isPattern));
  }

  flags(): string[] {
    return [
      this.enabled ? 'on' : 'off',
      ...(this.passwordless ? ['nopass'] : []),
      this.sanitizesPayload ? 'sanitize-payload' : 'skip-sanitize-payload',
    ];
  }

  /** A line of ACL LIST. */
  describe(): Bytes {
    return [
      `user ${this.name}`,
      ...this.flags(),
      ...this.passwordHashes.map((hash) => `#${hash}`),
      this.root.describe(),
      ...this.selectors.map((selector) => `(${selector.describe()})`),
    ].join(' ');
  }

  private selectorOf(rule: Bytes): Selector {
    const selector = new Selector(this.commands);
    for (const word of rule.slice(1, -1).split(' ')) if (word !== '') selector.apply(word);
    return selector;
  }

  private addPassword(hash: string): void {
    if (!this.passwordHashes.includes(hash)) this.passwordHashes.push(hash);
    this.passwordless = false;
  }

  private removePassword(hash: string): void {
    if (!this.passwordHashes.includes(hash)) {
      throw new AclRuleError('The password you are trying to remove from the user does not exist');
    }
    this.passwordHashes = this.passwordHashes.filter((known) => known !== hash);
  }
}

/** How far a request got before it was denied; the furthest verdict is the one that is told. */
const PROGRESS = { command: 1, key: 2, channel: 3 } as const;

/**
 * Joins the words of a selector that was sent as several arguments: `(+get`, `~a)` is one rule. Throws an AclRuleError
 * when a parenthesis is not closed.
 */
export function mergeSelectorWords(words: readonly Bytes[]): Bytes[] {
  const rules: Bytes[] = [];
  let open: Bytes | undefined;
  for (const word of words) {
    if (open !== undefined) open += ` ${word}`;
    else if (word.startsWith('(')) open = word;
    else rules.push(word);
    if (open?.endsWith(')')) {
      rules.push(open);
      open = undefined;
    }
  }
  if (open !== undefined)
    throw new AclRuleError(`Unmatched parenthesis in acl selector starting at '${open.split(' ')[0]!}'.`);
  return rules;
}

export function passwordHash(password: Bytes): string {
  return createHash('sha256').update(password, 'latin1').digest('hex');
}

function checkedHash(text: Bytes): string {
  if (!/^[0-9a-f]{64}$/.test(text)) {
    throw new AclRuleError(
      'The password hash must be exactly 64 characters and contain only lowercase hexadecimal characters',
    );
  }
  return text;
}
