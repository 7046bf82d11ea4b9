import type { Host } from '../host/host.ts';
import { valueOr } from '../reading.ts';
import type { Gap, Observation, Observed, Source } from '../source.ts';
import { readGroups, readUsers } from './accounts.ts';
import { directoriesOf } from './nsswitch.ts';
import type { GroupEntry, PasswdEntry } from './passwd.ts';

/** Reports the users of the host. */
export class UsersSource implements Source {
  readonly name = 'users';
  readonly interval = 60_000;

  async observe({ files }: Host): Promise<Observation> {
    const [users, groups] = [await readUsers(files), await readGroups(files)];
    const gaps: Gap[] = [];
    if (users.is !== 'read') {
      const reason = users.is === 'unreadable' ? users.reason : 'The host has no /etc/passwd.';
      return { records: {}, gaps: [{ what: 'users of the host', reason }] };
    }
    if (groups.is === 'unreadable') gaps.push({ what: 'groups of users', reason: groups.reason });
    const directories = directoriesOf(valueOr(await files.text('/etc/nsswitch.conf', 64 * 1024), ''));
    if (directories.length > 0)
      gaps.push({
        what: 'users of directories',
        reason: `/etc/nsswitch.conf also takes users from ${directories.join(', ')}; only those of /etc/passwd are reported.`,
      });
    const records = recordsOf(users.value, groups.is === 'read' ? groups.value : undefined);
    return { records: { 'Entities/Users': records }, gaps };
  }
}

/** One for each id, which identifies a user. Another name of the same id has all its rights, so it is reported too. */
function recordsOf(users: readonly PasswdEntry[], groups: readonly GroupEntry[] | undefined): Observed[] {
  const groupNames = new Map(groups?.map(({ gid, name }) => [gid, name] as const).reverse());
  const memberships = new Map<string, Set<string>>();
  for (const { name, members } of groups ?? [])
    for (const member of members) memberships.set(member, (memberships.get(member) ?? new Set()).add(name));
  const byId = new Map<number, PasswdEntry[]>();
  for (const user of users) {
    const same = byId.get(user.uid);
    if (same) same.push(user);
    else byId.set(user.uid, [user]);
  }
  return [...byId.values()].flatMap(([user, ...others]) => {
    if (!user) return [];
    const primary = groupNames.get(user.gid);
    const names = [...new Set(others.map(({ name }) => name))].filter((name) => name !== user.name);
    const other = [user.name, ...names].flatMap((name) => [...(memberships.get(name) ?? [])]);
    return {
      username: user.name,
      uid: user.uid,
      primaryGroupName: primary ?? String(user.gid),
      ...(groups && { otherGroupNames: [...new Set(other)].filter((name) => name !== primary).sort() }),
      ...(user.home !== '' && { homeDir: user.home }),
      ...(names.length > 0 && { otherUsernames: names }),
    };
  });
}
