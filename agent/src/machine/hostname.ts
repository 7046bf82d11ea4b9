import type { HostFiles } from '../host/host-files.ts';
import { valueOr } from '../reading.ts';

/** What is said by `hostname`, with its domain where `/etc/hosts` gives it. Undefined if the host has no name. */
export async function readHostname(files: HostFiles): Promise<string | undefined> {
  const isMounted = valueOr(await files.place('/'), '/') !== '/';
  // In a container, the kernel gives the name of the container.
  const places = ['/proc/sys/kernel/hostname', '/etc/hostname'];
  for (const path of isMounted ? places.reverse() : places) {
    const name = nameOf(valueOr(await files.text(path, 4_096), ''));
    if (name === undefined) continue;
    return name.includes('.')
      ? name
      : (qualifiedName(valueOr(await files.text('/etc/hosts', 1024 * 1024), ''), name) ?? name);
  }
  return undefined;
}

/** The first name of the line of `/etc/hosts` that has the short one, as resolvers return it. */
export function qualifiedName(hosts: string, name: string): string | undefined {
  for (const line of hosts.split('\n')) {
    const [, ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    if (!names.includes(name)) continue;
    const full = names.find((one) => one.startsWith(`${name}.`));
    if (full !== undefined) return nameOf(full);
  }
  return undefined;
}

/** The first line that is not a comment, if it is a name. */
function nameOf(text: string): string | undefined {
  const line = text.split('\n').find((one) => one.trim() !== '' && !one.startsWith('#'));
  const name = line?.trim();
  return name && /^[A-Za-z0-9._-]{1,255}$/.test(name) && name !== '(none)' ? name : undefined;
}
