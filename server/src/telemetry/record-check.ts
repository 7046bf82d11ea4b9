import { refuseField } from '../platform/checks.ts';
import { describeFault, jsonFault } from '../platform/json-fault.ts';
import type { TelemetryDataset } from './dataset.ts';
import { FutureRecords } from './future-records.ts';
import { checkRecord } from './ingest-form.ts';
import { refuseLargeIntegers } from './integer-range.ts';
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

/** A JSON Unicode escape; rare, and quick to search for. */
const unicodeEscape = '\\u';
/** A surrogate escape: JSON allows lone surrogates, UTF-8 does not. */
const surrogateEscape = /\\u[dD][89a-fA-F]/;

function parseRecord(json: string, index: number): unknown {
  const hasEscape = json.includes(unicodeEscape);
  let value: unknown;
  try {
    value = JSON.parse(json, hasEscape && surrogateEscape.test(json) ? wellFormed : undefined);
  } catch {
    const fault = jsonFault(json);
    const reason = fault ? describeFault(fault) : 'a string contains half a surrogate pair';
    throw refuseField('MALFORMED_BODY', `records[${index}]`, `is not valid JSON: ${reason}.`);
  }
  if (hasEscape && json.includes('\\u0000'))
    throw refuseField(
      'INVALID_INPUT',
      `records[${index}]`,
      'must not contain the character \\u0000: remove it.',
    );
  return value;
}

function wellFormed(this: unknown, name: string, value: unknown): unknown {
  const isBroken = (candidate: unknown) =>
    typeof candidate === 'string' && Buffer.from(candidate).toString() !== candidate;
  if (isBroken(name) || isBroken(value)) throw new Error('not well-formed');
  return value;
}
