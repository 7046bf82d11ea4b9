import type { HostFiles } from '../host/host-files.ts';

const maxBytes = 64 * 1024;
const id = /^[a-z0-9._-]{1,64}$/;
const version = /^[A-Za-z0-9._~+-]{1,64}$/;

/** The distribution of the host in the form of vulnerability feeds: `debian:12`; without a version if it has none. */
export async function readDistribution(files: HostFiles): Promise<string | undefined> {
  for (const path of ['/etc/os-release', '/usr/lib/os-release']) {
    const file = await files.text(path, maxBytes);
    const distribution = file.is === 'read' ? distributionOf(file.value) : undefined;
    if (distribution) return distribution;
  }
  return undefined;
}

/** The distribution of an `os-release` file. */
export function distributionOf(file: string): string | undefined {
  const values = new Map<string, string>();
  for (const line of file.split('\n')) {
    const [, name, value] = /^\s*(ID|VERSION_ID)=(.*)$/.exec(line) ?? [];
    if (name !== undefined && value !== undefined) values.set(name, unquoted(value.trim()));
  }
  const [distribution, release] = [values.get('ID'), values.get('VERSION_ID')];
  if (!distribution || !id.test(distribution)) return undefined;
  if (!release || !version.test(release)) return distribution;
  // Alpine writes the patch release too; its packages and advisories are those of 3.20.
  const branch = distribution === 'alpine' ? release.split('.', 2).join('.') : release;
  return `${distribution}:${branch}`;
}

/** Values are quoted as in a shell. Of the characters that are escaped there, none is in these values. */
function unquoted(value: string): string {
  return /^(["'])(.*)\1$/.exec(value)?.[2] ?? value;
}
