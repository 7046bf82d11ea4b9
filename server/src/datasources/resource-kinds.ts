import { readFileSync } from 'node:fs';
import type { ResourceKind } from '../telemetry/served-datasource.ts';

/**
 * The kinds of cloud resources: one line each, with name, service and call. The file is read at the first lookup,
 * and its lines are parsed when they are looked up.
 */
export class ResourceKinds {
  readonly #file: URL;
  #lines: ReadonlyMap<string, string> | undefined;
  #collected: ReadonlySet<string> | undefined;

  constructor(file: URL) {
    this.#file = file;
  }

  find(name: string): ResourceKind | undefined {
    const line = this.#read().get(name);
    if (line === undefined) return undefined;
    const [, service = '', call = ''] = line.split('\t');
    return { name, service, call };
  }

  names(): Iterable<string> {
    return this.#read().keys();
  }

  /** Whether a collector fills it: the names are in a file beside, so that no declaration of a collector is loaded. */
  isCollected(name: string): boolean {
    this.#collected ??= new Set(readFileSync(new URL('collected.txt', this.#file), 'latin1').split('\n'));
    return this.#collected.has(name);
  }

  #read(): ReadonlyMap<string, string> {
    if (this.#lines) return this.#lines;
    const [, ...lines] = readFileSync(this.#file, 'latin1').trimEnd().split('\n');
    this.#lines = new Map(lines.map((line) => [line.slice(0, line.indexOf('\t')), line]));
    return this.#lines;
  }
}
