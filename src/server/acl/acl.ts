/** The users of a server, and the check of every request of a user who may not do everything. */

import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { describeSession } from '../../commands/client-list.js';
import { AclFileError, AclRuleError } from '../../protocol/problems.js';
import { splitInlineArgs } from '../../protocol/quoting.js';
import { type Bytes, ErrorReply } from '../../protocol/reply.js';
import type { Command } from '../command-table.js';
import type { Server } from '../server.js';
import type { Session } from '../session.js';
import { AclLog, type AclReason } from './log.js';
import type { Verdict } from './selector.js';
import { mergeSelectorWords, User } from './user.js';

type Denial = Exclude<Verdict, 'allowed'>;

export class Acl {
  readonly users = new Map<Bytes, User>();
  readonly defaultUser: User;
  readonly log = new AclLog();
  /** `acl-pubsub-default`: the channels of a new user. */
  newUserChannels: 'allchannels' | 'resetchannels' = 'resetchannels';

  constructor(private readonly server: Server) {
    this.defaultUser = this.newUser('default');
    for (const rule of ['on', 'nopass', '~*', '&*', '+@all']) this.defaultUser.apply(rule);
    this.users.set('default', this.defaultUser);
  }

  /** Whether a client may work without logging in. */
  get open(): boolean {
    return this.defaultUser.passwordless && this.defaultUser.enabled;
  }

  /** `requirepass`: the one password of the default user, none when empty. */
  setDefaultPassword(password: Bytes): void {
    this.defaultUser.apply('resetpass');
    this.defaultUser.apply(password === '' ? 'nopass' : `>${password}`);
    this.server.regateSessions();
  }

  /** Adds a user who may do everything (`--user name:password`). */
  addFullUser(name: Bytes, password: Bytes): void {
    this.setUser(name, ['reset', 'on', `>${password}`, '~*', '&*', '+@all']);
  }

  /** The user of a name and password, or undefined, which is logged with the command as it was typed. */
  authenticate(session: Session, name: Bytes, password: Bytes, asTyped: Bytes): User | undefined {
    const user = this.users.get(name);
    if (user?.accepts(password)) return user;
    this.note(session, 'auth', asTyped, name);
    return undefined;
  }

  /** The error for a request that the session's user may not make, or undefined. It is logged. */
  check(session: Session, command: Command, args: Bytes[]): ErrorReply | undefined {
    const verdict = session.user.check(command, args);
    if (verdict === 'allowed') return undefined;
    this.note(session, verdict.denied, verdict.object, session.user.name);
    return new ErrorReply(`NOPERM ${this.describeDenial(session.user, verdict, false)}`);
  }

  /** Why a request was denied, in Redis' words; in detail for ACL DRYRUN. */
  describeDenial(user: User, verdict: Denial, detailed: boolean): string {
    if (verdict.denied === 'command') {
      return `User ${user.name} has no permissions to run the '${verdict.object}' command`;
    }
    if (!detailed) return `No permissions to access a ${verdict.denied}`;
    return `User ${user.name} has no permissions to access the '${verdict.object}' ${verdict.denied}`;
  }

  /** Creates or changes a user, by all of the rules or, when one is wrong, by none. Throws an AclRuleError. */
  setUser(name: Bytes, words: readonly Bytes[]): void {
    const known = this.users.get(name);
    const trial = known?.clone() ?? this.newUser(name);
    for (const rule of mergeSelectorWords(words)) {
      try {
        trial.apply(rule);
      } catch (problem) {
        if (!(problem instanceof AclRuleError)) throw problem;
        throw new AclRuleError(`Error in ACL SETUSER modifier '${rule}': ${problem.message}`);
      }
    }
    if (known === undefined) this.users.set(name, trial);
    else known.takeFrom(trial);
    this.server.regateSessions();
    this.dropForbiddenSubscribers(known ?? trial);
  }

