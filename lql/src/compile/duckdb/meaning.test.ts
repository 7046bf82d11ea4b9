import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { answer } from '../../reference/evaluate.ts';
import { parseJson, writeJson } from '../../reference/json.ts';
import { fullMatch } from '../../reference/pattern.sample.ts';
import { query } from '../../reference/query.sample.ts';
import { world, worldCatalogue, worldDoubles } from '../../reference/world.sample.ts';
import { SampleEngine, sampleNow } from './engine.sample.ts';

const numRuns = Number(process.env.VEDETTE_FUZZ ?? 300);
const seed = process.env.VEDETTE_SEED;

let engine: SampleEngine;

beforeAll(async () => {
  engine = await SampleEngine.start(worldCatalogue, worldDoubles);
});

afterAll(() => engine.stop());

test('what the engine answers is what the query means', { timeout: 10_000 + numRuns * 400 }, async () => {
  await fc.assert(
    fc.asyncProperty(world, query, async (tables, asked) => {
      for (const [name, rows] of tables)
        await engine.fill(
          name,
          rows.map((row) => ({ account: 'own', at: 1, row })),
        );
      const meant = answer(asked, {
        rows: (datasource) => tables.get(datasource) ?? [],
        now: sampleNow,
        matches: fullMatch,
      });
      expect(tidy(await engine.answer(asked))).toEqual(tidy(meant));
    }),
    { numRuns, ...(seed ? { seed: Number(seed) } : {}) },
  );
});

/** In an order, and with blanks and escapes as one of many writes them. */
function tidy(rows: readonly string[]): string[] {
  return rows
    .map((row) => {
      const json = parseJson(row);
      return json ? writeJson(json) : `no JSON: ${row}`;
    })
    .sort();
}
