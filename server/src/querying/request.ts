import { type Static, Type } from 'typebox';
import { Refusal } from '../platform/errors.ts';
import { instantFormats, parseInstant } from '../platform/instant.ts';
import { omissible } from '../platform/omissible.ts';
import { quoted } from '../platform/quoted.ts';
import { maxRows } from '../search/page.ts';
import type { Run } from './runner.ts';

const day = 24 * 60 * 60 * 1000;
const defaultRows = 5_000;
const names = ['StartTimeRange', 'EndTimeRange'] as const;
const formats = `${instantFormats}, or in milliseconds since 1970`;

/** The parameters of a query run. Clients send null or nothing for omitted ones. */
export const RunOptions = {
  options: omissible(
    Type.Object(
      {
        limit: omissible(
          Type.Integer({
            minimum: 1,
            maximum: maxRows,
            description: `Maximum number of rows; ${defaultRows} if omitted.`,
          }),
        ),
      },
      { description: 'Options of the run.' },
    ),
  ),
  arguments: omissible(
    Type.Array(
      Type.Object({
        name: Type.Enum([...names], {
          description: 'Start of the time range, inclusive, or its end, exclusive.',
        }),
        value: omissible(Type.String({ maxLength: 100, description: `A timestamp: ${formats}.` })),
      }),
      {
        maxItems: 20,
        description: 'Time range of the query, of any length; the last 24 hours if omitted.',
      },
    ),
  ),
};
const RunRequest = Type.Object(RunOptions);
export type RunRequest = Static<typeof RunRequest>;

export function readRun(request: RunRequest, now: number): Omit<Run, 'account'> {
  const [start, end] = names.map((name) => instantOf(request, name));
  const range = { start: start ?? (end ?? now) - day, end: end ?? now + 1 };
  if (range.start >= range.end) {
    throw new Refusal(
      'INVALID_TIME_RANGE',
      'arguments: StartTimeRange must be before EndTimeRange, which defaults to now.',
    );
  }
  return { range, limit: request.options?.limit ?? defaultRows };
}

function instantOf(request: RunRequest, name: string): number | undefined {
  const matching = [...(request.arguments ?? []).entries()].filter(
    ([, { name: other, value }]) => other === name && value,
  );
  const [first, second] = matching;
  if (!first) return undefined;
  if (second) {
    throw new Refusal('INVALID_INPUT', `arguments[${second[0]}] repeats ${name}: give it once.`);
  }
  const [index, { value }] = first;
  const instant = parseInstant(value ?? '') ?? epochInstant(value ?? '');
  if (instant !== undefined) return instant;
  throw new Refusal(
    'INVALID_INPUT',
    `arguments[${index}].value ${quoted(value ?? '')} is not a date: write it as ${formats}.`,
  );
}

/** As in the query language: up to ten digits are seconds, more are milliseconds. */
function epochInstant(digits: string): number | undefined {
  if (!/^\d{1,15}$/.test(digits)) return undefined;
  return digits.length <= 10 ? Number(digits) * 1000 : Number(digits);
}
