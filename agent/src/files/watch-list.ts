import { posix } from 'node:path';
import type { HostFiles } from '../host/host-files.ts';

/** A file, or a directory with all files below it. */
export interface Watched {
  /** Parts may contain `*`. */
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
  ...['/root', '/home/*'].flatMap((home) => [
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

const maxNames = 20_000;

/** The paths that a pattern stands for now. Parts without `*` need not exist. */
export async function expanded(path: string, files: HostFiles): Promise<readonly string[]> {
  if (!path.includes('*')) return [path];
  const paths: string[] = [];
  for (const directory of await expanded(posix.dirname(path), files))
    paths.push(...(await matching(directory, posix.basename(path), files)));
  return paths;
}

/** The paths in a directory that a name stands for. */
export async function matching(directory: string, name: string, files: HostFiles): Promise<string[]> {
  if (!name.includes('*')) return [posix.join(directory, name)];
  const names = await files.names(directory, maxNames);
  return names.is === 'read'
    ? names.value.filter(matcher(name)).map((one) => posix.join(directory, one))
    : [];
}

/** Compares part by part, in linear time. */
export function matcher(pattern: string): (name: string) => boolean {
  const [first = '', ...others] = pattern.split('*');
  const last = others.pop();
  if (last === undefined) return (name) => name === pattern;
  return (name) => {
    if (!name.startsWith(first) || !name.endsWith(last) || name.length < first.length + last.length)
      return false;
    let at = first.length;
    for (const part of others) {
      const found = name.indexOf(part, at);
      if (found < 0 || found + part.length > name.length - last.length) return false;
      at = found + part.length;
    }
    return true;
  };
}
