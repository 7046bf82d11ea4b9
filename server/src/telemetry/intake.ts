import { Checks } from '../platform/checks.ts';
import type { Clock } from '../platform/clock.ts';
import { maxProblems } from '../platform/errors.ts';
import { TimeSlices } from '../platform/time-slices.ts';
import type { Batch, StoreResult } from './batch.ts';
import type { TelemetryDataset } from './dataset.ts';
import { Deriver } from './deriver.ts';
import { type RecordLimits, recordLimits } from './record-bounds.ts';
import { RecordCheck } from './record-check.ts';
import { identityOf, type RecordIdentity } from './record-identity.ts';
import { recordStrings } from './record-strings.ts';
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
  /** Leaves out records that are stored already, by identity and timestamp. */
  readonly isDistinct?: boolean;
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
    const { account, dataset, form, body: text, idempotencyKey, bodyDigest } = request;
    const records = await recordStrings(form, text);
    this.counts.received += records.length;
    this.counts.waiting += records.length;
    try {
      const nextSlice = () => this.#slices.next(account);
      const checked = await checkAll(request, records, this.#clock.now(), nextSlice);
      const batch = { account, dataset, records, ...checked, idempotencyKey, bodyDigest };
      const stored = await this.#writer.store(batch);
      const added = stored.isRepeat ? 0 : stored.records;
      this.counts.stored += added;
      this.counts.repeated += records.length - added;
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
  { dataset, limits = recordLimits, isDistinct = false }: IngestRequest,
  records: readonly string[],
  now: number,
  nextSlice: () => Promise<void>,
): Promise<Pick<Batch, 'isWellTyped' | 'undeclaredMembers' | 'derived' | 'identities'>> {
  const undeclared = new Set<string>();
  const deriver = new Deriver(dataset);
  const check = new RecordCheck(dataset, now, limits);
  const identities: RecordIdentity[] = [];
  const checks = new Checks();
  let allWellTyped = true;
  let characters = Infinity;
  for (const [index, json] of records.entries()) {
    characters += json.length;
    if (characters > chunkLength) {
      await nextSlice();
      characters = json.length;
    }
    const record = checks.run(() => check.record(json, index));
    if (checks.problems.length >= maxProblems) break;
    if (!record) continue;
    allWellTyped &&= isWellTyped(dataset, record);
    for (const name of Object.keys(record)) {
      if (Object.hasOwn(dataset.members, name) || undeclared.size >= maxUndeclaredMembers) continue;
      if (name.length <= maxNameLength) undeclared.add(name);
    }
    deriver.add(record);
    if (isDistinct) identities.push(identityOf(dataset, record));
  }
  checks.finish();
  return {
    ...{ isWellTyped: allWellTyped, undeclaredMembers: [...undeclared], derived: deriver.result() },
    ...(isDistinct && { identities }),
  };
}
