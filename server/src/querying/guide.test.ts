import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DatasourceCatalogue } from '../datasources/catalogue.ts';
import { shippedPacks } from '../detection/packs/pack.ts';
import { datasets } from '../telemetry/datasets.ts';
import { TestTelemetry } from '../testing/telemetry.ts';
import { storeExamples } from './guide.sample.ts';
import { type Example, regenerated } from './guide.ts';
import { QueryLanguage } from './language.ts';
import type { ParsedQuery } from './read-query.ts';
import { QueryRunner } from './runner.ts';

let testTelemetry: TestTelemetry;
beforeAll(async () => {
  testTelemetry = await TestTelemetry.start();
  await storeExamples(testTelemetry, 'A');
});
afterAll(() => testTelemetry.stop());

const language = new QueryLanguage(new DatasourceCatalogue({ datasets, packs: shippedPacks() }));
const day = 86_400_000;

/** One row per line, in a stable order. */
async function rowsOf(read: ParsedQuery): Promise<string> {
  const { telemetry, clock } = testTelemetry;
  const now = clock.now();
  const run = { account: 'A', range: { start: now - day, end: now }, limit: 5_000 };
  const chunks: Uint8Array[] = [];
  for await (const chunk of new QueryRunner({ telemetry, clock }).run(read, run)) chunks.push(chunk);
  const rows = JSON.parse(`[${Buffer.concat(chunks)}]`, safeInteger) as object[];
  return rows
    .map((row) => JSON.stringify(row))
    .sort()
    .join('\n');
}

/** All numbers of the guide are safe integers. */
function safeInteger(_: string, value: unknown): unknown {
  if (typeof value === 'number') expect(Math.abs(value)).toBeLessThanOrEqual(Number.MAX_SAFE_INTEGER);
  return value;
}

async function outputOf({ text, marks }: Example): Promise<string> {
  if (marks.includes('error') && !marks.includes('policy')) return rejectionOf(text);
  const read = language.read(text);
  const isWarned = marks.includes('warning');
  expect([text, read.warnings.length > 0]).toEqual([text, isWarned]);
  if (marks.includes('policy')) {
    const { policyProblem } = read;
    expect([text, policyProblem !== undefined]).toEqual([text, marks.includes('error')]);
    if (policyProblem !== undefined) return policyProblem;
  }
  const rows = await rowsOf(read);
  return isWarned ? read.warnings.join('\n') : rows;
}

function rejectionOf(text: string): string {
  try {
    language.read(text);
  } catch (error) {
    return (error as Error).message.replace('Unable to translate due to: ', '');
  }
  throw new Error(`The query was not rejected: ${text}`);
}

/** If it fails, run `npm run docs:lql`. */
test('docs/lql.md matches the results of its queries and the declared functions', async () => {
  const page = fileURLToPath(new URL('../../../docs/lql.md', import.meta.url));
  const text = readFileSync(page, 'utf8');
  expect(text.match(/^```lql/gm)?.length).toBeGreaterThan(30);
  await expect(await regenerated(text, outputOf)).toMatchFileSnapshot(page);
});
