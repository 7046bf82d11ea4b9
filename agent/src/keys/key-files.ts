import type { Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { HostFiles } from '../host/host-files.ts';
import { type Reading, read } from '../reading.ts';
import type { Observed } from '../source.ts';

interface Known<Value> {
  readonly version: string;
  readonly value: Value;
}

/** A file with keys, and what was parsed of it. */
export interface KeyFile<Value> {
  readonly properties: Observed;
  readonly value: Value;
}

/** Parses files with keys, and only those again that have changed. */
export class KeyFiles<Value> {
  readonly #maxBytes: number;
  readonly #parse: (text: string) => Value;
  #known = new Map<string, Known<Value>>();
  #next = new Map<string, Known<Value>>();

  constructor(maxBytes: number, parse: (text: string) => Value) {
    this.#maxBytes = maxBytes;
    this.#parse = parse;
  }

  async read(files: HostFiles, path: string): Promise<Reading<KeyFile<Value>>> {
    const place = await files.place(path);
    if (place.is !== 'read') return place;
    const status = await stat(place.value).catch(() => undefined);
    const version = status && [status.dev, status.ino, status.size, status.mtimeMs, status.ctimeMs].join(' ');
    let known = this.#known.get(path);
    if (!status || version === undefined || known?.version !== version) {
      // Also tells whether it is absent, or may not be read.
      const text = await files.text(path, this.#maxBytes);
      if (text.is !== 'read') return text;
      known = { version: version ?? '', value: this.#parse(text.value) };
    }
    this.#next.set(path, known);
    return read({ properties: status ? propertiesOf(status) : {}, value: known.value });
  }

  /** Forgets the files that were not read since the last time. */
  sweep(): void {
    [this.#known, this.#next] = [this.#next, new Map()];
  }
}

/** Without the time of the last access: reading the file would change it. */
function propertiesOf({ mode, uid, gid, birthtimeMs, mtimeMs }: Stats): Observed {
  const time = (milliseconds: number) => new Date(Math.floor(milliseconds)).toISOString();
  return {
    ...{ filePermissions: mode & 0o7777, ownerUid: uid, ownerGid: gid },
    ...(birthtimeMs > 0 && { fileCreatedTime: time(birthtimeMs) }),
    ...(isTime(mtimeMs) && { fileModifiedTime: time(mtimeMs) }),
  };
}

/** Anyone may set the time of a file, also to one that has no year of four digits. */
function isTime(milliseconds: number): boolean {
  return milliseconds >= 0 && milliseconds < 253_402_300_800_000;
}
