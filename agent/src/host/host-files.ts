import { constants, type Stats } from 'node:fs';
import { lstat, readdir, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { absent, mapped, type Reading, read, unreadable } from '../reading.ts';
import { type Access, accessAdvice, isRoot } from './access-advice.ts';
import { type FileWork, readChunks, withRegularFile } from './regular-file.ts';

/** Symbolic links that are followed for one path. */
const maxLinks = 40;

/**
 * The files of the host, below a directory at which they are mounted if the agent runs in a container. Symbolic links are
 * followed within that directory: an absolute one begins there, and none leads out of it.
 */
export class HostFiles {
  readonly #root: string;

  constructor(root = '/') {
    this.#root = root;
  }

  /** The content of a file. */
  bytes(path: string, maxBytes: number): Promise<Reading<Buffer>> {
    return this.opened(path, async (file) => {
      const chunks: Buffer[] = [];
      const content = await readChunks(file, path, { maxBytes }, (chunk) => chunks.push(Buffer.from(chunk)));
      return mapped(content, () => Buffer.concat(chunks));
    });
  }

  /** Opens a regular file for some work. */
  opened<Value>(path: string, work: FileWork<Value>, followsLast = true): Promise<Reading<Value>> {
    const flags = followsLast ? 0 : constants.O_NOFOLLOW;
    return this.#reading(path, (place) => withRegularFile(place, path, work, flags), followsLast);
  }

  /** The content of a file as UTF-8; bytes that are not UTF-8 are replaced. */
  async text(path: string, maxBytes: number): Promise<Reading<string>> {
    return mapped(await this.bytes(path, maxBytes), (bytes) => bytes.toString('utf8'));
  }

  /** The names in a directory. */
  names(path: string, maxNames: number): Promise<Reading<readonly string[]>> {
    return this.#reading(path, async (place) => {
      const names = await readdir(place);
      return names.length > maxNames
        ? unreadable(`${path} has more than ${maxNames} entries.`)
        : read(names.sort());
    });
  }

  /** The properties of a file, or of a symbolic link itself. */
  status(path: string): Promise<Reading<Stats>> {
    return this.#reading(path, async (place) => read(await lstat(place)), false);
  }

  /** The target of a symbolic link as stored. The links of the kernel, such as `/proc/1/exe`, need not name a file. */
  target(path: string): Promise<Reading<string>> {
    return this.#reading(path, async (place) => read(await readlink(place)), false);
  }

  /** The place of a file of the host in the file system of the agent, for what takes a path: a socket, a database. */
  place(path: string): Promise<Reading<string>> {
    return this.#reading(path, async (place) => read(place));
  }

  async #reading<Value>(
    path: string,
    work: (place: string) => Promise<Reading<Value>>,
    followsLast = true,
  ): Promise<Reading<Value>> {
    try {
      return await work(await this.#resolve(path, followsLast));
    } catch (error) {
      return readingOf(path, error);
    }
  }

  /** Follows links one by one, because those of the kernel would resolve them in the file system of the agent. */
  async #resolve(path: string, followsLast: boolean): Promise<string> {
    if (this.#root === '/') return path;
    const waiting = path.split('/');
    let resolved: string[] = [];
    for (let links = 0; waiting.length > 0; ) {
      const name = waiting.shift() as string;
      if (name === '' || name === '.') continue;
      if (name === '..') {
        resolved.pop();
        continue;
      }
      const target =
        waiting.length > 0 || followsLast ? await linkTarget(join(this.#root, ...resolved, name)) : undefined;
      if (target === undefined) {
        resolved.push(name);
        continue;
      }
      if (++links > maxLinks)
        throw Object.assign(new Error(`${path} has too many links.`), { code: 'ELOOP' });
      if (target.startsWith('/')) resolved = [];
      waiting.unshift(...target.split('/'));
    }
    return join(this.#root, ...resolved);
  }
}

async function linkTarget(place: string): Promise<string | undefined> {
  try {
    return await readlink(place);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EINVAL' || code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}

/** What a failed access means. Processes end while they are read: then their files are absent. */
export function readingOf(path: string, error: unknown, access: Access = 'files'): Reading<never> {
  const { code, message } = error as NodeJS.ErrnoException;
  switch (code) {
    case 'ENOENT':
    case 'ESRCH':
    case 'ENOTDIR':
      return absent;
    case 'EACCES':
    case 'EPERM': {
      const who = isRoot() ? 'may not be read.' : 'may only be read by its owner or root.';
      return unreadable(`${path} ${who} ${accessAdvice(access, isRoot())}`);
    }
    default:
      return unreadable(`${path} could not be read: ${code ?? message}`);
  }
}
