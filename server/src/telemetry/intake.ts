import { setImmediate } from 'node:timers/promises';
import { Checks, refuseField } from '../platform/checks.ts';
import type { Clock } from '../platform/clock.ts';
import { mostProblems } from '../platform/errors.ts';
import { describeFault, jsonFault } from '../platform/json-fault.ts';
import type { Batch, StoreResult } from './batch.ts';
import type { TelemetryDataset } from './dataset.ts';
import { Deriving } from './deriving.ts';
import { FutureRecords } from './future-records.ts';
import { checkRecord } from './ingest-form.ts';
import { type RecordLimits, recordLimits, refuseOversized } from './record-bounds.ts';
import { recordStrings } from './record-strings.ts';
import { refuseRepeatedMember } from './repeated-member.ts';
import type { TelemetryStore } from './store.ts';
import { isWellTyped } from './well-typed.ts';
import { refuseLargeNumbers } from './whole-numbers.ts';

export interface Delivery {
  readonly account: string;
  readonly dataset: TelemetryDataset;
  readonly form: 'array' | 'lines';
  readonly text: string;
  readonly idempotencyKey: string | undefined;
  /** Of its body: with the same key, a batch with another one is refused. Without it the key alone decides. */
  readonly bodyDigest?: string | undefined;
  /** Other limits than those of what clients send. */
  readonly limits?: RecordLimits;
}

/** Records since the start. What was received is stored, refused, a repeat or still waiting; anything else is lost. */
export interface IntakeCounts {
  received: number;
  stored: number;
  refused: number;
  repeated: number;
  waiting: number;
}

/** Takes in batches: each is checked whole, then stored whole or refused whole. */
export class Intake {
  readonly counts: IntakeCounts = { received: 0, stored: 0, refused: 0, repeated: 0, waiting: 0 };
  readonly #writer: Pick<TelemetryStore, 'store'>;
  readonly #clock: Clock;

  constructor(writer: Pick<TelemetryStore, 'store'>, clock: Clock) {
    this.#writer = writer;
    this.#clock = clock;
  }

  /** Records that were received and of which nothing is known: 0, or a defect. */
  get lost(): number {
    const { received, stored, refused, repeated, waiting } = this.counts;
    return received - stored - refused - repeated - waiting;
  }

  async take(delivery: Delivery): Promise<StoreResult> {
    const { account, dataset, form, text, idempotencyKey, bodyDigest, limits = recordLimits } = delivery;
    const records = await recordStrings(form, text);
    this.counts.received += records.length;
    this.counts.waiting += records.length;
    try {
      const checked = await checkAll(dataset, records, limits, this.#clock.now());
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

/** Characters of records that are checked in one go: some two milliseconds, so that neither others nor the writer wait. */
const atOnce = 100_000;
/** Members beyond the declared ones that one batch can make known: what the store knows already, and as many again. */
const mostFurther = 2_000;
/** A longer name can not be searched by; the member is kept all the same. */
const longestName = 255;

/**
 * Checks each record; returns the names of members that are not declared, and what follows from the records. Goes on after
 * a record that is refused, so that the sender hears of the others, too.
 */
async function checkAll(
  dataset: TelemetryDataset,
  records: readonly string[],
  limits: RecordLimits,
  now: number,
): Promise<Pick<Batch, 'isWellTyped' | 'further' | 'derived'>> {
  const further = new Set<string>();
  const deriving = new Deriving(dataset);
  const future = new FutureRecords(dataset, now);
  const checks = new Checks();
  const check = (text: string, index: number) => {
    refuseOversized(text, index, limits);
    const record = parsed(text, index);
    checkRecord(dataset, record, index);
    refuseRepeatedMember(text, record, index, limits);
    refuseLargeNumbers(dataset, text, record as Record<string, unknown>, index);
    future.refuse(record as Record<string, unknown>, index);
    return record as Record<string, unknown>;
  };
  let allEven = true;
  let characters = 0;
  for (const [index, text] of records.entries()) {
    characters += text.length;
    if (characters > atOnce) {
      await setImmediate();
      characters = text.length;
    }
    const record = checks.run(() => check(text, index));
    if (checks.problems.length >= mostProblems) break;
    if (!record) continue;
    allEven &&= isWellTyped(dataset, record);
    for (const name of Object.keys(record)) {
      if (Object.hasOwn(dataset.members, name) || further.size >= mostFurther) continue;
      if (name.length <= longestName) further.add(name);
    }
    deriving.add(record);
  }
  checks.finish();
  return { isWellTyped: allEven, further: [...further], derived: deriving.result() };
}

/** How JSON writes a character by its number; few records have one, and looking for it is quick. */
const unicodeEscape = '\\u';
/** Half of a pair that makes a character: JSON can write it, UTF-8 can not. */
const surrogateEscape = /\\u[dD][89a-fA-F]/;

function parsed(text: string, index: number): unknown {
  const hasEscape = text.includes(unicodeEscape);
  let value: unknown;
  try {
    value = JSON.parse(text, hasEscape && surrogateEscape.test(text) ? wellFormed : undefined);
  } catch {
    const fault = jsonFault(text);
    const reason = fault ? describeFault(fault) : 'a string contains half a surrogate pair';
    throw refuseField('MALFORMED_BODY', `records[${index}]`, `is not valid JSON: ${reason}.`);
  }
  if (hasEscape && text.includes('\\u0000'))
    throw refuseField(
      'INVALID_INPUT',
      `records[${index}]`,
      'must not contain the character \\u0000: remove it.',
    );
  return value;
}

function wellFormed(this: unknown, name: string, value: unknown): unknown {
  const isBroken = (text: unknown) => typeof text === 'string' && Buffer.from(text).toString() !== text;
  if (isBroken(name) || isBroken(value)) throw new Error('not well-formed');
  return value;
}
