import type { HostFiles } from '../host/host-files.ts';
import { readOsRelease } from '../machine/os-release.ts';

const id = /^[a-z0-9._-]{1,64}$/;
const version = /^[A-Za-z0-9._~+-]{1,64}$/;

/** The distribution of the host in the form of vulnerability feeds: `debian:12`; without a version if it has none. */
export async function readDistribution(files: HostFiles): Promise<string | undefined> {
  const release = await readOsRelease(files);
  return release.is === 'read' ? distributionOf(release.value) : undefined;
}

/** By the variables of an `os-release` file. */
export function distributionOf(variables: ReadonlyMap<string, string>): string | undefined {
  const [distribution, release] = [variables.get('ID'), variables.get('VERSION_ID')];
  if (!distribution || !id.test(distribution)) return undefined;
  if (!release || !version.test(release)) return distribution;
  // Alpine writes the patch release too; its packages and advisories are those of 3.20.
  const branch = distribution === 'alpine' ? release.split('.', 2).join('.') : release;
  return `${distribution}:${branch}`;
}
