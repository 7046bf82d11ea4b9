import { fileVersion } from '../host/file-version.ts';
import type { HostFiles } from '../host/host-files.ts';
import { mapped, type Reading } from '../reading.ts';

interface Parsed<Value> {
  /** What changes with the content. */
  readonly version: string;
  readonly reading: Reading<Value>;
}

/** A file of the host that is only read and parsed again when it has changed. */
export class ParsedFile<Value> {
  readonly #path: string;
  readonly #maxBytes: number;
  readonly #parse: (text: string) => Value;
  readonly #parsed = new WeakMap<HostFiles, Parsed<Value>>();

  constructor(path: string, maxBytes: number, parse: (text: string) => Value) {
    this.#path = path;
    this.#maxBytes = maxBytes;
    this.#parse = parse;
  }

  async read(files: HostFiles): Promise<Reading<Value>> {
    const version = await fileVersion(files, this.#path);
    if (version.is !== 'read') return version;
    const known = this.#parsed.get(files);
    if (known?.version === version.value.version) return known.reading;
    const reading = mapped(await files.text(this.#path, this.#maxBytes), this.#parse);
    if (reading.is === 'read') this.#parsed.set(files, { version: version.value.version, reading });
    return reading;
  }
}
