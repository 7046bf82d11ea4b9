import type { HostFiles } from '../host/host-files.ts';
import type { Inventory, ParsedPackages, VersionFormat } from './installed-package.ts';

export interface PackageFile {
  readonly path: string;
  readonly format: VersionFormat;
  readonly maxBytes: number;
  readonly parse: (file: Buffer) => ParsedPackages;
  /** What the operator does about a damaged file. */
  readonly remedy: string;
}

/** The packages of one file. None if it was removed in the meantime. */
export async function readPackageFile(files: HostFiles, file: PackageFile): Promise<Inventory> {
  const { path, format, remedy } = file;
  const what = `packages of ${format}`;
  const content = await files.bytes(path, file.maxBytes);
  if (content.is === 'absent') return { packages: [], gaps: [] };
  if (content.is === 'unreadable') return { packages: [], gaps: [{ what, reason: content.reason }] };
  const { packages, damaged } = file.parse(content.value);
  return {
    packages: packages.map((one) => ({ ...one, format, sourceFile: path })),
    gaps:
      damaged > 0
        ? [{ what, reason: `${path} has invalid or too many entries (${damaged} left out). ${remedy}` }]
        : [],
  };
}

/** What could not be read is tried again at the next interval, even if nothing has changed. */
export function isComplete({ gaps }: Inventory): boolean {
  return gaps.length === 0;
}

/** A database that exists but yields nothing is not an empty one: a host without packages does not run. */
export function orUnreadable(
  inventory: Inventory,
  path: string,
  format: VersionFormat,
  remedy: string,
): Inventory {
  if (inventory.packages.length > 0 || inventory.gaps.length > 0) return inventory;
  const reason = `${path} exists, but no installed package was found in it. ${remedy}`;
  return { packages: [], gaps: [{ what: `packages of ${format}`, reason }] };
}
