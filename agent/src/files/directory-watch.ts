import { type FSWatcher, watch } from 'node:fs';
import type { Host } from '../host/host.ts';
import type { Gap } from '../source.ts';

interface WatchedDirectory {
  readonly watcher: FSWatcher;
  readonly inode: number;
  matters: (name: string) => boolean;
}

/** Notes that something changed in directories of the host. What it misses is found by the next sweep. */
export class DirectoryWatch {
  readonly #directories = new Map<string, WatchedDirectory>();
  #eventAt: number | undefined;
  #isStopping = false;

  /** When the first event since the last sweep was seen. */
  get eventAt(): number | undefined {
    return this.#eventAt;
  }

  /** Before a sweep, which finds all that was noted. */
  clear(): void {
    this.#eventAt = undefined;
  }

  /** Watches these directories from now on, and no others. */
  async follow(
    host: Pick<Host, 'files' | 'now' | 'signal'>,
    directories: ReadonlyMap<string, (name: string) => boolean>,
  ): Promise<Gap[]> {
    if (!this.#isStopping) {
      this.#isStopping = true;
      host.signal.addEventListener('abort', () => this.close(), { once: true });
    }
    for (const path of this.#directories.keys()) if (!directories.has(path)) this.#end(path);
    for (const [path, matters] of directories) {
      const failure = await this.#watch(host, path, matters);
      if (failure !== undefined) return [failure];
    }
    return [];
  }

  close(): void {
    for (const path of [...this.#directories.keys()]) this.#end(path);
  }

  async #watch(
    host: Pick<Host, 'files' | 'now' | 'signal'>,
    path: string,
    matters: (name: string) => boolean,
  ): Promise<Gap | undefined> {
    const place = await host.files.place(path);
    const status = place.is === 'read' ? await host.files.status(path) : place;
    const known = this.#directories.get(path);
    if (place.is !== 'read' || status.is !== 'read' || host.signal.aborted) {
      this.#end(path);
      return undefined;
    }
    if (known?.inode === status.value.ino) {
      known.matters = matters;
      return undefined;
    }
    // Another directory has taken its place.
    this.#end(path);
    try {
      const watcher = watch(place.value, { persistent: false }, (_, name) => {
        // Without a name, or with one that is not UTF-8, it can be any file.
        const isRelevant = name === null || this.#directories.get(path)?.matters(name);
        if (isRelevant) this.#eventAt ??= host.now();
      });
      watcher.on('error', () => this.#end(path));
      this.#directories.set(path, { watcher, inode: status.value.ino, matters });
      return undefined;
    } catch (error) {
      return failureOf(error as NodeJS.ErrnoException);
    }
  }

  #end(path: string): void {
    this.#directories.get(path)?.watcher.close();
    this.#directories.delete(path);
  }
}

/** A directory that has just been deleted is none. */
export function failureOf({ code, message }: NodeJS.ErrnoException): Gap | undefined {
  if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EACCES') return undefined;
  const what = 'immediate reports of changed files';
  const until = 'Until then, changes are found once a minute.';
  if (code === 'ENOSPC')
    return {
      what,
      reason: `The host has no inotify watches left: raise fs.inotify.max_user_watches. ${until}`,
    };
  if (code === 'EMFILE')
    return {
      what,
      reason: `The host has no inotify instances left: raise fs.inotify.max_user_instances. ${until}`,
    };
  return { what, reason: `Directories can not be watched: ${message.slice(0, 200)}. ${until}` };
}
