import type { Portion } from '@vedette/server/simulate/simulation';

export interface Batch {
  /** Below /ingest/v1. */
  readonly path: string;
  /** NDJSON. */
  readonly body: string;
  readonly records: number;
  /** Deterministic, so that repeating a simulation stores nothing twice. */
  readonly idempotencyKey: string;
  /** Progress of the simulation including this batch, from 0 to 1. */
  readonly share: number;
}

/** Small enough not to delay other clients of the server. */
const maxRecords = 5_000;

/** A batch never spans two hours, so that overlapping simulations produce identical batches. */
export function* batchesOf(portions: Iterable<Portion>, name: string): Generator<Batch> {
  for (const { dataset, hour, records, share } of portions) {
    const key = (number: number) => `simulate ${name} ${dataset.path} ${hour.window.startTime} ${number}`;
    const batch = (lines: readonly string[], number: number): Batch => ({
      path: dataset.path,
      body: lines.join('\n'),
      records: lines.length,
      idempotencyKey: key(number),
      share,
    });
    let [lines, number]: [string[], number] = [[], 0];
    for (const record of records()) {
      lines.push(JSON.stringify(record));
      if (lines.length < maxRecords) continue;
      yield batch(lines, number++);
      lines = [];
    }
    if (lines.length > 0) yield batch(lines, number);
  }
}
