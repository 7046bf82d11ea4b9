import { fileVersion } from '../host/file-version.ts';
import type { Host } from '../host/host.ts';
import { parseApkInstalled } from './apk-installed.ts';
import { Cached } from './cached.ts';
import type { Inventory, PackageDatabase } from './installed-package.ts';
import { isComplete, orUnreadable, readPackageFile } from './package-file.ts';

/** The second one is that of systems with a merged `/usr`. If `/lib` links to it, both are the same file. */
const paths = ['/lib/apk/db/installed', '/usr/lib/apk/db/installed'];
const maxBytes = 32 * 1024 * 1024;
const remedy = 'Compare it with the output of apk info -v.';
const format = 'apk';

type ApkHost = Pick<Host, 'files'>;

/** The packages of Alpine. */
export class ApkDatabase implements PackageDatabase<ApkHost> {
  readonly #cached = new Cached<Inventory>();

  async inventory({ files }: ApkHost): Promise<Inventory | undefined> {
    for (const path of paths) {
      const version = await fileVersion(files, path);
      if (version.is === 'absent') continue;
      if (version.is === 'unreadable')
        return { packages: [], gaps: [{ what: `packages of ${format}`, reason: version.reason }] };
      const file = { path, format, maxBytes, parse: parseApkInstalled, remedy } as const;
      const compute = async () => orUnreadable(await readPackageFile(files, file), path, format, remedy);
      return this.#cached.get(version.value.version, compute, isComplete);
    }
    return undefined;
  }
}
