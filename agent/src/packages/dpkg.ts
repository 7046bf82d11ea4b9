import { type FileVersion, fileVersion } from '../host/file-version.ts';
import type { Host } from '../host/host.ts';
import type { Reading } from '../reading.ts';
import type { Gap } from '../source.ts';
import { Cached } from './cached.ts';
import { parseDpkgControl, parseDpkgStatus } from './dpkg-status.ts';
import type { Inventory, PackageDatabase } from './installed-package.ts';
import { isComplete, orUnreadable, readPackageFile } from './package-file.ts';

const statusPath = '/var/lib/dpkg/status';
const controlDirectory = '/var/lib/dpkg/status.d';
const limits = { statusBytes: 32 * 1024 * 1024, controlBytes: 256 * 1024, controlFiles: 10_000, gaps: 5 };
const remedy = 'Compare it with the output of dpkg-query -W.';
const format = 'dpkg';
const what = `packages of ${format}`;

type DpkgHost = Pick<Host, 'files'>;

/** The packages of Debian and its derivatives; of images without dpkg as well. */
export class DpkgDatabase implements PackageDatabase<DpkgHost> {
  readonly #cached = new Cached<Inventory>();

  async inventory({ files }: DpkgHost): Promise<Inventory | undefined> {
    const status = await fileVersion(files, statusPath);
    const names = await files.names(controlDirectory, limits.controlFiles);
    if (status.is === 'absent' && names.is === 'absent') return undefined;
    const controls =
      names.is === 'read' ? names.value.filter(isControl).map((name) => `${controlDirectory}/${name}`) : [];
    const versions: string[] = [];
    for (const path of controls) versions.push(`${path} ${versionOf(await fileVersion(files, path))}`);
    const key = [versionOf(status), names.is, ...versions].join('\n');
    return this.#cached.get(
      key,
      async () => {
        const { packages, gaps } = await readAll(files, status.is === 'absent' ? [] : [statusPath], controls);
        if (names.is === 'unreadable') gaps.unshift({ what, reason: names.reason });
        const database = status.is === 'absent' ? controlDirectory : statusPath;
        return orUnreadable({ packages, gaps: bounded(gaps) }, database, format, remedy);
      },
      isComplete,
    );
  }
}

async function readAll(files: Host['files'], statuses: readonly string[], controls: readonly string[]) {
  const inventories: Inventory[] = [];
  const [maxBytes, parse] = [limits.statusBytes, parseDpkgStatus];
  for (const path of statuses)
    inventories.push(await readPackageFile(files, { path, format, maxBytes, parse, remedy }));
  for (const path of controls) {
    const file = { path, maxBytes: limits.controlBytes, parse: parseDpkgControl };
    inventories.push(await readPackageFile(files, { ...file, format, remedy }));
  }
  return {
    packages: inventories.flatMap((one) => one.packages),
    gaps: inventories.flatMap((one) => one.gaps),
  };
}

/** Each file of a damaged directory would be a gap. */
function bounded(gaps: readonly Gap[]): Gap[] {
  const rest = gaps.length - limits.gaps;
  if (rest <= 0) return [...gaps];
  const reason = `${rest} more files of ${controlDirectory} could not be read. ${remedy}`;
  return [...gaps.slice(0, limits.gaps), { what, reason }];
}

/** Beside each package, there may be the digests of its files. */
function isControl(name: string): boolean {
  return !name.endsWith('.md5sums');
}

function versionOf(reading: Reading<FileVersion>): string {
  return reading.is === 'read' ? reading.value.version : reading.is;
}
