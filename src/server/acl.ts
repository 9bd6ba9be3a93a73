/** Users, their passwords, and what they may do. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Bytes, ErrorReply } from '../protocol/reply.js';
import type { Command } from './command-table.js';
import type { Server } from './server.js';
import type { Session } from './session.js';

export class User {
  /** SHA-256 of each password, as hexadecimal text. */
  readonly passwordHashes = new Set<string>();
  enabled = true;
  /** Any password will do (`nopass`). */
  passwordless = false;
  /** May run every command on every key and channel: dispatch asks nothing further. */
  unrestricted = true;

  constructor(readonly name: Bytes) {}

  accepts(password: Bytes): boolean {
    if (!this.enabled) return false;
    if (this.passwordless) return true;
    const digest = Buffer.from(passwordHash(password));
    let fits = false;
    for (const known of this.passwordHashes) if (timingSafeEqual(digest, Buffer.from(known))) fits = true;
    return fits;
  }
}

export class Acl {
  readonly users = new Map<Bytes, User>();
  readonly defaultUser = new User('default');

  constructor(readonly server: Server) {
    this.defaultUser.passwordless = true;
    this.users.set('default', this.defaultUser);
  }

  /** `requirepass`: the one password of the default user, none when empty. */
  setDefaultPassword(password: Bytes): void {
    this.defaultUser.passwordHashes.clear();
    this.defaultUser.passwordless = password === '';
    if (password !== '') this.defaultUser.passwordHashes.add(passwordHash(password));
  }

  /** Adds a user who may do everything (`--user name:password`). */
  addUser(name: Bytes, password: Bytes): void {
    const user = new User(name);
    user.passwordHashes.add(passwordHash(password));
    this.users.set(name, user);
  }

  /** The user of a name and password, or undefined. */
  authenticate(_session: Session, name: Bytes, password: Bytes): User | undefined {
    const user = this.users.get(name);
    return user?.accepts(password) ? user : undefined;
  }

  /** The error for a command that the session's user may not run, or undefined. */
  check(_session: Session, _command: Command, _args: Bytes[]): ErrorReply | undefined {
    return undefined;
  }
}

export function passwordHash(password: Bytes): string {
  return createHash('sha256').update(password, 'latin1').digest('hex');
}
