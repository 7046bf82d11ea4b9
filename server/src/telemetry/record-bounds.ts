import { refuseField } from '../platform/checks.ts';
import type { Refusal } from '../platform/errors.ts';
import { complaintAbout, deepestJson, exceededLimit, type JsonLimits } from '../platform/json-structure.ts';

export interface RecordLimits extends JsonLimits {
  readonly characters: number;
}

/** What one record may hold: more than any event or configuration of a cloud, and parsed within some 20 milliseconds. */
export const recordLimits: RecordLimits = { characters: 2_000_000, depth: deepestJson, values: 20_000 };

/** For records that the service makes of others: they wrap one and repeat some of its members. */
export const wrappedLimits: RecordLimits = {
  characters: recordLimits.characters * 3,
  depth: recordLimits.depth + 4,
  values: recordLimits.values * 3,
};

/** Refuses a record that would take long to parse, before it is parsed. */
export function refuseOversized(text: string, index: number, limits: RecordLimits): void {
  // So few characters can not hold too many values; their depth is found while the members are counted.
  if (text.length <= limits.values) return;
  if (text.length > limits.characters)
    throw refuseField(
      'INVALID_INPUT',
      `records[${index}]`,
      `has more than ${limits.characters} characters: shorten it.`,
    );
  const limit = exceededLimit(text, limits);
  if (limit) throw excess(limit, index, limits);
}

export function excess(limit: keyof JsonLimits, index: number, limits: RecordLimits): Refusal {
  return refuseField('INVALID_INPUT', `records[${index}]`, `${complaintAbout(limit, limits)}.`);
}
