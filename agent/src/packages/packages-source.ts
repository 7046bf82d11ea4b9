import type { Host } from '../host/host.ts';
import type { Gap, Observation, Observed, Source } from '../source.ts';
import { ApkDatabase } from './apk.ts';
import { readDistribution } from './distribution.ts';
import { DpkgDatabase } from './dpkg.ts';
import type { InstalledPackage, PackageDatabase } from './installed-package.ts';
import { RpmDatabase } from './rpm.ts';

const noDatabase: Gap = {
  what: 'packages',
  reason:
    'No package database of dpkg, rpm or apk was found. If the agent runs in a container, mount /var/lib, /usr/lib and /lib of the host.',
};

/** The packages that are installed on the host, by its package databases. */
export class PackagesSource implements Source {
  readonly name = 'packages';
  readonly interval = 60_000;
  readonly #databases: readonly PackageDatabase<Host>[] = [
    new DpkgDatabase(),
    new RpmDatabase(),
    new ApkDatabase(),
  ];

  async observe(host: Host): Promise<Observation> {
    const packages: InstalledPackage[] = [];
    const gaps: Gap[] = [];
    let hasDatabase = false;
    for (const database of this.#databases) {
      const inventory = await database.inventory(host);
      hasDatabase ||= inventory !== undefined;
      packages.push(...(inventory?.packages ?? []));
      gaps.push(...(inventory?.gaps ?? []));
    }
    if (!hasDatabase) gaps.push(noDatabase);
    const distribution = await readDistribution(host.files);
    return { records: { 'Entities/Packages': recordsOf(packages, distribution) }, gaps };
  }
}

/** One record for each identity: two with different content would replace each other at each observation. */
function recordsOf(packages: readonly InstalledPackage[], distribution: string | undefined): Observed[] {
  const records = new Map<string, Observed>();
  for (const { name, version, arch, format, sourceFile } of packages) {
    const identity = `${name}\n${version}\n${arch}`;
    if (records.has(identity)) continue;
    const namespace = distribution === undefined ? {} : { namespace: distribution };
    records.set(identity, {
      ...{ packageName: name, version, arch, versionFormat: format },
      ...{ ...namespace, sourceFile },
    });
  }
  return [...records.values()];
}
