import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DatasourceCatalogue } from '../datasources/catalogue.ts';
import { shippedPacks } from '../detection/packs/pack.ts';
import { datasets } from '../telemetry/datasets.ts';
import { TestTelemetry } from '../testing/telemetry.ts';
import { fillShop } from './guide.sample.ts';
import { type Example, renewed } from './guide.ts';
import { QueryLanguage } from './language.ts';
import type { ReadQuery } from './read-query.ts';
import { QueryRunner } from './runner.ts';

let place: TestTelemetry;
beforeAll(async () => {
  place = await TestTelemetry.start();
  await fillShop(place, 'A');
});
afterAll(() => place.stop());

const language = new QueryLanguage(new DatasourceCatalogue({ datasets, packs: shippedPacks() }));
const day = 86_400_000;

/** Rows one per line, in an order that does not change. */
async function rowsOf(read: ReadQuery): Promise<string> {
  const { telemetry, clock } = place;
  const now = clock.now();
  const run = { account: 'A', range: { start: now - day, end: now }, limit: 5_000 };
  const chunks: Uint8Array[] = [];
  for await (const chunk of new QueryRunner({ telemetry, clock }).run(read, run)) chunks.push(chunk);
  const rows = JSON.parse(`[${Buffer.concat(chunks)}]`, exactly) as object[];
  return rows
    .map((row) => JSON.stringify(row))
    .sort()
    .join('\n');
}

/** Nothing in the guide has more digits than JavaScript can hold. */
function exactly(_: string, value: unknown): unknown {
  if (typeof value === 'number') expect(Math.abs(value)).toBeLessThanOrEqual(Number.MAX_SAFE_INTEGER);
  return value;
}

async function answer({ text, marks }: Example): Promise<string> {
  if (marks.includes('error') && !marks.includes('policy')) return refused(text);
  const read = language.read(text);
  const isWarned = marks.includes('warning');
  expect([text, read.warnings.length > 0]).toEqual([text, isWarned]);
  if (marks.includes('policy')) {
    const { policyComplaint: complaint } = read;
    expect([text, complaint !== undefined]).toEqual([text, marks.includes('error')]);
    if (complaint !== undefined) return complaint;
  }
  const rows = await rowsOf(read);
  return isWarned ? read.warnings.join('\n') : rows;
}

function refused(text: string): string {
  try {
    language.read(text);
  } catch (error) {
    return (error as Error).message.replace('Unable to translate due to: ', '');
  }
  throw new Error(`This is not refused: ${text}`);
}

/** When it does not, `npm run docs:lql` writes it anew. */
test('docs/lql.md says what its queries answer, and which functions there are', async () => {
  const page = fileURLToPath(new URL('../../../docs/lql.md', import.meta.url));
  const text = readFileSync(page, 'utf8');
  expect(text.match(/^```lql/gm)?.length).toBeGreaterThan(30);
  await expect(await renewed(text, answer)).toMatchFileSnapshot(page);
});
