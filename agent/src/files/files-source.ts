import { contentDigest } from '../host/content-digest.ts';
import type { Host } from '../host/host.ts';
import { type Reading, read } from '../reading.ts';
import type { Gap, Observation, Observed, Source } from '../source.ts';
import { UserNames } from '../users/user-names.ts';
import { DirectoryWatch } from './directory-watch.ts';
import { changeRecord, deletionRecord, type FileContent, fileRecord, targetDigest } from './file-records.ts';
import {
  changeKey,
  encodeCursor,
  type FilesCursor,
  type KnownFile,
  parseCursor,
  rightsOf,
} from './known-files.ts';
import { type FoundFile, sweep } from './sweep.ts';
import { defaultWatched, located, type Watched, watchedPaths } from './watch-list.ts';

/** Milliseconds. */
const times = {
  /** Between two sweeps without an event. */
  sweep: 60_000,
  /** After an event, so that a file that is being written is read once. */
  settle: 500,
  /** Between two sweeps because of events: an upgrade causes thousands. */
  pause: 5_000,
};
const maxHashedBytes = 100 * 1024 * 1024;

export interface FilesDeps {
  /** Files and directories of the configuration; undefined for the default ones. */
  readonly watched?: readonly string[] | undefined;
  /** Larger files are not read. */
  readonly maxBytes?: number;
}

/** Reports the files of the watch list, and changes of them. */
export class FilesSource implements Source {
  readonly name = 'files';
  /** How often it checks for events; most observations are empty. */
  readonly interval = 1_000;
  readonly #list: readonly Watched[];
  readonly #maxBytes: number;
  readonly #watch = new DirectoryWatch();
  #sweptAt = -Infinity;
  #gaps: readonly Gap[] = [];

  constructor({ watched, maxBytes = maxHashedBytes }: FilesDeps = {}) {
    this.#list = watched ? watchedPaths(watched) : defaultWatched;
    this.#maxBytes = maxBytes;
  }

