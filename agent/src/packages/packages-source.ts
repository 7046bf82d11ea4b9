import type { Host } from '../host/host.ts';
import type { ReadProcesses } from '../processes/host-process.ts';
import type { Gap, Observation, Observed, Source } from '../source.ts';
import { ApkDatabase } from './apk.ts';
import { readDistribution } from './distribution.ts';
import { DpkgDatabase } from './dpkg.ts';
import type { InstalledPackage, Inventory, PackageDatabase } from './installed-package.ts';
import { LanguagePackages } from './language/language-packages.ts';
import { RpmDatabase } from './rpm.ts';

const noDatabase: Gap = {
  what: 'packages',
  reason:
    'No package database of dpkg, rpm or apk was found. If the agent runs in a container, mount /var/lib, /usr/lib and /lib of the host.',
};

/** The packages that are installed on the host: those of its package databases, and those that running programs load. */
export class PackagesSource implements Source {
  readonly name = 'packages';
  readonly interval = 60_000;
  readonly #databases: readonly PackageDatabase<Host>[] = [
    new DpkgDatabase(),
    new RpmDatabase(),
    new ApkDatabase(),
  ];
  readonly #language: LanguagePackages | undefined;

  /** Without processes, only the package databases are read. */
  constructor(processes?: ReadProcesses) {
    this.#language = processes && new LanguagePackages(processes);
  }

  async observe(host: Host): Promise<Observation> {
    const inventories: Inventory[] = [];
    for (const database of this.#databases) {
      const inventory = await database.inventory(host);
      if (inventory) inventories.push(inventory);
    }
    const gaps = inventories.length === 0 ? [noDatabase] : inventories.flatMap((one) => one.gaps);
    const language = await this.#language?.inventory(host);
    const packages = [...inventories, ...(language ? [language] : [])].flatMap((one) => one.packages);
    const distribution = await readDistribution(host.files);
    return {
      records: { 'Entities/Packages': recordsOf(packages, distribution) },
      gaps: [...gaps, ...(language?.gaps ?? [])],
    };
  }
}

/** One record for each identity: two with different content would replace each other at each observation. */
function recordsOf(packages: readonly InstalledPackage[], distribution: string | undefined): Observed[] {
  const records = new Map<string, Observed>();
  for (const { name, version, arch, format, sourceFile } of packages) {
    const identity = `${name}\n${version}\n${arch}`;
    if (records.has(identity)) continue;
    const isOfDistribution = format !== 'npm' && format !== 'python';
    const namespace = isOfDistribution && distribution !== undefined ? { namespace: distribution } : {};
    records.set(identity, {
      ...{ packageName: name, version, arch, versionFormat: format },
      ...{ ...namespace, sourceFile },
    });
  }
  return [...records.values()];
}
