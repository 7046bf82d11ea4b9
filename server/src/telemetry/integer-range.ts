import { refuseField } from '../platform/checks.ts';
import { withLargeIntegersAsStrings } from '../platform/large-integers.ts';
import type { TelemetryDataset } from './dataset.ts';

const limit = 2 ** 63;
const members = new WeakMap<TelemetryDataset, readonly string[]>();

/** Refuses integers beyond 64 bits. JSON.parse rounds values near the limits, so the JSON string decides. */
export function refuseLargeIntegers(
  dataset: TelemetryDataset,
  json: string,
  record: Readonly<Record<string, unknown>>,
  index: number,
): void {
  let exact: Record<string, string | number> | undefined;
  for (const name of integerMembers(dataset)) {
    const value = record[name];
    if (typeof value !== 'number' || (value < limit && value > -limit)) continue;
    exact ??= JSON.parse(withLargeIntegersAsStrings(json)) as Record<string, string | number>;
    const integer = BigInt(exact[name] ?? value);
    if (BigInt.asIntN(64, integer) === integer) continue;
    throw refuseField('INVALID_INPUT', `records[${index}].${name}`, 'must be an integer of at most 64 bits.');
  }
}

function integerMembers(dataset: TelemetryDataset): readonly string[] {
  let names = members.get(dataset);
  if (!names) {
    names = Object.entries(dataset.members).flatMap(([name, { type }]) => (type === 'integer' ? [name] : []));
    members.set(dataset, names);
  }
  return names;
}
