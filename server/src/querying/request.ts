import { type Static, Type } from 'typebox';
import { Refusal } from '../platform/errors.ts';
import { instantFormats, parseInstant } from '../platform/instant.ts';
import { omissible } from '../platform/omissible.ts';
import { quoted } from '../platform/quoted.ts';
import { mostRows } from '../search/page.ts';
import type { Run } from './runner.ts';

const day = 24 * 60 * 60 * 1000;
const usualRows = 5_000;
const names = ['StartTimeRange', 'EndTimeRange'] as const;
const formats = `${instantFormats}, or in milliseconds since 1970`;

/** What a run takes besides its query. Clients send null or nothing for what they leave out. */
export const RunOptions = {
  options: omissible(
    Type.Object(
      {
        limit: omissible(
          Type.Integer({
            minimum: 1,
            maximum: mostRows,
            description: `Most rows of the answer; ${usualRows} when left out.`,
          }),
        ),
      },
      { description: 'How it runs.' },
    ),
  ),
  arguments: omissible(
    Type.Array(
      Type.Object({
        name: Type.Enum([...names], {
          description: 'Start of the range, included, or its end, not included.',
        }),
        value: omissible(Type.String({ maxLength: 100, description: `A moment: ${formats}.` })),
      }),
      {
        maxItems: 20,
        description: 'The range of time that it sees, as long as you like; the last 24 hours when left out.',
      },
    ),
  ),
};
const RunRequest = Type.Object(RunOptions);
export type RunRequest = Static<typeof RunRequest>;

export function readRun(given: RunRequest, now: number): Omit<Run, 'account'> {
  const [start, end] = names.map((name) => instantOf(given, name));
  const range = { start: start ?? (end ?? now) - day, end: end ?? now + 1 };
  if (range.start >= range.end) {
    throw new Refusal(
      'INVALID_TIME_RANGE',
      'arguments: StartTimeRange must be before EndTimeRange, which defaults to now.',
    );
  }
  return { range, limit: given.options?.limit ?? usualRows };
}

function instantOf(given: RunRequest, name: string): number | undefined {
  const named = [...(given.arguments ?? []).entries()].filter(
    ([, { name: other, value }]) => other === name && value,
  );
  const [first, second] = named;
  if (!first) return undefined;
  if (second) {
    throw new Refusal('INVALID_INPUT', `arguments[${second[0]}] repeats ${name}: give it once.`);
  }
  const [place, { value }] = first;
  const instant = parseInstant(value ?? '') ?? epochInstant(value ?? '');
  if (instant !== undefined) return instant;
  throw new Refusal(
    'INVALID_INPUT',
    `arguments[${place}].value ${quoted(value ?? '')} is not a date: write it as ${formats}.`,
  );
}

/** As the language reads digits: up to ten are seconds, more are milliseconds. */
function epochInstant(text: string): number | undefined {
  if (!/^\d{1,15}$/.test(text)) return undefined;
  return text.length <= 10 ? Number(text) * 1000 : Number(text);
}
