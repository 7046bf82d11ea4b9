import { refuseField } from '../platform/checks.ts';
import type { Refusal } from '../platform/errors.ts';
import { deepestJson, exceededLimit, type JsonLimits, limitProblem } from '../platform/json-structure.ts';

export interface RecordLimits extends JsonLimits {
  readonly characters: number;
}

/** Limits of a record: more than any cloud event or configuration, and parsed within about 20 milliseconds. */
export const recordLimits: RecordLimits = { characters: 2_000_000, depth: deepestJson, values: 20_000 };

/** For records that the service generates from others: they wrap one and repeat some of its members. */
export const wrappedLimits: RecordLimits = {
  characters: recordLimits.characters * 3,
  depth: recordLimits.depth + 4,
  values: recordLimits.values * 3,
};

/** Refuses oversized records before they are parsed. */
export function refuseOversized(json: string, index: number, limits: RecordLimits): void {
  // Such a short string can not exceed the value limit; the depth is checked while members are counted.
  if (json.length <= limits.values) return;
  if (json.length > limits.characters)
    throw refuseField(
      'INVALID_INPUT',
      `records[${index}]`,
      `has more than ${limits.characters} characters: shorten it.`,
    );
  const limit = exceededLimit(json, limits);
  if (limit) throw limitExceeded(limit, index, limits);
}

export function limitExceeded(limit: keyof JsonLimits, index: number, limits: RecordLimits): Refusal {
  return refuseField('INVALID_INPUT', `records[${index}]`, `${limitProblem(limit, limits)}.`);
}
