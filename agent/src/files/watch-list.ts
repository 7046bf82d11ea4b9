import { posix } from 'node:path';
import type { HostFiles } from '../host/host-files.ts';
import { valueOr } from '../reading.ts';
import type { Gap } from '../source.ts';
import { readUsers } from '../users/accounts.ts';

/** A file, or a directory with all files below it. */
export interface Watched {
  /** Parts may contain `*` and `?`; at the beginning, `~root` stands for the home of root. */
  readonly path: string;
  /** Only files that run with the rights of their owner or group. */
  readonly isSetuidOnly?: true;
}

export const defaultWatched: readonly Watched[] = [
  ...['/etc/passwd', '/etc/shadow', '/etc/group', '/etc/gshadow', '/etc/sudoers', '/etc/sudoers.d'],
  ...['/etc/ssh', '/etc/ld.so.preload'],
  ...[
    '/etc/crontab',
    '/etc/cron.*',
    '/var/spool/cron',
    '/etc/systemd/system',
    '/etc/init.d',
    '/etc/rc.local',
  ],
  ...['~root', '/home/*'].flatMap((home) => [
    `${home}/.ssh/authorized_keys`,
    `${home}/.ssh/authorized_keys2`,
  ]),
]
  .map((path): Watched => ({ path }))
  .concat([
    { path: '/usr/bin', isSetuidOnly: true },
    { path: '/usr/sbin', isSetuidOnly: true },
  ]);

/** Of the configuration; relative paths are none of the host's. */
export function watchedPaths(paths: readonly string[]): Watched[] {
  return paths
    .filter((path) => path.startsWith('/'))
    .map((path) => ({ path: posix.normalize(path).replace(/(?<=.)\/$/, '') }));
}

/** The list with the home of root on this host. Without it, the entries below it are left out, which is a gap. */
export async function located(
  list: readonly Watched[],
  files: HostFiles,
): Promise<{ readonly list: readonly Watched[]; readonly gaps: readonly Gap[] }> {
  const users = valueOr(await readUsers(files), []);
  const home = users.find(({ uid, home }) => uid === 0 && home.startsWith('/'))?.home;
  const isBelow = ({ path }: Watched) => path.startsWith('~root/');
  if (home === undefined)
    return {
      list: list.filter((watched) => !isBelow(watched)),
      gaps: list.filter(isBelow).map(({ path }) => ({
        what: path,
        reason: '/etc/passwd can not be read, or does not name the home of the user with the id 0.',
      })),
    };
  const pathOf = ({ path }: Watched) => posix.join(home, path.slice('~root'.length));
  return { list: list.map((one) => (isBelow(one) ? { ...one, path: pathOf(one) } : one)), gaps: [] };
}
