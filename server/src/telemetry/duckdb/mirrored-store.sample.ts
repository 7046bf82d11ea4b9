import type { Bounds } from '@vedette/lql/compile/tables';
import type { Clock } from '../../platform/clock.ts';
import type { TelemetryDataset } from '../dataset.ts';
import { datasets } from '../datasets.ts';
import { Intake } from '../intake.ts';
import { columnsOf } from '../query-column.ts';
import type { TelemetryOrigin } from '../served-datasource.ts';
import { expectedRows, jsonOf, originOf, type StoredRecord } from './query.sample.ts';
import { RecordGenerator } from './record-generator.sample.ts';
import { hour, SampleStore } from './store.sample.ts';

const day = 24 * hour;

interface AdvancingClock extends Clock {
  advance(milliseconds: number): void;
}

/** Generated records have arbitrary timestamps, so none is in the future. */
const endOfTime = { now: () => Date.UTC(9999, 11, 30) };

/** A store that also keeps its records in memory, to compare query results with. */
export class MirroredStore {
  readonly stored = new Map<string, StoredRecord[]>();
  readonly clock: AdvancingClock;
  sample!: SampleStore;
  #intake!: Intake;

  constructor(clock: AdvancingClock) {
    this.clock = clock;
  }

  async open(): Promise<void> {
    this.sample = await SampleStore.open(this.clock, ...datasets);
    this.#intake = new Intake({ store: (batch) => this.sample.writer.store(batch) }, endOfTime);
  }

  async store(
    dataset: TelemetryDataset,
    account: string,
    records: readonly Record<string, unknown>[],
  ): Promise<void> {
    if (records.length === 0) return;
    const docs = records.map(jsonOf);
    await this.#intake.ingest({
      account,
      dataset,
      form: 'lines',
      body: docs.join('\n'),
      idempotencyKey: undefined,
    });
    const seq = this.sample.segments.lastSequence;
    const added = docs.map((doc, n) => ({
      ...{ account, doc, seq, n, received: this.clock.now() },
      record: records[n] as StoredRecord['record'],
    }));
    this.stored.set(dataset.path, [...(this.stored.get(dataset.path) ?? []), ...added]);
  }

  /** Stores records of every queryable dataset for two accounts, arriving on three days. */
  async fill(): Promise<void> {
    for (const [round, wait] of [0, 9 * day, day].entries()) {
      this.clock.advance(wait);
      for (const [at, dataset] of datasets.filter(({ datasources }) => datasources.length > 0).entries()) {
        const generator = new RecordGenerator(dataset, 100 * round + at);
        const records = (count: number) => Array.from({ length: count }, () => generator.record(round !== 1));
        await this.store(dataset, 'A', records(12));
        // Only one account has data on the second day.
        if (round !== 1) await this.store(dataset, 'B', records(6));
      }
    }
  }

  /** The columns of a datasource and its expected rows. */
  expected(name: string, bounds: Bounds, selected?: readonly string[]) {
    const { dataset, declaration } = originOf(name) as TelemetryOrigin;
    const columns = columnsOf(dataset, declaration).filter(
      (column) => selected?.includes(column.name) ?? true,
    );
    const stored = this.stored.get(dataset.path) ?? [];
    return { columns, rows: expectedRows(dataset, declaration, stored, columns, bounds) };
  }
}
