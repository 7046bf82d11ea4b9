import { refuseField } from '../platform/checks.ts';
import { withTextForLargeIntegers } from '../platform/large-integers.ts';
import type { TelemetryDataset } from './dataset.ts';

const limit = 2 ** 63;
const members = new WeakMap<TelemetryDataset, readonly string[]>();

/** Refuses what 64 bits do not hold. JSON.parse rounds what is near the limits to the limits, so there the text decides. */
export function refuseLargeNumbers(
  dataset: TelemetryDataset,
  text: string,
  record: Readonly<Record<string, unknown>>,
  index: number,
): void {
  let exact: Record<string, string | number> | undefined;
  for (const name of wholeNumbers(dataset)) {
    const value = record[name];
    if (typeof value !== 'number' || (value < limit && value > -limit)) continue;
    exact ??= JSON.parse(withTextForLargeIntegers(text)) as Record<string, string | number>;
    const whole = BigInt(exact[name] ?? value);
    if (BigInt.asIntN(64, whole) === whole) continue;
    throw refuseField('INVALID_INPUT', `records[${index}].${name}`, 'must be an integer of at most 64 bits.');
  }
}

function wholeNumbers(dataset: TelemetryDataset): readonly string[] {
  let names = members.get(dataset);
  if (!names) {
    names = Object.entries(dataset.members).flatMap(([name, { type }]) => (type === 'integer' ? [name] : []));
    members.set(dataset, names);
  }
  return names;
}
