import type { Host } from '../host/host.ts';
import { Cached } from './cached.ts';
import { parseDpkgControl, parseDpkgStatus } from './dpkg-status.ts';
import { fileVersion } from './file-version.ts';
import type { Inventory, PackageDatabase } from './installed-package.ts';
import { orUnreadable, readPackageFile } from './package-file.ts';

const directory = '/var/lib/dpkg';
const statusPath = `${directory}/status`;
const controlDirectory = `${directory}/status.d`;
const limits = { statusBytes: 32 * 1024 * 1024, controlBytes: 256 * 1024, controlFiles: 10_000 };
const remedy = 'Compare it with the output of dpkg-query -W.';
const format = 'dpkg';

type DpkgHost = Pick<Host, 'files'>;

/** The packages of Debian and its derivatives; of images without dpkg as well. */
export class DpkgDatabase implements PackageDatabase<DpkgHost> {
  readonly #cached = new Cached<Inventory>();

  async inventory({ files }: DpkgHost): Promise<Inventory | undefined> {
    const status = await fileVersion(files, statusPath);
    const names = await files.names(controlDirectory, limits.controlFiles);
    if (status.is === 'absent' && names.is === 'absent') return undefined;
    const paths =
      names.is === 'read' ? names.value.filter(isControl).map((name) => `${controlDirectory}/${name}`) : [];
    const versions: string[] = [];
    for (const path of paths) versions.push(versionOf(await fileVersion(files, path)));
    const key = [versionOf(status), names.is, ...paths, ...versions].join('\n');
    return this.#cached.get(key, async () => {
      const inventories: Inventory[] = [];
      const parts = { format, remedy } as const;
      if (status.is !== 'absent')
        inventories.push(
          await readPackageFile(files, {
            ...parts,
            path: statusPath,
            maxBytes: limits.statusBytes,
            parse: parseDpkgStatus,
          }),
        );
      for (const path of paths)
        inventories.push(
          await readPackageFile(files, {
            ...parts,
            path,
            maxBytes: limits.controlBytes,
            parse: parseDpkgControl,
          }),
        );
      const gaps = inventories.flatMap((one) => one.gaps);
      if (names.is === 'unreadable') gaps.push({ what: `packages of ${format}`, reason: names.reason });
      const packages = inventories.flatMap((one) => one.packages);
      return orUnreadable(
        { packages, gaps },
        status.is === 'absent' ? controlDirectory : statusPath,
        format,
        remedy,
      );
    });
  }
}

/** Beside each package, there may be the digests of its files. */
function isControl(name: string): boolean {
  return !name.endsWith('.md5sums');
}

function versionOf(reading: Awaited<ReturnType<typeof fileVersion>>): string {
  return reading.is === 'read' ? reading.value.version : reading.is;
}
