import type { HostFiles } from '../host/host-files.ts';
import { mapped, type Reading } from '../reading.ts';
import { readUsers } from './accounts.ts';
import type { PasswdEntry } from './passwd.ts';

const known = new WeakMap<readonly PasswdEntry[], UserNames>();

/** The names of the host's users and their ids. */
export class UserNames {
  /** Of a host whose users can not be read. */
  static readonly none = new UserNames([]);

  readonly #names = new Map<number, string>();
  readonly #users = new Map<string, PasswdEntry>();

  constructor(users: readonly PasswdEntry[]) {
    // Of users with the same id, or lines with the same name, systems take the first.
    for (const user of users) {
      if (!this.#names.has(user.uid)) this.#names.set(user.uid, user.name);
      if (!this.#users.has(user.name)) this.#users.set(user.name, user);
    }
  }

  /** Cheap while `/etc/passwd` does not change. */
  static async read(files: HostFiles): Promise<Reading<UserNames>> {
    return mapped(await readUsers(files), (users) => {
      const names = known.get(users) ?? new UserNames(users);
      known.set(users, names);
      return names;
    });
  }

  /** Undefined for users of directories and of containers. */
  nameOf(uid: number): string | undefined {
    return this.#names.get(uid);
  }

  user(name: string): PasswdEntry | undefined {
    return this.#users.get(name);
  }
}
