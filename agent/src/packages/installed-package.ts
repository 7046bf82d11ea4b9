import type { Gap } from '../source.ts';

export type VersionFormat = 'dpkg' | 'rpm' | 'apk' | 'npm' | 'python';

export interface InstalledPackage {
  readonly name: string;
  /** With its epoch, as the distribution writes it. */
  readonly version: string;
  readonly arch: string;
  readonly format: VersionFormat;
  /** The file that declares it. */
  readonly sourceFile: string;
}

/** The packages of one database, and what could not be read of it. */
export interface Inventory {
  readonly packages: readonly InstalledPackage[];
  readonly gaps: readonly Gap[];
}

/** A package database of the host. */
export interface PackageDatabase<Host> {
  /** Undefined if the host has no such database. */
  inventory(host: Host): Promise<Inventory | undefined>;
}

/** What a parser found. Damaged entries are counted, never taken for packages that are not installed. */
export interface ParsedPackages {
  readonly packages: readonly Pick<InstalledPackage, 'name' | 'version' | 'arch'>[];
  readonly damaged: number;
}

/** Far above any distribution; the rest of a hostile database is not read. */
export const maxPackages = 20_000;

/** Neither spaces nor characters that are not visible, which could disguise a name. */
const word = /^[^\s\p{C}]{1,256}$/u;

/** Whether it can be the name, version or architecture of a package. */
export function isWord(value: string | undefined): value is string {
  return value !== undefined && word.test(value);
}
