import { refuseField } from '../platform/checks.ts';
import { formatInstant, parseInstant } from '../platform/instant.ts';
import { quoted } from '../platform/quoted.ts';
import type { TelemetryDataset } from './dataset.ts';

const day = 24 * 60 * 60 * 1000;

/** The members that a time range selects by. */
function rangeMembers({ range }: TelemetryDataset): readonly string[] {
  if (range.by === 'instant') return [range.member];
  return range.by === 'start' ? ['startTime'] : ['startTime', 'endTime'];
}

/**
 * Refuses records dated more than a day ahead. Searches would not find them now, and would show them as new when
 * their time comes. `now` is the server's time.
 */
export class FutureRecords {
  readonly #members: readonly string[];
  readonly #now: number;
  /** Timestamps in the usual format are compared as strings, for speed. */
  readonly #latest: string;

  constructor(dataset: TelemetryDataset, now: number) {
    this.#members = rangeMembers(dataset);
    this.#now = now;
    this.#latest = formatInstant(now + day);
  }

  refuse(record: Readonly<Record<string, unknown>>, index: number): void {
    for (const member of this.#members) {
      const timestamp = record[member];
      if (typeof timestamp !== 'string' || (timestamp.endsWith('Z') && timestamp < this.#latest)) continue;
      if ((parseInstant(timestamp) ?? 0) <= this.#now + day) continue;
      throw refuseField(
        'INVALID_INPUT',
        `records[${index}].${member}`,
        `${quoted(timestamp)} is more than a day ahead of the server's time, ${formatInstant(this.#now)}: ` +
          'set the clock of the host, remove such records and send the others again.',
      );
    }
  }
}
