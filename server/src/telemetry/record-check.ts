import type { TelemetryDataset } from './dataset.ts';
import { FutureRecords } from './future-records.ts';
import { checkRecord } from './ingest-form.ts';
import { refuseLargeIntegers } from './integer-range.ts';
import { parseRecord } from './parsed-record.ts';
import { type RecordLimits, recordLimits, refuseOversized } from './record-bounds.ts';
import { refuseRepeatedMember } from './repeated-member.ts';

/** Refuses records of a dataset that can not be stored. */
export class RecordCheck {
  readonly #dataset: TelemetryDataset;
  readonly #limits: RecordLimits;
  readonly #future: FutureRecords;

  constructor(dataset: TelemetryDataset, now: number, limits = recordLimits) {
    this.#dataset = dataset;
    this.#limits = limits;
    this.#future = new FutureRecords(dataset, now);
  }

  /** The parsed record; `index` is its position in the batch. */
  record(json: string, index: number): Record<string, unknown> {
    refuseOversized(json, index, this.#limits);
    const record = parseRecord(json, index) as Record<string, unknown>;
    checkRecord(this.#dataset, record, index);
    refuseRepeatedMember(json, record, index, this.#limits);
    refuseLargeIntegers(this.#dataset, json, record, index);
    this.#future.refuse(record, index);
    return record;
  }
}
