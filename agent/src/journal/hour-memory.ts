import { createHash } from 'node:crypto';
import { type Dataset, type DatasetPath, datasets } from '../datasets.ts';
import type { Observed } from '../source.ts';

/** Of the identity, and of the content. */
const digestBytes = 8;
const noContent = '\0'.repeat(digestBytes);

/** What was reported in the current hour: only what is new or has changed is reported again before the next one. */
export class HourMemory {
  #hour = -1;
  readonly #known = new Map<DatasetPath, Map<string, string>>();

  /** The records that are to be reported in the hour, each with the digest to be remembered when it is stored. */
  unreported(hour: number, path: DatasetPath, records: readonly Observed[]): Unreported[] {
    const { repeated, identity }: Dataset = datasets[path];
    if (repeated === 'event' || repeated === 'window')
      return records.map((record) => ({ record, digest: Buffer.alloc(0) }));
    const known = hour === this.#hour ? this.#known.get(path) : undefined;
    const added = new Map<string, string>();
    return records.flatMap((record) => {
      const key = digestOf(identity.map((member) => record[member]));
      // The content of an hour's record may grow until its end; the server keeps one for each entity and hour.
      const content = repeated === 'hour' ? noContent : digestOf(record);
      if ((added.get(key) ?? known?.get(key)) === content) return [];
      added.set(key, content);
      return [{ record, digest: Buffer.from(key + content, 'latin1') }];
    });
  }

  /** Remembers stored digests. Those of an earlier hour are forgotten with the first of a later one. */
  remember(hour: number, path: DatasetPath, digests: Buffer): void {
    if (hour < this.#hour) return;
    if (hour > this.#hour) {
      this.#known.clear();
      this.#hour = hour;
    }
    const known = this.#known.get(path) ?? new Map<string, string>();
    this.#known.set(path, known);
    for (let at = 0; at + 2 * digestBytes <= digests.length; at += 2 * digestBytes) {
      const key = digests.toString('latin1', at, at + digestBytes);
      const content = digests.toString('latin1', at + digestBytes, at + 2 * digestBytes);
      known.set(key, content);
    }
  }
}

export interface Unreported {
  readonly record: Observed;
  readonly digest: Buffer;
}

function digestOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest().toString('latin1', 0, digestBytes);
}
