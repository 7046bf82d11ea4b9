import type { HostFiles } from '../host/host-files.ts';
import { valueOr } from '../reading.ts';
import { readUsers } from './accounts.ts';
import type { PasswdEntry } from './passwd.ts';

const known = new WeakMap<readonly PasswdEntry[], UserNames>();
const unknown: readonly PasswdEntry[] = [];

/** The names of the host's users and their ids. */
export class UserNames {
  readonly #names = new Map<number, string>();
  readonly #users = new Map<string, PasswdEntry>();

  constructor(users: readonly PasswdEntry[]) {
    // Of users with the same id, or lines with the same name, systems take the first.
    for (const user of users) {
      if (!this.#names.has(user.uid)) this.#names.set(user.uid, user.name);
      if (!this.#users.has(user.name)) this.#users.set(user.name, user);
    }
  }

  /** Cheap while `/etc/passwd` does not change. If it can not be read, no user has a name: the source of users says so. */
  static async read(files: HostFiles): Promise<UserNames> {
    const users = valueOr(await readUsers(files), unknown);
    const names = known.get(users) ?? new UserNames(users);
    known.set(users, names);
    return names;
  }

  /** Undefined for users of directories and of containers. */
  nameOf(uid: number): string | undefined {
    return this.#names.get(uid);
  }

  /** A user without a name has its number, as in `ps`. */
  nameOrId(uid: number): string {
    return this.nameOf(uid) ?? String(uid);
  }

  user(name: string): PasswdEntry | undefined {
    return this.#users.get(name);
  }
}
