import { accessAdvice } from '../../host/access-advice.ts';
import { fileVersion } from '../../host/file-version.ts';
import type { Host } from '../../host/host.ts';
import type { ReadProcesses } from '../../processes/host-process.ts';
import type { Gap } from '../../source.ts';
import type { InstalledPackage, Inventory, PackageDatabase } from '../installed-package.ts';
import { isComplete } from '../package-file.ts';
import { languageDirectoriesOf } from './language-directories.ts';
import type { LanguageDirectory, Manifest } from './language-package.ts';
import { parseNpmManifest } from './npm-manifest.ts';
import { parsePythonMetadata } from './python-metadata.ts';

const limits = { directories: 64, names: 5_000, packages: 5_000, manifestBytes: 1024 * 1024 };
/** Written by npm, pnpm and yarn at each change, also of packages with a scope, which the directory itself does not show. */
const installMarks = ['.package-lock.json', '.modules.yaml', '.yarn-integrity'];
const what = 'packages of running programs';

type LanguageHost = Pick<Host, 'files' | 'isRoot'>;

/** The packages of npm and Python in the directories that running programs load them from. */
export class LanguagePackages implements PackageDatabase<LanguageHost> {
  readonly #processes: ReadProcesses;
  /** What was found in a directory, until it changes: installing replaces the directories of packages in it. */
  #known = new Map<string, Inventory>();

  constructor(processes: ReadProcesses) {
    this.#processes = processes;
  }

  async inventory({ files, isRoot }: LanguageHost): Promise<Inventory> {
    const processes = await this.#processes();
    if (processes.is === 'unreadable') return { packages: [], gaps: [{ what, reason: processes.reason }] };
    const directories = new Map<string, LanguageDirectory>();
    const gaps: Gap[] = [];
    let hidden = 0;
    for (const process of processes.is === 'read' ? processes.value : []) {
      if (process.program.is === 'unreadable') hidden++;
      for (const one of await languageDirectoriesOf(files, process)) directories.set(one.path, one);
    }
    if (hidden > 0)
      gaps.push({
        what,
        reason: `The programs of other users can not be read. ${accessAdvice('processes', isRoot)}`,
      });

    const known = new Map<string, Inventory>();
    let read = 0;
    const packages: InstalledPackage[] = [];
    for (const directory of directories.values()) {
      const version = await fileVersion(files, directory.path);
      if (version.is === 'absent') continue;
      if (version.is === 'unreadable') {
        gaps.push({ what, reason: version.reason });
        continue;
      }
      if (++read > limits.directories || packages.length >= limits.packages) {
        gaps.push({
          what,
          reason: `Only the first ${limits.directories} directories or ${limits.packages} packages are read.`,
        });
        break;
      }
      const key = [directory.path, version.value.version, await marksOf(files, directory)].join('\n');
      const found = this.#known.get(key) ?? (await packagesIn(files, directory));
      if (isComplete(found)) known.set(key, found);
      packages.push(...found.packages);
      gaps.push(...found.gaps);
    }
    this.#known = known;
    return { packages: packages.slice(0, limits.packages), gaps };
  }
}

async function marksOf(files: Host['files'], { format, path }: LanguageDirectory): Promise<string> {
  const versions: string[] = [];
  for (const name of format === 'npm' ? installMarks : []) {
    const mark = await fileVersion(files, `${path}/${name}`);
    if (mark.is === 'read') versions.push(mark.value.version);
  }
  return versions.join();
}

async function packagesIn(files: Host['files'], { format, path }: LanguageDirectory): Promise<Inventory> {
  const names = await files.names(path, limits.names);
  if (names.is !== 'read')
    return { packages: [], gaps: names.is === 'absent' ? [] : [{ what, reason: names.reason }] };
  const manifests =
    format === 'npm' ? await npmManifests(files, path, names.value) : pythonManifests(path, names.value);
  const parse = format === 'npm' ? parseNpmManifest : parsePythonMetadata;
  const packages: InstalledPackage[] = [];
  let invalid = 0;
  for (const sourceFile of manifests.slice(0, limits.packages)) {
    const file = await files.bytes(sourceFile, limits.manifestBytes);
    if (file.is === 'absent') continue;
    const manifest: Manifest = file.is === 'read' ? parse(file.value) : { is: 'invalid' };
    if (manifest.is === 'package') packages.push({ ...manifest.package, arch: 'noarch', format, sourceFile });
    else if (manifest.is === 'invalid') invalid++;
  }
  const reason = `${path} has packages whose name and version can not be read (${invalid} left out).`;
  return {
    packages,
    gaps: invalid > 0 ? [{ what, reason: `${reason} Reinstall them with ${installers[format]}.` }] : [],
  };
}

const installers = { npm: 'npm', python: 'pip' } as const;

/** Packages with a scope are one level deeper. */
async function npmManifests(files: Host['files'], path: string, names: readonly string[]): Promise<string[]> {
  const manifests: string[] = [];
  for (const name of names) {
    if (name.startsWith('.')) continue;
    if (!name.startsWith('@')) manifests.push(`${path}/${name}/package.json`);
    else {
      const scoped = await files.names(`${path}/${name}`, limits.names);
      if (scoped.is === 'read')
        manifests.push(...scoped.value.map((one) => `${path}/${name}/${one}/package.json`));
    }
  }
  return manifests;
}

function pythonManifests(path: string, names: readonly string[]): string[] {
  return names.filter((name) => name.endsWith('.dist-info')).map((name) => `${path}/${name}/METADATA`);
}
