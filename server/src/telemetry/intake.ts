import { Checks } from '../platform/checks.ts';
import type { Clock } from '../platform/clock.ts';
import { maxProblems } from '../platform/errors.ts';
import { TimeSlices } from '../platform/time-slices.ts';
import type { Batch, StoreResult } from './batch.ts';
import type { TelemetryDataset } from './dataset.ts';
import { Deriver } from './deriver.ts';
import { FutureRecords } from './future-records.ts';
import { checkRecord } from './ingest-form.ts';
import { refuseLargeIntegers } from './integer-range.ts';
import { parseRecord } from './parsed-record.ts';
import { type RecordLimits, recordLimits, refuseOversized } from './record-bounds.ts';
import { recordStrings } from './record-strings.ts';
import { refuseRepeatedMember } from './repeated-member.ts';
import type { TelemetryStore } from './store.ts';
import { isWellTyped } from './well-typed.ts';

export interface IngestRequest {
  readonly account: string;
  readonly dataset: TelemetryDataset;
  readonly form: 'array' | 'lines';
  readonly body: string;
  readonly idempotencyKey: string | undefined;
  /** Of the body: the same key with another digest is refused. Without it the key alone identifies the batch. */
  readonly bodyDigest?: string | undefined;
  /** Overrides the limits for records sent by clients. */
  readonly limits?: RecordLimits;
}

/** Record counts since startup. Each received record is stored, refused, repeated or waiting; any other is lost. */
export interface IntakeCounts {
  received: number;
  stored: number;
  refused: number;
  repeated: number;
  waiting: number;
}

/** Validates batches and stores each one atomically. */
export class Intake {
  readonly counts: IntakeCounts = { received: 0, stored: 0, refused: 0, repeated: 0, waiting: 0 };
  readonly #writer: Pick<TelemetryStore, 'store'>;
  readonly #clock: Clock;
  readonly #slices = new TimeSlices();

  constructor(writer: Pick<TelemetryStore, 'store'>, clock: Clock) {
    this.#writer = writer;
    this.#clock = clock;
  }

  /** Received records that are unaccounted for: 0, or a defect. */
  get lost(): number {
    const { received, stored, refused, repeated, waiting } = this.counts;
    return received - stored - refused - repeated - waiting;
  }

  async ingest(request: IngestRequest): Promise<StoreResult> {
    const { account, dataset, form, body: text, idempotencyKey, bodyDigest, limits = recordLimits } = request;
    const records = await recordStrings(form, text);
    this.counts.received += records.length;
    this.counts.waiting += records.length;
    try {
      const nextSlice = () => this.#slices.next(account);
      const checked = await checkAll(dataset, records, limits, this.#clock.now(), nextSlice);
      const batch = { account, dataset, records, ...checked, idempotencyKey, bodyDigest };
      const stored = await this.#writer.store(batch);
      if (stored.isRepeat) this.counts.repeated += records.length;
      else this.counts.stored += stored.records;
      return stored;
    } catch (error) {
      this.counts.refused += records.length;
      throw error;
    } finally {
      this.counts.waiting -= records.length;
    }
  }
}

/** Characters of records validated in one time slice: about two milliseconds. */
const chunkLength = 100_000;
/** Undeclared members per batch: those the store may know already, and as many again. */
const maxUndeclaredMembers = 2_000;
/** Members with longer names are stored but not searchable. */
const maxNameLength = 255;

/**
 * Validates each record; returns the undeclared members and the derived records. Continues after a refused record,
 * so that all problems are reported.
 */
async function checkAll(
  dataset: TelemetryDataset,
  records: readonly string[],
  limits: RecordLimits,
  now: number,
  nextSlice: () => Promise<void>,
): Promise<Pick<Batch, 'isWellTyped' | 'undeclaredMembers' | 'derived'>> {
  const undeclared = new Set<string>();
  const deriver = new Deriver(dataset);
  const future = new FutureRecords(dataset, now);
  const checks = new Checks();
  const check = (json: string, index: number) => {
    refuseOversized(json, index, limits);
    const record = parseRecord(json, index);
    checkRecord(dataset, record, index);
    refuseRepeatedMember(json, record, index, limits);
    refuseLargeIntegers(dataset, json, record as Record<string, unknown>, index);
    future.refuse(record as Record<string, unknown>, index);
    return record as Record<string, unknown>;
  };
  let allWellTyped = true;
  let characters = Infinity;
  for (const [index, json] of records.entries()) {
    characters += json.length;
    if (characters > chunkLength) {
      await nextSlice();
      characters = json.length;
    }
    const record = checks.run(() => check(json, index));
    if (checks.problems.length >= maxProblems) break;
    if (!record) continue;
    allWellTyped &&= isWellTyped(dataset, record);
    for (const name of Object.keys(record)) {
      if (Object.hasOwn(dataset.members, name) || undeclared.size >= maxUndeclaredMembers) continue;
      if (name.length <= maxNameLength) undeclared.add(name);
    }
    deriver.add(record);
  }
  checks.finish();
  return { isWellTyped: allWellTyped, undeclaredMembers: [...undeclared], derived: deriver.result() };
}
