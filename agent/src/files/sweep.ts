import type { Stats } from 'node:fs';
import { posix } from 'node:path';
import type { Host } from '../host/host.ts';
import type { HostFiles } from '../host/host-files.ts';
import { isLocal, Mounts, parseMountinfo } from '../host/mountinfo.ts';
import { isMatch, matchingPaths } from '../host/path-pattern.ts';
import type { Gap } from '../source.ts';
import type { Watched } from './watch-list.ts';

export const sweepLimits = { files: 2_000, depth: 6, names: 20_000, directories: 500 };

export interface FoundFile {
  readonly path: string;
  readonly status: Stats;
  /** The entry of the watch list. */
  readonly watched: Watched;
}

/** The files of the watch list as they are now. */
export interface Sweep {
  readonly files: ReadonlyMap<string, FoundFile>;
  /** Directories in which files may appear, with the names that matter. */
  readonly directories: ReadonlyMap<string, (name: string) => boolean>;
  readonly gaps: readonly Gap[];
}

export async function sweep(
  { files }: Pick<Host, 'files'>,
  list: readonly Watched[],
  limits = sweepLimits,
): Promise<Sweep> {
  const sweeping = new Sweeping(files, await readMounts(files), limits);
  for (const watched of list) await sweeping.add(watched);
  return sweeping;
}

const maxMountinfoBytes = 4 * 1024 * 1024;

/** Those of the first process are the host's, if the agent runs in a container. Without them, everything is local. */
async function readMounts(files: HostFiles): Promise<Mounts> {
  for (const process of ['1', 'self']) {
    const text = await files.text(`/proc/${process}/mountinfo`, maxMountinfoBytes);
    if (text.is === 'read') return new Mounts(parseMountinfo(text.value));
  }
  return new Mounts([]);
}

class Sweeping implements Sweep {
  readonly files = new Map<string, FoundFile>();
  readonly directories = new Map<string, (name: string) => boolean>();
  readonly gaps: Gap[] = [];
  readonly #host: HostFiles;
  readonly #mounts: Mounts;
  readonly #limits: typeof sweepLimits;
  #isFull = false;

  constructor(host: HostFiles, mounts: Mounts, limits: typeof sweepLimits) {
    this.#host = host;
    this.#mounts = mounts;
    this.#limits = limits;
  }

  async add(watched: Watched): Promise<void> {
    const [directory, pattern] = [posix.dirname(watched.path), posix.basename(watched.path)];
    for (const one of await matchingPaths(this.#host, directory, this.#limits.names)) {
      const type = this.#mounts.typeOf(one);
      if (type !== undefined && !isLocal(type)) {
        this.#notLocal(posix.join(one, pattern), type);
        continue;
      }
      this.#follow(one, (name) => isMatch(name, pattern));
      const paths = await matchingPaths(this.#host, posix.join(one, pattern), this.#limits.names);
      for (const path of paths) await this.#visit(path, watched, 0);
    }
  }

  async #visit(path: string, watched: Watched, depth: number): Promise<void> {
    const status = await this.#host.status(path);
    if (status.is === 'unreadable') this.gaps.push({ what: path, reason: status.reason });
    // What was listed a moment ago is absent if it was deleted, or if its name was not understood.
    if (status.is === 'absent' && depth > 0 && path.includes('\ufffd'))
      this.gaps.push({ what: path, reason: 'Its name is not UTF-8: rename the file.' });
    if (status.is !== 'read') return;
    const isLink = status.value.isSymbolicLink();
    if (status.value.isFile() || isLink) this.#file({ path, status: status.value, watched });
    // A watched directory may be a link, as /bin often is; links below it are not followed.
    if (status.value.isDirectory() || (isLink && depth === 0 && (await this.#leadsToDirectory(path))))
      await this.#directory(path, watched, depth);
  }

  #file(file: FoundFile): void {
    if (file.watched.isSetuidOnly && !(file.status.isFile() && file.status.mode & 0o6000)) return;
    if (this.files.has(file.path) || this.#isFull) return;
    if (this.files.size < this.#limits.files) {
      this.files.set(file.path, file);
      return;
    }
    this.#isFull = true;
    const reason = `Only ${this.#limits.files} files are watched: watch fewer directories.`;
    this.gaps.push({ what: `files from ${file.path} on`, reason });
  }

  async #directory(path: string, watched: Watched, depth: number): Promise<void> {
    const type = this.#mounts.typeOf(path);
    if (type !== undefined && !isLocal(type)) return this.#notLocal(path, type);
    if (depth > this.#limits.depth) {
      this.gaps.push({ what: path, reason: `Directories are swept ${this.#limits.depth} levels deep.` });
      return;
    }
    const names = await this.#host.names(path, this.#limits.names);
    if (names.is === 'unreadable') this.gaps.push({ what: path, reason: names.reason });
    if (names.is !== 'read') return;
    this.#follow(path, () => true);
    for (const name of names.value) await this.#visit(posix.join(path, name), watched, depth + 1);
  }

  async #leadsToDirectory(path: string): Promise<boolean> {
    return (await this.#host.names(path, this.#limits.names)).is === 'read';
  }

  #follow(directory: string, matters: (name: string) => boolean): void {
    const known = this.directories.get(directory);
    if (!known && this.directories.size === this.#limits.directories) return;
    this.directories.set(directory, known ? (name) => known(name) || matters(name) : matters);
  }

  #notLocal(path: string, type: string): void {
    this.gaps.push({
      what: path,
      reason: `It is on a file system of type ${type}: only those on disks of the host are watched.`,
    });
  }
}
