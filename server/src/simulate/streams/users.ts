import { users } from '../../telemetry/datasets/Users.ts';
import type { Machine } from '../company/machine.ts';
import { systemPrograms } from '../company/role.ts';
import { snapshots } from '../stream.ts';

/** Users of the system, of programs and of staff. */
export const userStream = snapshots(users, ({ mid, role, people }: Machine) => {
  const programs = [...systemPrograms, ...role.programs];
  const services = new Map(programs.map(({ user, uid }) => [uid, user]));
  return [
    ...[...services].map(([uid, username]) => ({
      mid,
      username,
      uid,
      primaryGroupName: username,
      homeDir: uid === 0 ? '/var/roothome' : `/var/lib/${username}`,
    })),
    ...people.map(({ login, uid, team }) => ({
      mid,
      username: login,
      uid,
      primaryGroupName: login,
      otherGroupNames: team === 'platform' ? ['adm', 'sudo'] : ['adm'],
      homeDir: `/home/${login}`,
    })),
  ];
});