  /** Removes a user and closes the connections under the name; false when there is none. */
  deleteUser(name: Bytes): boolean {
    const user = this.users.get(name);
    if (user === undefined || user === this.defaultUser) return false;
    this.users.delete(name);
    this.server.closeSessions((session) => session.user === user);
    return true;
  }

  /** Replaces all users by those of the file. Throws an AclFileError, and then nothing has changed. */
  load(path: string): void {
    const loaded = this.readUsers(path);
    for (const [name, user] of [...this.users]) {
      if (!loaded.has(name) && user !== this.defaultUser) this.deleteUser(name);
    }
    const fallback = this.newUser('default');
    for (const rule of ['on', 'nopass', '~*', '&*', '+@all']) fallback.apply(rule);
    this.defaultUser.takeFrom(loaded.get('default') ?? fallback);
    for (const [name, user] of loaded) {
      const known = this.users.get(name);
      if (known === undefined) this.users.set(name, user);
      else known.takeFrom(user);
    }
    this.server.regateSessions();
    for (const user of this.users.values()) this.dropForbiddenSubscribers(user);
  }

  /** Writes all users to the file, which is whole at every moment. */
  save(path: string): void {
    const text = [...this.users.values()].map((user) => `${user.describe()}\n`).join('');
    const draft = `${path}.${process.pid}.tmp`;
    writeFileSync(draft, text, 'latin1');
    renameSync(draft, path);
  }

  private newUser(name: Bytes): User {
    const user = new User(name, this.server.commands);
    if (this.newUserChannels === 'allchannels') user.apply('allchannels');
    return user;
  }

  private readUsers(path: string): Map<Bytes, User> {
    const users = new Map<Bytes, User>();
    const problems: string[] = [];
    readFileSync(path, 'latin1')
      .split('\n')
      .forEach((line, i) => {
        if (line.trim() === '' || line.startsWith('#')) return;
        const problem = this.readUser(line.trim(), users);
        if (problem !== undefined) problems.push(`${path}:${i + 1}: ${problem}.`);
      });
    if (problems.length > 0) throw new AclFileError(problems.join(' '));
    return users;
  }

  /** Reads a line `user NAME rule …`; answers what is wrong with it. */
  private readUser(line: Bytes, users: Map<Bytes, User>): string | undefined {
    const words = splitInlineArgs(line);
    if (words === null || words.length < 2 || words[0] !== 'user') return 'line should start with user keyword';
    const name = words[1]!;
    if (users.has(name)) return `Duplicate user '${name}' found`;
    const user = this.newUser(name);
    try {
      for (const rule of mergeSelectorWords(words.slice(2))) user.apply(rule);
    } catch (problem) {
      if (problem instanceof AclRuleError) return problem.message;
      throw problem;
    }
    users.set(name, user);
    return undefined;
  }

  /** Connections that listen to what their user may not hear any more are closed. */
  private dropForbiddenSubscribers(user: User): void {
    this.server.closeSessions((session) => {
      if (session.user !== user || session.subscriptionCount === 0) return false;
      const names = [...session.channels, ...session.shardChannels];
      return (
        names.some((name) => !user.allowsChannel(name, false)) ||
        [...session.patterns].some((name) => !user.allowsChannel(name, true))
      );
    });
  }

  private note(session: Session, reason: AclReason, object: Bytes, username: Bytes): void {
    this.server.stats.accessDenied[reason]++;
    // A login fails while AUTH runs, the others are refused before their command does: deeper than that, EXEC runs them.
    const inExec = this.server.callDepth > (reason === 'auth' ? 1 : 0);
    const inTransaction = session.transaction !== null || inExec;
    const context = session.kind === 'script' ? 'lua' : inTransaction ? 'multi' : 'toplevel';
    const client = session.kind === 'script' ? (this.server.scriptCaller ?? session) : session;
    this.log.add({ reason, context, object, username, clientInfo: describeSession(client) }, this.server.clock.ms);
  }
}
