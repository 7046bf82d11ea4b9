import { parseInstant } from '../platform/instant.ts';
import type { TelemetryDataset } from './dataset.ts';

/** What distinguishes a record from all others of its dataset. */
export interface RecordIdentity {
  /** Its timestamp in milliseconds. */
  readonly at: number;
  /** Values of `identifyingMembers`; empty for absent ones. */
  readonly values: readonly string[];
}

/** The identity without the timestamp, which is compared separately. */
export function identifyingMembers({
  identity,
  distinguishedBy = [],
  range,
}: TelemetryDataset): readonly string[] {
  return [...identity, ...distinguishedBy].filter((name) => name !== timestampMember(range));
}

export function identityOf(
  dataset: TelemetryDataset,
  record: Readonly<Record<string, unknown>>,
): RecordIdentity {
  const values = identifyingMembers(dataset).map((name) => String(record[name] ?? ''));
  return { at: parseInstant(String(record[timestampMember(dataset.range)])) ?? 0, values };
}

function timestampMember(range: TelemetryDataset['range']): string {
  return range.by === 'instant' ? range.member : 'startTime';
}