  async observe(host: Host, cursor: unknown): Promise<Observation> {
    if (!this.#isDue(host.now())) return { records: {}, gaps: this.#gaps };
    const before = parseCursor(cursor);
    const lastSweep = Math.max(this.#sweptAt, before?.at ?? 0);
    this.#sweptAt = host.now();
    this.#watch.clear();
    const { list, gaps } = await located(this.#list, host.files);
    const found = await sweep(host, list);
    const unwatched = await this.#watch.follow(host, found.directories);
    const comparison = new Comparison(host, before, lastSweep, this.#maxBytes);
    for (const file of found.files.values()) await comparison.add(file);
    await comparison.addMissing(list);
    const { contents, changes, known } = comparison;
    const owners = await UserNames.read(host.files);
    this.#gaps = [...gaps, ...found.gaps, ...unwatched, ...comparison.gaps];
    const records = {
      'Entities/Files': contents.map((content) => fileRecord(content, owners.nameOf(content.status.uid))),
      'Activities/ChangedFiles': changes,
    };
    const after = { at: host.now(), watched: new Set(list.map(({ path }) => path)), files: known };
    return { records, gaps: this.#gaps, ...(!isSame(before, after) && { cursor: encodeCursor(after) }) };
  }

  #isDue(now: number): boolean {
    const since = now - this.#sweptAt;
    // A clock that was set back must not stop the sweeps.
    if (since >= times.sweep || since < 0) return true;
    const { eventAt } = this.#watch;
    return eventAt !== undefined && now - eventAt >= times.settle && since >= times.pause;
  }
}

/** Compares the files that were found with those that are known. */
class Comparison {
  readonly contents: FileContent[] = [];
  readonly changes: Observed[] = [];
  readonly known = new Map<string, KnownFile>();
  readonly gaps: Gap[] = [];
  readonly #host: Host;
  readonly #before: FilesCursor | undefined;
  readonly #lastSweep: number;
  readonly #maxBytes: number;

  constructor(host: Host, before: FilesCursor | undefined, lastSweep: number, maxBytes: number) {
    this.#host = host;
    this.#before = before;
    this.#lastSweep = lastSweep;
    this.#maxBytes = maxBytes;
  }

  async add({ path, status, watched }: FoundFile): Promise<void> {
    const before = this.#before?.files.get(path);
    const key = changeKey(status);
    const target = status.isSymbolicLink() ? await this.#host.files.target(path) : undefined;
    const hash =
      before?.key === key && before.hash !== '' ? read(before.hash) : await this.#hash(path, target);
    // Deleted since it was found: the next sweep reports it.
    if (hash.is === 'absent' || target?.is === 'absent') return this.#keep(path, before);
    if (hash.is === 'unreadable') this.gaps.push({ what: `content of ${path}`, reason: hash.reason });
    const content: FileContent = {
      ...{ path, status, hash: hash.is === 'read' ? hash.value : '' },
      ...(target?.is === 'read' && { target: target.value }),
    };
    if (content.hash !== '') this.contents.push(content);
    const rights = rightsOf(status);
    this.known.set(path, { key, rights, hash: content.hash });
    if (!before) this.#addNew(content, watched);
    else if (isChanged(before, { key, rights, hash: content.hash }))
      this.changes.push(changeRecord(content, 'modify', this.#host.now()));
  }

  /** Known files that were not found are deleted, or are not watched any more. */
  async addMissing(list: readonly Watched[]): Promise<void> {
    if (!this.#before) return;
    const isWatched = (path: string) => list.some((watched) => covers(watched, path));
    for (const [path, before] of this.#before.files) {
      if (this.known.has(path) || !isWatched(path)) continue;
      const status = await this.#host.files.status(path);
      const isGone = status.is === 'absent' || (status.is === 'read' && status.value.isDirectory());
      if (isGone) this.changes.push(deletionRecord(path, this.#lastSweep, this.#host.now()));
      else if (status.is === 'unreadable') this.#keep(path, before);
      // Its setuid bit was removed: from now on it is not watched.
      else if (rightsOf(status.value) !== before.rights && status.value.isFile()) {
        const hash = await this.#hash(path, undefined);
        if (hash.is === 'read')
          this.changes.push(
            changeRecord({ path, status: status.value, hash: hash.value }, 'modify', this.#host.now()),
          );
      } else this.#keep(path, before);
    }
  }

  /** Nothing is new when the files, or those of an entry of the list, are seen for the first time. */
  #addNew(content: FileContent, watched: Watched): void {
    if (!this.#before?.watched.has(watched.path)) return;
    // A program may have got its setuid bit long after it was created.
    const isOld = watched.isSetuidOnly && content.status.birthtimeMs < this.#lastSweep;
    this.changes.push(changeRecord(content, isOld ? 'modify' : 'create', this.#host.now()));
  }

  #keep(path: string, before: KnownFile | undefined): void {
    if (before) this.known.set(path, before);
  }

  async #hash(path: string, target: Reading<string> | undefined): Promise<Reading<string>> {
    const limits = { maxBytes: this.#maxBytes, signal: this.#host.signal };
    // Something else may have taken the place of the file since it was listed: a link is not followed.
    if (!target) return this.#host.files.opened(path, (file) => contentDigest(file, path, limits), false);
    return target.is === 'read' ? read(targetDigest(target.value)) : target;
  }
}

/** Writing the same content again is not a change. If the content is not known, every change of the file is one. */
function isChanged(before: KnownFile, after: KnownFile): boolean {
  if (before.rights !== after.rights) return true;
  const isKnown = before.hash !== '' && after.hash !== '';
  return isKnown ? before.hash !== after.hash : before.key !== after.key;
}

function covers({ path }: Watched, file: string): boolean {
  const wildcard = path.search(/[*?]/);
  const stem = wildcard < 0 ? `${path}/` : path.slice(0, wildcard);
  return file === path || file.startsWith(stem);
}

function isSame(before: FilesCursor | undefined, after: FilesCursor): boolean {
  if (!before || before.files.size !== after.files.size || before.watched.size !== after.watched.size)
    return false;
  for (const path of after.watched) if (!before.watched.has(path)) return false;
  for (const [path, { key, hash }] of after.files) {
    const known = before.files.get(path);
    if (known?.key !== key || known.hash !== hash) return false;
  }
  return true;
}
