import type { Portion } from '@vedette/server/simulate/simulation';

export interface Batch {
  /** Below /ingest/v1. */
  readonly path: string;
  /** A record on each line. */
  readonly text: string;
  readonly records: number;
  /** The same for the same records, so that a simulation that is sent again is not stored again. */
  readonly idempotencyKey: string;
  /** How much of the simulation is sent with it, from 0 to 1. */
  readonly share: number;
}

/** Few enough for a server to store at once while others wait. */
const mostRecords = 5_000;

/** Cuts a simulation into batches. None reaches over an hour: hours are what two simulations may share. */
export function* batchesOf(portions: Iterable<Portion>, name: string): Generator<Batch> {
  for (const { dataset, hour, records, share } of portions) {
    const key = (number: number) => `simulate ${name} ${dataset.path} ${hour.window.startTime} ${number}`;
    const batch = (lines: readonly string[], number: number): Batch => ({
      path: dataset.path,
      text: lines.join('\n'),
      records: lines.length,
      idempotencyKey: key(number),
      share,
    });
    let [lines, number]: [string[], number] = [[], 0];
    for (const record of records()) {
      lines.push(JSON.stringify(record));
      if (lines.length < mostRecords) continue;
      yield batch(lines, number++);
      lines = [];
    }
    if (lines.length > 0) yield batch(lines, number);
  }
}
