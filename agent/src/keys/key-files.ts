import type { BigIntStats } from 'node:fs';
import { fileVersion } from '../host/file-version.ts';
import type { HostFiles } from '../host/host-files.ts';
import { type Reading, read } from '../reading.ts';
import type { Observed } from '../source.ts';
import { fileTimestamp } from '../timestamp.ts';

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
    const version = await fileVersion(files, path);
    if (version.is !== 'read') return version;
    let known = this.#known.get(path);
    if (known?.version !== version.value.version) {
      const text = await files.text(path, this.#maxBytes);
      if (text.is !== 'read') return text;
      known = { version: version.value.version, value: this.#parse(text.value) };
    }
    this.#next.set(path, known);
    return read({ properties: propertiesOf(version.value.status), value: known.value });
  }

  /** Forgets the files that were not read since the last time. */
  sweep(): void {
    [this.#known, this.#next] = [this.#next, new Map()];
  }
}

/** Without the time of the last access: reading the file would change it. */
function propertiesOf({ mode, uid, gid, birthtimeMs, mtimeMs }: BigIntStats): Observed {
  const [created, modified] = [fileTimestamp(Number(birthtimeMs)), fileTimestamp(Number(mtimeMs))];
  return {
    ...{ filePermissions: Number(mode) & 0o7777, ownerUid: Number(uid), ownerGid: Number(gid) },
    ...(birthtimeMs > 0n && created !== undefined && { fileCreatedTime: created }),
    ...(modified !== undefined && { fileModifiedTime: modified }),
  };
}
